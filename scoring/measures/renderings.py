"""Renderings: how often a system writes names, numbers and spellings as the reference does.

Normalisation accepts `colour` for `color` and `20` for `twenty`. This measure looks at words that a
system recognised, and counts how often their written form equals that of the reference. The
definition is that of the second audit of the Open ASR Leaderboard (`benchmark_fitting` of
2026-08-21). The lists of forms are read from a clone of the leaderboard's repository.

A family is a set of written forms of the same words. Functions that search a text get its words as
`runs` (the word in lower case, its start, its end), and the texts between adjacent words as `gaps`.
"""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.alignment.blocks import matching_blocks
from scoring.measures.reference_errors import QUESTION
from scoring.results.measured import COUNT, Figure, MeasureSetting, MeasureSpec
from scoring.text.leaderboard import LeaderboardEnglish
from scoring.text.leaderboard_tables import FILE, read_tables

if TYPE_CHECKING:
    from scoring.measures.view import View

AUDIT = "benchmark_fitting/ref_rendering_utils.py"
CLASSES = ("spelling", "initialism", "number", "lexical")
COLUMNS = tuple(f"{name}_{part}" for name in CLASSES for part in ("agreed", "eligible"))
_LISTS = ("SPELLING_PREFIXES", "SPELLING_KEYS", "INITIALISMS")
_DASHES = frozenset("-\u2010\u2011\u2012\u2013\u2014")
_LETTERS = re.compile("[A-Za-z]+")
_DIGITS = re.compile(r"(?<![\w$€£¥.:-])(\d\d)(st|nd|rd|th)?(?![\w%$€£¥.:-])", re.IGNORECASE)
_YEAR = re.compile(r"(?:fiscal\s+)?year\b", re.IGNORECASE)
# Words of two parts that are also written as one.
_JOINED = {
    "e mail": "email",
    "e commerce": "ecommerce",
    "wi fi": "wifi",
    "sci fi": "scifi",
    "x ray": "xray",
    "t shirt": "tshirt",
}
_ABBREVIATED = {"mr": "mister", "etc": "etcetera"}
_CARDINALS = (
    "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen|"
    "twenty thirty forty fifty sixty seventy eighty ninety|"
    "one two three four five six seven eight nine"
)
_ORDINALS = (
    "eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth|"
    "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth|"
    "first second third fourth fifth sixth seventh eighth ninth"
)


class Rendering(NamedTuple):
    """A written form in a text: its class, its family, its number in the family, its characters."""

    begin: int
    end: int
    kind: str
    family: str
    form: str


def _numbers() -> Iterator[tuple[str, str]]:
    """Yield the words of the numbers from 11 to 99 with their values."""
    tens = _CARDINALS.split("|")[1].split()
    for kind, table in (("cardinal", _CARDINALS), ("ordinal", _ORDINALS)):
        teens, round_ones, units = (part.split() for part in table.split("|"))
        for value, word in enumerate(teens, 11):
            yield word, f"{kind} {value}"
        for ten, (word, prefix) in enumerate(zip(round_ones, tens, strict=True), 2):
            yield word, f"{kind} {10 * ten}"
            for unit, last in enumerate(units, 1):
                yield f"{prefix} {last}", f"{kind} {10 * ten + unit}"


_NUMBERS = dict(_numbers())


def _ending(value: int) -> str:
    """Return the ordinal ending of a number in digits, such as `th`."""
    if value in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")


