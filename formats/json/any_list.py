"""json: any JSON file with a list of segments or words; names of members show what they hold.

=================================================  =============================================
in the file                                        in the schema
=================================================  =============================================
the list, at the top or two levels below it        one `Segment` per element
a list of words in an element, or beside the       words; if there are only words, a segment per
                                                   turn
list of elements
a list of times and speakers without texts         turns without words
an object of audio files and their lists           the segments of these recordings
``start begin from offset t0`` …                   start; the end is ``end to t1`` … or
                                                   ``duration``
``text content body sentence`` …                   words, cut at blanks
``speaker speaker_id name role`` …                 `Segment.speaker`
``channel``, ``confidence score`` …, ``language``  the attribute or property with this name
=================================================  =============================================

A note lists the members that are read. Case and underscores of member names are ignored. The unit
of times follows from the name (``start_ms``) or the values: clock times and ISO 8601 durations,
otherwise seconds or milliseconds, whichever gives 0.3 to 10 words per second.

In this module, a `Provider` describes a list in the file: its path, and the names of its members.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import partial
from itertools import islice
from typing import Any

from formats.detection.rules import Head
from formats.detection.spec import FormatSpec, Sniff
from formats.io.messages import FRAMES_ASSUMED
from formats.io.source import Source, without_media
from formats.json.answer import Answer
from formats.json.displays import cut_text
from formats.json.messages import (
    JSON_NAMES,
    LONE_TEXT,
    SPEAKERS_AGAIN,
    SPEAKERS_OF_MEMBERS,
    TEXTS,
    WRAPPED_OTHERS,
)
from formats.json.numbers import UNIT_OPTION
from formats.json.paths import first_of
from formats.json.provider import Provider
from formats.json.recordings import (
    Steps,
    lists_of_recordings,
    lists_within,
    rows_of_recordings,
    turns_by_recording,
)
from formats.json.reshaping import (
    as_rows,
    is_code,
    joined_parts,
    joined_with_marks,
    lift_details,
    lift_spans,
    mark_punctuation,
    reshaped_top,
    speakers_of_texts,
    unwrapped,
)
from formats.json.row_times import (
    MOST_FITTING,
    count_from_chunks,
    count_from_first,
    flatten_times,
    frame_rate,
    frames_to_seconds,
    spread_times,
    start_after_words,
    time_unit_of,
    warn_of_restarts,
    without_offsets,
    words_of,
)
from formats.json.shapes import Names
from formats.json.texts import Text, are_ids, lone_transcript, texts_of, without_lists
from formats.json.value import JsonDocument, JsonValue
from formats.json.yaml_document import YamlDocument, is_yaml
from formats.manifests.documents_within import documents_in
from formats.manifests.records import recording_of_audio
from formats.reading.frames import FPS, FrameRate, given_rate
from formats.reading.member_names import (
    MEMBER,
    MOST_TRIED,
    NAMES,
    OF_DATA_SETS,
    TEXT_PARTS,
    are_links,
    are_pairs,
    are_speakers,
    check_members,
    clock_names,
    is_log,
    is_speaker,
    is_time,
    is_wording,
    lift_members,
    likely_names,
    mapped_members,
    name_beside_id,
    number_of,
    plain_name,
    text_among,
    time_role,
    word_count,
)
from formats.reading.speakers import without_own_names
from formats.schema.model import Segment

LISTS = tuple(
    word
    for words in (
        "segments utterances turns monologues paragraphs sentences cues captions subtitles chunks",
        "phrases items entries results transcript transcription transcripts data messages",
        "conversation words tokens",
    )
    for word in words.split()
)
"""Names of lists, the likeliest first."""
KNOWN = {role: names.plain for role, names in NAMES.items()}
KNOWN["text"] = tuple(name for name in KNOWN["text"] if name not in OF_DATA_SETS)
PREDICTIONS = frozenset(NAMES["pred_text"].usual) - {"recognized", "generated", "output"}
"""Names of predictions; beside one of them, a reference is the text."""
LISTS_OF_TEXTS = frozenset(
    (
        *("segments", "utterances", "turns", "sentences", "cues", "captions", "subtitles"),
        *("lines", "transcript", "transcription", "transcripts", "transcriptions", "dialogue"),
    )
)
"""Names of lists of texts that were said, whatever else their elements have."""
NO_MEMBERS: Mapping[str, str] = {}
MAPPED = ("text", "start", "end", "duration", "speaker", "channel")
"""Roles that ``--member`` maps; what a list says of recordings is not read."""
WORD_LISTS = frozenset(("words", "tokens", "wordlist", "timedwords"))
THOUGHT = frozenset(("reasoning", "thinking"))
"""What the member ``type`` says of a part of a message that was not said."""
HTML = re.compile(
    r"</?(?:span|font|b|i|u|em|strong|p|div|br|mark|small|sub|sup)(?:\s[^<>]{0,200})?/?>"
    r"|\x15[0-9_]{1,30}\x15",
    re.IGNORECASE,
)
"""Marks of HTML and times of CHAT in texts, which are no words."""
FEWEST_WORDS = 3
"""The fewest words of a text on average, where no name says that it is one."""
FEWEST_OF_TURNS = 3
"""The words that elements of nested lists have on average, if they are turns and not words."""
MOST_NESTED = 3
"""How many times the words of an element its list of words may have."""
MOST_LISTS = 20
"""Lists of objects that are searched for texts."""
MOST_NAMED = 5
"""Names that a message lists."""
MOST_MEMBERS = 50
"""The most members of an object that is one segment; of more, it is a dictionary."""


def read(
    source: Source, *, time_unit: str = "auto", member: str = "", fps: str = ""
) -> Iterator[Segment]:  # fmt: skip
    """Yield one segment per element of the list, or per turn if the list has words."""
    document = YamlDocument(source) if is_yaml(source) else JsonDocument(source, streams=True)
    yield from read_document(document, time_unit, member, fps)


def read_document(
    document: JsonDocument, time_unit: str, member: str, fps: str = ""
) -> Iterator[Segment]:
    """Yield the segments of a parsed document, as `read` does."""
    source = document.source
    given = given_rate(fps, source.log.side) if fps else None
    original = document.top[0] if document.top else None
    document.top, usual, dropped = prepared(document.top, given)
    for name, count in dropped.items():
        source.log.say(WRAPPED_OTHERS, elements=count, name=name)
    if usual:
        source.log.say(FRAMES_ASSUMED, fps=usual)
    if texts := [] if member else texts_of(document.top):
        source.log.say(TEXTS, count=len(texts))
        yield from (_segment_of_text(text, source.recording) for text in texts)
        return
    answer = Answer(source, "JSON", "JSON")
    members = mapped_members(member, MAPPED, source.log.side)
    document.top, members = in_language(document.top, members)
    document.top = _reshaped(document)
    path, transcript = lone_transcript(document.top[0]) if len(document.top) == 1 else ("", "")
    recordings, listings = _lists_in(document.top, members)
    if listings is None and transcript and not member:
        source.log.say(LONE_TEXT, path=path)
        row = _segment_of_text(Text(None, transcript), source.recording)
        documents = documents_in(source, [transcript], {}, None)
        yield from [row] if documents is None else documents.segments([row], [transcript])
        return
    if listings is None:
        for value in document.values:
            if value.value != []:
                raise value.error("a list of objects with texts, and times or speakers")
            source.is_silent = True
        return
    if document.top[0] is not original:
        document.has_moved = True
    listing, words = listings
    check_members(members, listing.turn.used + (words.turn.used if words else []), source.name)
    yield from _segments_of_lists(document, answer, recordings, listings, time_unit)


def _segments_of_lists(
    document: JsonDocument,
    answer: Answer,
    recordings: Sequence[tuple[str, Steps]],
    listings: tuple[Provider, Provider | None],
    time_unit: str,
) -> Iterator[Segment]:
    """Yield the segments of a list of turns, or of one list for each recording."""
    source, (listing, words) = document.source, listings
    root = document.value_at(0)
    owner = root.at(listing.turns)
    parts = [(name, list(_at(document, steps).elements())) for name, steps in recordings]
    turns = _turns_in(document, listing, parts)
    rows = [turn.value for turn in turns if isinstance(turn.value, dict)]
    owned = [
        (_owner_of(document.top, steps), [turn.value for turn in part])
        for (_, steps), (_, part) in zip(recordings, parts, strict=True)
    ]
    if count_from_chunks(source, owned or [({}, rows)], listing.turn, listing.word):
        parts = [("", [turn for _, part in parts for turn in part])] if parts else []
    elif not parts and words is None:
        parts = turns_by_recording(turns, listing.turn.used)
    turn = without_offsets(source, listing.turn, rows, time_unit)
    listing = listing._replace(turn=turn)
    if start_after_words(listing.turn, listing.word, rows):
        listing = listing._replace(turn=listing.turn.without_start())
    if len({name for name, _ in parts}) < 2:
        warn_of_restarts(source, rows, listing.turn)
    _note(source, listing, words, listing.turns or _path_of_all([steps for _, steps in recordings]))
    _drop_speakers(source, listing.turn, rows)
    inner, inner_rows = listing.word, [w for r in rows for w in words_of(r, listing.turn)]
    if words is not None:
        inner, inner_rows = words.turn, root.at(words.turns).value
    inner = without_offsets(source, inner, inner_rows, time_unit)
    for names, listed in (
        (listing.turn, rows if _is_of_words(listing) else []),
        (inner, inner_rows),
    ):
        mark_punctuation(listed, names)
    per_second = time_unit_of(owner, listing.turn, rows, time_unit)
    word_per_second = time_unit_of(owner, inner, inner_rows, time_unit)
    count_from_first(source, (rows, listing.turn, per_second), (inner_rows, inner, word_per_second))
    provider = listing._replace(
        word=inner,
        words_beside="" if words is None else words.turns,
        are_words=_is_of_words(listing),
        in_pieces=True,
        may_lack_words=True,
        per_second=per_second,
        word_per_second=word_per_second,
        tags=HTML if any(map(_has_tags, rows[:MOST_TRIED])) else None,
    )
    if not parts:
        yield from provider.segments(root, answer, turns)
    is_several = len({name for name, _ in parts}) > 1
    for name, part in parts:
        recording = f"{source.recording}{name}" if name[:1] == "-" else name
        for segment in provider.segments(root, answer, part):
            yield segment.replace(recording=recording) if is_several else segment
    answer.finish(document)


def prepared(top: list[Any], given: FrameRate | None = None) -> tuple[list[Any], int, Counter[str]]:
    """Return the values of a document without wrappers and with times in seconds, not in frames.

    The number is the frame rate if it is assumed, otherwise 0. The elements of lists that are
    dropped are counted by the names of their wrappers.
    """
    dropped: Counter[str] = Counter()
    top = [unwrapped(value, dropped) for value in top]
    rate, usual = (given, 0) if given else frame_rate(top)
    if rate is not None:
        frames_to_seconds(top, rate)
    return top, usual, dropped


def _owner_of(top: Sequence[Any], steps: Steps) -> Mapping[str, Any]:
    """Return the object around a list at a path; empty if it is in none."""
    value: Any = top[0] if len(top) == 1 else top
    for step in steps[:-1]:
        value = value[step]
    return value if isinstance(value, dict) else {}


def _reshaped(document: JsonDocument) -> list[Any]:
    """Return the values of a document as lists of turns; log speakers that are names of members."""
    first = document.top[0] if document.top else None
    inner = first.values() if isinstance(first, dict) else ()
    speakers = next(filter(None, map(speakers_of_texts, (first, *inner))), [])
    if speakers:
        names = speakers[:MOST_NAMED]
        document.source.log.say(SPEAKERS_OF_MEMBERS, names=names, speakers=len(speakers))
    return reshaped_top(document.top)


def _turns_in(
    document: JsonDocument, listing: Provider, parts: Sequence[tuple[str, list[JsonValue]]]
) -> list[JsonValue]:
    """Return the turns: the elements of each recording's list, or of the list that is read.

    If the file is JSON lines, the turns are the values of the lines.
    """
    root = document.value_at(0)
    if parts:
        return [turn for _, part in parts for turn in part]
    if len(document.top) > 1 or not (listing.turns or isinstance(root.value, list)):
        return document.values
    return list(root.at(listing.turns).elements())


def _at(document: JsonDocument, steps: Steps) -> JsonValue:
    """Return the value to which a path of member names and indices leads."""
    is_single = len(document.top) == 1
    value = document.value_at(0 if is_single else int(steps[0]))
    for step in steps if is_single else steps[1:]:
        value = value.element(step) if isinstance(step, int) else value.required(step)
    return value


def _segment_of_text(text: Text, recording: str) -> Segment:
    """Return a text as an utterance. If its id is an audio file, the id names the recording."""
    name = None if text.id is None else recording_of_audio(text.id)
    if name is not None and without_media(text.id or "") != text.id:
        recording = name
    return Segment(recording, tuple(cut_text(text.text)), utterance=name)


def _has_tags(row: dict[str, Any]) -> bool:
    """Return True if a text in an element has an HTML end tag, ``</i>``, or a time of CHAT."""
    strings = (value for value in row.values() if isinstance(value, str))
    texts = (text for text in strings if "</" in text or "\x15" in text)
    return any(HTML.search(text) for text in texts)


def _drop_speakers(source: Source, names: Names, rows: Sequence[dict[str, Any]]) -> None:
    """Remove the speaker's name from the beginning of each text that repeats it."""
    if not (names.text and names.speaker):
        return
    (text, *_), (speaker, *_) = names.text, names.speaker
    texts, count = without_own_names(
        [row.get(text) for row in rows], [row.get(speaker) for row in rows]
    )
    for row, plain in zip(rows, texts, strict=True) if count else ():
        if text in row:
            row[text] = plain
    if count:
        source.log.say(SPEAKERS_AGAIN, count=count)


