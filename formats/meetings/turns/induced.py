"""Layouts that the lines of a text give, because their beginnings have the same shape.

The table of `formats.meetings.layouts` has the layouts that need a rule of their own. For any other
signs, as in ``{0:12} text``, ``Ann / 0:12 / text`` or ``[TURN 3] ANN: text``, the lines give the
pattern. The beginning of each line is split into pieces: times, dates, numbers, signs, and words
between signs. Lines whose pieces are alike are a group. Pieces that are the same in all lines of a
group become literal text of its pattern, numbers that count up become an id, and words that return
and may be names become speakers. Where words differ from line to line, the text begins.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from formats.reading.line_beginnings import (
    POINT_BEHIND,
    letters_first,
    names_unmarked,
    names_with_point,
)
from formats.reading.patterns import CLOCK, FRAMES, MILLIS, TENTHS, parse_stamp
from formats.reading.speakers import (
    LOG_WORDS,
    NOTATIONS,
    SPEAKER_WORDS,
    is_code,
    is_label,
    is_name,
    is_sound,
    split_name,
)
from formats.reading.time_values import NO_BLANKS
from formats.schema import NamedTuple, lazy_pattern

LEAST, SHARE = 3, 0.8
"""The fewest lines of a group, and the least share of them that have the same next piece."""
RETURNING, MANY_OF_ONE = 2, 12
"""How many names return, and the fewest lines that show one person's name in brackets."""
CODE_AND_CLOCK = lazy_pattern(rf"[A-Z]{{1,4}}[0-9]{{0,2}}[ \t]{{1,9}}{CLOCK}:?[ \t]")
"""A letter or code, a time and a text."""
MOST_GROUPS, MOST_PIECES, LONGEST_HEAD = 3, 16, 100
LONGEST_UNCASED = 8
"""Characters of a name without blanks in a script without capitals."""
ORDERED = 0.95
"""The least share of numbers and times that are not before the preceding one."""
DIFFERENT = 0.6
"""The least share of different times."""
FEWEST_UNMARKED, MOST_UNMARKED, MOST_WORDS = 6, 8, 3
"""Lines, names and words of names before texts without a sign between."""
LONGEST_CLOSE = 10
"""The most characters of a name in a script without blanks; a longer one is a clause."""
OPENING, CLOSING = frozenset("([{<"), frozenset(")]}>")
BRACKETS = r"\[\](){}<>|"
NO_SIGN = r"\w\s\"'“”‘’«»¿¡♪.…!?&$,*`"
"""What is no sign beside words."""
SHORT = r"(?:[0-9]{1,2}h[ ]?)?[0-9]{1,3}m[ ]?[0-9]{1,2}s\b"
"""A time with the letters of its units: ``1m02s``."""
PIECE = lazy_pattern(
    rf"(?P<time>(?<![0-9:.,])(?:{MILLIS}|{FRAMES}|{TENTHS}|{CLOCK}|{SHORT})(?![0-9]|:[0-9]))"
    r"|(?P<unit>(?<=:[0-9]{2})[ ]?(?:min(?:ute)?s?|sec(?:ond)?s?|hours?)\b)"
    r"|(?P<date>(?<![\w.-])[0-9]{1,4}([-/.])[0-9]{1,2}\4[0-9]{1,4}(?![\w-]))"
    r"|(?P<seconds>(?<![\w.])[0-9]{1,6}\.[0-9]{1,9}(?:[ ]?s(?:ec)?\b)?(?!\w))"
    r"|(?P<number>(?<![\w.])[0-9]{1,7}(?!\w))"
    r"|(?P<sign>(?<!\w)T\+(?=[0-9]{1,3}:)"
    rf"|[{BRACKETS}]|(?:(?<!\w)|(?<=[0-9]))[^{NO_SIGN}{BRACKETS}]{{1,4}}"
    rf"|[^{NO_SIGN}{BRACKETS}]{{1,4}}(?!\w)|,(?=[ ]?[0-9]{{1,3}}:[0-9]{{2}})"
    r"|(?<=[ \t])[^\w\s]{1,3}(?=[ \t]))"
    r"|(?P<blank>[ \t\xa0]{1,60})"
    r"|(?P<word>\w{1,60}|[^\w\s])"
)
TIMES = {"time": "clock", "seconds": "0.0"}
NO_NAME = lazy_pattern(r"[ \t]{2}|[/\\]")
"""Columns, or a path."""
COUNTED = lazy_pattern(r"([^\W\d_][^\d\n]{0,60})([0-9]{1,6})\Z")
"""A word and its number: ``Turn 3``."""
IDENTIFIER = lazy_pattern(r"\}[-_.][{\w]")
"""Fields that a sign of identifiers joins: ``{speaker}-{id}``."""
REFERENCES = lazy_pattern(
    r"\{start 0\.0\}\{\?s\?\}[^{}]{0,40}(?!bis|until|hasta|jusqu)\b[^\W\d_]{3,40}[^{}]{0,40}\{end 0"
)
"""Two numbers with a word between them, which refer to places in books: ``Gen 3.4 = Exod 5.5``."""
NO_PERSON = lazy_pattern(
    r"(?i)(?:at|from|to|on|in|the|time|times|date|start|end|begin|stop|part|segment|chunk|section|chapter|scene|slide|page"
    r"|line|clip|shot|turn|cue|note|track|take|tc|timecode|timestamp|am|pm)\b"
)
"""Words beside times that are no persons."""
ANSWERS = frozenset(
    ("Yes", "No", "Yeah", "Well", "Okay", "Right", "Sure", "Thanks", "Exactly", "Ja", "Nein",
     "Genau", "Oui", "Non", "Bien", "Sí", "Bueno", "Sim", "Não", "Si", "Да", "Нет", "Nee", "Ok",
     "OK", "Mm-hmm", "Uh-huh")
)  # fmt: skip
"""Answers of a word or two, which are no names."""
LABEL_FIRST = lazy_pattern(
    rf"((?:{SPEAKER_WORDS})[ _-]?[0-9]{{1,3}})[ ](?=[^\W\d_])", re.IGNORECASE
)
"""A generic name before a text, without a sign between."""
NAME_LAST = lazy_pattern(r"\{(?:speaker|_)[^{}]*\}\Z")
PICTURES_LAST = lazy_pattern(r"[^\w\n:：(\[<{/\\.,;=-]{0,12}:(?:\s|\Z)")
"""Pictures that end a name, and the colon behind it."""


