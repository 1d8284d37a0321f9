"""Comparisons: laws, sides of every kind, what is refused, verdicts."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from formats.schema.messages import Message
from scoring.cli.scoring import main
from scoring.drawing.markup import markdown_lines
from scoring.drawing.text import text_lines
from scoring.model.counts import Counts
from scoring.model.errors import OptionValueError, StatisticsError
from scoring.options import Rules
from scoring.regression.changes import USUAL, Request, find_changes
from scoring.regression.conditions import is_above, parse_increase, parse_rate
from scoring.regression.evidence import Check, EvidenceError, ScoredVersion
from scoring.regression.exports import junit_lines
from scoring.regression.messages import (
    ALIGNED_WITH,
    INCREASE,
    LACKS_REFERENCE,
    MISSING_UNITS,
    NO_SPEAKER,
    NOT_A_RATE,
    NOTHING_COMMON,
    OTHER_WORDS,
)
from scoring.regression.opening import open_version
from scoring.regression.report import page_of
from scoring.regression.verdict import Gate, judge, rate_of
from scoring.sides.matching import MatchingError
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.remarks import pattern_of, says

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
UTTERANCE = st.lists(st.sampled_from("abc"), max_size=5)
QUICK = scoring.Resampling(100)


def opened(path: str, reference: str | None = None) -> ScoredVersion:
    side = open_version(path, reference=reference)
    assert isinstance(side, ScoredVersion)
    return side


def evidence(
    texts: dict[str, tuple[str, str]], name: str = "side", **options: Any
) -> ScoredVersion:
    rates = scoring.wer(
        reference={key: reference for key, (reference, _) in texts.items()},
        hypothesis={key: hypothesis for key, (_, hypothesis) in texts.items()},
        **options,
    )
    return ScoredVersion(name, "run", rates)


def refusal(old: ScoredVersion, new: ScoredVersion, request: Request = USUAL) -> str:
    with pytest.raises(MatchingError) as caught:
        find_changes(old, new, request)
    return str(caught.value)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(UTTERANCE, UTTERANCE, UTTERANCE), min_size=1, max_size=8))
def test_changes_add_up(rows: list[tuple[list[str], list[str], list[str]]]) -> None:
    names = [f"u{number}" for number in range(len(rows))]
    sides = [
        evidence(
            {
                name: (" ".join(row[0]), " ".join(row[column]))
                for name, row in zip(names, rows, strict=True)
            }
        )
        for column in (1, 2)
    ]
    changes = find_changes(sides[0], sides[1], Request(resampling=QUICK))
    moved = [row.change.more for row in (*changes.worse, *changes.better)]
    assert sum(moved) == changes.total.more
    assert changes.total.more == sides[1].rates.counts.errors - sides[0].rates.counts.errors
    back = find_changes(sides[1], sides[0], Request(resampling=QUICK))
    assert back.total.more == -changes.total.more
    assert [row.change.name for row in back.worse] == [row.change.name for row in changes.better]


def test_the_greatest_change_comes_first() -> None:
    texts = {"a": "1 2 3", "b": "1 2 3", "c": "1 2 3"}
    old = evidence({key: (text, text) for key, text in texts.items()})
    new = evidence({"a": ("1 2 3", "1 2"), "b": ("1 2 3", ""), "c": ("1 2 3", "1 2 4")})
    changes = find_changes(old, new, Request(resampling=QUICK))
    assert [(row.change.name, row.change.more) for row in changes.worse] == [
        ("b", 3),
        ("a", 1),
        ("c", 1),
    ]
    assert changes.total.relative is None


def test_both_sides_are_scored_by_the_same_rules() -> None:
    old = evidence({"a": ("a b", "b c")}, profile="kaldi")
    changes = find_changes(old, evidence({"a": ("a b", "b c")}, profile="align-text"))
    assert changes.total.baseline.counts == changes.total.new.counts == Counts(1, 0, 1, 1)


def test_other_utterances_are_refused_or_left_out() -> None:
    old = evidence({"a": ("x", "x"), "b": ("x", "x")}, "old")
    new = evidence({"b": ("x", "y"), "c": ("x", "x"), "d": ("x", "x")}, "new")
    assert says(refusal(old, new), MISSING_UNITS, path="new", other="old", unit="utterance")
    fewer = evidence({"b": ("x", "y")}, "old")
    assert says(refusal(fewer, new), MISSING_UNITS, path="old", other="new", missing="2: c, d")
    changes = find_changes(old, new, Request(allow=["missing"]))
    assert changes.total.new.counts == Counts(0, 1, 0, 0)
    assert changes.baseline_only.identifiers == ("a",)
    assert changes.new_only.number == 2
    others = evidence({"z": ("x", "x")}, "new")
    text = refusal(old, others, Request(allow=["missing"]))
    assert says(text, NOTHING_COMMON, unit="utterance", expected="'a'", found="'z'")


def test_other_references_are_refused_or_allowed() -> None:
    old, new = evidence({"a": ("x", "x")}, "old"), evidence({"a": ("X", "x")}, "new")
    assert says(refusal(old, new), OTHER_WORDS, path="new", other="old")
    assert find_changes(old, new, Request(allow=["references"])).total.more == 1
    folded = evidence({"a": ("x", "x")}, "old", ignore_case=True)
    assert find_changes(folded, new).total.more == 0


def test_speakers_are_needed_to_resample_them() -> None:
    side = evidence({"a": ("x", "x"), "b": ("x", "x")})
    expected = message_text(NO_SPEAKER, unit="utterance", name="a")
    assert refusal(side, side, Request(block="speaker")) == expected


def test_thresholds() -> None:
    for text, share in (("12.5", Fraction(1, 8)), ("12.5%", Fraction(1, 8)), ("0", Fraction(0))):
        condition = parse_rate(text)
        assert (condition.name, condition.bound()) == (f"fail above {text}", share)
    for text, bound in (("5%", Fraction(21, 200)), (".5pt", Fraction(21, 200))):
        condition = parse_increase(text)
        assert (condition.name, condition.bound(Fraction(1, 10))) == (
            f"fail increase {text}",
            bound,
        )


@each_case("text", ["", "x", "-1", "5%%", "1e2", "nan", "inf", "1.2.3", "٣"])
def test_other_thresholds(text: str) -> None:
    with pytest.raises(OptionValueError) as refused:
        parse_rate(text)
    assert refused.value.value == Message(NOT_A_RATE, {"text": text})
    for increase in (text, "5", "+5%"):
        with pytest.raises(ValueError, match=r"expected 5% .of the baseline's rate.(,| or)"):
            parse_increase(increase)


@pytest.mark.parametrize(
    ("text", "increase"), [("+0.5", "0.5pt"), ("+5%", "5%"), ("0.5pt", "0.5pt")]
)
def test_a_rate_that_is_an_increase_names_its_option(text: str, increase: str) -> None:
    with pytest.raises(OptionValueError) as refused:
        parse_rate(text)
    assert refused.value.value == Message(INCREASE, {"text": text, "amount": increase})


@given(st.integers(1, 500), st.integers(0, 500))
def test_a_limit_itself_is_not_above(words: int, errors: int) -> None:
    errors = min(errors, words)
    counts = Counts(words - errors, errors)
    worse = Counts(words - errors, errors, 0, 1)
    rate = f"{100 * errors / words:.6f}"
    exact = Fraction(rate) == Fraction(100 * errors, words)
    thresholds = [parse_increase("0%"), parse_increase("0pt")]
    for threshold in [*thresholds, *([parse_rate(rate)] if exact else [])]:
        limit = threshold.bound(rate_of(counts, "it"))
        assert rate_of(counts, "it") <= limit < rate_of(worse, "it")


def test_seven_percent_is_not_above_seven_percent() -> None:
    # 100 * 0.07 is more than 7 in floating point
    assert rate_of(Counts(93, 7), "it") <= parse_rate("7").bound()


@each_case("words", range(1, 300, 7))
def test_a_rate_is_not_above_its_own_number(words: int) -> None:
    """In whatever order a report's reader multiplies: the limit is the rate that was printed."""
    for errors in range(1, words + 1):
        rate = Fraction(errors, words)
        for number in (100 * (errors / words), 100 * errors / words, errors * (100 / words)):
            limit = parse_rate(f"{number!r}%").bound()
            assert not is_above(rate, limit)
            assert not is_above(errors / words, limit)
        assert is_above(rate, rate - Fraction(1, 10**13))


