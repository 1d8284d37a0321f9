"""Subtitles against SubER's tool, and recordings cut at the reference's segments."""

import random
from collections.abc import Sequence
from itertools import chain
from operator import add
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoring
from scoring.alignment import direction
from scoring.alignment.direction import direction_edits
from scoring.measures.suber import _Search, plain_word
from scoring.measures.subtitles import cut_words
from scoring.model.combinations import CombinationError
from scoring.model.errors import InputError
from scoring.options import Options
from scoring.results.measured import Measured
from scoring.sides.matching import MatchingError
from scoring.sides.messages import CUT_ELSEWHERE, CUT_WITHOUT_TIMES
from tests.each_case import each_case
from tests.scoring.measures.golden import name_of, records

NAMES = {
    "num_reference_words": "suber_reference_words",
    "num_reference_breaks": "suber_reference_breaks",
    "num_shifts": "suber_shifts",
    **{
        f"num_{kind}_{edit}": f"suber_{kind}_{edit}"
        for kind in ("word", "break")
        for edit in ("deletions", "insertions", "substitutions")
    },
}
RATES = {
    "SubER": "suber",
    "AS-WER": "as_wer",
    "AS-CER": "as_cer",
    "AS-WER-seg": "wer_seg",
    "t-WER": "t_wer_suber",
}


def clock(seconds: float) -> str:
    milliseconds = round(seconds * 1000)
    minutes, rest = divmod(milliseconds, 60_000)
    return f"00:{minutes:02d}:{rest // 1000:02d},{rest % 1000:03d}"


def srt(path: Path, blocks: Sequence[Any]) -> Path:
    cues = (
        f"{number}\n{clock(begin)} --> {clock(end)}\n{text}\n"
        for number, (begin, end, text) in enumerate(blocks, 1)
    )
    path.write_text("\n".join(cues), "utf-8")
    return path


def measured(folder: Path, case: Any, **choices: Any) -> Measured:
    sides = [
        srt(folder / f"{side}.srt", case["input"][side]) for side in ("reference", "hypothesis")
    ]
    rates = scoring.wer(*sides, cut="plain-alignment", measures=["subtitles"], **choices)
    return rates.measured["subtitles"]


@each_case("case", records("subtitles-suber"), ids=name_of)
def test_rates_are_those_of_suber(case: Any, tmp_path: Path) -> None:
    if case["id"] == "empty-reference":  # no subtitle of the reference, so nothing is counted
        pytest.skip("SubER gives 100 without reference; a score needs one")
    part = measured(tmp_path, case)
    totals, output = part.columns.totals(), case["output"]
    for theirs, ours in NAMES.items():
        assert totals[ours] == output["#info"]["SubER"][theirs], theirs
    for theirs, ours in RATES.items():
        number = part[ours]
        assert number is not None
        assert round(100 * number, 3) == output[theirs], theirs


@each_case("case", records("subtitles-suber-random"), ids=name_of)
def test_random_files_have_the_edits_of_suber(case: Any, tmp_path: Path) -> None:
    part = measured(tmp_path, case)
    totals, output = part.columns.totals(), case["output"]
    assert {theirs: totals[ours] for theirs, ours in NAMES.items()} == {
        name: output[name] for name in NAMES
    }
    number = part["suber"]
    assert number is not None
    assert round(100 * number, 3) == output["SubER"]


def test_nothing_is_dropped(tmp_path: Path) -> None:
    (case,) = (
        case for case in records("subtitles-suber") if case["id"] == "extra-block-in-silence"
    )
    part = measured(tmp_path, case)
    added = len(case["input"]["hypothesis"]) - len(case["input"]["reference"])
    assert added == 1
    assert part["t_wer_suber"] == 0
    assert part.columns.totals()["t_wer_errors"] == part.columns.totals()["as_wer_errors"] == 3
    assert part["coverage_recall"] == 1
    precision = part["coverage_precision"]
    assert precision is not None
    assert precision < 1
    assert part["break_recall"] == 1


