"""The command that a user probably meant by a name that is not a command."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from formats.console.command_line import closest
from formats.schema import is_installed

# Programs of other toolkits without a drop-in program, by their names without suffix.
_COMMANDS = {
    "best_wer": "wer DECODE_FOLDER",
    "score_sclite": "wer DECODE_FOLDER",
    "kwseval": "kws",
}


def meant_command(name: str, commands: Iterable[str]) -> str | None:
    """Return the command that a name probably means; None if no command is similar.

    A program of SCTK, Kaldi or F4DE is its drop-in program or the command with the same task.

    >>> meant_command("hubscr", ["wer"]), meant_command("compute-wer", ["wer"])
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
    from importlib import import_module

    # by name, because that module imports commands
    for program in import_module("scoring.cli.nist.sctk").PROGRAMS:
        yield program, f"sctk {program}"
    if is_installed("scoring.peers"):
        from scoring.peers.kaldi.wrappers import WRAPPERS

        for program, command in WRAPPERS.items():
            yield program, f"kaldi {command}"
