"""Roles (text, start, speaker …) of columns and members, found from their names and values."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from formats.io.source import Source, without_media
from formats.manifests.messages import (
    CHARACTER_OFFSETS,
    DATES_LEFT,
    DESCRIPTIONS,
    FILES_JOINED,
    FOLDERS_NAME,
    LANGUAGES_BESIDE,
    NEAR_COLUMN,
    NO_COLUMN,
    NO_NAMES,
    NO_TEXT,
    PICTURES,
    REPLIES,
    RESULTS,
    ROLE,
    ROLE_GUESSED,
    ROLE_OF_SEVERAL,
    SAMPLES,
    TEXT_OF_PEOPLE,
    TEXT_OF_SEVERAL,
    TEXTS_FOUND,
    TIME_BESIDE_DAYS,
    TIME_OF_DAY,
    UNFIT,
    UNIT_OF_PACE,
    UNIT_OPEN,
    WORD_LIST,
)
from formats.manifests.records import (
    are_videos,
    folder_of_audio,
    name_around,
    recording_of_audio,
)
from formats.reading.dates import are_times_of_day, dates_of_messages, is_day, seconds_since_1970
from formats.reading.member_names import (
    KINDS_OF_TALKS,
    LOGGED,
    MEASURES,
    NAMES,
    NO_SPEAKERS,
    OF_TALKS,
    PERHAPS_SPEAKERS,
    ROLES,
    SAID_PARTS,
    SPEAKER_PARTS,
    TEXT_PARTS,
    TRANSLATED,
    check_members,
    field_role,
    is_log,
    likely_names,
    name_parts,
    plain_name,
    text_among,
    texts_beside,
    time_role,
    without_contexts,
)
from formats.reading.member_values import (
    are_links,
    are_speakers,
    is_wording,
    name_beside_id,
    roles_alone,
    speaker_by_values,
)
from formats.reading.time_values import (
    LONG_UNITS,
    NO_BLANKS,
    are_offsets,
    clock_names,
    is_time,
    is_time_code,
    number_of,
    plausible_units,
    span_names,
    time_number,
    unit_of_turns,
    word_count,
)
from formats.schema import lazy_pattern
from formats.schema.errors import OptionError, SyntaxFormatError, close_names, quoted
from formats.schema.messages import Entry, Message

SPARSE = 0.1
"""The share of rows with a text in a column that is hardly ever filled."""
NORMALIZED = "normalized_text"
"""A column that may hold the same as a translation."""
TEXT_SIDES = ("text", "pred_text")
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
REPLY_PARTS = frozenset(("answer", "reply", "response"))
"""Parts of names of texts that answer the text of the row."""
WRITTEN = frozenset(
    (*("question", "answer", "response", "feedback", "review", "reason", "error", "query"),
     *("abstract", "headline", "definition", "meaning", "plot", "synopsis", "biography", "bio"),
     *("details", "explanation", "rationale", "reasoning", "justification", "file", "path"),
     *("address", "url", "keywords", "instruction", "instructions", "ingredients", "history"))
)  # fmt: skip
"""Parts of names of texts that are more often written than spoken."""
OF_GOODS = frozenset(
    ("price", "prices", "cost", "qty", "quantity", "amount", "sku", "stock", "salary", "budget",
     "due", "deadline", "precio", "preis", "prix", "prezzo", "preço", "цена", "价格", "価格",
     "단가")
)  # fmt: skip
"""Parts of names beside descriptions of goods and tasks, which nobody says."""
SOURCE_PARTS = frozenset(("source", "original", "origin", "parent"))
"""Parts of names of the recordings from which clips were cut."""
PEOPLE = frozenset((*SPEAKER_PARTS, "participant", "author", "user", "player", "member"))
"""Parts of names of columns that say which person a row is of."""
CODES = frozenset(("code", "name", "id"))
"""Last parts of those that name the person."""
OF_PICTURES = frozenset(("caption", "captions", "description", "descriptions", "alt"))
"""Parts of names of texts that may describe pictures."""
PICTURE_PARTS = frozenset(("image", "images", "img", "photo", "picture"))
"""Parts of names of columns of pictures."""
IMAGES = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp")
FEWEST_CHANGES = 3
"""The fewest changes from file to file that show whether times go on."""
FEWEST_LISTED = 3
"""The fewest single words that are a list of words."""
MOST_WHOLE, MOST_SHOWN = 0.9, 3
"""The share of texts that have all languages, and the languages that a message shows."""
MOST_LISTED = 20
"""Names that a message lists."""


def lacking_column(names: Sequence[str], column: str, path: str | None) -> OptionError:
    """Create the error about a missing column; it lists the existing names and similar ones."""
    if not names:
        return OptionError(path=path, expected=f"a column {quoted(column)}", found="none")
    fields: dict[str, Any] = {"column": column, "names": list(names[:MOST_LISTED])}
    near = close_names(column, tuple(names))
    entry = NEAR_COLUMN if near else NO_COLUMN
    return OptionError(
        path=path, value=Message(entry, {**fields, "near": near} if near else fields)
    )


FEWEST_TO_DOUBT = 50
"""The fewest words by whose pace times are doubted."""
SLOWEST = 0.03
"""Words per second of texts that are no speech."""
LEAST_RATE = 4000
"""The fewest samples a second, from which a start and an end are no milliseconds."""
FEWEST_OF_MATRIX = 3
"""The fewest columns of decimals beside a text that show a table of numbers."""
FEWEST_OF_AMOUNTS = 4
"""The fewest columns of numbers beside a text, such as prices, of a table that nobody says."""
INDEX = "column 1"
"""The first column if it has no name: the index of a table, as pandas writes it, is no text."""
COUNTS = frozenset((*LONG_UNITS, "frame", "frames", "sample", "samples"))
"""Last parts of names of times in units that are not read."""
UNFIT_ROLES = ("start", "end", "speaker")
PERHAPS = frozenset((*PERHAPS_SPEAKERS, "type", "role", "label", "party", "at", "t"))
"""Names that mean something else as often."""
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
TALK_PARTS = frozenset((*KINDS_OF_TALKS, "ep", "show", "song", "track", "file", "part", "chapter"))
"""Parts of the names of columns that may name the recordings of rows."""
TALKS = OF_TALKS.union(KINDS_OF_TALKS, ("fileid", "recordingname", "filenumber"))
"""Names of ids and of talks; the second are recordings if the times begin again in each."""
VAGUE = frozenset(("recognized", "generated", "output"))
"""Names of predictions that count only where no other name of one is there."""
SAID = ("reference", "ref", "text", "transcript", "transcription", "sentence", "ground_truth")
"""Names that usually have the spoken text; if a file has two of them, neither is certain."""
SPANS = (
    *(("start", "end"), ("start_time", "end_time"), ("begin", "end"), ("begin_time", "end_time")),
    *(("in", "out"), ("start_time", "stop_time"), ("start", "stop"), ("t1", "t2")),
    ("onset", "offset"),
)
"""Starts and ends that belong together; some data sets have times and numbers of samples."""


def has_text(names: Collection[str]) -> bool:
    """Return True if any name is a usual name of a reference or hypothesis; case is ignored."""
    small = {name.lower() for name in names}
    return any(name in small for side in TEXT_SIDES for name in NAMES[side].usual)


def names_in_line(first: str) -> list[str]:
    """Return the names of columns or members in the first line of a table.

    >>> names_in_line('id,"text"'), names_in_line('{"id": "u1", "text": "a"}')
    (['id', 'text'], ['id', 'text'])
    """
    if first.lstrip("[ ").startswith("{"):
        return re.findall(r'"([^"\\]+)"\s*:', first)
    names = first.split(max(",;\t", key=first.count))
    return [name.strip().strip('"') for name in names]


def has_both_sides(first: str) -> bool:
    """Return True if the first line of a table has names for a reference and for a hypothesis."""
    small = set(map(str.lower, names_in_line(first)))
    return not small.isdisjoint(SAID) and not small.isdisjoint(NAMES["pred_text"].usual)


class Roles:
    """The roles of the names in a table (columns or members); case is ignored.

    >>> Roles(["ID", "sentence", "age"]).by_role
    {'text': 'sentence', 'id': 'ID'}
    """

    def __init__(
        self,
        names: Collection[str],
        field: str = "text",
        source: Source | None = None,
        line: int | None = 1,
        *,
        members: Mapping[str, str] | None = None,
        values: Mapping[str, Sequence[Any]] | None = None,
    ) -> None:
        self.by_role: dict[str, str] = {}
        self._source, self._line = source, line
        self._values = values
        self._empty = ""
        self.named_by_folder: Collection[str] = ()
        """The names of files that are in several folders, which name the recordings."""
        self.around = ""
        """The column within which the names of recordings begin again, such as that of lessons."""
        path = None if source is None else source.name
        self._add_usual(names, field)
        self._use_untranslated(names)
        measures = [name for name in names if plain_name(name)[0] in MEASURES]
        has_predictions = any(name.lower() in NAMES["pred_text"].usual for name in names)
        if measures and not has_predictions:
            self._say_once(RESULTS, names=measures)
        small = {name.lower(): name for name in reversed(list(names))}
        if field == "text" and "text" not in self.by_role and {"key", "target"} <= small.keys():
            # FunASR's names: each alone means something else in other tables
            self.by_role = {"id": small["key"], **self.by_role, "text": small["target"]}
        self._add_loose(names, field)
        self._use_people(names)
        self._add_parties(names)
        self._add_files(names)
        self._use_sources(names)
        self._add_talks(names)
        self._add_ids(names, (members or {}).get("start", ""))
        self._say_joined()
        if field == "text" and "text" not in self.by_role:
            self._add_only_text(names)
        if "text" not in self.by_role and self._empty:
            self.by_role["text"] = self._empty
        self._add_clocks(names)
        if not (members or {}).get("start"):
            self._drop_days()
            self._drop_lone_times()
        span = next(((a, b) for a, b in SPANS if a in small and b in small), None)
        if span is not None:
            self.by_role["start"], self.by_role["end"] = small[span[0]], small[span[1]]
        self._add_spans(names)
        check_members(members or {}, names, path or "")
        self.by_role.update(members or {})
        if source is not None and self.by_role.get("text") == "text" and "recording" in names:
            source.names_recordings = True
        self._say_doubts(names)
        if field == "text" and source is not None and not (members or {}).get("text"):
            self._refuse_word_list(source, names)
        if "text" not in self.by_role:
            if field not in TEXT_SIDES:
                raise self._lacking(names, field, path)
            raise self._without_text(names, field, path)

    def _without_text(
        self, names: Collection[str], field: str, path: str | None
    ) -> SyntaxFormatError:
        """Create the error about a missing text, with the columns that have texts, if any."""
        fields: dict[str, Any] = {"names": list(NAMES[field].usual[:4])}
        said = list(filter(self._is_said, names))
        columns = [name for name in said if not self._repeats(name)] or said  # labels come last
        columns.sort(key=self._words_of, reverse=True)
        if columns := columns[:MOST_LISTED]:
            entry = TEXTS_FOUND
            fields |= {"found": columns, "first": columns[0]}
        else:
            entry = NO_TEXT if names else NO_NAMES
            fields["found"] = list(names)[:10]
        side = "" if self._source is None else self._source.log.side
        return SyntaxFormatError(value=Message(entry, fields, side), path=path, line=self._line)

    def _words_of(self, name: str) -> float:
        """Return the number of words in a column; fewer than in any other for a label."""
        values = list(map(str, self._filled(name)))
        return sum(map(word_count, values)) if len({*values}) > 1 else 0

    def _add_usual(self, names: Collection[str], field: str) -> None:
        """Assign roles to usual names without looking at values.

        Addresses never become the text.
        """
        others = {role: NAMES[role].usual for role in ROLES if role != "text"}
        sides = {"text": NAMES[field].usual if field in TEXT_SIDES else (field,)}
        linked = [name for name in names if are_links((self._values or {}).get(name, ()))]
        for role, usual in {**sides, **others}.items():
            fitting = [
                name
                for known in usual
                for name in sorted(names, key=known.__ne__)
                if name.lower() == known.lower()
                and not (role == "text" and (name in linked or self._gives_way(name, names)))
                and not (role == "recording" and self._is_prose(name))
                and not (role in ("start", "end") and self._has_dates(name))
            ]
            # a column without any value gives way to a column that has values
            fitting.sort(key=lambda name: self._values is not None and not self._filled(name))
            first, *rest = fitting or [""]
            if first and role == "speaker" and first in (self._values or {}):
                first = name_beside_id(first, self._values or {})
            if first:
                self.by_role[role] = first
            if rest and role == "text":
                self._say(TEXT_OF_SEVERAL, name=first, others=rest)
            elif rest and role != "recording":
                self._say(ROLE_OF_SEVERAL, role=role, name=first, others=rest)

    def _gives_way(self, name: str, names: Collection[str]) -> bool:
        """Return True if a text is empty or holds classes, such as "true", and another has prose.

        So does a text that nearly all rows lack, beside prose in most rows. A hypothesis may be
        empty: its recogniser heard nothing.
        """
        values = list(map(str, self._filled(name)))
        rows = len((self._values or {}).get(name, ()))
        is_heard = self._source is not None and self._source.log.side == "hypothesis"
        is_timed = not {"start", "speaker"}.isdisjoint(map(field_role, names))
        is_sparse = 0 < len(values) <= SPARSE * rows and rows >= MOST_LISTED and not is_timed
        may_be = is_sparse or name.lower() == "label" if values else not is_heard
        if (
            self._values is None
            or not may_be
            or (not is_sparse and any(word_count(value) > 1 for value in values))
        ):
            return False
        others = [n for n in names if n != name and self._is_said(n)]
        counts = [list(map(word_count, self._filled(n))) for n in others]
        gives_way = any(sum(words) >= LEAST_PROSE * len(words) for words in counts)
        gives_way |= bool(values and self._repeats(name) and likely_names("text", others))
        if gives_way and not values and not (rows >= MOST_LISTED and len(others) > 1):
            self._empty = self._empty or name
        return gives_way

    def _use_untranslated(self, names: Collection[str]) -> None:
        """Use the only other text if a ``normalized_text`` is the same as a translation."""
        name = self.by_role.get("text", "")
        if name.lower() != NORMALIZED or not (values := self._filled(name)):
            return
        same = [n for n in names if n != name and self._filled(n) == values]
        texts = [n for n in names if n not in (name, *same) and not TEXT_PARTS.isdisjoint(
            name_parts(n)) and self._is_said(n)]  # fmt: skip
        is_translated = any(not TRANSLATED.isdisjoint(name_parts(n)) for n in same)
        if is_translated and len(texts) == 1:
            self.by_role["text"] = texts[0]
            self._say(TEXT_OF_SEVERAL, name=texts[0], others=[name])

    def _refuse_word_list(self, source: Source, names: Collection[str]) -> None:
        """Raise an error if the rows are a list of words with data such as their frequencies."""
        name = self.by_role.get("text", "")
        words = (self._values or {}).get(name, ())
        is_list = len(names) > 1 and self.by_role.keys() == {"text"} and len(words) >= FEWEST_LISTED
        is_list = is_list and not texts_beside(name, names)
        if is_list and all(isinstance(w, str) and 0 < word_count(w) <= 1 for w in words):
            raise source.error_of(WORD_LIST, self._line, name=name)

    def per_second(self, given: int = 0) -> int:
        """Return the time units per second: `given`, or the unit in the name of the start column.

        If both are missing, numbers are seconds, unless only another unit gives speech a natural
        pace. Numbers with a fraction are seconds; `3.000` has a fraction. They are milliseconds
        only if turns in seconds would be too long and some numbers are whole.
        """
        timed = self.by_role.get("start") or self.by_role.get("duration", "")
        named = given or plain_name(timed)[1]
        if named:
            return named
        columns = [self._column(role) for role in ("start", "end", "duration", "text")]
        size = max((len(column) for column in columns if column is not None), default=0)
        rows = [*zip(*(column or [None] * size for column in columns), strict=False)]
        spans = [span for row in rows if (span := _span(*row)) is not None]
        self._drop_offsets(spans)
        self._say_slow(rows)
        if self._drop_samples(rows):
            return 1
        recordings = self._column("recording") or ()
        has_ends = any(end is not None for _, end, _ in spans)
        if not has_ends and len(set(map(str, recordings))) > 1:
            return 1
        units = plausible_units(spans)
        words = sum(word_count(text) for _, _, text in spans)
        name = self.by_role.get("start") or self.by_role.get("duration", "")
        cells = [cell for row in rows for cell in row[:3] if _is_given(cell)]
        may_be_ms = has_ends and units[:1] == [1000]
        are_parts = (has_ends or units[:1] == [1000]) and all(
            _is_whole(cell, has_ends=may_be_ms) for cell in cells
        )
        if may_be_ms and unit_of_turns(spans) == 1000:  # fractions of milliseconds
            are_parts = any(_is_whole(cell, has_ends=True) for cell in cells)
        if units and units[0] != 1 and are_parts:
            self._say(UNIT_OF_PACE, name=name, parts=units[0])
            return units[0]
        is_odd = units[:1] != [1] and has_ends and words >= FEWEST_TO_DOUBT
        if is_odd:
            self._say(UNIT_OPEN, name=name)
        return 1

    def _say_slow(self, rows: Sequence[Sequence[Any]]) -> None:
        """Warn about texts beside clock times that are far too slow for speech."""
        seconds = words = 0.0
        for start, end, _, text in rows:
            if isinstance(start, str) and ":" in start and isinstance(text, str) and text:
                first, last = time_number(start), time_number(end)
                if first is not None and last is not None:
                    seconds, words = seconds + last - first, words + word_count(text)
        name = self.by_role.get("text", "")
        if words < SLOWEST * seconds:
            self._say_once(DESCRIPTIONS, name=name)

    def _drop_offsets(self, spans: Sequence[tuple[float, float | None, str]]) -> None:
        """Read no starts and ends that count characters of a text, and warn."""
        if "start" not in self.by_role or not are_offsets(spans):
            return
        first, last = (self.by_role.pop(role) for role in ("start", "end"))
        self._say_once(CHARACTER_OFFSETS, first=first, last=last)

    def _drop_days(self) -> None:
        """Read no starts that are times of day: the same in each recording, or beside dates."""
        starts, names = (list(map(str, self._column(r) or ())) for r in ("start", "recording"))
        pairs = {*zip(names, starts, strict=False)}
        is_same = len(starts) == len(names) >= 2 * FEWEST_LISTED and 2 * len(pairs) <= len(names)
        is_same = is_same and len(pairs) <= len({*names})
        are_days = not is_same and self._are_beside_days(starts)
        if "end" in self.by_role or not (is_same or are_days):
            return
        name = self.by_role.pop("start")
        self.by_role.pop("duration", None)
        self._say_once(TIME_BESIDE_DAYS if are_days else TIME_OF_DAY, name=name)

    def _drop_lone_times(self) -> None:
        """Read no lone ``time`` beside audio files of one row each: it says how long a job took."""
        files, name = self._column("recording") or (), self.by_role.get("start", "")
        are_files = bool(files) and all(isinstance(f, str) and without_media(f) != f for f in files)
        is_lone = plain_name(name)[0] == "time" and {"end", "duration"}.isdisjoint(self.by_role)
        if is_lone and are_files and len({*files}) == len(files):
            del self.by_role["start"]

    def _are_beside_days(self, starts: Sequence[str]) -> bool:
        """Return True if starts have hours and minutes, none is of midnight, and days are given."""
        columns = (self._values or {}).values()
        return (
            bool(starts)
            and are_times_of_day(starts)
            and any(
                all(isinstance(day, str) and is_day(day) for day in column) for column in columns
            )
        )

    def _drop_samples(self, rows: Sequence[Sequence[Any]]) -> bool:
        """Read no starts and ends that count samples, as the durations beside them show."""
        if not {"start", "end", "duration"} <= self.by_role.keys():
            return False
        ratios: list[float] = []
        for row in rows:
            start, end, duration = (number_of(value) for value in row[:3])
            if start is not None and end is not None and duration and end > start:
                ratios.append((end - start) / duration)
        if not ratios or min(ratios) < LEAST_RATE:
            return False
        first, last = (self.by_role.pop(role) for role in ("start", "end"))
        self._say_once(SAMPLES, first=first, last=last)
        return True

    def _column(self, role: str) -> Sequence[Any] | None:
        name = self.by_role.get(role)
        return None if name is None or self._values is None else self._values.get(name)

    def _lacking(self, names: Collection[str], field: str, path: str | None) -> OptionError:
        """Create the error about a missing column; it lists the existing names and paths."""
        values = self._values or {}
        known = [path for name in names for path in _paths(name, values.get(name))]
        return lacking_column(known, field, path)

    def _add_loose(self, names: Collection[str], field: str) -> None:
        """Assign missing roles to names that contain a usual name, perhaps with affix or unit."""
        plain = {
            name: plain_name(name)[0]
            for name in names
            if name.strip() and name not in self.by_role.values()
        }
        has_log = is_log(names)
        for role in ("text", "start", "end", "duration", "speaker", "channel", "recording"):
            is_text = role == "text"
            if role in self.by_role or (is_text and field != "text"):
                continue
            likely = likely_names(role, plain)
            if is_text and has_log:
                likely = [name for name in likely if plain[name] not in LOGGED]
            name = next(filter(partial(self._fits, role), likely), "")
            if name and role == "speaker" and name in (self._values or {}):
                name = name_beside_id(name, self._values or {})
            if name and self._has_place(role, plain[name]):
                self.by_role[role] = name
                del plain[name]
                others = texts_beside(name, names) if is_text else []
                if others:
                    self._say(TEXT_OF_PEOPLE, name=name, others=others)
                else:
                    self._say(ROLE, role=role, name=name)

    def _add_prediction(self, names: Collection[str]) -> None:
        """Use the only column of predictions as the text, but never for a reference."""
        if self._source is not None and self._source.log.side == "reference":
            return
        usual = [name for name in NAMES["pred_text"].usual if name not in VAGUE]
        predictions = [name for name in names if name.lower() in usual and self._is_said(name)]
        others = [name for name in names if name not in predictions and self._is_said(name)]
        if len(predictions) == 1 and not others:  # else it is open what was said
            self.by_role["text"] = predictions[0]
            self._say(ROLE, role="text", name=predictions[0])

    def _add_only_text(self, names: Collection[str]) -> None:
        """Use the only prediction as the text, or the only column of sentences."""
        self._add_prediction(names)
        if "text" in self.by_role or is_log(names):
            return
        own = without_contexts(names)
        named = [name for name in own if name != INDEX]
        said = [name for name in named if self._is_said(name) and self._may_be_spoken(name)]
        talks = [name for name in named if self._has_turns(name)]
        sentence = text_among(said) or next(iter(talks), "") or self._only_sentence(own, said)
        if sentence:
            self.by_role["text"] = sentence
            others = texts_beside(sentence, said)
            if others:
                self._say(TEXT_OF_PEOPLE, name=sentence, others=others)
            else:
                self._say(ROLE_GUESSED, name=sentence)
            if around := [n for n in names if n not in own]:
                self._say(TEXT_OF_SEVERAL, name=sentence, others=around)

    def _has_turns(self, name: str) -> bool:
        """Return True if nearly all values of a column have several turns with names: a talk."""
        values = [value for value in self._filled(name) if isinstance(value, str)]
        turns = [TURN.findall(value) for value in values]
        talks = sum(
            (len(names) >= FEWEST_TURNS and len({*names}) > 1) or len({*roles_alone(value)}) > 1
            for names, value in zip(turns, values, strict=True)
        )
        return bool(values) and 10 * talks >= 9 * len(values)

    def _may_be_spoken(self, name: str) -> bool:
        """Return False if the input is a reference and `name` is the prediction of a recogniser."""
        is_reference = self._source is not None and self._source.log.side == "reference"
        return not (is_reference and name.lower() in NAMES["pred_text"].usual)

    def _only_sentence(self, names: Collection[str], said: Sequence[str]) -> str:
        """Return the only column of sentences; empty if there is none or more than one.

        A column with repeated values is a label and does not count. Without times and speakers, all
        other columns must be identifiers, times, paths or labels, and the column must have prose.
        """
        taken = self.by_role.values()
        free = [n for n in said if n not in taken and WRITTEN.isdisjoint(name_parts(n))]
        if len(names) == 1:  # nothing but answers can have been said
            free = [n for n in said if WRITTEN.isdisjoint({*name_parts(n)} - SAID_PARTS)]
        free = [name for name in free if not self._has_titles(name)]
        sentences = [name for name in free if not self._repeats(name)]
        if "start" not in self.by_role and any(map(OF_GOODS.intersection, map(name_parts, names))):
            return ""
        is_lone = "start" in self.by_role and {"end", "duration", "speaker"}.isdisjoint(
            self.by_role
        )
        if is_lone and len(sentences) == 1 and not self._is_prose(sentences[0]):
            return ""
        if len(sentences) != 1 or {"start", "speaker"} & self.by_role.keys():
            return sentences[0] if len(sentences) == 1 else ""
        others = [name for name in names if name not in (*sentences, *taken)]
        are_beside = all(self._repeats(name) or self._has_marks(name) for name in others)
        is_matrix = sum(map(self._has_decimals, others)) >= FEWEST_OF_MATRIX
        numbers = sum(map(self._has_numbers, others))
        is_matrix |= numbers >= FEWEST_OF_AMOUNTS and 2 * numbers > len(others)
        is_prose = are_beside and not is_matrix and self._is_prose(sentences[0])
        return sentences[0] if is_prose else ""

    def _filled(self, name: str) -> list[Any]:
        """Return the values of a column that are not empty."""
        return [value for value in (self._values or {}).get(name, ()) if _is_given(value)]

    def _spoken(self, name: str) -> list[Any]:
        """Return the values of a column in the rows with a text; a row of totals has none."""
        texts = self._column("text")
        if texts is None:
            return self._filled(name)
        cells = zip((self._values or {}).get(name, ()), texts, strict=False)
        return [cell for cell, text in cells if _is_given(cell) and text != ""]

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
        if are_links(values) or not _are_wordings(values):
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

    def _say_replies(self, names: Collection[str]) -> None:
        """Warn about columns that hold replies to the text."""
        text = self.by_role.get("text", "")
        replies = [n for n in names if not REPLY_PARTS.isdisjoint(name_parts(n))]
        others = [n for n in replies if n not in self.by_role.values() and self._is_said(n)]
        if text and text not in replies and others:
            self._say(REPLIES, name=text, others=others)

    def _say_pictures(self, names: Collection[str]) -> None:
        """Warn about captions without times and speakers beside a column of pictures."""
        text = self.by_role.get("text", "")
        is_caption = not OF_PICTURES.isdisjoint(name_parts(text))
        if not is_caption or not {"start", "speaker"}.isdisjoint(self.by_role):
            return
        for name in names:
            files = self._filled(name)
            are_files = bool(files) and all(str(f).lower().endswith(IMAGES) for f in files)
            if name != text and (are_files or not PICTURE_PARTS.isdisjoint(name_parts(name))):
                self._say_once(PICTURES, name=text, pictures=name)
                return

    def _say_doubts(self, names: Collection[str]) -> None:
        """Warn about columns that do not fit their names, and about texts that nobody may say."""
        self._say_unfit(names)
        self._say_replies(names)
        self._say_pictures(names)
        self._say_languages(names)

    def _say_languages(self, names: Collection[str]) -> None:
        """Warn about rows that have the same text in several languages, as their ids show."""
        keys = [self._column(role) for role in ("id", "start")]
        rows = next((key for key in keys if key), ())
        for name in names if rows else ():
            codes = list(map(str, (self._values or {}).get(name, ())))
            is_named = plain_name(name)[0] in NAMES["language"].plain and len(codes) == len(rows)
            if not is_named or not 1 < len({*codes}) <= len(codes) / 2:
                continue
            pairs = {*zip(map(str, rows), codes, strict=True)}
            if len(pairs) >= MOST_WHOLE * len({*map(str, rows)}) * len({*codes}):
                self._say_once(LANGUAGES_BESIDE, name=name, languages=sorted({*codes})[:MOST_SHOWN])

    def _say_unfit(self, names: Collection[str]) -> None:
        """Warn about columns whose names mean times or speakers but whose values do not fit."""
        self._say_dates()
        for role in UNFIT_ROLES:
            for name in names if role not in self.by_role else ():
                values = [v for v in (self._values or {}).get(name, ()) if _is_given(v)]
                plain = plain_name(name)[0]
                is_named = plain in NAMES[role].plain or time_role(_without_count(name)) == role
                if not is_named or plain in PERHAPS or name in self.by_role.values():
                    continue
                is_count = role != "speaker" and name_parts(name)[-1] in COUNTS
                is_count = is_count or (role != "speaker" and self._has_dates(name))
                unfit = next((v for v in values if is_count or not is_time(v)), "")
                is_odd = unfit != "" and isinstance(unfit, (str, int))
                if is_odd:
                    self._say_once(UNFIT, role=role, name=name, value=unfit)

    def _say_dates(self) -> None:
        """Log the column with the dates of messages, if the rows have no times."""
        files = list(map(str, self._column("recording") or ()))
        is_of_file = bool(files) and len({*files}) == len(files)
        if "start" not in self.by_role and not is_of_file:
            free = {n: v for n, v in (self._values or {}).items() if n not in self.by_role.values()}
            if name := dates_of_messages(free):
                self._say_once(DATES_LEFT, name=name)

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

    def _add_talks(self, names: Collection[str]) -> None:
        """Use the first column of ids of talks as the recordings, if turns share them."""
        if "recording" in self.by_role or "speaker" not in self.by_role:
            return
        for name in names:
            values = list((self._values or {}).get(name, ()))
            is_free = plain_name(name)[0] in OF_TALKS and name not in self.by_role.values()
            is_full = len(values) > 1 and all(v != "" and type(v) in (str, int) for v in values)
            if is_free and is_full and len({*values}) < len(values):
                self.by_role["recording"] = name
                self._say_once(ROLE, role="recording", name=name)
                self.around = name_around(self._values or {}, name, [*self.by_role.values()])
                return

    def add_talks(self, names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Use a column of talks as the recordings if the times begin again behind each."""
        start = self.by_role.get("start", "")
        whole = [row for row in rows if len(row) == len(names)]
        if not start or "recording" in self.by_role or len(whole) < FEWEST_LISTED:
            return
        columns = dict(zip(names, zip(*whole, strict=True), strict=True))
        roles = {*self.by_role.values()} - {start}
        if name := talk_column({n: c for n, c in columns.items() if n not in roles}, start):
            self.by_role["recording"] = name
            self._say(ROLE, role="recording", name=name)

    def _add_ids(self, names: Collection[str], start: str) -> None:
        """Use ids or names of talks that rows share, if the times begin again behind each.

        The starts are in the column `start` if it is given.
        """
        column = (self._values or {}).get(start or self.by_role.get("start", ""), ())
        starts = list(map(_time_of, column))
        talks = [n for n in names if n not in self.by_role.values() and plain_name(n)[0] in TALKS]
        for name in (self.by_role.get("id", ""), *talks):
            ids = list(map(str, (self._values or {}).get(name, ())))
            rows = [row for row in zip(ids, starts, strict=False) if row[1] is not None]
            changes = [(a or 0, b or 0) for (id_, a), (other, b) in pairwise(rows) if id_ != other]
            is_shared = 2 * len({*ids}) <= len(ids) == len(starts) and len(changes) < len({*ids})
            begins_again = bool(changes) and all(after < before for before, after in changes)
            if is_shared and begins_again and "recording" not in self.by_role:
                self.by_role = {r: n for r, n in self.by_role.items() if n != name}
                self.by_role["recording"] = name
                self._say_once(ROLE, role="recording", name=name)

    def _add_parties(self, names: Collection[str]) -> None:
        """Use a column whose values are labels of speakers, or parties of a talk (doctor)."""
        others = [name for name in names if name not in self.by_role.values()]
        values = self._values or {}
        name = speaker_by_values({n: values[n] for n in others if n in values})
        if name and "speaker" not in self.by_role:
            self.by_role["speaker"] = name
            self._say(ROLE, role="speaker", name=name)

    def _use_people(self, names: Collection[str]) -> None:
        """Use the only column of people whose values vary if all rows have the same speaker."""
        speakers = list(map(str, self._column("speaker") or ()))
        if len(speakers) < FEWEST_LABELS or len({*speakers}) > 1:
            return
        people = [
            name for name in names
            if name not in self.by_role.values() and not PEOPLE.isdisjoint(name_parts(name))
            and (NO_SPEAKERS | {*KINDS_OF_TALKS}).isdisjoint(name_parts(name))
            and len(values := list(map(str, self._filled(name)))) == len(speakers)
            and len({*values}) > 1 and 2 * len({*values}) <= len(values)
        ]  # fmt: skip
        codes = [name for name in people if name_parts(name)[-1] in CODES] or people
        if len(codes) == 1:
            self._say(
                ROLE_OF_SEVERAL, role="speaker", name=codes[0], others=[self.by_role["speaker"]]
            )
            self.by_role["speaker"] = codes[0]

    def _add_clocks(self, names: Collection[str]) -> None:
        """Use a column of clock times as starts, and another as ends, if no name means a time."""
        if not {"start", "end"}.isdisjoint(self.by_role):
            return
        taken = self.by_role.values()
        columns = {n: v for n, v in (self._values or {}).items() if n in names and n not in taken}
        for role, name in zip(("start", "end"), clock_names(columns), strict=False):
            self.by_role[role] = name
            self._say(ROLE, role=role, name=name)
        if "duration" in self.by_role and {"start", "recording"}.isdisjoint(self.by_role):
            self._place_durations()

    def _place_durations(self) -> None:
        """Read rows with durations alone as whole recordings that their ids name, if they differ.

        All rows would begin at 0 of one recording otherwise. Rows with speakers may be turns of one
        talk.
        """
        rows = max(map(len, (self._values or {}).values()), default=0)
        ids = list(map(str, filter(_is_given, self._column("id") or ())))
        if "id" not in self.by_role and rows > 1:
            del self.by_role["duration"]
        elif "speaker" not in self.by_role and ids and len({*ids}) == rows:
            name = self.by_role["recording"] = self.by_role["id"]
            self._say_once(ROLE, role="recording", name=name)

    def _add_spans(self, names: Collection[str]) -> None:
        """Use columns of numbers as starts and ends, if no name means them but their values do."""
        texts, owners = self._column("text"), self._column("recording")
        if not texts or not {"end", "duration"}.isdisjoint(self.by_role):
            return
        owners = list(map(str, owners or [""] * len(texts)))
        owner = max({*owners}, key=owners.count)
        start = self.by_role.get("start", "")
        taken = self.by_role.values()
        free = [n for n in names if n == start or (n not in taken and not is_counted(n))]
        rows = [n for n, other in enumerate(owners) if other == owner]
        columns = {
            name: [self._values[name][n] for n in rows]
            for name in free
            if self._values is not None and len(self._values.get(name, ())) == len(texts)
        }
        found = span_names(columns, [texts[n] for n in rows], start)
        for role, name in zip(("start", "end"), found, strict=False):
            if name != start:
                self.by_role[role] = name
                self._say_once(ROLE, role=role, name=name)

    def _add_files(self, names: Collection[str]) -> None:
        """Use the first column of audio or video files as the recordings."""
        if "recording" in self.by_role or self._values is None:
            return
        for name in names:
            files = self._spoken(name)
            is_free = bool(files) and name not in self.by_role.values()
            is_free = is_free and not self._goes_on(self._values[name])
            are_files = all(isinstance(f, str) and without_media(f) != f for f in files)
            if is_free and (are_files or are_videos(files)):
                self.by_role["recording"] = name
                return

    def _use_sources(self, names: Collection[str]) -> None:
        """Use the column of sources as the recordings, if rows are clips with times in a source.

        Each row has a clip of its own, and in each source the times go on.
        """
        clips, starts = self._column("recording") or (), self._column("start") or ()
        if len({*map(str, clips)}) < len(clips) or len(starts) != len(clips) or len(clips) < 2:
            return
        for name in names:
            sources = list(map(str, (self._values or {}).get(name, ())))
            is_source = not SOURCE_PARTS.isdisjoint(name_parts(name))
            if not is_source or len(sources) != len(clips) or 2 * len({*sources}) > len(clips):
                continue
            times: dict[str, list[float]] = {}
            for source, start in zip(sources, map(_time_of, starts), strict=True):
                times.setdefault(source, []).append(-1 if start is None else start)
            if all(part == sorted(part) and part[-1] > part[0] >= 0 for part in times.values()):
                self.by_role["recording"] = name
                self._say_once(ROLE, role="recording", name=name)
                return

    def _say_joined(self) -> None:
        """Warn about audio files of equal names in different folders, which are one recording."""
        role = self.by_role.get("recording", "")
        is_file = role.lower() not in ("", "recording", "recording_id")
        values = self._spoken(role) if is_file else ()
        paths = sorted({value for value in values if isinstance(value, str)})
        by_name: dict[str, list[str]] = {}
        for path in paths:
            by_name.setdefault(recording_of_audio(path), []).append(path)
        joined = [same for same in by_name.values() if len(same) > 1]
        self.named_by_folder = _named_by_folder(paths, joined)
        if self.named_by_folder:
            self._say_once(FOLDERS_NAME, name=role, file=joined[0][0])
        elif joined:
            self._say_once(FILES_JOINED, name=role, count=len(joined), files=joined[0][:2])

    def _goes_on(self, files: Sequence[Any]) -> bool:
        """Return True if times continue from file to file: the files are parts of one recording."""
        starts = [number_of(start) for start in self._column("start") or ()]
        pairs = list(zip(starts, files, strict=False))
        changes = [(a, b) for (a, file), (b, other) in pairwise(pairs) if file != other]
        is_whole = len(changes) >= FEWEST_CHANGES and None not in starts
        return is_whole and all((a or 0) < (b or 0) for a, b in changes)

    def _is_word_list(self, name: str) -> bool:
        """Return True if a column of single words is a list of words, not a transcript."""
        others = [plain_name(name)[0] for name in self._values or ()]
        has_start = any(map(time_role, self._values or ()))
        has_start = has_start or not set(others).isdisjoint(NAMES["start"].plain)
        has_speaker = not set(others).isdisjoint(NAMES["speaker"].plain)
        return not has_start and not (has_speaker and name == "word")

    def _has_place(self, role: str, plain: str) -> bool:
        """Return True if a name can have a role, given the roles that are assigned already."""
        if role == "duration" and plain == "length":
            return "start" in self.by_role and "end" not in self.by_role
        return role != "end" or "start" in self.by_role

    def _fits(self, role: str, name: str) -> bool:
        """Return True if the values in a column fit a role.

        If the values are unknown, roles of times do not fit.
        """
        plain = plain_name(name)[0]
        if self._values is None:
            is_vague = role == "speaker" and plain in (*PERHAPS_SPEAKERS, "role", "type")
            return role not in ("start", "end", "duration") and not is_vague
        values = self._filled(name)
        if role == "speaker":
            text = "" if "start" in self.by_role else self.by_role.get("text", "")
            return are_speakers(name, values, text)
        if role == "channel":
            return True
        if role == "recording":
            values = self._spoken(name)
            return bool(values) and not any(map(is_time, values)) and not self._is_prose(name)
        if role in UNFIT_ROLES or role == "duration":
            values = self._spoken(name) or values
        if role == "text":
            is_sparse = 2 * len(values) < len(self._values.get(name, ()))
            is_sparse = is_sparse and "start" not in map(time_role, self._values)
            is_sparse = is_sparse and NAMES["speaker"].usual[0] not in map(str.lower, self._values)
            if is_sparse or are_links(values) or not _are_wordings(values):
                return False
            has_many = any(len(v.split()) > 1 or NO_BLANKS.search(v) for v in values)
            return has_many or plain not in NAMES[role].plain or not self._is_word_list(plain)
        are_times = all(is_time(value) or is_time_code(value) for value in values)
        return bool(values) and are_times and not self._has_dates(name)


