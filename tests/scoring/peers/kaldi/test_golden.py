"""What Kaldi's tools print, on cases worked out by hand: see tests/golden/kaldi/README.md."""

from pathlib import Path

from tests.each_case import each_case
from tests.golden_case import Golden, golden_cases
from tests.programs import forked

ROOT = Path(__file__).resolve().parents[4]
CASES = golden_cases("kaldi")


@each_case("case", CASES, ids=lambda case: case.name)
def test_output_is_as_derived(case: Golden, tmp_path: Path) -> None:
    case.lay_out(tmp_path)
    done = forked(
        tmp_path,
        "scoring.cli.peers.kaldi",
        *case.arguments,
        stdin=case.parts.get("stdin", b""),
        environment={"PATH": "/usr/bin:/bin"},
    )
    assert done.stdout == case.expected["stdout"]
    assert done.returncode == int(case.expected["status"])
    assert b"Traceback" not in done.stderr
    assert (done.returncode == 0) or done.stderr


def test_every_case_is_explained() -> None:
    table = (ROOT / "tests/golden/kaldi/README.md").read_text("utf-8")
    assert CASES
    for case in CASES:
        assert f"`{case.name}`" in table