def _path_of_all(paths: Sequence[Steps]) -> str:
    """Return the member names that the paths of all recordings share.

    >>> _path_of_all([("talks", 0, "lines"), ("talks", 1, "lines")]), _path_of_all([("a.mp3",)] * 2)
    ('talks.lines', 'a.mp3')
    """
    shared = (steps[0] for steps in zip(*paths, strict=False) if len({*steps}) == 1)
    return ".".join(step for step in shared if isinstance(step, str))


def _note(source: Source, listing: Provider, words: Provider | None, path: str) -> None:
    """Log a note with the names of the members that are read, and the path to their list."""
    names = listing.turn.used
    fields: dict[str, Any] = {"names": list(names)}
    if path:
        fields["path"] = path
    inner = words.turn if words is not None else listing.word
    has_words = words is not None or bool(listing.turn.words)
    if has_words:
        fields["words"] = words.turns if words is not None else listing.turn.words
        fields["word_names"] = list(inner.used)
    source.log.say(JSON_NAMES[bool(path), has_words], **fields)


def _is_of_words(listing: Provider) -> bool:
    """Return True if the elements of a list are words."""
    last = listing.turns.rpartition(".")[2].lower()
    texts = {plain_name(name)[0] for name in listing.turn.text}
    return last in WORD_LISTS or not texts.isdisjoint(("word", "punctuatedword"))


