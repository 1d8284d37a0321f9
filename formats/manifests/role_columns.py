"""Values of columns that show whether they are speech, labels, numbers or titles."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

from formats.io.source import Source
from formats.reading.dates import seconds_since_1970
from formats.reading.member_names import name_parts
from formats.reading.member_values import are_links, is_wording, roles_alone
from formats.reading.time_values import LONG_UNITS, is_time, number_of, word_count
from formats.schema import lazy_pattern
from formats.schema.messages import Entry

NO_SPEECH = frozenset(
    ("metric", "metrics", "measure", "statistic", "translation", "translated", "übersetzung",
     "traduction", "traducción", "traduzione", "tradução", "翻译", "comment", "comments",
     "note", "notes", "summary", "title", "name", "names", "description", "topic",
     "heading", "prompt", "help", "titel", "titre", "título", "titulo", "titolo", "tytuł",
     "заголовок", "标题", "標題")
)  # fmt: skip
"""Parts of names of texts that nobody said, or that say the same in another language."""
DESCRIBED = frozenset(("description", "annotation", "comment"))
"""Parts of names of texts that are speech if each row has a start and an end."""
FEWEST_LISTED = 3
"""The fewest single words that are a list of words."""
COUNTS = frozenset((*LONG_UNITS, "frame", "frames", "sample", "samples"))
"""Last parts of names of times in units that are not read."""
TURN = lazy_pattern(
    r"^[ \t]*(?:\*\*)?([A-Z][\w .'-]{0,30})(?:\*\*:|:(?:\*\*)?)[ \t]+[\w(\"'*]", re.MULTILINE
)
FEWEST_TURNS = 3
"""A name before a turn, and the fewest turns of a talk in one cell."""
LEAST_WORDS = 2
"""The fewest words of a text on average, where no name says that it is one."""
FEWEST_LABELS = 8
"""The fewest values whose repetition shows that they are labels."""
LEAST_PROSE = 3
"""The fewest words of a text on average, where neither names nor times show that it is one."""
FEWEST_CASED, SHARE_OF_TITLES = 20, 0.7
"""The fewest words with a case, and the share of those that begin with a capital in titles."""
LETTERLESS = lazy_pattern(r"(?<!\S)[^\sA-Za-z\x80-\U0010ffff]+(?!\S)")
"""Numbers and signs between blanks."""


class RoleColumns:
    """The columns of a table by role, with their values, and the messages about them."""

    def __init__(
        self,
        source: Source | None,
        line: int | None,
        values: Mapping[str, Sequence[Any]] | None,
    ) -> None:
        self.by_role: dict[str, str] = {}
        self._source, self._line = source, line
        self._values = values
        self.named_by_folder: Collection[str] = ()
        """The names of files that are in several folders, which name the recordings."""
        self.around = ""
        """The column within which the names of recordings begin again, such as that of lessons."""

    def _words_of(self, name: str) -> float:
        """Return the number of words in a column; fewer than in any other for a label."""
        values = list(map(str, self._filled(name)))
        return sum(map(word_count, values)) if len({*values}) > 1 else 0

    def _column(self, role: str) -> Sequence[Any] | None:
        name = self.by_role.get(role)
        return None if name is None or self._values is None else self._values.get(name)

    def _has_turns(self, name: str) -> bool:
        """Return True if nearly all values of a column have several turns with names: a talk."""
        values = [value for value in self._filled(name) if isinstance(value, str)]
        turns = [TURN.findall(value) for value in values]
        talks = sum(
            (len(names) >= FEWEST_TURNS and len({*names}) > 1) or len({*roles_alone(value)}) > 1
            for names, value in zip(turns, values, strict=True)
        )
        return bool(values) and 10 * talks >= 9 * len(values)

    def _filled(self, name: str) -> list[Any]:
        """Return the values of a column that are not empty."""
        return [value for value in (self._values or {}).get(name, ()) if is_given(value)]

    def _spoken(self, name: str) -> list[Any]:
        """Return the values of a column in the rows with a text; a row of totals has none."""
        texts = self._column("text")
        if texts is None:
            return self._filled(name)
        cells = zip((self._values or {}).get(name, ()), texts, strict=False)
        return [cell for cell, text in cells if is_given(cell) and text != ""]

    def _repeats(self, name: str) -> bool:
        """Return True if a column is empty, or has many values of which half are repetitions."""
        values = [str(value) for value in self._filled(name)]
        return not values or (len(values) >= FEWEST_LABELS and 2 * len({*values}) <= len(values))

    def _has_dates(self, name: str) -> bool:
        """Return True if all values of a column are dates with a time of day."""
        values = self._filled(name)
        return bool(values) and all(seconds_since_1970(str(value)) is not None for value in values)

    def _has_decimals(self, name: str) -> bool:
        """Return True if all values of a column are numbers, some of them with decimals."""
        values = list(map(str, self._filled(name)))
        return any("." in value for value in values) and all(
            number_of(value) is not None for value in values
        )

    def _has_numbers(self, name: str) -> bool:
        """Return True if all values of a column are numbers, and some differ by more than one."""
        numbers = [number_of(value) for value in self._filled(name)]
        whole = [number for number in numbers if number is not None]
        steps = (abs(second - first) for first, second in pairwise(whole))
        return bool(whole) and len(whole) == len(numbers) and any(step > 1 for step in steps)

    def _has_marks(self, name: str) -> bool:
        """Return True if each value is a whole number, a clock time, or a word."""
        for value in map(str, self._filled(name)):
            is_decimal = "." in value and number_of(value) is not None
            if is_decimal or not (len(value.split()) == 1 or (":" in value and is_time(value))):
                return False
        return True

    def _has_titles(self, name: str) -> bool:
        """Return True if most words of a column are written as in a title: names and headings."""
        words = [word for value in self._filled(name) for word in str(value).split()]
        cased = [word for word in words if word[0].isupper() or word[0].islower()]
        titles = sum(word[0].isupper() and not word.isupper() for word in cased)
        return len(cased) >= FEWEST_CASED and titles >= SHARE_OF_TITLES * len(cased)

    def _is_prose(self, name: str) -> bool:
        """Return True if a column has different texts of three words on average."""
        values = self._filled(name)
        if not all(isinstance(value, str) for value in values):
            return False
        words = sum(word_count(LETTERLESS.sub(" ", value)) for value in values)
        enough = len(values) >= FEWEST_LISTED and words >= LEAST_PROSE * len(values)
        return enough and not self._repeats(name)

    def _is_said(self, name: str) -> bool:
        """Return True if a column has sentences, and its name does not mean something else."""
        cells = (self._values or {}).get(name, ())
        values = [value for value in cells if value not in (None, "")]
        parts = {*name_parts(name)} - (DESCRIBED if self._has_spans else frozenset())
        if 2 * len(values) <= len(cells) or not NO_SPEECH.isdisjoint(parts):
            return False
        if are_links(values) or not are_wordings(values):
            return False
        if len(values) >= FEWEST_LABELS and len({*values}) == 1:
            return False
        if all(value[:1] == "[" and value[-1:] == "]" for value in values):
            return False  # lists in Python's syntax, such as of phones
        return sum(map(word_count, values)) >= LEAST_WORDS * len(values)

    @property
    def _has_spans(self) -> bool:
        """True if each row has a start and an end."""
        return {"start", "end"} <= self.by_role.keys()

    def _say(self, entry: Entry, **fields: Any) -> None:
        """Log a message, if the input is known."""
        if self._source is not None:
            self._source.log.say(entry, self._line, **fields)

    def _say_once(self, entry: Entry, **fields: Any) -> None:
        """Log a message, unless the log has it for this name: rows may have many shapes."""
        told = [] if self._source is None else self._source.log.entries()
        name = fields.get("name")
        if not any(e.value.entry == entry and name == e.value.fields.get("name") for e in told):
            self._say(entry, **fields)


def are_wordings(values: Sequence[Any]) -> bool:
    """Return True if all values are texts without a date, and hardly any of them is a number."""
    numbers = sum(map(is_time, values))
    return 10 * numbers <= len(values) and all(map(is_wording, values))


def is_given(value: object) -> bool:
    """Return True for a value that is neither missing nor empty."""
    return value not in (None, "")
