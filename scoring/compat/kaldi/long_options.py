"""The command lines of Kaldi's detail scripts: `--name VALUE`, `--name=VALUE`, `--[no]name`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.compat.kaldi.messages import ScriptUsageError

Value = str | int | bool


def parse(
    words: Sequence[str], defaults: Mapping[str, Value]
) -> tuple[dict[str, Value], list[str]]:
    """Options with their values, and the arguments, which may stand anywhere.

    >>> parse(["--special=*", "--no-output-hyp"], {"special-symbol": "<eps>", "output-hyp": True})
    ({'special-symbol': '*', 'output-hyp': False}, [])
    """
    options = dict(defaults)
    arguments: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return options, arguments + rest
        if not word.startswith("-") or word == "-":
            arguments.append(word)
            continue
        name, equals, value = word.lstrip("-").partition("=")
        option, on = _meant(name.lower(), defaults)
        default = defaults[option]
        if isinstance(default, bool):
            if equals:
                raise ScriptUsageError(f"Option {option} does not take an argument")
            options[option] = on
            continue
        if not equals:
            if not rest:
                raise ScriptUsageError(f"Option {option} requires an argument")
            value = rest.pop(0)
        options[option] = _value(option, value, default)
    return options, arguments


def _meant(name: str, defaults: Mapping[str, Value]) -> tuple[str, bool]:
    """The option that a name stands for, and whether it is turned on."""
    names = {option: (option, True) for option in defaults}
    for option, default in defaults.items():
        if isinstance(default, bool):
            names |= {f"no{option}": (option, False), f"no-{option}": (option, False)}
    if name in names:
        return names[name]
    matches = {meant for full, meant in names.items() if name and full.startswith(name)}
    if len(matches) > 1:
        raise ScriptUsageError(f"Option {name} is ambiguous")
    if not matches:
        raise ScriptUsageError(f"Unknown option: {name}")
    return matches.pop()


def _value(option: str, value: str, default: str | int) -> str | int:
    if isinstance(default, str):
        return value
    if not value.isascii() or not value.isdecimal():
        raise ScriptUsageError(f"Option {option}: expected a number, found {value!r}")
    return int(value)