def _is_useful(listing: Provider) -> bool:
    """Return True if the elements have texts, and in addition times or speakers."""
    names, inner = listing.turn, listing.word
    return bool((names.text and (names.start or names.speaker)) or (inner.text and inner.start))


def _lists_in(
    top: list[Any], members: Mapping[str, str]
) -> tuple[list[tuple[str, Steps]], tuple[Provider, Provider | None] | None]:
    """Return the recordings with their lists, and the list to read.

    The lists may be at any depth.
    """
    recordings = lists_of_recordings(top)
    listings = find_list(top, members, recordings)
    if listings is None and (recordings := lists_within(top)):
        listings = find_list(top, members, recordings)
    return recordings, listings


def unnamed_texts(top: list[Any]) -> list[str]:
    """Return the members that have texts, for ``--member``, if no name says which text was spoken.

    >>> texts = {"en": "so it is then", "de": "so ist es also"}
    >>> unnamed_texts([[texts, texts]]), unnamed_texts([texts])
    (['en', 'de'], ['en', 'de'])
    >>> unnamed_texts([{"en": [{"start": 1, "text": "so"}], "de": [{"start": 1, "text": "ja"}]}])
    ['en.text', 'de.text']
    """
    if languages := languages_of(top):
        return [f"{code}.{name}" for code, name in languages.items()][:MOST_NAMED]
    lists = [*islice(rows_within(top), MOST_LISTS)]
    columns = [_columns_of_texts(rows, has_inner=True) for rows in lists]
    if not lists:
        columns = [_columns_of_texts(top, has_inner=False)]
        if not (len(columns[0]) > 1 and all(map(is_code, top[0]))):
            return []
    names = [*max(columns, key=lambda texts: sum(texts.values()))]
    reads = bool(names) and find_list(deepcopy(top), {"text": names[0]}, []) is not None
    return names[:MOST_NAMED] if reads else []