class Families:
    """The families of forms of the leaderboard, and its normaliser."""

    def __init__(self, folder: str) -> None:
        path = os.path.join(folder, AUDIT)
        try:
            with open(path, encoding="utf-8") as file:
                lists = dict(_lists(ast.parse(file.read())))
            self._prefixes, self._keys, initialisms = (lists[name].split() for name in _LISTS)
        except (OSError, SyntaxError, ValueError, KeyError) as problem:
            raise ValueError(
                f"{path}: expected the lists of the leaderboard's audit, found none "
                f"({type(problem).__name__}: {problem})"
            ) from None
        self.normalize = LeaderboardEnglish(os.path.join(folder, FILE))
        self._initialisms = frozenset(initialisms)

    def __str__(self) -> str:
        content = [sorted(part) for part in (self._prefixes, self._keys, self._initialisms)]
        return f"lists#{sha256(json.dumps(content).encode()).hexdigest()[:8]}"

    @cached_property
    def spellings(self) -> dict[str, tuple[str, str]]:
        """The family and form of each British and American spelling."""
        assert self.normalize.tables is not None
        forms: dict[str, tuple[str, str]] = {}
        prefixes, keys = tuple(self._prefixes), frozenset(self._keys)
        for british, american in read_tables(self.normalize.tables).spellings.items():
            if british.startswith(prefixes) or british in keys:
                forms[british] = american, "british"
                forms.setdefault(american, (american, "american"))
        return forms

    def forms(self, text: str) -> list[Rendering]:
        """Return the forms in a text from left to right, without overlap.

        Longer forms have priority.
        """
        kept: list[Rendering] = []
        for form in sorted(self._all_forms(text), key=lambda form: (form.begin, -form.end)):
            if not kept or form.begin >= kept[-1].end:
                kept.append(form)
        return kept

    def _all_forms(self, text: str) -> Iterator[Rendering]:
        runs = [(match[0].lower(), *match.span()) for match in _LETTERS.finditer(text)]
        gaps = [text[left[2] : right[1]] for left, right in pairwise(runs)] + [""]
        for word, begin, end in runs:
            if word in self.spellings:
                yield Rendering(begin, end, "spelling", *self.spellings[word])
        yield from _lexical(text, runs, gaps)
        yield from self._initials(text, runs, gaps)
        yield from _number_words(runs, gaps)
        yield from _number_digits(text)

    def _initials(
        self, text: str, runs: Sequence[tuple[str, int, int]], gaps: Sequence[str]
    ) -> Iterator[Rendering]:
        """Yield initialisms: single letters with full stops, with blanks, and as one word."""
        for with_stops in (True, False):
            place = 0
            while place < len(runs):
                last = place
                while (
                    last + 1 < len(runs)
                    and len(runs[last][0]) == len(runs[last + 1][0]) == 1
                    and (
                        gaps[last][0] == "." and not gaps[last][1:].strip()
                        if with_stops
                        else gaps[last].isspace()
                    )
                ):
                    last += 1
                word = "".join(run[0] for run in runs[place : last + 1])
                if last > place and word in self._initialisms:
                    end = runs[last][2]
                    inner = gaps[place:last]
                    form = "spaced"
                    if with_stops:
                        is_spaced = any(len(gap) > 1 for gap in inner)
                        form = "spaced with stops" if is_spaced else "stops"
                        end = _with_stop(text, end)
                    yield Rendering(runs[place][1], end, "initialism", word, form)
                place = last + 1
        for word, begin, end in runs:
            if word in self._initialisms:
                yield Rendering(begin, end, "initialism", word, "joined")


def read_families(value: Any) -> Families:
    """Read the families from a clone of the repository; raise ValueError if it has no lists."""
    return value if isinstance(value, Families) else Families(os.fspath(value))