class LinePiece(NamedTuple):
    """A piece of a line: its kind, its text, and where it ends."""

    kind: str
    text: str
    end: int

    @property
    def key(self) -> tuple[str, str]:
        """What pieces have in common that are alike: the kind, and the sign without blanks."""
        return (self.kind, self.text.strip() or " ") if self.kind == "sign" else (self.kind, "")


class PieceLine(NamedTuple):
    """A line and the pieces of its beginning."""

    text: str
    pieces: tuple[LinePiece, ...]


class LayoutGroup:
    """Lines of the same shape, and the pattern that is derived from their pieces."""

    def __init__(self, lines: Sequence[PieceLine]) -> None:
        self.lines = list(lines)
        self.position = 0
        self.parts: list[str] = []
        self.fields: set[str] = set()
        self.is_of_log = False
        self.has_codes = False

    @property
    def has_signs(self) -> bool:
        """True if the pattern has signs or words, not only fields and blanks."""
        return any(part.strip() and part[0] != "{" for part in self.parts)

    @property
    def pattern(self) -> str:
        """The pattern without the text behind the head."""
        return "".join(self.parts)

    @property
    def is_balanced(self) -> bool:
        """True if the head does not end within brackets."""
        head = "".join(part for part in self.parts if part[0] != "{" or not part[1:2].isalpha())
        head = head.replace("{?", "").replace("?}", "")
        return all(head.count(a) <= head.count(b) for a, b in ("()", "[]", "{}"))

    @property
    def is_notation(self) -> bool:
        """True if the lines have a notation of names, which is tried in any case."""
        return self.fields.isdisjoint(("start", "id")) and any(
            all(split_name(notation, line.text)[0] for line in self.lines) for notation in NOTATIONS
        )

    def grow(self) -> None:
        """Add the pieces that nearly all lines have in common, up to the text."""
        while self.position < MOST_PIECES and self._add():
            pass

    def _column(self, offset: int = 0) -> list[LinePiece]:
        """Return the next piece of each line; it is empty at the end of the line."""
        index = self.position + offset
        nothing = LinePiece("end", "", 0)
        return [line.pieces[index] if index < len(line.pieces) else nothing for line in self.lines]

    def _add(self) -> bool:
        """Add the next piece to the pattern; return False if the text begins or nothing is left."""
        column = self._column()
        keys = Counter(piece.key for piece in column)
        ((key, count),) = keys.most_common(1)
        if key[0] == "end" or count < max(LEAST, SHARE * len(column)):
            return False
        alike = [(x, p) for x, p in zip(self.lines, column, strict=True) if p.key == key]
        texts = [piece.text for _, piece in alike]
        part = texts[0] if key[0] == "sign" else self._field(key[0], texts, alike)
        if not part:
            return False
        if key[0] == "sign":
            part = _shared_sign(texts)
        self.lines = [line for line, _ in alike]
        self.parts.append(part)
        self.position += 1
        return True

    def _field(self, kind: str, texts: list[str], alike: list[tuple[PieceLine, LinePiece]]) -> str:
        """Return the field for a piece of this kind; empty if the text begins with it."""
        if kind in TIMES:
            name = next((x for x in ("start", "end") if x not in self.fields), "")
            if kind == "seconds" and not texts[0].endswith(("s", "c")) and not self._has_two(alike):
                return ""
            if name == "start" and not _increase(texts):
                return ""
            self.fields.add(name or "_")
            shape = TIMES[kind] + ("}{?s?" if kind == "seconds" else "")
            return f"{{{name} {shape}}}" if name else "{_}"
        if kind == "date":
            return "{date digits}"
        if kind == "number":
            return self._counter([int(text) for text in texts], alike)
        return self._words(texts, alike)

    def _has_two(self, alike: list[tuple[PieceLine, LinePiece]]) -> bool:
        """Return True if each line has two numbers that may be its start and its end."""
        counts = (sum(piece.kind == "seconds" for piece in line.pieces) for line, _ in alike)
        return all(count > 1 for count in counts)

    def _counter(
        self, numbers: list[int], alike: list[tuple[PieceLine, LinePiece]], before: str = ""
    ) -> str:
        """Return the field for numbers that count up before a sign; otherwise empty."""
        if not self._are_closed(alike) or not _are_ordered(numbers) or len(set(numbers)) < LEAST:
            return ""
        name = "_" if "id" in self.fields else "id"
        self.fields.add(name)
        return f"{before}{{{name}}}"

    def _are_closed(self, alike: list[tuple[PieceLine, LinePiece]]) -> bool:
        """Return True if a sign or a value is behind the next piece of each line."""
        index = self.position + 1
        return all(
            index < len(line.pieces)
            and (line.pieces[index].text.strip() or line.pieces[index + 1 : index + 2])
            for line, _ in alike
        )

    def _words(self, texts: list[str], alike: list[tuple[PieceLine, LinePiece]]) -> str:
        """Return the field for words between signs: literal, counted, a speaker; or no field."""
        if len(set(texts)) == 1:
            if self._is_one_speaker(texts[0], alike):
                self.fields.add("speaker")
                return "{speaker}"
            return texts[0] if self._are_closed(alike) else ""
        counted = [COUNTED.match(text) for text in texts]
        if all(counted) and len({match[1] for match in counted if match}) == 1:
            first = counted[0]
            before = first[1] if first else ""
            if field := self._counter([int(match[2]) for match in counted if match], alike, before):
                return field
        is_marked = not self.fields.isdisjoint(("start", "id"))
        is_closed = self._are_closed(alike)
        name = "_" if "speaker" in self.fields else "speaker"
        is_head = is_closed or (
            name == "speaker"
            and is_marked
            and all(is_name(text) or is_label(text) for text in texts)
        )
        is_beside = "start" in self.fields or self._are_timed(alike)
        are_people = name == "speaker" and is_beside and all(map(is_person, texts))
        if not is_head or not (are_people or _do_return(texts, is_marked=is_marked)):
            return ""
        self.is_of_log = self.is_of_log or any(text.upper() in LOG_WORDS for text in texts)
        self.has_codes = self.has_codes or any(x.islower() and not is_label(x) for x in texts)
        self.fields.add(name)
        return f"{{{name}}}"

    def _is_one_speaker(self, text: str, alike: list[tuple[PieceLine, LinePiece]]) -> bool:
        """Return True if the same words begin all lines, perhaps in brackets: a name at a time."""
        begin = alike[0][0].pieces[: self.position]
        return (
            (not begin or (len(begin) == 1 and begin[0].text in OPENING))
            and "speaker" not in self.fields and text.upper() not in LOG_WORDS
            and (is_label(text) or (is_name(text) and NO_PERSON.match(text) is None))
            and (self._are_timed(alike) or (bool(begin) and self._is_in_brackets(text, alike)))
        )  # fmt: skip

    def _is_in_brackets(self, text: str, alike: list[tuple[PieceLine, LinePiece]]) -> bool:
        """Return True if one name in brackets begins many lines: the lines of one person.

        It is no code, as of a language, and no sound.
        """
        after = {line.pieces[self.position + 1 : self.position + 2] for line, _ in alike}
        are_closed = all(piece and piece[0].text.strip() in CLOSING for piece in after)
        is_person = len(text) > 1 and not text.isupper() and not is_sound(text)
        return len(alike) >= MANY_OF_ONE and are_closed and is_person

    def _are_timed(self, alike: list[tuple[PieceLine, LinePiece]]) -> bool:
        """Return True if a time is behind the next piece of each line, perhaps behind a sign."""
        first = self.position + 1
        neighbours = (line.pieces[first : first + 2] for line, _ in alike)
        return all(any(piece.kind in TIMES for piece in pieces) for pieces in neighbours)

    def has_pictures(self, rests: Sequence[str]) -> bool:
        """Return True if names end with pictures before a colon: ``Ann 🌸: so``."""
        ends = [match[0] for rest in rests if (match := PICTURES_LAST.match(rest))]
        has_several = len({end.strip() for end in ends}) > 1
        return self.parts[-1] == "{speaker}" and has_several and len(ends) >= SHARE * len(rests)

    def rests(self) -> list[str]:
        """Return what follows the head in each line."""
        return [
            line.text[line.pieces[self.position - 1].end :] if self.position else line.text
            for line in self.lines
        ]