def _columns_of_texts(rows: Sequence[Any], *, has_inner: bool) -> dict[str, float]:
    """Return the members that have texts in nearly all rows, with the number of their words."""
    columns: dict[str, list[Any]] = {}
    for row in rows:
        for name, value in row.items() if isinstance(row, dict) else ():
            inner = value if has_inner and isinstance(value, dict) else {"": value}
            for key, text in inner.items():
                columns.setdefault(f"{name}.{key}" if key else name, []).append(text)
    return {
        name: words
        for name, texts in columns.items()
        if len(texts) >= MOST_FITTING * len(rows)
        and all(map(is_wording, texts))
        and not are_links(texts)
        and (words := sum(map(word_count, texts))) >= FEWEST_WORDS * len(texts)
    }


def languages_of(top: Sequence[Any]) -> dict[str, str]:
    """Return the codes of languages that have a list of turns each, with the member of their texts.

    The result is empty unless there are at least two, and no other members.
    """
    value = top[0] if len(top) == 1 else None
    if not isinstance(value, dict) or len(value) < 2 or not all(map(is_code, value)):
        return {}
    texts: dict[str, str] = {}
    for code, rows in value.items():
        if not isinstance(rows, list) or not rows or not all(isinstance(r, dict) for r in rows):
            return {}
        names = _names(rows[:MOST_TRIED])
        if not (names.text and names.start):
            return {}
        (texts[code],) = names.text
    return texts


