"""Files named like Kaldi's tools that run ours, for scoring scripts to find on their PATH."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from formats.temporary import create_beside
from scoring.errors import ScoringError

# The tool's name in Kaldi and ours.
WRAPPERS = {
    "compute-wer": "compute-wer",
    "compute-wer-bootci": "compute-wer-bootci",
    "align-text": "align-text",
    "wer_per_utt_details.pl": "per-utt",
    "wer_per_spk_details.pl": "per-spk",
    "wer_ops_details.pl": "ops",
}
MARK = "written by `scoring kaldi install-wrappers`"
# Linux reads so much of the first line of a script.
_LONGEST_FIRST_LINE = 127


def install_wrappers(folder: str | os.PathLike[str]) -> list[Path]:
    """Write the wrappers into a folder, which is made if it is not there.

    They run the Python and the package that write them, whatever the working directory is.

    Raises
    ------
    ScoringError
        If a file of such a name is there that is no wrapper of ours: nothing is written then.
    OSError
        If something cannot be written.
    """
    target = Path(folder)
    paths = [target / name for name in WRAPPERS]
    for path in paths:
        if os.path.lexists(path) and not _is_ours(path):
            raise ScoringError(f"{path}: is there and was not written by us, it is left as it is")
    target.mkdir(parents=True, exist_ok=True)
    for path in paths:
        _write(path, script(WRAPPERS[path.name], sys.executable))
    return paths


def script(command: str, executable: str) -> str:
    r"""The text of a wrapper.

    Examples
    --------
    >>> print(script("ops", "/usr/bin/python3").splitlines()[0])
    #!/usr/bin/python3
    >>> print("\n".join(script("ops", "/opt/my python").splitlines()[:3]))
    #!/bin/sh
    '''exec' '/opt/my python' "$0" "$@"
    ' '''
    """
    first = f"#!{executable}\n"
    if " " in executable or len(first) > _LONGEST_FIRST_LINE:
        # a shell sees a command, Python a string
        quoted = "'" + executable.replace("'", "'\\''") + "'"
        first = f"#!/bin/sh\n'''exec' {quoted} \"$0\" \"$@\"\n' '''\n"
    root = str(Path(__file__).resolve().parents[2])
    return (
        f"{first}# scoring kaldi {command}, {MARK}\n"
        "import sys\n\n"
        f"sys.path.append({root!r})\n"
        "from scoring.cli.kaldi import run\n\n"
        f"run({command!r})\n"
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
