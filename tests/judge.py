"""Where the original programs are: SCTK's own, not our launcher of the same name."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

OUR_LAUNCHER = b"scoring.cli.nist.sctk"
MISSING = "sctk, the judge, is not installed (apt-get install sctk)"


@cache
def judge(program: str) -> str | None:
    """The path of an original program, None where it is not installed.

    An environment that has our commands first on its PATH has an `sctk`, too: judged by that one
    we would be compared with ourselves.
    """
    for folder in os.get_exec_path():
        launcher = shutil.which("sctk", path=folder)
        if launcher is None or OUR_LAUNCHER in Path(launcher).read_bytes():
            continue
        path = subprocess.run([launcher, "path"], capture_output=True, text=True, check=True)
        found = Path(path.stdout.strip(), program)
        return str(found) if found.exists() else None
    return None