def in_language(
    top: list[Any], members: dict[str, str]
) -> tuple[list[Any], dict[str, str]]:  # fmt: skip
    """Return the list of the language that the member of the text names, such as ``en.text``."""
    code, _, name = members.get("text", "").partition(".")
    if not name or code not in languages_of(top):
        return top, members
    return [top[0][code]], {**members, "text": name}


def rows_within(value: Any, levels: int = 4) -> Iterator[list[dict[str, Any]]]:
    """Yield the lists of objects in a value, the outermost first."""
    if isinstance(value, list) and len(value) > 1 and all(isinstance(v, dict) for v in value):
        yield value[:MOST_TRIED]
        value = value[:1]
    if isinstance(value, dict) and len(value) > 1 and are_ids(value):
        members = list(value.values())
        if all(isinstance(member, dict) for member in members):
            yield members[:MOST_TRIED]
            return
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in inner if levels else ():
        yield from rows_within(part, levels - 1)


def find_list(
    top: Sequence[Any],
    members: Mapping[str, str],
    recordings: Sequence[tuple[str, Steps]],
) -> tuple[Provider, Provider | None] | None:
    """Find the list to read, and a separate list of words if there is one.

    Several JSON values in a file count as the elements of a list. `members` maps roles to member
    names. `recordings` holds the recordings, each with the path to its list.
    """
    if recordings:
        top = [rows_of_recordings(top, recordings)]
    elif len(top) == 1 and isinstance(top, list):
        names_of = partial(_names, members=members)
        top[0] = without_lists(
            as_rows(joined_parts(top[0], _names), names_of, is_mapped=bool(members))
        )
    first = top[0] if top else None
    root = first if len(top) == 1 else list(top)
    every = list(_listings(root, (), 3, members))
    listings = [e for e in every if _is_useful(e) or members] or _lists_of_texts(root, every)
    if not listings and isinstance(first, dict) and len(first) <= MOST_MEMBERS:
        # one of the JSON lines
        lines = _listings([first], (), 0, members)
        listings = [e for e in lines if e.turn.text and (_is_useful(e) or members)]
    listings.sort(key=_likelihood)
    if not listings:
        return _owners_of_words(root)
    best = _largest_of_likeliest(root, listings)
    if _is_of_words(best):
        return _owners_of_words(root) or (best, None)
    best = _with_speakers(root, best, listings)
    beside = [listing for listing in listings if _is_of_words(listing) and listing.turn.start]
    return best, None if best.turn.words or not beside else beside[0]


def _lists_of_texts(root: Any, listings: Sequence[Provider]) -> list[Provider]:
    """Return the only list of texts that are neither timed nor said by a speaker; empty if unclear.

    The name of the list, or a prediction beside each text, shows that they are transcripts.
    """
    named = [
        listing
        for listing in listings
        if listing.turn.text
        and listing.turns
        and (
            plain_name(listing.turns.rpartition(".")[2])[0] in LISTS_OF_TEXTS
            or not PREDICTIONS.isdisjoint(map(str.lower, _rows_at(root, listing)[0]))
        )
        and _words_in(root, listing) >= FEWEST_WORDS
    ]
    return named if len(named) == 1 else []


def _largest_of_likeliest(root: Any, listings: Sequence[Provider]) -> Provider:
    """Return the first list; or of those as likely, one that has more than twice its words.

    The first may be a table of contents.
    """
    first, *others = listings
    likely = [other for other in others if _likelihood(other) == _likelihood(first)]
    if not likely:
        return first
    largest = max(likely, key=partial(_words_in, root))
    return largest if _words_in(root, largest) > 2 * _words_in(root, first) else first


def _with_speakers(root: Any, best: Provider, listings: Sequence[Provider]) -> Provider:
    """Return the best list.

    If it has no speakers, return another list with speakers and nearly as many words.
    """
    if best.turn.speaker or not best.turns:
        return best
    least = MOST_FITTING * _words_in(root, best)
    others = (listing for listing in listings if listing.turn.speaker and listing.turn.start)
    return next((other for other in others if _words_in(root, other) >= least), best)


def _words_in(root: Any, listing: Provider) -> float:
    """Return the number of words in the texts of a list."""
    texts = (first_of(row, listing.turn.text) for row in _rows_at(root, listing))
    return sum(word_count(text) for text in texts if isinstance(text, str))


def _rows_at(root: Any, listing: Provider) -> list[dict[str, Any]]:
    """Return the objects of a list."""
    for name in filter(None, listing.turns.split(".")):
        root = root.get(name) if isinstance(root, dict) else None
    return [row for row in root if isinstance(row, dict)] if isinstance(root, list) else []


