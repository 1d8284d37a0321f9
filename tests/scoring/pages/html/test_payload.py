"""The data in the page is what was scored, word by word."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE
from scoring.options import Missing
from scoring.pages.html.payload import SPELLED_OTHERWISE, payload
from scoring.results.scored_side import ScoredSide, carried
from scoring.score.rates import ErrorRates
from tests.each_case import each_case
from tests.tables import table_of

from .unpacking import Unpacked

DEMO = Path(__file__).resolve().parents[4] / "resources" / "demo"
WORDS = st.lists(st.sampled_from(["a", "A", "b", "c", "\udc80"]), max_size=6)
SCORED = st.dictionaries(st.sampled_from("uvwxyz"), st.tuples(WORDS, WORDS, WORDS), min_size=1)


def unpacked(*systems: ErrorRates) -> Unpacked:
    return Unpacked(payload(systems, [f"system {at}" for at in range(len(systems))]))


def rebuilt(found: Unpacked, number: int) -> dict[str, list[tuple[str, str | None, str | None]]]:
    """Each utterance of a system as (edit, reference, hypothesis), from the columns alone."""
    system = found.head["systems"][number]
    texts = found.head["words"]
    references = found.words(f"side{system['reference']}")
    own = iter(found.column(f"system{number}.words"))
    edits = iter(found.column(f"system{number}.edits"))
    places = found.column(f"system{number}.places")
    rows = found.column(f"system{number}.rows") if system["rows"] else range(len(places))
    made = {}
    for row, count, words in zip(rows, places, references, strict=True):
        left = iter(words)
        pairs: list[tuple[str, str | None, str | None]] = []
        for _ in range(count):
            edit = next(edits)
            before = None if edit in NO_REFERENCE else next(left)
            has_none = edit in NO_HYPOTHESIS and edit != SPELLED_OTHERWISE
            after = before if edit == 0 else None if has_none else texts[next(own)]
            pairs.append(("C" if edit == SPELLED_OTHERWISE else "CSDICCMT"[edit], before, after))
        made[found.head["utterances"][row]] = pairs
    assert next(own, None) is None
    return made


def alignments(rates: ErrorRates) -> dict[str, list[tuple[str, str | None, str | None]]]:
    return {
        name: [(edit.letter, left, right) for edit, left, right in rates.alignment(name)]
        for name in rates.identifiers
    }


@settings(deadline=None)
@given(SCORED, st.booleans(), st.sampled_from(["delete", "skip"]))
def test_every_alignment_comes_back(
    given_: dict[str, tuple[list[str], list[str], list[str]]], ignore_case: bool, missing: Missing
) -> None:
    reference = {name: texts[0] for name, texts in given_.items()}
    systems = []
    for at in (1, 2):
        hypothesis = {name: texts[at] for name, texts in given_.items()}
        if at == 2 and len(hypothesis) > 1:
            hypothesis.popitem()
        systems.append(scoring.wer(reference, hypothesis, ignore_case=ignore_case, missing=missing))
    found = unpacked(*systems)
    for number, rates in enumerate(systems):
        assert rebuilt(found, number) == alignments(rates)


def test_a_reference_is_kept_once() -> None:
    reference = {"u": "a b", "v": "c"}
    systems = [scoring.wer(reference, {"u": text, "v": "c"}) for text in ("a", "b")]
    found = unpacked(*systems)
    assert [one["reference"] for one in found.head["systems"]] == [0, 0]
    other = scoring.wer(reference, reference, unit="char")
    assert unpacked(systems[0], other).head["systems"][1]["reference"] == 2


def test_utterances_of_all_systems_have_rows() -> None:
    first = scoring.wer({"u": "a", "v": "b"}, {"u": "a", "v": "b"})
    second = scoring.wer({"w": "c", "v": "b"}, {"w": "c", "v": "x"})
    found = unpacked(first, second)
    assert found.head["utterances"] == ["u", "v", "w"]
    assert found.column("system1.rows") == [2, 1]
    assert rebuilt(found, 1) == alignments(second)


def test_times_confidences_and_labels_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "ref.stm").write_text(
        ';; LABEL "o" "Overall" "all"\n'
        "rec A anne 0.00 2.00 <o,f0> so it goes\nrec A bob 2.00 3.50 <o> well\n"
    )
    (tmp_path / "hyp.ctm").write_text(
        "rec A 0.10 0.20 so 0.91\nrec A 0.55 0.25 it 1.5\nrec A 1.00 0.5 goes\n"
        "rec A 2.125 0.1 well 0.25\n"
    )
    found = unpacked(scoring.wer(tmp_path / "ref.stm", tmp_path / "hyp.ctm", keep_sources=True))
    assert found.less_one("start") == [0, 2000]
    assert found.less_one("end") == [2000, 3500]
    assert found.head["speakers"] == ["anne", "bob"]
    assert found.head["labelSets"] == [["o", "f0"], ["o"]]
    assert found.head["labelTitles"] == {"o": "Overall"}
    assert found.head["recordings"] == ["rec · A"]
    assert found.steps("side1.starts") == [100, 550, 1000, 2125]
    assert [number - 1 for number in found.column("side1.durations")] == [400, 500, 1000, 200]
    # 1.5 is no probability, and the third word has none
    assert found.less_one("side1.confidences") == [910_000, None, None, 250_000]
    assert not found.head["sides"][0]["timed"]


def test_sources_are_kept_on_demand_only() -> None:
    rates = scoring.wer(DEMO / "reference.stm", DEMO / "baseline.ctm")
    assert rates.sources is None
    found = unpacked(rates)
    assert "start" not in found.head["columns"]
    assert not found.head["sides"][1]["confident"]


@each_case("normalize", [None, "casefold", ["plain", "contractions"]])
@each_case(
    ("reference", "hypothesis"),
    [("reference.stm", "baseline.ctm"), ("reference.trn", "improved.trn")],
)
def test_keeping_sources_changes_no_score(
    reference: str, hypothesis: str, normalize: str | list[str] | None
) -> None:
    paths = DEMO / reference, DEMO / hypothesis
    plain = scoring.wer(*paths, normalize=normalize, forgive_optional=True)
    kept = scoring.wer(*paths, normalize=normalize, forgive_optional=True, keep_sources=True)
    assert kept.signature == plain.signature
    assert alignments(kept) == alignments(plain)
    assert kept.matching_summary == plain.matching_summary


def test_times_follow_words_through_normalisation_and_units(tmp_path: Path) -> None:
    (tmp_path / "ref.stm").write_text("rec A anne 0.00 2.00 it is fifty\n")
    (tmp_path / "hyp.ctm").write_text("rec A 0.1 0.1 It's\nrec A 0.5 0.1 Fifty,\n")
    paths = tmp_path / "ref.stm", tmp_path / "hyp.ctm"
    rates = scoring.wer(*paths, normalize=["plain"], unit="char", keep_sources=True)
    assert rates.aligned.hypotheses[0] == tuple("it'sfifty")
    assert unpacked(rates).steps("side1.starts") == [100] * 4 + [500] * 5


def test_texts_before_and_after_every_step() -> None:
    rates = scoring.wer(
        {"u": "Hello, World!", "v": "same"},
        {"u": "hello world", "v": "same"},
        normalize=["lowercase", "punctuation"],
        keep_sources=True,
    )
    assert rates.counts.errors == 0
    found = unpacked(rates)
    side = found.head["sides"][0]
    assert side["stages"] == ["as read", "lowercase", side["steps"][1]]
    texts = found.head["words"]

    def stage(number: int) -> list[list[str] | None]:
        listed = iter(found.column(f"side0.stage{number}.words"))
        lengths = found.column(f"side0.stage{number}.lengths")
        return [[texts[next(listed)] for _ in range(n - 1)] if n else None for n in lengths]

    assert stage(0) == [["Hello,", "World!"], None]
    assert stage(1) == [["hello,", "world!"], None]
    assert stage(2) == [["hello", "world"], None]
    assert found.head["sides"][1]["stages"] == []


def test_too_many_words_keep_the_first_form_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring.results.scored_side.MOST_STEPPED", 1)
    rates = scoring.wer({"u": "A B"}, {"u": "a b"}, normalize="lowercase", keep_sources=True)
    assert unpacked(rates).head["sides"][0]["stages"] == ["as read"]


def test_alternatives_are_shown_as_they_are_written() -> None:
    rates = scoring.wer(
        {"u": "don't go"}, {"u": "do not go"}, normalize=["contractions"], keep_sources=True
    )
    assert rates.counts.errors == 0
    first, *_, last = ScoredSide(rates, "reference").stages()
    assert first.texts == [("don't", "go")]
    assert last.texts[0] is not None
    assert last.texts[0][0] == "{"


@each_case(("scored", "read", "expected"), table_of(__file__, "where_a_word_came_from"))
def test_where_a_word_came_from(scored: str, read: str, expected: list[int | None]) -> None:
    assert carried(scored.split(), read.split(), lambda word: (word,)) == expected


def test_merged_results_keep_their_sources() -> None:
    one = scoring.wer({"u": "A"}, {"u": "a"}, normalize="lowercase", keep_sources=True)
    other = scoring.wer({"v": "B"}, {"v": "b"}, normalize="lowercase", keep_sources=True)
    both = one.merge(other)
    assert both.sources is not None
    assert [segment.words for segment in both.sources.references] == [("A",), ("B",)]
    assert one.merge(scoring.wer({"v": "b"}, {"v": "b"}, normalize="lowercase")).sources is None
    part = both.slice(1, 2).sources
    assert part is not None
    assert [segment.words for segment in part.references] == [("B",)]
