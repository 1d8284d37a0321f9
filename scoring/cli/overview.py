"""What `scoring` prints without a command: usage, installed packages, the command meant."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

from formats.console.command_line import EXIT_STATUS, closest
from formats.console.telling import print_line, say
from formats.console.terminal import on_screen
from formats.schema import is_installed, lazy_pattern

REQUIREMENT = lazy_pattern(r"([\w.-]+)(?:.*extra == ['\"](\w+))?")
# extras of people who develop the package
NOT_IN_USE = {"test", "site", "benchmark"}
OF_OLD_VERSIONS = "; python_version"
# Programs of other toolkits without a drop-in program, by their names without suffix.
_COMMANDS = {
    "best_wer": "wer DECODE_FOLDER",
    "score_sclite": "wer DECODE_FOLDER",
    "kwseval": "kws",
}


def print_usage(commands: Mapping[str, tuple[str, str]]) -> None:
    """Print the usage of `scoring`: each command with its description."""
    lines = [
        f"  {name:<12}{text}\n"
        for name, (home, text) in commands.items()
        if is_installed(home.partition(":")[0])
    ]
    text = (
        "usage: scoring COMMAND ...\n\n"
        "Score speech recognition, diarisation, keyword search and labels.\n\ncommands:\n"
        f"{''.join(lines)}\n`scoring COMMAND --help` explains a command, `scoring --version` "
        f"prints the version, `scoring --version --verbose` what is installed.\n\n{EXIT_STATUS}"
    )
    print(on_screen(text, sys.stdout), end="")


def print_unknown(name: str, commands: Mapping[str, object]) -> None:
    """Print an error about a name that is not a command, with the command that is meant."""
    near = meant_command(name, commands)
    meant = f"; did you mean {near}?" if near else ""
    say("scoring", f"expected a command, found {name!r}{meant}")
    print_line("see scoring --help")


def installed() -> Iterator[str]:
    """Yield lines for Python, the compiled core and each package in use."""
    from importlib.metadata import PackageNotFoundError, requires, version
    from importlib.util import find_spec

    yield f"Python {sys.version.split()[0]} on {sys.platform}: {sys.executable}"
    core = find_spec("scoring._native")
    yield f"native core: {core.origin if core and core.origin else 'not installed'}"
    seen = set()
    for requirement in requires("sclite-kit") or ():
        match = REQUIREMENT.match(requirement)
        if match is None or match[1] in seen or match[2] in NOT_IN_USE:
            continue
        if OF_OLD_VERSIONS in requirement and sys.version_info >= (3, 11):
            continue
        name, extra = match.groups()
        seen.add(name)
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            source = f"sclite-kit[{extra}]" if extra else name
            yield f"{name}: not installed (pip install '{source}')"
    yield from plugins()


def plugins() -> Iterator[str]:
    """Yield a line for each format, measure and step that another package adds."""
    import formats.detection as formats
    from scoring import measures
    from scoring.text import registry as steps

    rooms = ((formats.plugin_door(), formats), (measures.PLUGINS, measures), (steps.PLUGINS, steps))
    for door, room in rooms:
        for name, plugin in door.plugins().items():
            yield f"{plugin.noun} {name}: {plugin.package} {plugin.version}"
        yield from (f"rejected: {problem}" for problem in room.plugin_problems())


def meant_command(name: str, commands: Mapping[str, object]) -> str | None:
    """Return the command that a name probably means; None if no command is similar.

    A program of SCTK, Kaldi or F4DE is its drop-in program or the command with the same task.

    >>> meant_command("hubscr", {"wer": ""}), meant_command("compute-wer", {"wer": ""})
    ('sctk hubscr.pl', 'kaldi compute-wer')
    """
    stem = _stem(name)
    programs = {_stem(program): command for program, command in _programs()} | _COMMANDS
    # `best-wer` is `best_wer`
    alike = stem.replace("-", "_")
    return programs.get(stem) or programs.get(alike) or closest(name, commands)


def _stem(name: str) -> str:
    return name.rpartition("/")[2].removesuffix(".pl").removesuffix(".sh").lower()


def _programs() -> Iterator[tuple[str, str]]:
    """Yield the names of the drop-in programs, each with the command that runs it."""
    from scoring.cli.nist.sctk import PROGRAMS

    for program in PROGRAMS:
        yield program, f"sctk {program}"
    if is_installed("scoring.peers"):
        from scoring.peers.kaldi.wrappers import WRAPPERS

        for program, command in WRAPPERS.items():
            yield program, f"kaldi {command}"
