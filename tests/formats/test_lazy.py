"""Names that are loaded on first use, and processes that are forked meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FORK = """
import os, sys, threading, time
import formats

sys.path.insert(0, sys.argv[1])
started = threading.Event()

class Telling:
    def find_spec(self, name, path=None, target=None):
        if name == "slow":
            started.set()
            time.sleep(0.2)

sys.meta_path.insert(0, Telling())
thread = threading.Thread(target=lambda: __import__("slow"))
thread.start()
started.wait()
time.sleep(float(sys.argv[2]))
child = os.fork()
if not child:
    import slow
    os._exit(slow.STATUS)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
thread.join()
"""


@pytest.mark.skipif(not hasattr(os, "register_at_fork"), reason="needs fork")
@pytest.mark.parametrize("after", ["0", "0.4"], ids=["while found", "while run"])
def test_a_fork_waits_for_the_imports_of_other_threads(tmp_path: Path, after: str) -> None:
    """The other process had the lock of the import, and nobody to release it."""
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(0.6)\nSTATUS = 7\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORK, tmp_path, after],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("7\n", "")


@pytest.mark.skipif(not hasattr(os, "register_at_fork"), reason="needs fork")
def test_a_fork_within_an_import_goes_on(tmp_path: Path) -> None:
    """The thread's own imports are not waited for."""
    text = "import os\nchild = os.fork()\nif not child: os._exit(0)\nos.waitpid(child, 0)\n"
    (tmp_path / "forking.py").write_text(text, "utf-8")
    code = f"import sys, formats; sys.path.insert(0, {str(tmp_path)!r}); import forking"
    subprocess.run([sys.executable, "-c", code], timeout=20, check=True)