def talk_column(columns: Mapping[str, Sequence[Any]], start: str) -> str:
    """Return the column of talks in which the times begin again at each change; empty if none.

    >>> columns = {"debate": ["a", "a", "b"], "day": [1, 1, 1], "time": ["0:01", "0:09", "0:00"]}
    >>> talk_column(columns, "time"), talk_column({"time": ["0:01"]}, "time")
    ('debate', '')
    """
    starts = list(map(_time_of, columns[start]))
    for name, values in columns.items():
        if name == start or TALK_PARTS.isdisjoint(name_parts(name)):
            continue
        rows = [(v, t) for v, t in zip(values, starts, strict=True) if t is not None]
        changes = [(a or 0, b or 0) for (v, a), (following, b) in pairwise(rows) if v != following]
        begins_again = bool(changes) and all(after < before for before, after in changes)
        if begins_again and len({value for value, _ in rows}) == len(changes) + 1:
            return name
    return ""


def _time_of(value: Any) -> float | None:
    """Return a time as a number, without frames; `None` for any other value."""
    return time_number(value.rpartition(":")[0] if is_time_code(value) else value)


def _paths(name: str, values: Sequence[Any] | None) -> list[str]:
    """Return the paths to the members in a column of objects; for any other column, its name."""
    first = next(filter(None, values or ()), None)
    if isinstance(first, list) and first:
        first = first[0]
    if not isinstance(first, dict):
        return [name]
    return [path for key, value in first.items() for path in _paths(f"{name}.{key}", [value])]