def test_a_gate_at_the_own_number_passes(tmp_path: Path) -> None:
    for name, words in (("ref.txt", "a b c d e f g"), ("hyp.txt", "a b c d e f x")):
        (tmp_path / name).write_text(f"u1 {words}\nu2 {words}\nu3 {words}\n")
    sides = [str(tmp_path / name) for name in ("ref.txt", "hyp.txt")]
    formats = ["--reference-format", "kaldi", "--hypothesis-format", "kaldi"]
    assert Fraction(1, 7) > Fraction(repr(100 * (1 / 7))) / 100
    assert main(["wer", *sides, *formats, "--fail-above", repr(100 * (1 / 7))]) == 0
    assert main(["wer", *sides, *formats, "--fail-above", "14.285714285"]) == 3


def test_no_words_no_verdict() -> None:
    side = evidence({"a": ("", "x")})
    changes = find_changes(side, side)
    with pytest.raises(StatisticsError) as refused:
        judge(changes, Gate([parse_rate("5")]))
    assert str(refused.value) == "the new system has no error rate: there are no reference words"
    [finding] = judge(changes, Gate(significance=0.05))
    assert (finding.failed, finding.undecided) == (False, True)
    assert finding.text.startswith("randomisation could not be made: ")
    [finding] = judge(changes, Gate(significance=0.05, undecided_fails=True))
    assert finding.failed