def _lists(module: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names that a module assigns, each with the first text in its value."""
    for statement in module.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            for node in ast.walk(statement.value):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield statement.targets[0].id, node.value
                    break


def _with_stop(text: str, end: int) -> int:
    """Return the end of a word, including a full stop unless a letter follows the stop."""
    follows = text[end + 1 : end + 2]
    return end + (text[end : end + 1] == "." and not _LETTERS.match(follows))


def _lexical(
    text: str, runs: Sequence[tuple[str, int, int]], gaps: Sequence[str]
) -> Iterator[Rendering]:
    """Yield compound words that may be split or joined, and abbreviations of words."""
    for number, (word, begin, end) in enumerate(runs):
        if word in _ABBREVIATED:
            yield Rendering(
                begin, _with_stop(text, end), "lexical", _ABBREVIATED[word], "abbreviated"
            )
        elif word in _ABBREVIATED.values() or word in _JOINED.values():
            yield Rendering(begin, end, "lexical", word, "joined")
        if number + 1 < len(runs):
            following, _, last = runs[number + 1]
            joined = _JOINED.get(f"{word} {following}")
            is_blank = gaps[number].isspace()
            if joined and (is_blank or gaps[number] in _DASHES):
                yield Rendering(begin, last, "lexical", joined, "split")
            elif is_blank and (word, following) == ("et", "cetera"):
                yield Rendering(begin, last, "lexical", "etcetera", "split")


def _number_words(runs: Sequence[tuple[str, int, int]], gaps: Sequence[str]) -> Iterator[Rendering]:
    """Yield numbers in words, from left to right."""
    place = 0
    while place < len(runs):
        word, begin, end = runs[place]
        if place + 1 < len(runs) and (gaps[place].isspace() or gaps[place] in _DASHES):
            both = f"{word} {runs[place + 1][0]}"
            if both in _NUMBERS:
                yield Rendering(begin, runs[place + 1][2], "number", _NUMBERS[both], "words")
                place += 2
                continue
        if word in _NUMBERS:
            yield Rendering(begin, end, "number", _NUMBERS[word], "words")
        place += 1


def _number_digits(text: str) -> Iterator[Rendering]:
    """Yield numbers in digits, except years."""
    for match in _DIGITS.finditer(text):
        value, ending = int(match[1]), (match[2] or "").lower()
        if value < 11 or (ending and ending != _ending(value)):
            continue
        before = text[max(0, match.start() - 30) : match.start()].rstrip().lower()
        after = text[match.end() : match.end() + 20]
        if before.endswith(("'", "\u2019", "fy", "year")) or _YEAR.match(after.lstrip()):
            continue
        yield Rendering(
            *match.span(), "number", f"{'ordinal' if ending else 'cardinal'} {value}", "digits"
        )


def _marker(form: Rendering) -> str:
    """Return a word that marks a form; normalisation does not change this word."""
    letters = (
        letter if letter.isalpha() else "z" if letter == " " else f"q{'abcdefghij'[int(letter)]}"
        for letter in f"{form.kind} {form.family}"
    )
    return f"zzrender{''.join(letters)}zz"


def marked(
    families: Families, text: str, is_reference: bool
) -> tuple[list[str], dict[int, Rendering]]:
    """Return a normalised text in which markers stand for forms, and the form of each marker.

    The result is the words, and the form by position. Raises ValueError if normalisation removed a
    marker.
    """
    forms = families.forms(text)
    if is_reference:
        # without a full stop `mr` may be anything
        forms = [
            form
            for form in forms
            if form[2:] != ("lexical", "mister", "abbreviated") or text[form.end - 1] == "."
        ]
    pieces, cursor = [], 0
    for form in forms:
        pieces += [text[cursor : form.begin], _marker(form)]
        cursor = form.end
    words = families.normalize(" ".join([*pieces, text[cursor:]])).split()
    places: dict[int, Rendering] = {}
    for place, word in enumerate(words):
        if len(places) < len(forms) and word == _marker(forms[len(places)]):
            places[place] = forms[len(places)]
    if len(places) < len(forms):
        raise ValueError(f"expected {len(forms)} forms in {text[:80]!r}, found {len(places)}")
    return words, places


def agreements(families: Families, reference: str, hypothesis: str) -> Iterator[tuple[str, bool]]:
    """Yield, for each form whose words were recognised, its class and whether the form is equal.

    Raises ValueError if normalisation removes a marker of the reference, or if words repeat too
    often.
    """
    words, places = marked(families, reference, True)
    if not places:
        return
    try:
        heard, forms = marked(families, hypothesis, False)
    except ValueError:
        return
    for begin, facing, size in matching_blocks(words, heard):
        for shift in range(size):
            form, other = places.get(begin + shift), forms.get(facing + shift)
            if form is not None and other is not None and form[2:4] == other[2:4]:
                yield form.kind, form.form == other.form


def count(view: View) -> dict[str, Any]:
    """Count forms whose words were recognised, and forms written as in the reference."""
    columns: dict[str, dict[int, int]] = {name: {} for name in COLUMNS}
    families = view.settings["leaderboard"]
    if families is None:
        return columns
    sides = view.reference.raw.words, view.hypothesis.raw.words
    texts = zip(*(map(" ".join, side) for side in sides), strict=True)
    for row, (reference, hypothesis) in enumerate(texts):
        try:
            found = list(agreements(families, reference, hypothesis))
        except ValueError as problem:
            raise view.error(f"{view.rates.identifiers[row]}: {problem}") from None
        for kind, is_equal in found:
            for part in ("eligible", *(["agreed"] * is_equal)):
                column = columns[f"{kind}_{part}"]
                column[row] = column.get(row, 0) + 1
    return columns


def _sum(part: str) -> str:
    return " + ".join(f"{kind}_{part}" for kind in CLASSES)


MEASURE = MeasureSpec(
    name="renderings",
    title="Renderings as in the reference",
    question=QUESTION,
    definition="The setting leaderboard names a clone of the Open ASR Leaderboard, whose lists are "
    "read. Forms of four classes are looked for in the texts as read: British and American "
    "spellings; initialisms, with and without full stops and blanks; cardinals and ordinals from "
    "11 to 99 in words and digits; compounds and abbreviations such as e-mail and Mr. Both texts "
    "are normalised as the leaderboard does, with a marker in place of each form. A form is "
    "eligible if words that match, as in Python's difflib, include its marker; it agrees if both "
    "texts have the same form. Case does not matter, nor marks around words. Each rate divides "
    "the forms that agree by those that are eligible.",
    figures=(
        Figure("agreement", "same form", f"{_sum('agreed')} / {_sum('eligible')}"),
        Figure("eligible", "forms", _sum("eligible"), *COUNT),
        *(
            figure
            for kind in CLASSES
            for figure in (
                Figure(
                    f"{kind}_agreement", f"{kind}: same form", f"{kind}_agreed / {kind}_eligible"
                ),
                Figure(f"{kind}_forms", f"{kind}: forms", f"{kind}_eligible", *COUNT),
            )
        ),
    ),
    columns=COLUMNS,
    count=count,
    needs=frozenset({"raw"}),
    parameters=(
        MeasureSetting(
            "leaderboard", None, read_families, "folder of a clone of the leaderboard", is_file=True
        ),
    ),
)