def induced_patterns(lines: Iterable[str]) -> Iterator[str]:
    """Yield patterns that fit lines with the same shape, those of most lines first.

    >>> list(induced_patterns(["{0:01} so", "{0:05} well", "{0:09} then"]))
    ['{{start clock}}{? {text}?}']
    >>> list(induced_patterns(["0:01 / Ann / so", "0:05 / Bob / well", "0:09 / Ann / then",
    ...                        "0:12 / Bob / no"]))[0]
    '{start clock} / {speaker} /{? {text}?}'
    """
    lines = list(lines)
    if names := _names_with_point(lines):
        yield f"{{speaker {'|'.join(names)}}}{{? ({{_}})?}}. {{text}}"
    if names := names_unmarked(lines):
        yield f"{{speaker {'|'.join(dict.fromkeys(names))}}} {{text}}"
    if names := _labels_unmarked(lines):
        yield f"{{speaker {'|'.join(names)}}} {{text}}"
    mixed = [line for line in lines if not line.isupper()]
    if codes := sorted({*letters_first(mixed)}):
        if 2 * sum(CODE_AND_CLOCK.match(line) is not None for line in mixed) > len(mixed):
            yield f"{{speaker {'|'.join(codes)}}} {{start clock}}{{?:?}} {{text}}"
        yield f"{{speaker {'|'.join(codes)}}}{{?-?}} {{text}}"
    split = [PieceLine(line, pieces) for line in lines if (pieces := _pieces(line))]
    groups: dict[tuple[tuple[str, str], ...], list[PieceLine]] = {}
    for line in split:
        first = line.pieces[0].key
        size = 2 if first[0] == "words" else 1
        key = tuple(piece.key for piece in line.pieces[:size])
        if size == len(key):
            groups.setdefault(key, []).append(line)
    largest = sorted(groups.values(), key=len, reverse=True)[:MOST_GROUPS]
    for group in largest:
        if len(group) >= LEAST:
            yield from _patterns_of(LayoutGroup(group))