def sgml(tmp_path: Path, *options: str) -> Path:
    from scoring.cli.nist.sclite import main as sclite

    trn = ["-r", str(DEMO / "reference.trn"), "-h", str(DEMO / "improved.trn"), "trn"]
    timed = [
        *("-r", str(DEMO / "reference.stm"), "stm"),
        *("-h", str(DEMO / "improved.ctm"), "ctm", "improved.ctm"),
    ]
    command = [*trn, "improved.trn", "-i", "spu_id"] if "trn" in options else timed
    rest = [option for option in options if option != "trn"]
    assert sclite([*command, *rest, "-O", str(tmp_path), "-o", "sgml", "-f", "0"]) == 0
    [path] = tmp_path.glob("*.sgml")
    return path


@pytest.mark.parametrize("options", [("trn",), ("trn", "-s"), (), ("-D",)], ids=" ".join)
def test_sclites_alignments_are_ours(tmp_path: Path, options: tuple[str, ...]) -> None:
    side = opened(str(sgml(tmp_path, *options)))
    assert side.kind == "sclite SGML"
    assert [check.equal and check.compared > 0 for check in side.checks] == [True, True, True]


def test_a_changed_alignment_is_seen(tmp_path: Path) -> None:
    path = sgml(tmp_path, "trn")
    path.write_text(path.read_text().replace('S,"is","was"', 'C,"is","was"', 1))
    side = opened(str(path))
    assert [check.unequal for check in side.checks] == [1, 1, 0]  # the last: heads
    assert side.checks[0].differences[0].where == "anna-0001"


FRAGMENTS = """;; a word that is begun and one that may be omitted
one A anna 0 4 we (uh) saw a ho- of bricks
"""
HEARD = [("we", 0.1), ("saw", 0.5), ("a", 0.9), ("house", 1.2), ("with", 1.6), ("bricks", 2.0)]


def fragments(folder: Path, heard: Sequence[tuple[str, float]], *options: str) -> Path:
    """The SGML of a transcript with fragments and optional words."""
    from scoring.cli.nist.sclite import main as sclite

    folder.mkdir()
    reference, hypothesis = folder / "r.stm", folder / "h.ctm"
    reference.write_text(FRAGMENTS)
    hypothesis.write_text("".join(f"one A {begin} 0.2 {word}\n" for word, begin in heard))
    files = ["-r", str(reference), "stm", "-h", str(hypothesis), "ctm"]
    assert sclite([*files, *options, "-o", "sgml", "-f", "0"]) == 0
    return folder / "h.ctm.sgml"


