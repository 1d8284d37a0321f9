"""Renderings as in the reference, against the Open ASR Leaderboard's own audit."""

from pathlib import Path

import pytest

import scoring
from scoring.cli.scoring import main
from scoring.measures.renderings import AUDIT, Families, agreements
from scoring.text import leaderboard, leaderboard_tables
from tests.judges.leaderboard_audit.run import our_renderings
from tests.scoring.measures.corpora import counted
from tests.scoring.measures.golden import records

# As many entries of the leaderboard's lists as the goldens need.
TABLES = r"""
english_spelling_normalizer = {
    "colour": "color", "centre": "center", "grey": "gray", "tyre": "tire",
}
english_name_normalizer = {"stephen": "steven"}
english_compound_normalizer = {r"\bwi\s+fi\b": "wifi"}
"""
LISTS = '''
SPELLING_PREFIXES = tuple("colour centre".split())
SPELLING_KEYS = frozenset("""grey
    labour""".split())
INITIALISMS = frozenset("tv dvd api uid".split())
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A clone with these lists, taken for those of the day."""
    contents: dict[str, dict[str, str]] = {}
    exec(TABLES, contents)
    lists = [contents[name] for name in leaderboard_tables._LISTS]
    digest = leaderboard_tables.LeaderboardTables(*lists).digest
    monkeypatch.setattr(leaderboard_tables, "DIGEST", digest)
    for name, text in ((leaderboard_tables.FILE, TABLES), (AUDIT, LISTS)):
        path = tmp_path / "clone" / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    leaderboard._english.cache_clear()
    return str(tmp_path / "clone")


@pytest.mark.share(4)
@pytest.mark.parametrize("part", range(4))
def test_counts_are_those_of_the_leaderboard(part: int, folder: str) -> None:
    cases = records("renderings-leaderboard")[part::4]
    assert len(cases) == 250
    for case in cases:
        assert our_renderings(case["clips"], folder) == case["counts"], case["clips"]


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("the colour TV", "the color T.V.", [("spelling", False), ("initialism", False)]),
        ("the Colour, T. V.", "the colour T. V.", [("spelling", True), ("initialism", True)]),
        ("a tyre", "a tyre", []),  # not among the families
        ("twenty-one of 30", "21 of thirty", [("number", False), ("number", False)]),
        ("the twenty first", "the twenty-first", [("number", True)]),
        ("in fy 21 and year 22 and '23", "in fy 21 and year 22 and '23", []),
        ("the 21th", "the 21th", []),
        ("Mr. Brown", "mister Brown", [("lexical", False)]),
        ("mr Brown", "mr Brown", []),  # ambiguous without a full stop
        ("an e-mail", "an e mail", [("lexical", True)]),
        ("an e-mail", "a letter", []),
        ("a colour", "", []),
    ],
)
def test_forms(
    folder: str, reference: str, hypothesis: str, expected: list[tuple[str, bool]]
) -> None:
    assert list(agreements(Families(folder), reference, hypothesis)) == expected


def test_lists_are_needed_and_in_the_signature(
    folder: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("ref", "u1 the colour tv\n"), ("hyp", "u1 the color tv\n")):
        (tmp_path / f"{name}.txt").write_text(text)
    sides = [str(tmp_path / f"{name}.txt") for name in ("ref", "hyp")]
    command = ["wer", *sides, "--measures", "renderings", "--measure-option"]
    assert main([*command, f"leaderboard={folder}"]) == 0
    printed = capfd.readouterr().out
    assert ["same", "form", "%", "50.00"] in [line.split() for line in printed.splitlines()]
    assert f"renderings(leaderboard:{Families(folder)})" in printed
    assert main([*command, f"leaderboard={tmp_path}"]) == 2
    assert AUDIT in capfd.readouterr().err
    Path(folder, AUDIT).write_text("INITIALISMS = (")
    with pytest.raises(ValueError, match="expected the lists"):
        Families(folder)
    assert counted("renderings", "the colour", "the colour")["agreement"] is None


def test_texts_are_taken_as_read(folder: str) -> None:
    rates = scoring.wer(
        {"u1": "The COLOUR!"},
        {"u1": "the color"},
        normalize=["plain"],
        measures=["renderings"],
        measure_options={"leaderboard": folder},
    )
    part = rates.measured["renderings"]
    assert (part["agreement"], part["spelling_forms"]) == (0, 1)
