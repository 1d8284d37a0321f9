"""What a change comes from: the largest differences, with their shares and an example each."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import scoring
from scoring.regression.changes import find_changes
from scoring.regression.contributions import (
    CAPITALISED,
    FILLERS,
    GROUP,
    MOST,
    NUMBERS,
    SPELLING,
    UNIT,
    Contribution,
    largest,
)
from scoring.regression.evidence import ScoredVersion
from scoring.regression.unit_changes import Changes
from scoring.regression.word_errors import (
    CONFUSION,
    INSERTED_RUN,
    LOST,
    LOST_RUN,
    ErrorColumns,
    errors_of,
)
from tests.each_case import each_case

REFERENCE = {
    "a1": "we meet at ten past nine near the Danube bridge",
    "a2": "the cat sat on the mat and it slept all day long",
    "a3": "so the boat left without them",
    "b1": "another plain sentence that stays as it is",
}


def changes_of(baseline: dict[str, str], new: dict[str, str]) -> Changes:
    """Compare two systems that hear the reference but for some utterances."""
    sides = [
        ScoredVersion(name, "transcripts", scoring.wer(REFERENCE, {**REFERENCE, **heard}), ())
        for name, heard in (("old", baseline), ("new", new))
    ]
    return find_changes(sides[0], sides[1])


@each_case(
    ("utterance", "heard", "kind", "title", "more"),
    [
        ("a2", "the cat sat on the hat and it slept all day long", CONFUSION, "mat → hat", 1),
        ("a2", "cat sat on mat and it slept all day long", LOST, "the lost", 2),
        ("a2", "the cat sat on the mat long", LOST_RUN, "", 5),
        ("a3", "so the boat left oh no it really did without them", INSERTED_RUN, "", 5),
        ("a1", "we meet at 10 past 9 near the Danube bridge", NUMBERS, "nine → 9, ten → 10", 2),
        ("a1", "we meet at 10 sharp past nine near the Danube bridge", NUMBERS, "sharp", 2),
        ("a3", "so the uh boat um left without them", FILLERS, "uh inserted, um inserted", 2),
        ("a3", "So the boat left with-out them", CONFUSION, "", 0),
        ("a3", "So the boat left without them.", SPELLING, "so → So, them → them.", 2),
        ("a1", "we meet at ten past nine near the donor bridge", CAPITALISED, "Danube → donor", 1),
    ],
)
def test_differences(utterance: str, heard: str, kind: str, title: str, more: int) -> None:
    worse = changes_of({}, {utterance: heard}).contributions
    better = changes_of({utterance: heard}, {}).contributions
    if not more:
        assert {part.kind for part in worse} == {SPELLING}  # so → So, without → with-out
        return
    for [part], sign in ((worse, 1), (better, -1)):
        assert (part.kind, part.more, part.share) == (kind, sign * more, 1)
        assert title in part.name
        assert part.example is not None
        assert part.example.utterance == utterance
        assert part.example.reference in REFERENCE[utterance]
        heard_there = part.example.new if sign == 1 else part.example.baseline
        assert heard_there is not None
        assert heard_there in heard
        assert part.example.baseline != part.example.new


def test_shares_count_what_changed_the_other_way() -> None:
    heard = {"a1": "we meet at ten past nine near the old bridge", "a3": "so a boat left"}
    changes = changes_of({"a1": heard["a1"]}, {"a3": heard["a3"], "b1": "plain"})
    parts = [part for part in changes.contributions if part.kind != GROUP]
    # one confusion more, and one fewer: together they are no part of the change
    assert [part.kind for part in parts] == [LOST_RUN, "words lost"]
    assert changes.total.more == sum(part.more for part in parts) == 9
    assert sum(part.share for part in parts) == 1


def test_nothing_is_explained_without_a_change() -> None:
    same = {"a3": "so a boat left without them"}
    assert not changes_of(same, same).contributions
    one_each = changes_of({"a3": "so a boat left without them"}, {"b1": "another plain one that"})
    assert one_each.total.more
    swapped = changes_of(
        {"a3": "so a boat left without them"}, {"a3": "so the boot left without them"}
    )
    assert not swapped.total.more
    assert not swapped.contributions


def test_a_group_counts_with_what_exceeds_its_size() -> None:
    half = Contribution(GROUP, "speaker a", 6, 0.6, 0.5)
    words = Contribution(CONFUSION, "a → b", 2, 0.2)
    small = Contribution(UNIT, "recording b", 4, 0.4, 0.1)
    many = [Contribution(LOST, str(number), 0.5, 0.05) for number in range(9)]
    parts = largest([words], [half, small], many)
    assert parts[:3] == [half, small, words]
    assert largest([half, words], many, [small])[:3] == parts[:3]
    tiny = half._replace(share=0.51)
    assert tiny not in largest([tiny], many)
    assert len(parts) == MOST


def test_many_small_differences_are_one_part_of_their_kind() -> None:
    references = {f"{a}{b}": f"so {a}{b} it is" for a in "abcdefghij" for b in "knopqstvwx"}
    lost = dict.fromkeys(references, "so it is")
    old, new = (
        ScoredVersion(name, "transcripts", scoring.wer(references, heard), ())
        for name, heard in (("old", references), ("new", lost))
    )
    [part] = find_changes(old, new).contributions
    assert (part.kind, part.more, part.share) == ("words lost", len(references), 1)
    assert part.name == "words lost: ak, an, ao, …"
    assert part.example is not None
    assert (part.example.reference, part.example.new) == ("so ak it", "so it")


@pytest.mark.parametrize("fold", [False, True])
def test_errors_in_columns_are_those_of_each_alignment(fold: bool) -> None:
    drawn = Random(7)
    words = ["one", "One", "2", "mp3", "a", "uh", "Danube", "ß", "SS"]
    sides: list[dict[str, str]] = [{}, {}, {}]
    for number in range(120):
        for side in sides:
            side[f"u{number}"] = " ".join(drawn.choices(words, k=drawn.randrange(9)))
    sides[2].update({f"u{number}": sides[1][f"u{number}"] for number in range(0, 120, 5)})
    sides[1]["u9"] = sides[2]["u9"] = sides[0]["u9"]
    old, new = (scoring.wer(sides[0], heard, ignore_case=fold) for heard in sides[1:])
    common = [(place, place) for place in range(120) if place % 7]
    columns = ErrorColumns(old, new, common, fold)
    sums = [Counter[object](), Counter[object]()]
    changes: list[Counter[object]] = []
    for row in common:
        found = [
            Counter[object](error.key for error in errors_of(side.alignment_at(place), fold))
            for side, place in zip((old, new), row, strict=True)
        ]
        sums = [total + part for total, part in zip(sums, found, strict=True)]
        changes.append(found[1])
        changes[-1].subtract(found[0])
    assert {key.kind for key in columns.more} >= {CONFUSION, LOST, LOST_RUN, INSERTED_RUN}
    assert any(key.is_beside_number for key in columns.more)
    assert dict(columns.more) == {key: sums[1][key] - sums[0][key] for key in sums[0] | sums[1]}
    for key, more in columns.more.items():
        if more:
            by_change = [change[key] * more for change in changes]
            assert columns.place_of(key, more) == by_change.index(max(by_change))