def _patterns_of(group: LayoutGroup) -> Iterator[str]:
    """Yield the pattern of a group of lines, if its head has a time, or a speaker and signs."""
    group.grow()
    if group.is_of_log or not group.fields & {"start", "speaker"} or not group.is_balanced:
        return
    if "start" not in group.fields and IDENTIFIER.search(group.pattern):
        return
    if REFERENCES.search(group.pattern):
        return
    rests = group.rests()
    is_timed = "start" in group.fields
    if is_timed and "speaker" not in group.fields and (names := _unmarked_names(rests)):
        yield f"{group.pattern.rstrip()} {{speaker {'|'.join(names)}}} {{text}}"
    if not group.has_signs or ("{date" in group.pattern and "speaker" not in group.fields):
        return  # lines of a chat without a name are no messages
    if is_timed and group.has_pictures(rests):
        yield group.pattern.removesuffix("{speaker}") + "{speaker any}{? ?}:{? {text}?}"
        return
    bare = group.pattern.replace("{? ?}", "").replace(" ", "")
    is_inside = bare.startswith("[{startclock}]") and (
        group.fields == {"start"} or bare.endswith(("]({speaker})", "][{speaker}]"))
    )
    is_bare = not is_timed and "id" not in group.fields
    is_close = sum(bool(rest[:1].strip()) for rest in rests)
    is_close = 2 * is_close > len(rests) and not group.pattern.endswith(" ")
    if is_bare and sum(map(bool, rests)) < (SHARE if is_close else ORDERED) * len(rests):
        return  # lines of songs
    if is_inside or group.is_notation:
        return  # times inside paragraphs may also end turns
    if is_bare and is_close and group.has_codes:
        return  # settings: `size:12`
    if is_bare and is_close and _are_identifiers(group.pattern, rests):
        return
    if is_close and NAME_LAST.search(group.pattern):
        return  # nothing separates the name from the text
    yield group.pattern.rstrip() + ("{text}" if is_close else "{? {text}?}")


