"""Warnings about unread JSON members and table columns that look like times, speakers or text.

Readers find members and columns by known names. This module compares the beginning of the file with
the segments. If the segments lack times, speakers or text, and an unread member looks like what is
missing, a warning names the member and the option that maps it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, pairwise
from typing import Any, NamedTuple

from formats.io.messages import (
    DATES_UNREAD,
    MEMBERS_APART,
    MEMBERS_UNREAD,
    TEXT_KEPT,
    TEXT_WITHIN,
    TIME_OF_TEXT,
)
from formats.io.source import Source, without_media
from formats.reading.member_names import (
    NAMES,
    PRONUNCIATIONS,
    TEXT_PARTS,
    field_role,
    likely_names,
    name_parts,
    plain_name,
    speaker_among,
    time_role,
)
from formats.reading.speakers import MOST_SEGMENTS, beginning_of, say_names
from formats.reading.time_values import (
    NO_BLANKS,
    count_up,
    is_time,
    number_of,
    seconds_of,
    times_of_span,
)
from formats.schema import lazy_pattern
from formats.schema.messages import NOTE
from formats.schema.model import Segment

MOST_VALUES = 200
OF_VALUES = 2
"""The most segments that one element of a list is, such as a question and its answer."""
LONGEST_NAME = 200
"""Characters of the longest name of a member or column that nobody would mistake for data."""
DEEPEST = 8
MOST_ABSENT = 0.2
MOST_DATA = 0.2
"""The share of texts that may be data or remarks, as ``[music]`` is."""
MOST_SPEAKERS = 20
FEW = 3
"""Values in which names need not recur."""
LEAST_OTHER = 0.3
"""The share of texts that say the same in other words, so that either column may be the text."""
VERSIONS = frozenset(
    ("normalized", "normalised", "norm", "clean", "cleaned", "lemma", "lemmas", "lemmatized",
     "tokens", "tokenized", "stemmed", "processed", "preprocessed", "lower", "lowercase", "ipa",
     "phonemes", "phones", "pos", "tagged", "raw", "original", "display", "punctuated", "html")
)  # fmt: skip
"""Parts of names of columns that have the same words in another form."""
LONGEST_LABEL, TIMES_LONGER = 3, 3
"""The words of a label beside a text, and how many times longer the text is."""
SPARSE = 20
"""Of so many cells of a column of texts, times or speakers at least one is filled."""
FEWEST_KEYS = 8
MILLISECOND = 1_000_000
UNITS = (1_000_000_000, 1_000_000, 10_000_000, 1_000, 1, 100)
"""Units in which times are compared, in nanoseconds."""
TIME_NAME = lazy_pattern(
    r"(?:start|begin|end|stop|from|to|time|timestamp|timestamps|offset|dur|duration|ts|t[01]"
    r"|timecode|minutes?|seconds?)\Z"
    r"|(?:start|begin|end|stop)(?:time|offset|at|sec)|.*(?:timestamp|starttime|endtime)\Z|timer\d?\Z"
)
SPEAKER_NAME = lazy_pattern(
    r"(?:spk|speaker|talker|participant|interlocutor)(?!.*(?:count|s\Z))"
    r"|(?:character|person|user|actor)[0-9]\Z"
)
"""Plain names of speakers, and of one of several people, such as who speaks and to whom."""
TEXT_NAME = lazy_pattern(
    r"(?:raw|display|lexical|normalized)?(?:text|transcript|transcription|sentence|content|body|word)\Z"
)
OTHER_NAME = lazy_pattern(
    r".*translat|.*(?:conf|(?:id|ids|index|idx|count|score|prob|probability|confidence|likelihood|rate|ratio"
    r"|version|date|created|updated|created_?at|url|uri|path|file|filename|filepath|wav"
    r"|audio|model|language|lang|code|type|kind|status|state|task|format|title|summary"
    r"|description|headline|gist|prompt|translations?|key|hash|name|source|seek|tokens?"
    r"|size|num|number|seq|temperature|license|message|reason|reasoning|gender|sex|age"
    r"|accent|dialect|case|phones?|mark|punct|punctuation|tags?|labels?|level|color"
    r"|approx|emotion|sentiment|style|intent|systeminfo|category|append|theme|topic|annotator"
    r"|device|namespace|unit|value|channels?|rank|snr|energy|mean|std|samples"
    r"|frames?|keyframes|animation|effect|icon|position|align|alignment|font|todo|vec|vector)\d*\Z)"
)
"""Names of members that say nothing of when, who and what, however their values look."""
DESCRIPTIONS = frozenset(
    ("appearance", "backstory", "bio", "biography", "city", "country", "credit", "credits",
     "direction", "directions", "hint", "hints", "instructions", "jd", "keywords", "note", "notes",
     "occupation", "personality", "resume", "setup", "stance", "subtext")
)  # fmt: skip
"""Parts of names of texts about persons, scenes and data, which nobody says."""
FOR_MODELS = frozenset(("systemprompt", "systemcontext", "systeminstruction", "systemmessage"))
"""Names of instructions to a model."""
PROFILES = frozenset(("persona", "personas", "profile", "profiles", "speakers", "speakermap"))
"""Names of objects about persons."""
ROWS_LEFT, MEMBERS_READ, TURNS_SPLIT = "WRAPPED", "JSON-NAMES", "TURNS-SPLIT"
"""The codes of remarks on rows that nobody says, and on the members that are read in the others."""
TOLD_TIMES = {
    *("DELAYS", "GENTLE-EMPTY", "GST-START", "JSON-TIME", "LHOTSE-WORDS", "UNIT?"),
    *("WORD-TIMES", "WORD-UNTIMED"),
}
"""Codes of the warnings of readers that say which times are missing or not read."""
ABOUT = frozenset(
    (
        *("features", "recording", "metadata", "job", "info", "media", "audio", "processing"),
        *("config", "configuration", "environment", "settings", "options", "parameters", "params"),
        "styles",
    )
)
"""Objects that describe the file, and not what was said."""
CHOICES = "options"
"""Settings as an object, and as a list what a person may say."""
WORD = lazy_pattern(r"[^\W_]+")
SPEAKER = lazy_pattern(r"[^\W\d_][\w .'-]{0,30}\Z")
CODED = lazy_pattern(r"[=_#{}<>\\|~^]|[0-9]\+|\A[^\w♪'\"]{1,9}\Z")
MOST_OF_CODE = 2000
"""A sign of a code, or signs alone, in a part of a text, and the characters that are looked at."""
WHOLE_CLOCK = lazy_pattern(r"[0-9]{1,3}(?::[0-5][0-9]){1,2}\Z", re.ASCII)
"""A clock time in whole seconds."""
DATE = lazy_pattern(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
FIRST_DATE = 10**12
"""Milliseconds since 1970, in 2001, from which times are those of a date."""
MOST_BEFORE = 3
"""The most dates of rows before the first that is read."""
NO_TEXT = lazy_pattern(r"\w+://|[/\\]\S+\Z|\S+\.\w{2,4}\Z|[{\[<]|\w+ = ")


class _Result:
    """What the first segments of a file contain, computed when a member is compared with it."""

    def __init__(self, is_generic: bool, texts: Iterable[str] = ()) -> None:
        self.is_generic = is_generic
        self.segments: list[Segment] = []
        self._texts = [*texts]

    @cached_property
    def _spans(self) -> list[tuple[int | None, int | None]]:
        """The starts and ends of segments and of their words."""
        spans = [(segment.start_ns, segment.end_ns) for segment in self.segments]
        for segment in self.segments:
            spans += zip(segment.starts_ns or (), segment.ends_ns or (), strict=False)
        return spans

    @cached_property
    def starts(self) -> set[int]:
        """Starts in milliseconds."""
        return {start // MILLISECOND for start, _ in self._spans if start is not None}

    @cached_property
    def ends(self) -> set[int]:
        """Ends in milliseconds."""
        return {end // MILLISECOND for _, end in self._spans if end is not None}

    @cached_property
    def lengths(self) -> set[int]:
        """Durations in milliseconds."""
        return {
            (end - start) // MILLISECOND
            for start, end in self._spans
            if start is not None and end is not None
        }

    @cached_property
    def words(self) -> set[str]:
        """All words in small letters, also those of other forms, hypotheses and alternatives."""
        texts = list(self._texts)
        for segment in self.segments:
            texts += [*segment.words, *filter(None, segment.displays or ())]
            texts += [word for _, words in segment.nbest for word in words]
            if segment.alternations:
                texts += [token.text for token in segment.all_tokens()]
        return set(WORD.findall(" ".join(texts).casefold()))

    @cached_property
    def joined(self) -> str:
        """All words without blanks."""
        texts = ["".join(text.split()) for text in self._texts]
        return "".join([*texts, *("".join(segment.words) for segment in self.segments)])

    @cached_property
    def names(self) -> set[str]:
        """Names of speakers, channels, recordings and utterances."""
        names: set[str | None] = set()
        for part in self.segments:
            names.update((part.speaker, part.channel, part.recording, part.utterance))
        return set(filter(None, names))

    @cached_property
    def properties(self) -> set[str]:
        """The values of properties."""
        return {value for segment in self.segments for _, value in segment.properties}

    @property
    def has_speakers(self) -> bool:
        """True if a segment has a speaker."""
        return any(segment.speaker is not None for segment in self.segments)

    def has_time(self, values: Sequence[Any]) -> bool:
        """Return True if most values equal starts, ends or durations, in some unit.

        In many lists, each end is the start of the next element. Values that equal all ends but one
        are therefore also starts.
        """
        numbers = [number for value in values if (number := _number(value)) is not None]
        are_whole = all(isinstance(value, str) and WHOLE_CLOCK.match(value) for value in values)
        for unit in UNITS:
            times = [round(number * unit) // MILLISECOND for number in numbers]
            known_times = [self.starts, self.ends, self.lengths]
            if are_whole:  # the milliseconds were in another member
                known_times = [{t // 1000 * 1000 for t in known} for known in known_times]
            hits = [_count_known(known, times) for known in known_times]
            may_lack = min(times, default=0) >= FIRST_DATE or (self.starts and self.ends)
            if max(hits) == len(times) or (may_lack and 2 * max(hits) >= len(times)):
                return True
        return not numbers

    def has_text(self, values: Sequence[str]) -> bool:
        """Return True if most words of nearly all these texts occur in the segments."""
        return len(self.absent(values)) < MOST_ABSENT * len(values)

    def absent(self, texts: Sequence[str]) -> list[str]:
        """Return the texts of which most words do not occur in the segments."""
        return [
            text
            for text in texts
            if not self._has_words(text) and "".join(text.split())[:200] not in self.joined
        ]

    def _has_words(self, text: str) -> bool:
        words = WORD.findall(text.casefold())
        return 2 * sum(word in self.words for word in words) >= len(words)


class _Member(NamedTuple):
    """A member at a path of a JSON file, such as ``segments[].text``, with its first values."""

    path: str
    name: str
    values: list[Any]
    beside: str
    """The path of the objects it is in."""

    @property
    def plain(self) -> str:
        return plain_name(self.name)[0]

    @property
    def is_other(self) -> bool:
        """True if the name clearly means something else than a time, speaker or text."""
        return OTHER_NAME.match(self.plain) is not None and not TIME_NAME.match(self.plain)

    @property
    def is_date(self) -> bool:
        """True if the name means a start or an end and the values are dates with a time of day."""
        values = [value for value in self.values if value is not None]
        are_dates = all(isinstance(value, str) and DATE.match(value) for value in values)
        is_named = time_role(self.name) != "" or TIME_NAME.match(self.plain) is not None
        return bool(values) and is_named and are_dates

    @property
    def looks_like_time(self) -> bool:
        """True if the name is that of a time, and some values are, or for ascending numbers."""
        values = [value for value in self.values if value is not None]
        if not values or self.is_other:
            return False
        if TIME_NAME.match(self.plain) or time_role(self.name):
            timed = sum(map(is_time, values))
            return timed == len(values) or (timed >= FEW and timed > MOST_ABSENT * len(values))
        if not all(map(is_time, values)):
            return False
        numbers = [number for value in values if (number := _number(value)) is not None]
        steps = [second - first for first, second in pairwise(numbers)]
        are_rising = min(steps, default=0) >= 0 and max(steps, default=1) > 0
        is_count = set(steps) <= {1} and all(isinstance(value, int) for value in values)
        is_count = is_count or 2 * len(set(numbers)) <= len(numbers)
        return "[]" in self.path and are_rising and min(numbers, default=-1) >= 0 and not is_count

    @property
    def looks_like_speaker(self) -> bool:
        """True if the name is that of a speaker, or if the values are a few short names."""
        values = [value for value in self.values if value not in (None, "")]
        if (
            not values
            or "[]" not in self.path
            or not all(isinstance(v, (str, int)) for v in values)
        ):
            return False
        if SPEAKER_NAME.match(self.plain):
            return True
        is_named = TIME_NAME.match(self.plain) or TEXT_NAME.match(self.plain) or self.is_other
        names = {
            value for value in values
            if isinstance(value, str) and SPEAKER.match(value) and without_media(value) == value
        }  # fmt: skip
        are_names = len(names) == len(set(values)) and len(names) <= MOST_SPEAKERS
        is_few = 3 * len(names) <= 2 * len(values) or len(values) <= FEW
        return are_names and not is_named and is_few

    @property
    def _describes(self) -> bool:
        """True if the name, or that of the object around, says that it describes something."""
        parts = name_parts(self.name)
        owners = [plain_name(part.strip("[]"))[0] for part in self.beside.split(".")]
        is_of_person = "[]" not in self.beside and not PROFILES.isdisjoint(owners)
        is_of_person = is_of_person and TEXT_NAME.match(self.plain) is None
        is_described = not DESCRIPTIONS.isdisjoint(parts) or self.plain in FOR_MODELS
        return is_of_person or is_described or not PRONUNCIATIONS.keys().isdisjoint(parts)

    @property
    def texts(self) -> list[str]:
        """The values of the member if they look like spoken text; otherwise empty."""
        texts = [
            value for value in self.values
            if isinstance(value, str) and value.strip() and not (":" in value and is_time(value))
        ]  # fmt: skip
        owner = plain_name(self.beside.rpartition(".")[2])[0]
        is_name = SPEAKER_NAME.match(self.plain.removesuffix("s")) or owner.startswith("speaker")
        is_name = is_name or not any(map(str.isalpha, self.name))
        no_texts = sum(NO_TEXT.match(text) is not None for text in texts)
        is_other = is_name or self.is_other or self._describes
        if not texts or is_other or no_texts > MOST_DATA * len(texts):
            return []
        if all(map(DATE.match, texts)) or all(map(times_of_span, texts)):
            return []
        if 2 * sum(map(_has_more_words_than_codes, texts)) < len(texts):
            return []
        words = sum(map(_count_of_words, texts))
        if TIME_NAME.match(self.plain) and words <= LONGEST_LABEL * len(texts):
            return []  # ``3 days ago``
        is_named = TEXT_NAME.match(self.plain) is not None and words > 1
        return texts if is_named or words >= 2 * len(texts) else []


def accounted(
    source: Source, head: Sequence[str], segments: Iterator[Segment], *, is_generic: bool
) -> Iterator[Segment]:
    """Yield the segments of a file; at the end, warn about members that were not read."""
    result = _Result(is_generic)
    texts: list[str] = []
    for number, segment in enumerate(islice(segments, OF_VALUES * MOST_VALUES)):
        result.segments.append(segment)
        if not is_generic and number < MOST_SEGMENTS:  # of others `checked_segments` says so
            texts += beginning_of(segment)
        yield segment
    yield from segments
    say_names(source, texts)
    if head and not source.log.errors:
        _report(source, head, result)


def _report(source: Source, head: Sequence[str], result: _Result) -> None:
    """Warn about members that look like times, speakers or texts, if the segments lack these."""
    from formats.detection.head import Head

    beginning = Head(head)
    members = list(_members([] if beginning.is_yaml else beginning.json_values))
    entries = list(source.log.entries())
    warnings = [entry for entry in entries if entry.severity != NOTE]
    has_times_told = any(entry.code in TOLD_TIMES for entry in warnings)
    are_split = any(entry.code == TURNS_SPLIT for entry in entries)
    has_rows_left = any(entry.code == ROWS_LEFT for entry in entries)
    told = {
        name for entry in entries
        if entry.severity != NOTE or (has_rows_left and entry.code == MEMBERS_READ)
        for name in _names(entry.value.fields.values())
    }  # fmt: skip
    for member in members:
        is_of_segments = result.is_generic or "[]" in member.path
        if is_of_segments and not result.starts and member.is_date:
            if member.name in told:
                continue  # the reader has said so
            source.log.say(DATES_UNREAD, member=member.name, path=member.path)
            continue
        role = _missing(member, members, result)
        is_known = role in ("start", "end") and has_times_told and not result.is_generic
        is_kept = not role and _is_kept(member, members, result)
        if role in ("start", "end") and are_split and "[]" in member.path:
            source.log.say(TIME_OF_TEXT, member=member.name, path=member.path)
            continue
        if (role or is_kept) and not is_known and member.name not in told:
            entry = TEXT_KEPT if is_kept else MEMBERS_UNREAD[role]
            if role == "text" and _is_named_alike(member, members, result):
                entry = TEXT_WITHIN  # naming it changes nothing
            elif result.is_generic and not _is_in_rows(member, members, result):
                entry = MEMBERS_APART.get(role, entry)
            source.log.say(entry, member=member.name, path=member.path, role=role or "text")


def _names(fields: Iterable[Any]) -> Iterator[str]:
    """Yield the texts among values, also inside lists."""
    for field in fields:
        if isinstance(field, str):
            yield field
        elif isinstance(field, list):
            yield from _names(field)


def _missing(member: _Member, members: Sequence[_Member], result: _Result) -> str:
    """Return the role that a member may have and the segments lack; otherwise an empty text."""
    beside = [other for other in members if other.beside == member.beside and other is not member]
    role = _missing_time(member, beside, result)
    if role and not _is_of_file(member, members, result):
        return role
    if member.plain == "role" and not result.is_generic:
        return ""  # who a message is from, in a chat with a model
    if not result.has_speakers and member.looks_like_speaker and (beside or not result.starts):
        names = set(map(str, member.values))
        is_known = not names.isdisjoint(result.names | result.properties)
        is_word = result.has_text([name for name in names if WORD.search(name)])
        if SPEAKER_NAME.match(member.plain) or not (is_known or is_word):
            return "speaker"
    if not result.is_generic and TEXT_NAME.match(member.plain):
        return ""  # the reader of a service knows it, and skips what is not final
    lost = _lost_texts(member, result)
    return "text" if lost and (result.properties | result.names).isdisjoint(lost) else ""


def _lost_texts(member: _Member, result: _Result) -> list[str]:
    """Return the texts of a member of which most words were not read; empty if they are few."""
    texts = result.absent(member.texts)
    return texts if len(texts) > MOST_ABSENT * len(member.values) else []


def _is_kept(member: _Member, members: Sequence[_Member], result: _Result) -> bool:
    """Return True for another text, as its name says, whose values are properties of segments.

    The likeliest text of a row is an exception, because then a user has chosen the other one.
    """
    parts = name_parts(member.name)
    is_named = not TEXT_PARTS.isdisjoint(parts) and VERSIONS.isdisjoint(parts)
    if not is_named or "[]" not in member.path or member.name.lower() in NAMES["pred_text"].usual:
        return False
    names = [other.name for other in members if other.beside == member.beside]
    is_likeliest = likely_names("text", names)[:1] == [member.name]
    return not is_likeliest and not result.properties.isdisjoint(_lost_texts(member, result))


def _count_known(known: set[int], times: Sequence[int]) -> int:
    """Return how many of the times (in ms) are in `known`.

    If the times are dates, they count from the first date, or from that of the first row that was
    read.
    """
    dates = sorted(times)[:MOST_BEFORE] if min(times, default=0) >= FIRST_DATE else []
    shifts = [date - min(known, default=0) for date in dates] or [0]
    return max(
        sum(not known.isdisjoint((t - shift - 1, t - shift, t - shift + 1)) for t in times)
        for shift in shifts
    )


def _missing_time(member: _Member, beside: Sequence[_Member], result: _Result) -> str:
    """Return ``start`` or ``end`` if a member looks like this time and the segments lack it."""
    if not member.looks_like_time or result.has_time(member.values):
        return ""
    if len(member.values) > 1 and not any(map(_number, member.values)):
        return ""  # all are 0: unknown
    if member.plain == "time" and not result.is_generic:
        return ""  # when a message of a service came
    role = time_role(member.name)
    if not result.starts:  # how long a recording is, says not when
        is_length = result.is_generic and member.plain in NAMES["duration"].plain
        return role or ("" if is_length else "start")
    if not result.ends and role != "start":
        return "end"
    if role and result.is_generic and any(_is_spoken(other, result) for other in beside):
        return role
    times = [other for other in beside if time_role(other.name) and result.has_time(other.values)]
    for other in [] if TIME_NAME.match(member.plain) else times:
        pairs = list(zip(map(_number, member.values), map(_number, other.values), strict=False))
        role = "start" if time_role(other.name) == "end" else "end"
        if pairs and all(_are_near(*(p if role == "start" else p[::-1])) for p in pairs):
            return role
    return ""


def _is_of_file(member: _Member, members: Sequence[_Member], result: _Result) -> bool:
    """Return True for a time outside all lists, if the texts are in a list."""
    lists = (other for other in members if "[]" in other.path)
    return "[]" not in member.path and any(_is_spoken(other, result) for other in lists)


def _is_named_alike(member: _Member, members: Sequence[_Member], result: _Result) -> bool:
    """Return True if a member with the same name elsewhere has the texts that were read."""
    others = (m for m in members if m.name == member.name and m.path != member.path)
    return any(_is_spoken(other, result) for other in others)


def _is_in_rows(member: _Member, members: Sequence[_Member], result: _Result) -> bool:
    """Return True if a member is in the objects that have the texts, or in objects in these."""
    texts = [each for each in members if _is_spoken(each, result)]
    row = max(texts, key=lambda each: sum(map(len, each.texts)), default=member).beside
    return member.beside.startswith(row) and "[]" not in member.beside[len(row) :]


def _is_spoken(member: _Member, result: _Result) -> bool:
    """Return True if the values of a member are texts, and the segments contain their words."""
    texts = [value for value in member.values if isinstance(value, str) and WORD.search(value)]
    return bool(texts) and not member.is_other and result.has_text(texts)


def _are_near(start: float | None, end: float | None) -> bool:
    """Return True if `start` and `end` may be the times of the same item."""
    return start is not None and end is not None and start <= end and (end - start) <= 0.9 * end


def _members(values: Iterable[Any]) -> Iterator[_Member]:
    """Yield the members of the objects in JSON values; each member holds its first values."""
    members: dict[str, _Member] = {}
    values = list(values)
    for value in values:
        _collect(
            value, "[]" if len(values) > 1 and isinstance(value, dict) else "", members, DEEPEST
        )
    return iter(members.values())


def _collect(value: Any, path: str, members: dict[str, _Member], levels: int) -> None:
    if not levels:
        return
    if isinstance(value, list):
        for element in value[:MOST_VALUES]:
            if isinstance(element, (dict, list)):
                _collect(element, f"{path}[]", members, levels - 1)
        return
    if not isinstance(value, dict):
        return
    is_many = len(value) >= FEWEST_KEYS
    are_records = (
        is_many and any(all(isinstance(v, kind) for v in value.values()) for kind in (dict, list))
    ) or _are_alike(list(value.values()))
    for name, inner in islice(value.items(), MOST_VALUES):
        if len(name) > LONGEST_NAME:
            continue
        place = f"{path}[]" if are_records else f"{path}.{name}" if path else name
        is_about = name in ABOUT or plain_name(name)[0].endswith("metadata")
        are_choices = name == CHOICES and isinstance(inner, list)
        if isinstance(inner, (dict, list)) and (are_choices or not is_about):
            _collect(inner, place, members, levels - 1)
        # one value or a span; two texts are a list of choices
        is_pair = (
            isinstance(inner, list)
            and 0 < len(inner) <= 2
            and (len(inner) == 1 or not isinstance(inner[1], str))
        )
        leaf = inner[0] if is_pair else inner
        if leaf is None or isinstance(leaf, (dict, list, bool)):
            continue
        member = members.setdefault(place, _Member(place, name, [], path))
        if len(member.values) < MOST_VALUES:
            member.values.append(leaf)


def _are_alike(values: Sequence[Any]) -> bool:
    """Return True for several lists of objects, if their first objects have the same members."""
    are_lists = all(isinstance(v, list) and v and isinstance(v[0], dict) for v in values)
    return are_lists and len(values) > 1 and len({frozenset(rows[0]) for rows in values}) == 1


def _count_of_words(text: str) -> float:
    """Count the words of a text; a text of a script without blanks has three times as many signs.

    >>> _count_of_words("so it is"), _count_of_words("ていうかそう")
    (3, 2.0)
    """
    without_blanks = 0 if text.isascii() else len(NO_BLANKS.findall(text))
    return without_blanks / 3 or len(text.split())


def _has_more_words_than_codes(text: str) -> bool:
    """Return True unless most parts of the beginning of a text have signs or digits of codes.

    >>> _has_more_words_than_codes("so it is (really), at 9"), _has_more_words_than_codes("sg=.5 /")
    (True, False)
    """
    parts = text[:MOST_OF_CODE].split()
    return 2 * sum(CODED.search(part) is not None for part in parts) < len(parts)


def _number(value: Any) -> float | None:
    """Return a time (a number or text) as a number of seconds; `None` if it is invalid."""
    return number_of(seconds_of(value) if isinstance(value, str) else value)


def _is_rival(name: str, cells: Sequence[Any], texts: Sequence[str]) -> bool:
    """Return True if cells say mostly the same as the texts, but in other words.

    The words of a normalised text, of lemmas or of a part of the text are no other words.

    >>> texts = ["so it is then", "and well so"]
    >>> _is_rival("second", ["so it was then", "and so"], texts), _is_rival("second", texts, texts)
    (True, False)
    """
    if not VERSIONS.isdisjoint(name_parts(name)) or len(cells) != len(texts):
        return False
    pairs = [
        ({*WORD.findall(str(cell).casefold())}, {*WORD.findall(text.casefold())})
        for cell, text in zip(cells, texts, strict=True) if cell and text
    ]  # fmt: skip
    different = sum(not (cell <= text) for cell, text in pairs)
    similar = sum(2 * len(cell & text) >= len(text) for cell, text in pairs)
    return bool(pairs) and different >= LEAST_OTHER * len(pairs) and similar >= len(pairs) / 2


def _is_label_of(member: _Member, texts: Sequence[str]) -> bool:
    """Return True for a column of brief labels beside texts that are much longer: ``S2 E6``."""
    cells, filled = member.texts, [text for text in texts if text.strip()]
    if TEXT_NAME.match(member.plain) or not filled:
        return False
    words = sum(map(_count_of_words, cells)) / len(cells)
    return words <= LONGEST_LABEL and TIMES_LONGER * words <= (
        sum(map(_count_of_words, filled)) / len(filled)
    )


def columns_left(
    values: Mapping[str, Sequence[Any]], by_role: Mapping[str, str]
) -> dict[str, list[str]]:
    """Return the unread columns of a table that look like times, speakers or texts, by role.

    `values` has the first values of each column. A column of text is omitted if the text that was
    read has most of its words, or if it is a prediction.
    """
    left: dict[str, list[str]] = {"text": [], "start": [], "end": [], "speaker": []}
    texts = [str(value or "") for value in values.get(by_role.get("text", ""), ())]
    result = _Result(is_generic=True, texts=texts)
    known = set(by_role.values())
    for name in (name for name in values if len(name) <= LONGEST_NAME):
        cells = [value for value in values[name] if value not in (None, "")]
        member = _Member(f"[].{name}", name, cells, "[]")
        if name in known or name.lower() in NAMES["pred_text"].usual:
            continue
        if SPARSE * len(cells) < len(values[name]):
            continue  # remarks beside a few rows
        if field_role(name) == "text" and count_up(cells):
            continue  # the number of a sentence
        role = time_role(name) or ("start" if TIME_NAME.match(member.plain) else "")
        if member.plain in NAMES["duration"].plain and "start" not in by_role:
            continue  # how long a recording or a row is, says not when
        if role and member.looks_like_time:
            if role not in by_role and "duration" not in by_role:
                left[role].append(name)
        elif member.looks_like_speaker and (
            SPEAKER_NAME.match(member.plain) or speaker_among([name])
        ):
            if "speaker" not in by_role:
                left["speaker"].append(name)
        elif (
            member.texts
            and not _is_label_of(member, texts)
            and (not result.has_text(member.texts) or _is_rival(name, values[name], texts))
        ):
            left["text"].append(name)
    return {role: names for role, names in left.items() if names}
