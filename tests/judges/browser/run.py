"""The page's runtime against the stored runs of the original sclite: the share of equal ones.

    python tests/judges/browser/run.py [--page FOLDER]

The page is exported if no folder is named, which needs npm and a network; node runs its runtime.
The status is 1 if less than 99 % of the cases give the same bytes.
"""

import argparse
import base64
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from scoring.serve.browser.export import export
from scoring.serve.browser.tasks import archive, unpacked
from tests.golden_case import golden_cases
from tests.judges.sclite.compare import Outcome, actual_parts, expected_parts, unified_difference
from tests.judges.sclite.programs import ROOT, pipe, run_in

GROUPS = ("ctm-ctm", "diff", "lm", "sclite", "txt", "ukrainian")
LEAST = 0.99
PART = re.compile(r'^sclitePart\(\'([^\']+)\', "([^"]+)"\);\n$')


class InRuntime:
    """Our sclite in the runtime of an exported page."""

    def __init__(self, parts: Path, work: Path) -> None:
        script = Path(__file__).with_name("runtime.mjs")
        self._process = subprocess.Popen(
            ["node", str(script), str(parts), str(ROOT), str(work)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.borrowed = 0  # cases that ran this machine's diff, which no browser has

    def execute(self, arguments: Sequence[str], directory: Path, streams: Path) -> int | None:
        """Run; `streams`/stdin is standard input, if it is there."""
        words = [str(directory), str(streams), *arguments]
        line = b"\0".join(os.fsencode(word) for word in words).hex() + "\n"
        pipe(self._process.stdin).write(line.encode("ascii"))
        pipe(self._process.stdin).flush()
        status, borrowed = map(int, pipe(self._process.stdout).readline().split())
        self.borrowed += borrowed > 0
        return status

    def close(self) -> None:
        """End the runtime."""
        pipe(self._process.stdin).close()
        self._process.wait()


def unpack(page: Path, target: Path) -> None:
    """The parts of a page as the files they hold."""
    for path in (page / "parts").glob("*.js"):
        found = PART.match(path.read_text("ascii"))
        assert found is not None, path
        name, content = found[1], gzip.decompress(base64.b64decode(found[2]))
        if name == "packages":
            name, content = f"{name}.zip", archive(unpacked(content)[1])
        (target / name).write_bytes(content)


def main() -> int:
    """Run all cases; the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--page", type=Path, help="folder of an exported page")
    page = parser.parse_args().page
    if shutil.which("node") is None:
        print("left out: node is not installed")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        if page is None:
            export(str(page := folder / "page"))
        (folder / "parts").mkdir()
        unpack(page, folder / "parts")
        program = InRuntime(folder / "parts", folder)
        cases, different = golden_cases(*GROUPS), []
        for number, case in enumerate(cases):
            top = folder / str(number)
            (top / "streams").mkdir(parents=True)
            case.lay_out(top / "work")
            if "stdin" in case.parts:
                (top / "streams" / "stdin").write_bytes(case.parts["stdin"])
            if (case.path.parent / "models").exists():
                (top / "models").symlink_to(case.path.parent / "models")
            files = case.expected
            status, stdout = int(files.pop("status")), files.pop("stdout")
            expected = Outcome(status, stdout, files.pop("stderr", b""), files)
            result = run_in(program, case.arguments, top / "work", top / "streams")
            parts = actual_parts(result, expected.stderr)
            if text := unified_difference(expected_parts(expected), parts):
                different.append(case)
                print(f"{case.group}/{case.name}: {case.text('what')}\n{text[:2000]}")
        program.close()
    same = len(cases) - len(different)
    print(f"{same} of {len(cases)} cases are byte-equal: {100 * same / len(cases):.1f} %")
    print(
        f"{program.borrowed} of them asked for alignment by the program diff (-d) of this machine"
    )
    return int(same < LEAST * len(cases))


if __name__ == "__main__":
    sys.exit(main())