def test_words_matched_by_time_have_no_subtitles(tmp_path: Path) -> None:
    reference = srt(tmp_path / "talk.srt", [(0, 2, "a b")])
    hypothesis = tmp_path / "talk.ctm"
    hypothesis.write_text("talk 1 0.1 0.2 a\ntalk 1 0.5 0.2 b\n")
    with pytest.raises(InputError, match="--cut plain-alignment"):
        scoring.wer(reference, hypothesis, measures=["subtitles"], cut="time")
    for cut in ("plain-alignment", None):
        part = scoring.wer(reference, hypothesis, measures=["subtitles"], cut=cut)
        assert part.measured["subtitles"]["as_wer"] == 0


@each_case("case", records("longform-suber"), ids=name_of)
def test_cut_is_that_of_suber(case: Any) -> None:
    words = " ".join(case["input"]["hypothesis"]).split()
    texts = [text.split() for text in case["input"]["reference"]]
    rows = [0, *(row for row, text in enumerate(texts) for _ in text)]
    sides = ([plain_word(word, True) for word in side] for side in (chain(*texts), words))
    parts: list[list[str]] = [[] for _ in texts]
    for row, word in zip(cut_words(np.array(rows), *sides)[0].tolist(), words, strict=True):
        parts[row].append(word)
    assert list(map(" ".join, parts)) == case["output"]["segments"]


def segments(folder: Path, texts: Sequence[str]) -> Path:
    path = folder / "talk.stm"
    lines = (f"talk 1 a {n} {n + 1} {text}\n" for n, text in enumerate(texts))
    path.write_text("".join(lines))
    return path


# mweralign has costs of its own, and one empty line for any number of segments without answer
DIFFERENT = {"unheard-first-segment", "empty-hypothesis"}


@each_case("cut", [None, "plain-alignment"])
@each_case("case", records("longform-mweralign"), ids=name_of)
def test_cut_is_that_of_mweralign(case: Any, cut: Any, tmp_path: Path) -> None:
    reference = segments(tmp_path, case["input"]["reference"])
    hypothesis = tmp_path / "talk.txt"
    hypothesis.write_text(" ".join(case["input"]["hypothesis"]) + "\n")
    rates = scoring.wer(reference, hypothesis, cut=cut)
    heard = [" ".join(words) for words in rates.aligned.hypotheses]
    theirs = [text.strip() for text in case["output"]["segments"]]
    if case["id"] == "empty-reference-segment" or "" in case["input"]["reference"]:
        theirs = [text for text in theirs if text] if len(heard) < len(theirs) else theirs
    assert (heard == theirs) == (case["id"] not in DIFFERENT), heard


def test_cut_at_the_segments_of_the_hypothesis(tmp_path: Path) -> None:
    """Its segments keep their words; lost words go to the segment of the word before them."""
    draw = random.Random(4)
    reference, hypothesis = tmp_path / "reference.stm", tmp_path / "hypothesis.stm"
    for _ in range(40):
        spoken = {name: draw.choices("abcd", k=draw.randrange(1, 20)) for name in ("x", "y", "z")}
        lines = [f"{name} 1 anne 0 9 {' '.join(words)}\n" for name, words in spoken.items()]
        reference.write_text("".join(lines))
        parts = {
            f"{name}-1-{place:04d}": [w for w in draw.choices(words, k=3) if draw.random() < 0.8]
            for name, words in spoken.items()
            for place in range(1, 4 * (name != "z"))
        }
        lines = [
            f"{name[0]} 1 b {name[-1]} {name[-1]}.5 {' '.join(part)}\n"
            for name, part in parts.items()
        ]
        hypothesis.write_text("".join(lines))
        settings: Any = {"normalize": "lowercase", "keep_sources": True}
        whole = scoring.wer(reference, hypothesis, **settings)
        rates = scoring.wer(reference, hypothesis, cut="hypothesis", **settings)
        assert rates.identifiers == [*parts, "z"]
        assert list(map(list, rates.aligned.hypotheses)) == [*parts.values(), []]
        assert bytes(rates.aligned.edits) == bytes(whole.aligned.edits)
        said = [word for words in rates.aligned.references for word in words]
        assert said == [word for words in spoken.values() for word in words]
        assert rates.sources is not None
        assert [part.words for part in rates.sources.references] == rates.aligned.references
        for place, part in enumerate(parts.values()):
            if part and place % 3:
                assert not rates.aligned.edits_of(place).startswith(b"\2"), "a deletion"
        assert rates.matching_summary.reference_only.number == 1
    assert "CUT" in [remark.code for remark in rates.reader_messages]


