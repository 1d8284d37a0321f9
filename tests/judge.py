"""Where the original programs are: SCTK's, F4DE's and Kaldi's own, not ours of the same names."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

JUDGES = "SCLITE_KIT_JUDGES"
"""The environment variable with folders of originals that are not on the path."""
OUR_LAUNCHER = b"scoring.cli"
MISSING = "sctk, the judge, is not installed (apt-get install sctk)"


@cache
def judge(program: str) -> str | None:
    """The path of an original program, None where it is not installed.

    It is in a folder of the variable `SCLITE_KIT_JUDGES`, among SCTK's programs, or on the path. An
    environment may have ours of the same name first on its path: judged by these we would be
    compared with ourselves.
    """
    folders = os.environ.get(JUDGES, "").split(os.pathsep)
    for folder in (*filter(None, folders), *_of_sctk(), *os.get_exec_path()):
        path = shutil.which(program, path=folder)
        if path is not None and OUR_LAUNCHER not in Path(path).read_bytes():
            return os.path.abspath(path)
    return None


@cache
def _of_sctk() -> tuple[str, ...]:
    """The folder of SCTK's programs, if its launcher is on the path."""
    for folder in os.get_exec_path():
        launcher = shutil.which("sctk", path=folder)
        if launcher is None or OUR_LAUNCHER in Path(launcher).read_bytes():
            continue
        path = subprocess.run([launcher, "path"], capture_output=True, text=True, check=True)
        return (path.stdout.strip(),)
    return ()