def _are_identifiers(pattern: str, rests: Sequence[str]) -> bool:
    """Return True if a sign joins most heads to numbers: ``s1-utt0 so``, ``Ex 1:1``."""
    numbered = sum(any(map(str.isdigit, rest.split(None, 1)[0])) for rest in rests if rest.strip())
    return pattern[-1:] in "-_.:" and 2 * numbered > len(rests)


def _pieces(line: str) -> tuple[LinePiece, ...]:
    """Split the beginning of a line into pieces; words and blanks between signs are one piece."""
    pieces: list[LinePiece] = []
    kinds: list[str] = []
    for match in PIECE.finditer(line, 0, LONGEST_HEAD):
        kind = match.lastgroup or "word"
        kind = "sign" if kind == "unit" else kind
        last = kinds[-1] if kinds else ""
        text = match[0]
        if kind == "blank":
            kind = "word" if last in ("word", "number") and _goes_on(line, match.end()) else "sign"
        elif kind in ("number", "seconds") and last == "word":
            kind = "word"
        is_opening = kind == last == "sign" and text in OPENING
        if (is_opening and pieces[-1].text.rstrip()[-1:] in CLOSING) or not pieces:
            pass  # a sign ends with a closing bracket
        elif (kind in ("word", "sign") and kind == last) or (kind, last) == ("word", "number"):
            text = pieces.pop().text + text
            kinds.pop()
        pieces.append(LinePiece("words" if kind == "word" else kind, text, match.end()))
        kinds.append(kind)
        if len(pieces) > MOST_PIECES:
            break
    return tuple(pieces)


def _goes_on(line: str, index: int) -> bool:
    """Return True if a word is at this index of a line, and no time."""
    match = PIECE.match(line, index)
    return match is not None and match.lastgroup in ("word", "number")


def _shared_sign(texts: list[str]) -> str:
    """Return the sign with the blanks that all lines have before and after it."""
    sign = texts[0].strip()
    if not sign:
        return " "
    before = [text[:1].isspace() for text in texts]
    after = [text[-1:].isspace() for text in texts]
    return f"{_shared_blank(before)}{' '.join(sign.split())}{_shared_blank(after)}"


def _shared_blank(have: list[bool]) -> str:
    """Return a blank if all lines have one, an optional blank if some have one."""
    return " " if all(have) else "{? ?}" if any(have) else ""


def _increase(times: Sequence[str]) -> bool:
    """Return True if nearly no time is before the time above it, and most times differ."""
    starts = [parse_stamp(time) for time in times]
    return _are_ordered(starts) and len(set(starts)) > DIFFERENT * len(starts)