def _owners_of_words(root: Any) -> tuple[Provider, Provider | None] | None:
    """Find a list of turns without words, and a separate list with the words.

    The second value is `None` if there are no words. Return `None` if there is no such list of
    turns.
    """
    every = list(_listings(root, (), 3, {}))
    words = [e for e in every if _is_of_words(e) and e.turn.text and e.turn.start]
    owners = [e for e in every if not e.turn.text and e.turn.start and e.turn.speaker]
    turns = [e for e in owners if (e.turn.end or e.turn.length) and _are_turns(root, e)]
    if words and owners:
        return owners[0], words[0]
    return (turns[0], None) if turns else None


def _are_turns(root: Any, listing: Provider) -> bool:
    """Return True if the elements are turns without words.

    Members with a role, such as a time or speaker, may be anything. No other member may be a text
    or a list.
    """
    for name in filter(None, listing.turns.split(".")):
        if name not in root:
            return False  # a name with a dot in it
        root = root[name]
    used = frozenset(listing.turn.used)
    rows = (row for row in root[:MOST_TRIED] if isinstance(row, dict))
    others = (value for row in rows for name, value in row.items() if name not in used)
    return not any(isinstance(value, (str, list)) and value for value in others)


def _likelihood(listing: Provider) -> tuple[bool, int, int]:
    path = listing.turns.split(".") if listing.turns else []
    name = plain_name(path[-1])[0] if path else ""
    rank = LISTS.index(name) if name in LISTS else len(LISTS)
    return _is_of_words(listing), 0 if not path else rank, len(path)


def _listings(
    value: Any, path: tuple[str, ...], levels: int, members: Mapping[str, str]
) -> Iterator[Provider]:
    """Yield the lists of objects in a value, searching at most `levels` levels of nesting."""
    if isinstance(value, list):
        _name_rows(value)
        objects = [element for element in value[:MOST_TRIED] if isinstance(element, dict)]
        is_whole = len(objects) == len(value[:MOST_TRIED])
        if objects and is_whole and (members or not is_log(objects[0])):
            _join_texts(objects, value)
            flatten_times(value)
            lift_spans(objects, value)
            lift_details(objects, value)
            spread = spread_times(objects, value, members)
            mapped = members or _inner_text(objects)
            if (name := mapped.get("start")) in spread:
                mapped = {**mapped, "end": f"{name} end"}
            lift_members(value, mapped)
            names = _names(objects, mapped)
            words = [word for row in objects for word in words_of(row, names)][:MOST_TRIED]
            inner = _names(words, {}) if words else Names()
            if _have_more_words(objects, names, inner):
                for row in value:
                    row.pop(names.words, None)
                names, inner = _names(objects, mapped), Names()
            are_turns = _are_turns_within(words, inner)
            yield Provider("JSON", ".".join(path), names, Names() if are_turns else inner)
    elif isinstance(value, dict) and levels:
        for name, member in value.items():
            yield from _listings(member, (*path, name), levels - 1, members)


def _are_turns_within(words: Sequence[dict[str, Any]], names: Names) -> bool:
    """Return True if elements of nested lists are turns: texts of several words with speakers."""
    texts = [first_of(word, names.text) for word in words if names.text and names.speaker]
    count = sum(word_count(text) for text in texts if isinstance(text, str))
    return count > FEWEST_OF_TURNS * len(texts)


def _have_more_words(rows: Sequence[dict[str, Any]], names: Names, inner: Names) -> bool:
    """Return True if elements have texts, and nested lists hold far more words than these.

    Such lists are the turns around an element, not its words.
    """
    own = sum(_words_of_text(first_of(row, names.text)) for row in rows) if names.text else 0
    nested = sum(_words_of_text(first_of(w, inner.text)) for r in rows for w in words_of(r, names))
    return own > 0 and nested > MOST_NESTED * own


def _words_of_text(value: Any) -> float:
    return word_count(value) if isinstance(value, str) else 0