@pytest.mark.parametrize(
    ("options", "errors"),
    [(("-F",), 2), (("-D", "-F"), 1), (("-D", "-w", "unity"), 2), (("-F", "-w", "unity"), 2)],
)
def test_alignments_that_words_alone_do_not_give_count_as_recorded(
    tmp_path: Path, options: tuple[str, ...], errors: int
) -> None:
    """They were refused: hubscr's are all made with fragments and optional words."""
    side = opened(str(fragments(tmp_path / "new", HEARD, *options)))
    assert side.rates.counts.errors == errors
    words, heads = side.checks
    assert heads.equal
    assert "it counts as it was recorded" in str(words)
    worse = [("we", 0.1), ("sawed", 0.5), *HEARD[2:]]
    changes = find_changes(opened(str(fragments(tmp_path / "old", worse, *options))), side)
    assert changes.total.more == -1


def test_alignments_with_fragments_are_not_compared_with_others(tmp_path: Path) -> None:
    recorded = opened(str(fragments(tmp_path / "old", HEARD, "-F")))
    plain = opened(str(fragments(tmp_path / "new", HEARD)))
    with pytest.raises(MatchingError, match=pattern_of(ALIGNED_WITH, expected="fragments (-F)")):
        find_changes(recorded, plain)
    both = find_changes(recorded, plain, Request(Rules(ignore_case=True)))
    assert both.total.more == 0
    assert both.total.baseline.wrong == 3


def test_several_systems_in_one_file_are_refused(tmp_path: Path) -> None:
    path = sgml(tmp_path, "trn")
    path.write_text(path.read_text() * 2)
    with pytest.raises(EvidenceError) as refused:
        opened(str(path))
    assert str(refused.value) == f"{path}: expected one system, found 2"


def test_all_kinds_of_sides_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "improved.json"
    trn = [str(DEMO / "reference.trn"), str(DEMO / "improved.trn")]
    assert main(["wer", *trn, "--json", str(record)]) == 0
    (tmp_path / "sgml").mkdir()
    paths = [trn[1], str(record), str(sgml(tmp_path / "sgml", "trn")), str(DEMO / "kaldi_baseline")]
    # a reference replaces that of a result
    replaced = [opened(path, reference=trn[0]) for path in paths[2:]]
    assert {side.kind for side in replaced} == {"transcripts"}
    sides = [opened(paths[0], reference=trn[0]), *map(opened, paths[1:])]
    assert [side.kind for side in sides] == [
        "transcripts",
        "record",
        "sclite SGML",
        "Kaldi directory",
    ]
    for first in sides:
        for second in sides:
            changes = find_changes(first, second, Request(resampling=QUICK))
            assert changes.total.more == 0
            assert not changes.worse
            assert not changes.better


def test_reports_take_any_words() -> None:
    nasty = '<b>&"|`#* ```` \x1b[31m \udcff ]]> \ufffe'
    old = evidence({"a|b`<i>": (nasty, nasty), "c": ("x", "x")}, "old|<x>")
    new = evidence({"a|b`<i>": (nasty, "y"), "c": ("x", "x")}, 'new"&\x00')
    old = old._replace(checks=(Check(nasty, 1),))
    changes = find_changes(old, new, Request(resampling=QUICK))
    findings = judge(changes, Gate([parse_increase("0%")], 0.05, True))
    import xml.etree.ElementTree as ElementTree

    tree = ElementTree.fromstring(b"".join(junit_lines((changes.baseline, changes.new), findings)))
    assert tree.attrib == {"tests": "4", "failures": "1", "errors": "0", "skipped": "1"}
    blocks = list(page_of(changes, findings))
    text = "\n".join(markdown_lines(blocks, "t|<x>"))
    assert "\x1b" not in text
    assert "`````text" in text
    assert r"old\|\<x\>" in text
    for line in text_lines(blocks):
        assert "\x1b" not in line
        line.encode("utf-8")


def test_a_side_that_is_nothing_known(tmp_path: Path) -> None:
    path = tmp_path / "x.trn"
    path.write_text("a (s-1)\n")
    with pytest.raises(EvidenceError) as refused:
        opened(str(path))
    assert str(refused.value) == f"{path}: {message_text(LACKS_REFERENCE)}"