def plain_distance(left: str, right: str) -> int:
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        before, row = row, [i]
        for j, facing in enumerate(right, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != facing)))
    return row[-1]


@pytest.mark.parametrize(("rows", "margin"), [(512, 256), (3, 1), (7, 2)])
def test_paths_are_cheapest_whatever_the_band(
    rows: int, margin: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(rows)
    monkeypatch.setattr(direction, "_OFTEN", 3)
    for _ in range(150):
        left, right = ("".join(draw.choices("abcd", k=draw.randrange(60))) for _ in range(2))
        if draw.random() < 0.5:
            right = "".join(letter for letter in left if draw.random() < 0.8)
        monkeypatch.setattr(direction, "_ROWS", 512)
        monkeypatch.setattr(direction, "_FIRST_MARGIN", 256)
        whole = direction_edits(left, right)
        monkeypatch.setattr(direction, "_ROWS", rows)
        monkeypatch.setattr(direction, "_FIRST_MARGIN", margin)
        edits = direction_edits(left, right)
        assert edits == whole
        assert sum(map(bool, edits)) == plain_distance(left, right)
        assert len(left) == len(edits) - edits.count(3)
        assert len(right) == len(edits) - edits.count(2)


def test_words_in_no_segment_are_listed(tmp_path: Path) -> None:
    reference = tmp_path / "talk.stm"
    reference.write_text("talk 1 a 1 2 good morning\ntalk 1 a 3 4 yes\n")
    hypothesis = tmp_path / "talk.ctm"
    times = (("um", 0.1), ("good", 1.1), ("morning", 1.6), ("well", 2.4), ("yes", 3.2), ("bye", 5))
    hypothesis.write_text("".join(f"talk 1 {begin} 0.2 {word}\n" for word, begin in times))
    rates = scoring.wer(reference, hypothesis, cut="time")
    heard = dict(zip(rates.identifiers, rates.aligned.hypotheses, strict=True))
    assert heard == {
        "talk-1-0001": ("good", "morning"),
        "talk-1-0002": ("yes",),
        "talk-1-(gap)": ("um", "well", "bye"),
    }
    assert (rates.counts.insertions, rates.counts.errors) == (3, 3)
    assert "|match:time(time)|" in rates.signature
    assert scoring.wer(reference, hypothesis).counts.insertions == 3


def test_a_cut_needs_recordings(tmp_path: Path) -> None:
    reference = segments(tmp_path, ["a b"])
    hypothesis = tmp_path / "talk.txt"
    hypothesis.write_text("a b\n")
    with pytest.raises(MatchingError) as caught:
        scoring.wer(reference, hypothesis, cut="time")
    assert caught.value.value is not None
    assert caught.value.value.entry == CUT_WITHOUT_TIMES
    with pytest.raises(MatchingError) as caught:
        scoring.wer({"u": "a"}, {"u": "a"}, cut="plain-alignment")
    assert caught.value.value is not None
    assert caught.value.value.entry == CUT_ELSEWHERE
    assert caught.value.value.fields["kinds"] == ["recording", "file"]
    with pytest.raises(CombinationError) as apart:
        Options(meeting="cp", cut="plain-alignment")
    assert apart.value.value is not None
    assert apart.value.value.entry.variant == "cut meeting"


@each_case("seed", range(6))
def test_a_shift_costs_what_a_table_of_all_its_tokens_says(seed: int) -> None:
    """The search fills only the rows of tokens that move, and knows what the others cost."""
    drawn = random.Random(seed)
    sides = []
    for size in (drawn.randint(1, 250), drawn.randint(1, 250)):
        begins = np.array(sorted(drawn.uniform(0, 100) for _ in range(size)))
        tokens = np.array([drawn.randint(1, 9) for _ in range(size)])
        sides.append((tokens, begins, begins + 10))
    search = _Search(*sides)
    table = [list(range(search.size + 1))]
    search._fill(table, search.tokens, len(search.tokens))
    for before, after in zip(table, search._rests(), strict=True):
        assert min(map(add, before, after)) == table[-1][-1]
