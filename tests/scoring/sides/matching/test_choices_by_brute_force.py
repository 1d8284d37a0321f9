"""Sessions whose segments offer a choice of words: every measure against all choices there are.

All is worked out here: the paths of each segment, the times of the words of each path, and every
assignment. Only what the product says is taken from it.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import TypeAlias

import pytest

from formats.schema.model import Segment
from scoring.alignment.plain_references import BAR, CLOSE, OPEN, WILDCARD_TYPE, braced_items
from scoring.model.counts import Edit
from scoring.sides.matching.sessions import MEASURES, SessionRules, Spoken, score_session
from scoring.sides.matching.word_times import WORD_TIMES, WORDS, Turn
from scoring.text.spoken_forms import SpokenForms
from tests.each_case import each_case
from tests.scoring.sides.matching.test_brute_force import orders, said

# A word with its begin and its end; a wildcard is a word that is None.
Said: TypeAlias = tuple[str | None, object, object]
Row: TypeAlias = Sequence[str | int]
SECOND = 10**9
TIMINGS = [one for one in WORD_TIMES if one != WORDS and not one.endswith("points")]


def row(chance: random.Random, wildcards: bool) -> Row:
    """Few words and alternatives, sometimes a wildcard."""
    made: list[str | int] = []
    for _ in range(chance.choice((0, 1, 1, 2, 2))):
        draw = chance.random()
        if draw < 0.5:
            branches = [
                [chance.choice("ab") * chance.randint(1, 2) for _ in range(chance.randint(0, 2))]
                for _ in range(2)
            ]
            made += [OPEN, *branches[0], BAR, *branches[1], CLOSE]
        elif wildcards and draw < 0.6:
            made.append(WILDCARD_TYPE)
        else:
            made.append(chance.choice("ab") * chance.randint(1, 2))
    return made


FORMS = ("7", "2nd", "5%", "40", "& 3", "2nd 7")
HEARD = ("seven", "second", "five", "percent", "per cent", "forty", "four oh", "and", "three", "7")


def row_of_forms(chance: random.Random, is_reference: bool) -> Row:
    """Few written forms with all their readings, and words that are some of these."""
    made: list[str | int] = []
    for _ in range(chance.choice((0, 1, 1, 2))):
        is_written = chance.random() < (0.7 if is_reference else 0.2)
        text = chance.choice(FORMS if is_written else HEARD)
        made += braced_items(SpokenForms()(text) if is_written else text)
    return made


def paths(items: Row) -> list[tuple[str | None, ...]]:
    """All choices of alternatives, which are not nested here."""
    ways: list[tuple[str | None, ...]] = [()]
    branches: list[tuple[str | None, ...]] | None = None
    for item in items:
        if item == OPEN:
            branches = [()]
        elif item == BAR:
            assert branches is not None
            branches.append(())
        elif item == CLOSE:
            assert branches is not None
            ways = [(*way, *branch) for way in ways for branch in branches]
            branches = None
        else:
            word = item if isinstance(item, str) else None
            if branches is not None:
                branches[-1] = (*branches[-1], word)
            else:
                ways = [(*way, word) for way in ways]
    return ways


def timed(turn: Turn, path: Sequence[str | None], how: str, collar: int) -> list[Said]:
    """The words of a path with the times they have if it is taken."""
    words = tuple(word for word in path if word is not None)
    whole = turn._replace(words=("*",))
    own = iter(said(turn._replace(words=words), how, collar))
    [(_, begin, end)] = said(whole, how, collar)
    return [next(own) if word is not None else (None, begin, end) for word in path]


def distance(one: Sequence[Said], other: Sequence[Said], is_timed: bool) -> int:
    """The fewest edits; after a wildcard of the one, words of the other are free at its time."""

    def meet(left: Said, right: Said) -> bool:
        return not is_timed or (left[1] < right[2] and right[1] < left[2])  # type: ignore[operator]

    rows = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, j in product(range(len(one) + 1), range(len(other) + 1)):
        ways = [0] if not i and not j else []
        if i:
            ways.append(rows[i - 1][j] + (one[i - 1][0] is not None))
        if j:
            is_free = i > 0 and one[i - 1][0] is None and meet(one[i - 1], other[j - 1])
            ways.append(rows[i][j - 1] + (not is_free))
        if i and j and one[i - 1][0] is not None and meet(one[i - 1], other[j - 1]):
            ways.append(rows[i - 1][j - 1] + (one[i - 1][0] != other[j - 1][0]))
        rows[i][j] = min(ways)
    return rows[-1][-1]


Ways: TypeAlias = Sequence[Sequence[Said]]


def joined(ways: Sequence[Ways]) -> Iterator[list[Said]]:
    """Segments that follow each other, with all their choices."""
    for way in product(*ways):
        yield [word for part in way for word in part]


def cost(segments: Sequence[Ways], stream: Sequence[Ways], is_timed: bool) -> int:
    return min(
        distance(left, right, is_timed) for left in joined(segments) for right in joined(stream)
    )


def grouped(turns: Sequence[Turn], ways: Sequence[Ways]) -> list[list[Ways]]:
    found: dict[str, list[Ways]] = {}
    for turn, own in zip(turns, ways, strict=True):
        found.setdefault(turn.speaker, []).append(own)
    return list(found.values())


def least(
    kind: str, sides: Sequence[Sequence[Turn]], ways: Sequence[Sequence[Ways]], is_timed: bool
) -> int:
    speakers, streams = (grouped(*side) for side in zip(sides, ways, strict=True))
    if kind == "cp":
        size = max(len(speakers), len(streams))
        own, other = ([*side, *[[]] * (size - len(side))] for side in (speakers, streams))
        return min(
            sum(cost(own[at], other[to], is_timed) for at, to in enumerate(order))
            for order in permutations(range(size))
        )
    segments, groups = (ways[1], speakers) if kind == "di" else (ways[0], streams)
    every = orders(speakers) if kind == "mimo" else [segments]  # type: ignore[arg-type]
    best = 10**6
    for order in every:
        for choice in product(range(len(groups)), repeat=len(order)):
            laid: list[list[Ways]] = [[] for _ in groups]
            for segment, to in zip(order, choice, strict=True):
                laid[to].append(segment)  # type: ignore[arg-type]
            pairs = zip(laid, groups, strict=True)
            both = [(two, one) if kind == "di" else (one, two) for one, two in pairs]
            best = min(best, sum(cost(one, two, is_timed) for one, two in both))
    return best


def session(chance: random.Random, has_forms: bool) -> tuple[list[Turn], list[Turn]]:
    sides = []
    for names, most in (("AB", 3), ("xy", 2)):
        turns = []
        for _ in range(chance.randint(1, most)):
            make = row_of_forms if has_forms else row
            items = make(chance, names == "AB")
            has_marks = any(isinstance(item, int) for item in items)
            words = tuple(word for word in paths(items)[0] if word is not None)
            start = chance.randrange(6)
            times = start, start + 1 + chance.randrange(4)
            turns.append(
                Turn(chance.choice(names), words, *times, row=items if has_marks else None)
            )
        sides.append(sorted(turns, key=lambda turn: turn.start))
    return sides[0], sides[1]


def spoken(side: Sequence[Turn]) -> list[Spoken]:
    return [
        Spoken(Segment("rec", turn.words, speaker=turn.speaker, line=at), turn)
        for at, turn in enumerate(side)
    ]


@pytest.mark.share(3)
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("part", range(4))
def test_no_choice_and_no_assignment_is_better(measure: str, part: int) -> None:
    all_are_best(measure, random.Random(f"{measure} {part}"), 32)


@pytest.mark.release
@pytest.mark.parametrize("measure", MEASURES)
def test_meetings_with_written_forms_have_their_best_readings(measure: str) -> None:
    all_are_best(measure, random.Random(f"forms {measure}"), 125, has_forms=True)


def all_are_best(
    measure: str, chance: random.Random, sessions: int, has_forms: bool = False
) -> None:
    """Compare the errors of random sessions with the fewest of all choices and assignments."""
    kind, is_timed = MEASURES[measure]
    for number in range(sessions):
        sides = session(chance, has_forms)
        how = chance.choice(TIMINGS), chance.choice(TIMINGS)
        collar = chance.randrange(3)
        rules = SessionRules(measure, collar, *how, exact=None if kind == "cp" else True)
        ways = [
            [
                [
                    timed(turn, path, timing, reach)
                    for path in paths(turn.words if turn.row is None else turn.row)
                ]
                for turn in side
            ]
            for side, timing, reach in zip(sides, how, (0, collar), strict=True)
        ]
        left, right = map(spoken, sides)
        found, utterances = score_session("rec", left, right, rules, "reference")
        expected = least(kind, sides, ways, is_timed)
        assert (found.errors, found.exact) == (expected, True), number
        errors = Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION
        counted = sum(one.edits.count(edit) for one in utterances for edit in errors)
        assert counted == found.errors, number
        for one in utterances:
            for segment in one.reference:
                assert segment.segment.line is not None
                turn = sides[0][segment.segment.line]
                words = {
                    tuple(word for word in path if word is not None)
                    for path in paths(turn.words if turn.row is None else turn.row)
                }
                assert segment.turn.words in words, number
        if kind in ("orc", "di"):
            quick = rules._replace(exact=False)
            greedy, _ = score_session("rec", left, right, quick, "reference")
            assert greedy.errors is not None
            assert greedy.errors >= expected >= greedy.at_least, number


COMPOUNDS = {"A": ("ice", "cream", "icecream", "a", "b"), "x": ("ice", "cream", "icecream", "a")}


@each_case("compounds", ["words", "any"])
@each_case("measure", ["orc", "mimo", "dicp"])
def test_compounds_save_errors_that_the_edits_have(measure: str, compounds: str) -> None:
    chance = random.Random(f"{measure} {compounds}")
    saved = 0
    for number in range(60):
        sides = []
        for names, words in COMPOUNDS.items():
            turns = [
                Turn(names, tuple(chance.choices(words, k=chance.randint(0, 4))), at, at + 1)
                for at in range(3)
            ]
            changed = [turn._replace(speaker=chance.choice((names, "z"))) for turn in turns]
            sides.append(spoken(changed))
        rules = SessionRules(measure, 0, "characters", "characters", exact=True)
        plain, _ = score_session("rec", sides[0], sides[1], rules, "reference")
        joined = rules._replace(compounds=compounds)
        found, utterances = score_session("rec", sides[0], sides[1], joined, "reference")
        assert found.errors is not None
        assert plain.errors is not None
        assert found.errors <= plain.errors, number
        saved += plain.errors - found.errors
        errors = Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION
        counted = sum(one.edits.count(edit) for one in utterances for edit in errors)
        assert counted == found.errors, number
        heard = sum(len(one.heard) for one in utterances)
        assert heard == sum(len(one.turn.words) for one in sides[1]), number
    assert saved
