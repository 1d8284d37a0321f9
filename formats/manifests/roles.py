"""Roles (text, start, speaker …) of columns and members, found from their names and values."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from formats.io.source import Source
from formats.manifests import SAID
from formats.manifests.messages import (
    DATES_LEFT,
    ENTRIES,
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
    TEXT_OF_PEOPLE,
    TEXT_OF_SEVERAL,
    TEXTS_FOUND,
    UNFIT,
    WORD_LIST,
)
from formats.manifests.role_columns import (
    COUNTS,
    FEWEST_LABELS,
    FEWEST_LISTED,
    LEAST_PROSE,
    are_wordings,
    is_given,
)
from formats.manifests.role_recordings import RoleRecordings
from formats.manifests.role_times import RoleTimes
from formats.reading.dates import dates_of_messages
from formats.reading.member_names import (
    KINDS_OF_TALKS,
    LOGGED,
    MEASURES,
    NAMES,
    NO_SPEAKERS,
    PERHAPS_SPEAKERS,
    ROLES,
    SAID_PARTS,
    SPEAKER_PARTS,
    TEXT_PARTS,
    TRANSLATED,
    check_members,
    field_role,
    is_log,
    likeliest_first,
    likely_names,
    name_parts,
    plain_name,
    text_among,
    texts_beside,
    time_role,
    without_contexts,
)
from formats.reading.member_values import are_links, are_speakers, name_beside_id, speaker_by_values
from formats.reading.time_values import NO_BLANKS, count_up, is_time, is_time_code, word_count
from formats.schema.errors import OptionError, SyntaxFormatError, close_names, quoted
from formats.schema.messages import Message

SPARSE = 0.1
"""The share of rows with a text in a column that is hardly ever filled."""
NORMALIZED = "normalized_text"
"""A column that may hold the same as a translation."""
TEXT_SIDES = ("text", "pred_text")
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
PEOPLE = frozenset((*SPEAKER_PARTS, "participant", "author", "user", "player", "member"))
"""Parts of names of columns that say which person a row is of."""
CODES = frozenset(("code", "name", "id"))
"""Last parts of those that name the person."""
OF_PICTURES = frozenset(("caption", "captions", "description", "descriptions", "alt"))
"""Parts of names of texts that may describe pictures."""
PICTURE_PARTS = frozenset(("image", "images", "img", "photo", "picture"))
"""Parts of names of columns of pictures."""
IMAGES = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp")
MOST_WHOLE, MOST_SHOWN = 0.9, 3
"""The share of texts that have all languages, and the languages that a message shows."""
SHARE_OF_ENTRIES, LONGEST_EXAMPLE = 0.7, 300
"""The share of texts that have the word of their row, in a dictionary, and their characters."""
MOST_LISTED = 20
"""Names that a message lists."""
FEWEST_OF_MATRIX = 3
"""The fewest columns of decimals beside a text that show a table of numbers."""
FEWEST_OF_AMOUNTS = 4
"""The fewest columns of numbers beside a text, such as prices, of a table that nobody says."""
PROMPTS, UTTERANCES = frozenset(("prompt", "prompts")), frozenset(("utt", "utterance"))
"""Parts of the names of texts that somebody reads aloud, and of identifiers of utterances."""
INDEX = "column 1"
"""The first column if it has no name: the index of a table, as pandas writes it, is no text."""
UNFIT_ROLES = ("start", "end", "speaker")
PERHAPS = frozenset((*PERHAPS_SPEAKERS, "type", "role", "label", "party", "at", "t", "to"))
"""Names that mean something else as often."""
VAGUE = frozenset(("recognized", "generated", "output"))
"""Names of predictions that count only where no other name of one is there."""
SPANS = (
    *(("start", "end"), ("start_time", "end_time"), ("begin", "end"), ("begin_time", "end_time")),
    *(("in", "out"), ("start_time", "stop_time"), ("start", "stop"), ("t1", "t2")),
    ("onset", "offset"),
)
"""Starts and ends that belong together; some data sets have times and numbers of samples."""


class Roles(RoleTimes, RoleRecordings):
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
        super().__init__(source, line, values)
        self._empty = ""
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
        columns = likeliest_first({name: self._words_of(name) for name in columns})
        if columns := columns[:MOST_LISTED]:
            entry = TEXTS_FOUND
            fields |= {"found": columns, "first": columns[0]}
        else:
            entry = NO_TEXT if names else NO_NAMES
            fields["found"] = list(names)[:10]
        side = "" if self._source is None else self._source.log.side
        return SyntaxFormatError(value=Message(entry, fields, side), path=path, line=self._line)

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

        Numbers that count up give way to the only other column with the name of a text.
        So does a text that nearly all rows lack, beside prose in most rows. A hypothesis may be
        empty: its recogniser heard nothing.
        """
        values = list(map(str, self._filled(name)))
        if count_up(values):
            texts = likely_names("text", [n for n in names if n != name])
            return len(texts) == 1 and are_wordings(self._filled(texts[0]))
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
        sentence = sentence or self._only_prompt(named)
        if sentence:
            self.by_role["text"] = sentence
            others = texts_beside(sentence, said)
            if others:
                self._say(TEXT_OF_PEOPLE, name=sentence, others=others)
            else:
                self._say(ROLE_GUESSED, name=sentence)
            if around := [n for n in names if n not in own]:
                self._say(TEXT_OF_SEVERAL, name=sentence, others=around)

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

    def _only_prompt(self, names: Collection[str]) -> str:
        """Return the only column beside those of utterances, if it has prompts that were read."""
        free = [name for name in names if name not in self.by_role.values()]
        prompts = [name for name in free if not PROMPTS.isdisjoint(name_parts(name))]
        id_parts = name_parts(self.by_role.get("id", ""))
        are_read = len(free) == len(prompts) == 1 and not UTTERANCES.isdisjoint(id_parts)
        return prompts[0] if are_read and self._is_prose(prompts[0]) else ""

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

    def _say_entries(self, names: Collection[str]) -> None:
        """Warn about texts that are examples of the words in another column, as dictionaries have.

        Recordings, times and speakers show that somebody said them.
        """
        text = self.by_role.get("text", "")
        texts = [str(value).casefold() for value in (self._values or {}).get(text, ())]
        is_said = not {"start", "speaker", "recording"}.isdisjoint(self.by_role)
        if is_said or len(texts) < FEWEST_LISTED:
            return
        for name in names:
            words = [str(value).strip().casefold() for value in (self._values or {}).get(name, ())]
            if name in self.by_role.values() or len(words) != len(texts):
                continue
            pairs = [*zip(words, texts, strict=True)]
            inside = sum(
                any(map(str.isalpha, word))
                and word in text
                and 2 * len(word) < len(text) <= LONGEST_EXAMPLE
                for word, text in pairs
            )
            is_varied = len({*words}) >= MOST_WHOLE * len(words)
            if is_varied and inside >= SHARE_OF_ENTRIES * len(texts):
                self._say_once(ENTRIES, name=text, words=name)
                return

    def _say_doubts(self, names: Collection[str]) -> None:
        """Warn about columns that do not fit their names, and about texts that nobody may say."""
        self._say_unfit(names)
        self._say_replies(names)
        self._say_pictures(names)
        self._say_entries(names)
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
                values = [v for v in (self._values or {}).get(name, ()) if is_given(v)]
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
            if is_sparse or are_links(values) or not are_wordings(values):
                return False
            has_many = any(len(v.split()) > 1 or NO_BLANKS.search(v) for v in values)
            return has_many or plain not in NAMES[role].plain or not self._is_word_list(plain)
        are_times = all(is_time(value) or is_time_code(value) for value in values)
        return bool(values) and are_times and not self._has_dates(name)


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


def _paths(name: str, values: Sequence[Any] | None) -> list[str]:
    """Return the paths to the members in a column of objects; for any other column, its name."""
    first = next(filter(None, values or ()), None)
    if isinstance(first, list) and first:
        first = first[0]
    if not isinstance(first, dict):
        return [name]
    return [path for key, value in first.items() for path in _paths(f"{name}.{key}", [value])]


def _without_count(name: str) -> str:
    """Return a name without what it counts: ``start`` for ``Start (min)`` and ``start_frame``."""
    parts = name_parts(name)
    return " ".join(parts[:-1] if parts[-1:] and parts[-1] in COUNTS else parts)