def _are_ordered(numbers: Sequence[int]) -> bool:
    """Return True if nearly no number is less than the number before it."""
    steps = sum(a <= b for a, b in itertools.pairwise(numbers))
    return steps >= ORDERED * (len(numbers) - 1)


def _do_return(names: list[str], *, is_marked: bool) -> bool:
    """Return True if all texts are names that repeat, less often behind times or numbers."""
    counts = Counter(names)
    are_names = all(
        (is_name(name) or is_label(name) or is_code(name)) and not NO_NAME.search(name)
        for name in counts
    )
    returning = sum(count > 1 for count in counts.values())
    if is_marked and are_names:
        are_persons = returning >= RETURNING and all(map(is_person, counts))
        return returning > 0 and (are_persons or len(counts) <= max(2, 0.7 * len(names)))
    return are_names and returning >= RETURNING and 2 * len(counts) <= len(names)


def is_person(name: str) -> bool:
    """Return True if a text beside a time may be the name of a person who speaks once."""
    words = name.split()
    return (
        is_name(name) and len(words) <= MOST_WORDS and len(NO_BLANKS.findall(name)) <= LONGEST_CLOSE
        and not any(word[0].islower() for word in words)
        and NO_NAME.search(name) is None and NO_PERSON.match(name) is None
        and (len(name) <= LONGEST_UNCASED or name.lower() != name.upper() or " " in name)
    )  # fmt: skip


def _names_with_point(lines: Sequence[str]) -> list[str]:
    """Return the names with a point before texts, as in plays: ``Ann. So it was``.

    They return, and are nowhere words in small letters, unlike ``Yes.``. Two names must begin most
    lines.
    """
    begins = [match[1] for line in lines if (match := POINT_BEHIND.match(line))]
    counts = Counter(name for name in begins if is_person(name) and name not in ANSWERS)
    words = {word.rstrip(".,;:!?") for line in lines for word in line.split() if word.islower()}
    names = [x for x, n in counts.items() if n >= RETURNING and x.lower() not in words]
    do_return = sum(counts[name] >= LEAST for name in names) >= RETURNING
    is_most = 2 * sum(map(counts.__getitem__, names)) >= len(lines)
    if not do_return or not (is_most or names_with_point(lines)):
        return []
    return [name for name in names if not name.isupper()]


def _labels_unmarked(lines: Sequence[str]) -> list[str]:
    """Return the generic names that begin most lines without a sign: ``Speaker 1 so it was``."""
    begins = [match[1] for line in lines if (match := LABEL_FIRST.match(line))]
    names = list(dict.fromkeys(begins))
    return names if len(names) > 1 and len(begins) >= max(LEAST, SHARE * len(lines)) else []


def _unmarked_names(texts: list[str]) -> list[str]:
    """Return the names with which all texts begin although no sign is behind them."""
    if len(texts) < FEWEST_UNMARKED:
        return []
    words = [text.split() for text in texts]
    inside = {word for text in words for word in text[1:] if word.islower()}
    groups: dict[str, list[list[str]]] = {}
    for text in words:
        groups.setdefault(text[0] if text else "", []).append(text)
    if not 1 < len(groups) <= min(MOST_UNMARKED, (len(texts) - 1) // 2):
        return []
    names = [_first_words(group, inside) for group in groups.values()]
    are_names = all(
        len(name) > 1 and is_name(name) and name.casefold() not in inside
        and name.upper() not in LOG_WORDS for name in names
    )  # fmt: skip
    return names if are_names and min(map(len, groups.values())) > 1 else []


def _is_call_sign(word: str) -> bool:
    """Return True for capitals and digits, perhaps with hyphens: ``HOT-1``."""
    return word.isupper() and word.replace("-", "").isalnum()


def _first_words(texts: list[list[str]], inside: set[str]) -> str:
    """Return the capitalised words with which all texts begin, which `inside` does not have."""
    shared = itertools.takewhile(
        lambda column: (
            len(set(column)) == 1
            and (column[0].isalpha() or _is_call_sign(column[0]))
            and not column[0].islower()
            and column[0].casefold() not in inside
        ),
        zip(*(text[: min(MOST_WORDS, len(text) - 1)] for text in texts), strict=False),
    )
    return " ".join(column[0] for column in shared)
