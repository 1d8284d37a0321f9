"""Command lines of public scripts, as the original programs answer them: `tests/golden/command-lines`.

Not compared are the order of KWSEval's `alignment.csv`, which is that of Perl's hashes, and the
summaries that name its pictures of curves, which ours does not draw.
"""

from pathlib import Path

import pytest

from scoring.cli.nist.sctk import main
from tests.golden_case import Golden, golden_cases
from tests.judges.command_lines.make import CASES, run_line

ORDER_OF_HASHES = "alignment.csv"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with our programs."""
    folder = tmp_path_factory.mktemp("programs")
    assert main(["install", "--into", str(folder)]) == 0
    return folder


def comparable(case: Golden, results: dict[str, bytes]) -> dict[str, bytes]:
    """What is compared of the parts of a run."""
    names_pictures = " -d " in case.text("command")
    return {
        name: b"\n".join(sorted(part.splitlines())) if name.endswith(ORDER_OF_HASHES) else part
        for name, part in results.items()
        if not (names_pictures and name.endswith("sum.txt") and not name.endswith("bsum.txt"))
        # an empty part is as good as none
        and part
    }


@pytest.mark.share(7)
@pytest.mark.parametrize("case", golden_cases(CASES), ids=lambda case: case.name)
def test_our_programs_answer_as_the_originals(case: Golden, programs: Path, tmp_path: Path) -> None:
    ours = comparable(case, run_line(case.text("command"), programs, tmp_path))
    assert ours == comparable(case, case.expected)