def _is_whole(cell: object, *, has_ends: bool) -> bool:
    """Return True if a number has no fraction; a number of milliseconds has none.

    ``3.000`` has a fraction, because seconds are often written in this way. ``3.0`` has a fraction
    only if there are no ends.
    """
    number = number_of(cell)
    if number is None or type(number) is int:
        return number is not None
    is_fixed = isinstance(cell, str) and cell.strip()[-2:-1] != "."
    return has_ends and not is_fixed and number % 1 == 0


def _named_by_folder(paths: Sequence[str], joined: Sequence[Sequence[str]]) -> Collection[str]:
    """Return the names of files that are equal in several folders, if each folder has one file.

    >>> paths = ["a/audio.wav", "b/audio.wav"]
    >>> _named_by_folder(paths, [paths]), _named_by_folder([*paths, "a/other.wav"], [paths])
    (frozenset({'audio'}), frozenset())
    """
    folders = [folder_of_audio(path) for path in paths]
    is_one = bool(joined) and "" not in folders and len({*folders}) == len(folders)
    return frozenset(recording_of_audio(same[0]) for same in joined) if is_one else frozenset()


def is_counted(name: str) -> bool:
    """Return True if a name says that its times are in a unit that is not read, such as frames."""
    return not COUNTS.isdisjoint(name_parts(name))


def _without_count(name: str) -> str:
    """Return a name without what it counts: ``start`` for ``Start (min)`` and ``start_frame``."""
    parts = name_parts(name)
    return " ".join(parts[:-1] if parts[-1:] and parts[-1] in COUNTS else parts)


def _are_wordings(values: Sequence[Any]) -> bool:
    """Return True if all values are texts without a date, and hardly any of them is a number."""
    numbers = sum(map(is_time, values))
    return 10 * numbers <= len(values) and all(map(is_wording, values))


def _is_given(value: object) -> bool:
    return value not in (None, "")


def _span(
    start: object, end: object, length: object, text: object
) -> tuple[float, float | None, str] | None:
    """Return the start, end and text of a row whose times are numbers; otherwise `None`."""
    numbers = [number_of(value) for value in (start, end, length)]
    for value, number in zip((start, end, length), numbers, strict=True):
        if _is_given(value) and number is None:
            return None
    first, last, duration = numbers
    if first is None and duration is None:
        return None
    first = first or 0
    last = first + duration if last is None and duration is not None else last
    return first, last, text if isinstance(text, str) else ""
