"""Scoring text and meetings, and their reports, need no numpy, lxml or regex, with either core."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.alignment import kernel

CODE = """
import sys
from pathlib import Path

blocked = {"numpy", "lxml", "regex"}


class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in blocked:
            raise ImportError(f"{name} is blocked")


sys.meta_path.insert(0, Blocker())
import scoring
from scoring.pages import summary_lines, utterances_of
from scoring.drawing.text import text_lines

folder = Path(sys.argv[1])
reference = {"anne-1": "The cat sat.", "anne-2": "a b"}
hypothesis = {"anne-1": "the hat sat", "anne-2": "a"}
rates = scoring.wer(reference, hypothesis, keep_sources=True, normalize="plain")
print(*summary_lines(rates), *text_lines(utterances_of(rates)), rates, sep="\\n")
assert "Eval:" in rates.report("pralign")
rates.save(folder / "rates.json")
assert scoring.load(folder / "rates.json") == 0.4
scoring.html_report(rates, folder / "rates.html")
sides = folder / "reference.stm", folder / "hypothesis.stm"
for side, names in zip(sides, ("AB", "yx")):
    side.write_text("".join(f"m 1 {name} {start} {start + 2} a b\\n" for start, name in enumerate(names)))
for measure in ("cp", "tcp", "orc", "tcorc", "mimo", "dicp"):
    assert scoring.wer(*sides, meeting=measure, explain=True).counts.errors == 0
assert not blocked.intersection(sys.modules)
"""


@pytest.mark.parametrize("core", ["native", "plain"])
def test_text_is_scored_and_reported_without_libraries(tmp_path: Path, core: str) -> None:
    if core == "native" and core != kernel.IMPLEMENTATION:
        pytest.skip("the native core is not built or not wanted")
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path)],
        env={**os.environ, "SCORING_ALIGN": core},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("%WER 40.00 [ 2 / 5, 0 ins, 1 del, 1 sub ]\n")
    assert (tmp_path / "rates.html").read_bytes().startswith(b"<!doctype html>")