def _inner_text(objects: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Return ``{"text": path}`` for a nested text, such as ``transcription.transcript``.

    The result is empty if elements have a text themselves. In each element, the nested text must be
    the only text in an object with the same name.
    """
    plain = {plain_name(name)[0] for row in objects for name, v in row.items() if type(v) is str}
    if not plain.isdisjoint(KNOWN["text"]):
        return {}
    for name in objects[0]:
        inner = [v for row in objects if isinstance(v := row.get(name), dict)]
        found = [key for key in inner[0] if plain_name(key)[0] in TEXT_PARTS] if inner else []
        is_one = len(inner) == len(objects) and len(found) == 1
        if is_one and all(isinstance(value.get(found[0]), str) for value in inner):
            return {"text": f"{name}.{found[0]}"}
    return {}


def _name_rows(rows: list[Any]) -> None:
    """Replace lists of a text and times, such as ``["hello", 0.5, 0.9]``, by objects.

    If a list has two texts, the shorter text is the speaker: ``[0.5, 0.9, "A", "hello"]``. Times
    are numbers or clock times. Without any, there must be a speaker: ``["Ann", "well then"]``.
    """
    some = [row for row in rows[:MOST_TRIED] if isinstance(row, list)]
    size = len(some[0]) if len(some) > 1 or (some and len(some[0]) > 2) else 0
    if size not in (2, 3, 4) or len(some) < len(rows[:MOST_TRIED]):
        return
    if any(len(row) != size for row in some):
        return
    names = _names_of_places([[row[n] for row in some] for n in range(size)])
    for number, row in enumerate(rows if names else ()):
        if isinstance(row, list) and len(row) == size:
            rows[number] = {names[n]: value for n, value in enumerate(row)}


def _names_of_places(columns: Sequence[Sequence[Any]]) -> dict[int, str]:
    """Return the name of the member for each place of lists; empty if the roles are unclear.

    >>> _names_of_places([["0:01", "0:04"], ["so it is", "well then it is"]])
    {1: 'text', 0: 'start'}
    """
    times = [n for n, column in enumerate(columns) if all(map(_is_number_or_clock, column))]
    texts = [n for n in range(len(columns)) if n not in times]
    if not texts or len(texts) + len(times) < len(columns) or len(texts) > 2 or len(times) > 2:
        return {}
    if not all(isinstance(text, str) for n in texts for text in columns[n]):
        return {}
    place = max(texts, key=lambda n: sum(map(len, columns[n])))
    are_words = len(columns) == 3 and all(len(text.split()) == 1 for text in columns[place])
    if len(times) < 2 and not _are_said(columns, place, [n for n in texts if n != place]):
        return {}
    names = dict.fromkeys(texts, "speaker")
    names |= {place: "word" if are_words else "text"}
    return names | dict(zip(times, ("start", "end"), strict=False))


def _is_number_or_clock(value: Any) -> bool:
    is_clock = isinstance(value, str) and ":" in value and is_time(value)
    return is_clock or number_of(value) is not None


def _are_said(columns: Sequence[Sequence[Any]], place: int, speakers: Sequence[int]) -> bool:
    """Return True if texts with one time or none are turns: they are phrases, and names return."""
    words = sum(map(word_count, columns[place]))
    names = [columns[n] for n in speakers]
    has_times = len(columns) > 1 + len(speakers)
    are_names = all(len(name.split()) <= 3 for column in names for name in column)
    returns = all(len({*column}) <= len(column) / 2 for column in names)
    return words >= FEWEST_WORDS * len(columns[place]) and (
        (has_times and not names) or (bool(names) and are_names and returns)
    )


def _join_texts(objects: Sequence[dict[str, Any]], rows: list[Any]) -> None:
    """Replace lists of texts, such as ``content: ["well", "so"]``, by one text.

    A text may be in an object, as in ``{"type": "text", "text": "well"}``.
    """
    lists = {name for row in objects for name, v in row.items() if isinstance(v, list)}
    for name in lists:
        values = [row[name] for row in objects if row.get(name)]
        is_text = plain_name(name)[0] in KNOWN["text"]
        if not is_text or not values or not all(map(_is_of_texts, values)):
            continue
        for row in rows:
            if isinstance(row, dict) and isinstance(row.get(name), list):
                texts = [text for part in row[name] if (text := _text_of_part(part))]
                has_blanks = any(text != text.strip() for text in texts)
                row[name] = "".join(texts) if has_blanks else joined_with_marks(texts)


def _is_of_texts(value: Any) -> bool:
    """Return True if a value is a text, or a list of texts."""
    parts = value if isinstance(value, list) else [value]
    return bool(parts) and all(_text_of_part(part) is not None for part in parts)


def _text_of_part(part: Any) -> str | None:
    """Return the text that a part of a message is or holds; `None` for any other part.

    >>> _text_of_part("well"), _text_of_part({"type": "text", "value": "well"})
    ('well', 'well')
    >>> _text_of_part({"type": "reasoning", "text": "well"})
    >>> _text_of_part({"word": "well", "confidence": 1}), _text_of_part({"word": "so", "start": 2})
    ('well', None)
    """
    if isinstance(part, dict) and "word" in part and not any(map(time_role, part)):
        part = None if _has_start(part) else part["word"]
    elif isinstance(part, dict) and any(time_role(name) == "start" for name in part):
        return None
    elif isinstance(part, dict) and part.get("type", "reasoning") not in THOUGHT:
        part = next((part[name] for name in ("text", "value", "content") if name in part), None)
    return part if isinstance(part, str) else None


def _names(objects: Sequence[dict[str, Any]], members: Mapping[str, str] = NO_MEMBERS) -> Names:
    """Return the names of the members for each role.

    The values in most objects show whether a member can have the role.
    """
    present: dict[str, list[Any]] = {}
    for row in objects:
        for name, value in row.items():
            if value is not None:
                present.setdefault(name, []).append(value)
    plain = {name: plain_name(name)[0] for name in present}
    is_scored = not PREDICTIONS.isdisjoint(map(str.lower, present))
    known = {**KNOWN, "text": NAMES["text"].plain} if is_scored else KNOWN

    def choose(role: str, fits: Callable[[Any], bool], share: float = 0.0) -> str:
        mapped = members.get(role, "")
        if mapped in present:
            return mapped
        fitting = [
            name for name, values in present.items()
            if name.strip() and len(values) >= share * len(objects)
            and (are_speakers(name, values) if role == "speaker" else _are_fitting(fits, values))
            and not (role == "text" and plain[name] == "quote" and "title" in plain.values())
        ]  # fmt: skip
        likely = likely_names(role, fitting, known[role])
        likely.sort(key=lambda name: 2 * len([*filter(_is_filled, present[name])]) < len(objects))
        if role == "speaker" and likely:
            return name_beside_id(likely[0], present)
        return next(iter(likely), text_among(fitting) if role == "text" else "")

    words = [n for n, v in present.items() if {*map(type, v)} == {list} and any(map(_has_words, v))]
    words.sort(key=lambda name: plain[name] not in WORD_LISTS)
    clocks = {n: v for n, v in present.items() if len(v) == len(objects)}
    start = choose("start", is_time, 0.5) or next(iter(clock_names(clocks)), "")
    return Names(
        choose("text", is_wording, 0.5),
        start,
        choose("end", is_time) or _end_beside(start, clocks) if start else "",
        choose("duration", is_time) if start else "",
        "" if are_pairs(present) else choose("speaker", is_speaker),
        choose("confidence", lambda v: isinstance(v, (int, float))),
        choose("channel", is_speaker),
        choose("language", lambda v: isinstance(v, str)),
        choose("display", lambda v: isinstance(v, str)),
        words[0] if words else "",
    )


def _end_beside(start: str, clocks: Mapping[str, Sequence[Any]]) -> str:
    """Return the member that holds the ends if `start` holds the starts; empty if unknown.

    The values decide this, because the names of the members do not show it.
    """
    names = clock_names(clocks)
    return names[1] if len(names) > 1 and names[0] == start else ""


def _is_filled(value: Any) -> bool:
    return not isinstance(value, str) or bool(value.strip())


def _are_fitting(fits: Callable[[Any], bool], values: Sequence[Any]) -> bool:
    """Return True if all values fit a role; for the roles of times, if nearly all fit."""
    least = MOST_FITTING if fits is is_time else 1
    return sum(map(fits, values)) >= least * len(values)


def _has_words(value: Any) -> bool:
    """Return True if a value is a list of objects with a text and a start."""
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return False
    names = {plain_name(name)[0] for name in value[0]}
    return _has_start(value[0]) and not names.isdisjoint(KNOWN["text"])


def _has_start(row: Mapping[str, Any]) -> bool:
    """Return True if a member of an object is called a start."""
    return any(time_role(name) == "start" or plain_name(name)[0] in KNOWN["start"] for name in row)


def sniff(head: Head) -> Sniff:
    """Return `MAYBE` if the JSON has a list of segments or words.

    The result is never `SURE`, so that every other format has priority.
    """
    if head.shape != "json" and not head.is_yaml:
        return Sniff.NO
    values, *_ = prepared(list(head.json_values))
    is_read = len(values) == 1 and bool(lone_transcript(values[0])[0])
    is_read = is_read or bool(texts_of(values)) or find_any(values) is not None
    return Sniff.MAYBE if is_read else Sniff.NO


def find_any(top: list[Any]) -> tuple[Provider, Provider | None] | None:
    """Return the list to read, which may be at any depth; `None` if there is none."""
    return None if languages_of(top) else _lists_in(reshaped_top(top), NO_MEMBERS)[1]


SPEC = FormatSpec(
    title="Any JSON with a list of segments or words, recognised by the names of their members",
    sign='"text" with "start"',
    read=read,
    sniff=sniff,
    read_options=(UNIT_OPTION, MEMBER, FPS),
    unnamed_texts=unnamed_texts,
)
