"""Wrapper files that have the names of Kaldi's tools, so that scripts find them on PATH."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from formats.io.temporary import create_beside
from scoring.model.errors import ScoringError

# The tool's name in Kaldi and ours.
WRAPPERS = {
    "compute-wer": "compute-wer",
    "compute-wer-bootci": "compute-wer-bootci",
    "align-text": "align-text",
    "wer_per_utt_details.pl": "per-utt",
    "wer_per_spk_details.pl": "per-spk",
    "wer_ops_details.pl": "ops",
}
# places in a tree of Kaldi's; its path.sh puts src/bin first on the PATH
PROGRAMS_AT = "src/bin"
# Of F4DE.
KWSEVAL = "KWSEval"
SCRIPTS_AT = "egs/*/*/utils/scoring"
SCTK_AT = "tools/sctk/bin"
KEPT = ".before-sclite-kit"
MARK = "written by `scoring "
# Linux reads so much of the first line of a script.
_LONGEST_FIRST_LINE = 127


class InstallStep(NamedTuple):
    """A file that a wrapper replaces, or that is restored."""

    path: Path
    text: str
    kept: Path

    def install(self, *, dry_run: bool) -> str:
        """Rename the existing program, write the wrapper, and return a line for the user."""
        replaces = os.path.lexists(self.path) and not _is_ours(self.path)
        if not dry_run:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if replaces:
                self.path.rename(self.kept)
            _write(self.path, self.text)
        line = f"{'would write' if dry_run else 'wrote'} {self.path}"
        return f"{line}, the original is {self.kept.name}" if replaces else line

    def undo(self, *, dry_run: bool) -> str | None:
        """Restore the renamed program, or remove the wrapper; return a line for the user.

        Return None if neither file exists.
        """
        kept, ours = os.path.lexists(self.kept), _is_ours(self.path)
        if not kept and not ours:
            return None
        if not ours and os.path.lexists(self.path):
            return f"left {self.path}: it is not ours any more, {self.kept.name} is kept, too"
        if not dry_run:
            self.kept.replace(self.path) if kept else self.path.unlink()
        would = "would have " if dry_run else ""
        return f"{would}{'restored' if kept else 'removed'} {self.path}"


def steps_into(root: str, programs: Iterable[str], *, undo: bool = False) -> list[InstallStep]:
    """Return the steps of `scoring kaldi install`, into Kaldi's source tree or a new folder."""
    tree = Path(root)
    is_tree = (tree / PROGRAMS_AT).is_dir()
    if not is_tree and not all(map(_is_ours, tree.glob("*"))):
        raise ScoringError(
            f"{tree}: expected a tree of Kaldi's or a new folder, found no folder {PROGRAMS_AT}, "
            "but other files"
        )
    binaries, scripts = tree / PROGRAMS_AT, [tree]
    if is_tree:
        scripts = sorted({path.resolve() for path in tree.glob(SCRIPTS_AT) if path.is_dir()})
    steps = [
        InstallStep(folder / name, script(command, sys.executable), folder / f"{name}{KEPT}")
        for name, command in WRAPPERS.items()
        for folder in (scripts if name.endswith(".pl") or not is_tree else [binaries])
    ]
    checked = _checked(steps, undo)
    return checked + (steps_of_sctk(str(tree / SCTK_AT), programs, undo=undo) if is_tree else [])


def steps_of_sctk(folder: str, programs: Iterable[str], *, undo: bool = False) -> list[InstallStep]:
    """Return the steps of `scoring sctk install` that replace SCTK's programs in a folder.

    The programs need not exist.
    """
    steps = []
    for name in programs:
        path = Path(folder, name)
        text = _script("scoring.cli.nist.sctk", f"run({name!r})", name, sys.executable, "sctk")
        steps.append(InstallStep(path, text, path.with_name(f"{name}{KEPT}")))
    return _checked(steps, undo)


def steps_of_programs(
    folder: str, programs: Iterable[str], *, undo: bool = False
) -> list[InstallStep]:
    """Return the steps of `scoring sctk install`: SCTK's programs, KWSEval, and Kaldi's binaries.

    A wrapper replaces an existing program of SCTK, which is kept under another name. Files with the
    names of KWSEval or Kaldi's binaries are rejected unless they are wrappers.
    """
    texts = {
        name: script(command, sys.executable)
        for name, command in WRAPPERS.items()
        if not name.endswith(".pl")
    }
    texts[KWSEVAL] = _script(
        "scoring.cli.nist.sctk", f"run({KWSEVAL!r})", KWSEVAL, sys.executable, "sctk"
    )
    steps = []
    for name, text in texts.items():
        path = Path(folder, name)
        if not undo and os.path.lexists(path) and not _is_ours(path):
            raise ScoringError(f"{path}: expected no file or one of ours, found another program")
        steps.append(InstallStep(path, text, path.with_name(f"{name}{KEPT}")))
    return steps_of_sctk(folder, programs, undo=undo) + steps


def _checked(steps: list[InstallStep], undo: bool) -> list[InstallStep]:
    for step in () if undo else steps:
        if os.path.lexists(step.kept) and os.path.lexists(step.path) and not _is_ours(step.path):
            raise ScoringError(
                f"{step.path}: is not ours, and another original is kept as {step.kept.name}: "
                "remove the one that is out of date"
            )
    return steps


def script(command: str, executable: str) -> str:
    """Return the source of a wrapper that runs `command`."""
    return _script(
        "scoring.cli.peers.kaldi", f"run({command!r})", f"scoring kaldi {command}", executable
    )


def _script(module: str, call: str, command: str, executable: str, installer: str = "kaldi") -> str:
    first = f"#!{executable}\n"
    if " " in executable or len(first) > _LONGEST_FIRST_LINE:
        # a shell sees a command, Python a string
        quoted = "'" + executable.replace("'", "'\\''") + "'"
        first = f"#!/bin/sh\n'''exec' {quoted} \"$0\" \"$@\"\n' '''\n"
    root = str(Path(__file__).resolve().parents[3])
    return (
        f"{first}# {command}, {MARK}{installer} install`\n"
        "import sys\n\n"
        f"sys.path.append({root!r})\n"
        f"from {module} import run\n\n"
        f"{call}\n"
    )


def _is_ours(path: Path) -> bool:
    try:
        return MARK in path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return False


def _write(path: Path, text: str) -> None:
    temporary, descriptor = create_beside(str(path))
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(temporary, 0o755)
    os.replace(temporary, path)
