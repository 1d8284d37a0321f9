"""json: any JSON file with a list of segments or words; names of members show what they hold.

docs/formats/json.md lists what is read. A note lists the members that are read.

In this module, a `Provider` describes a list in the file: its path, and the names of its members.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from formats.detection.head import Head
from formats.detection.spec import MEMBER, TIME_UNITS, UNIT_OPTION, FormatSpec, Sniff
from formats.io.messages import FRAMES_ASSUMED
from formats.io.source import Source, without_media
from formats.json.answer import Answer
from formats.json.columns_as_rows import with_rows
from formats.json.displays import cut_text, marks_in
from formats.json.jsonl import RowShapes
from formats.json.list_finding import (
    MOST_NAMED,
    in_language,
    is_of_words,
    language_named,
    language_spelt,
    languages_of,
    lists_in,
    lists_left,
    unnamed_texts,
    with_text_in,
)
from formats.json.maps_as_rows import with_branches, with_lists_of_maps
from formats.json.messages import (
    BRANCHES_READ,
    DURATIONS_JOINED,
    HEADINGS_LEFT,
    JSON_NAMES,
    KEYS_LEFT,
    KINDS_LEFT,
    LANGUAGE_NAMED,
    LANGUAGE_SPELT,
    LISTS_LEFT,
    NEWEST_FIRST,
    NOTICES_LEFT,
    PARTS_JOINED,
    RECORDS_LEFT,
    SPEAKER_NAMES,
    SPEAKERS_AGAIN,
    SPEAKERS_OF_MEMBERS,
    TABLE_GUESSED,
    TABLE_NAMED,
    TABLE_OF_PEOPLE,
    TEXTS,
    TEXTS_AT,
    TITLES,
    TITLES_LEFT,
    WRAPPED_OTHERS,
)
from formats.json.paths import first_of
from formats.json.people_beside import with_people
from formats.json.provider import Provider
from formats.json.record_tables import RecordTable, table_of
from formats.json.recordings import (
    Steps,
    records_left,
    turns_by_recording,
)
from formats.json.reshaping import reshaped_top
from formats.json.row_kinds import (
    fill_speakers,
    headings_among,
    marks_among,
    name_speakers,
    notices_among,
    without_others,
)
from formats.json.row_roles import DEEPEST, name_all_rows, name_speeches
from formats.json.row_times import (
    count_from_chunks,
    count_from_first,
    drop_early_ends,
    frame_rate,
    frames_to_seconds,
    join_durations,
    start_after_words,
    start_at_zero,
    time_unit_of,
    warn_of_restarts,
    without_offsets,
    words_of,
)
from formats.json.rows import rows_in
from formats.json.shapes import Names
from formats.json.speakers_as_turns import lines_of_people, turns_of_lines
from formats.json.texts import Text, starts_of, texts_of
from formats.json.titled_texts import talks_of_lines, titled_texts
from formats.json.turn_members import ALTERNATIVES, lift_texts, mark_punctuation
from formats.json.value import JsonDocument, JsonValue
from formats.json.wrappers import unwrapped
from formats.json.yaml_document import YamlDocument, is_yaml
from formats.manifests.documents_within import DocumentsWithin, NamesWithin, documents_in
from formats.manifests.keyed_texts import speakers_with_keys, without_key
from formats.manifests.kinds_of_rows import without_unspoken
from formats.manifests.messages import DATES_LEFT
from formats.manifests.records import folder_of_audio, recordings_of_audio
from formats.reading.dates import dates_of_messages
from formats.reading.frames import FPS, FrameRate, given_rate
from formats.reading.member_names import (
    MOST_TRIED,
    NO_MEMBERS,
    check_members,
    likely_names,
    mapped_members,
    role_of_time,
    texts_beside,
)
from formats.reading.speakers import without_own_names
from formats.reading.time_values import number_of
from formats.schema.model import Segment
from formats.schema.times import SECOND

MAPPED = ("text", "start", "end", "duration", "speaker", "channel")
"""Roles that ``--member`` maps; what a list says of recordings is not read."""


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
    document.top, usual, dropped, kinds = prepared(_with_people(document), given)
    if kinds:
        source.log.say(KINDS_LEFT, rows=kinds.total(), kinds=[*kinds][:MOST_NAMED])
    for name, count in dropped.items():
        source.log.say(WRAPPED_OTHERS, elements=count, name=name)
    if usual:
        source.log.say(FRAMES_ASSUMED, fps=usual)
    if texts := [] if member else _texts_alone(document.top):
        yield from _segments_of_texts(source, texts)
        return
    if titled := [] if member else titled_texts(document.top):
        yield from _segments_of_titles(document, titled, time_unit)
        return
    answer = Answer(source, "JSON", "JSON")
    members = mapped_members(member, MAPPED, source.log.side)
    document.top, members = _in_language(source, document.top, members)
    speakers: dict[str, None] = {}
    branches: Counter[str] = Counter()
    document.top = with_branches([*map(with_lists_of_maps, document.top)], branches)
    document.top = reshaped_top(document.top, speakers)
    for name, count in branches.items():
        source.log.say(BRANCHES_READ, rows=count, name=name)
    if count := join_durations(document.top):
        source.log.say(DURATIONS_JOINED, rows=count)
        document.has_moved = True
    parts: Any = document.top[0] if len(document.top) == 1 else None
    recordings, listings = lists_in(document.top, members)
    is_joined = isinstance(parts, dict) and len(parts) > 1 and isinstance(document.top[0], list)
    if is_joined and all(isinstance(part, list) for part in parts.values()):
        source.log.say(PARTS_JOINED, names=list(parts)[:MOST_NAMED], parts=len(parts))
    used = [name for found in listings or () if found for name in found.turn.used]
    is_found = listings is not None and {*members.values()}.issubset(used)
    table = None if is_found else table_of(document.top, members)
    if table is not None:
        _say_speakers(source, speakers)
        yield from _segments_of_table(document, table, time_unit, members)
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
    yield from _segments_of_lists(document, answer, recordings, listings, time_unit, speakers)


def _segments_of_texts(source: Source, texts: Sequence[Text]) -> Iterator[Segment]:
    """Yield the segments of a document of texts, or the turns in them."""
    starts = starts_of(texts)
    source.log.say(TEXTS_AT if starts else TEXTS, count=len(texts))
    names = _names_of_files([text.id or "" for text in texts])
    segments = [
        _segment_of_text(text, name, source.recording)
        for text, name in zip(texts, names, strict=True)
    ]
    if starts:
        segments = [
            segment.replace(start_ns=start * SECOND, utterance=None)
            for segment, start in zip(segments, starts, strict=True)
        ]
    yield from _with_turns(source, segments, [text.text for text in texts])


def _with_people(document: JsonDocument) -> list[Any]:
    """Return the values of a document with the names of speakers for their ids, and log them."""
    people: dict[str, None] = {}
    top: list[Any] = with_people(document.top, people)
    if people:
        names = [*people][:MOST_NAMED]
        document.source.log.say(SPEAKER_NAMES, speakers=len(people), names=names)
    return top


def _in_language(
    source: Source, top: list[Any], members: dict[str, str]
) -> tuple[list[Any], dict[str, str]]:
    """Return the values with the texts of one language: the chosen one, or that of the file."""
    if not members and (language := language_named(top)):
        source.log.say(LANGUAGE_NAMED, language=language)
        return with_text_in(language, top), members
    if not members and (language := language_spelt(top)):
        source.log.say(LANGUAGE_SPELT, language=language)
        return with_text_in(language, top), members
    return in_language(top, members)


def _segments_of_titles(
    document: JsonDocument, titled: list[dict[str, str]], time_unit: str
) -> Iterator[Segment]:
    """Yield a segment for each text under a title, or for each turn in such texts."""
    source = document.source
    rows = [row for row in titled if "text" in row]
    source.log.say(TITLES, count=len(rows), name=rows[0]["title"])
    if left := [row["title"] for row in titled if "text" not in row]:
        source.log.say(TITLES_LEFT, count=len(left), names=left[:MOST_NAMED])
    table = RecordTable("", rows, "text", 0, is_named=True)
    yield from _segments_of_table(document, table, time_unit, {"text": "text"})


def _segments_of_table(
    document: JsonDocument, table: RecordTable, time_unit: str, members: dict[str, str]
) -> Iterator[Segment]:
    """Yield a segment for each record of a table."""
    source = document.source
    entry = TABLE_NAMED if table.is_named else TABLE_GUESSED
    others = texts_beside(table.text, table.rows[0])
    if others and "text" not in members:
        records = len(table.rows)
        source.log.say(TABLE_OF_PEOPLE, name=table.text, others=others, records=records)
    elif "text" not in members:
        source.log.say(entry, name=table.text, records=len(table.rows))
    if speaker := next(iter(likely_names("speaker", table.rows[0])), ""):
        names = Names(table.text, speaker=speaker)
        name_speakers(source, document.top, table.rows, names, Names())
    dates = [name for name in table.rows[0] if name.endswith("(s)")]
    starts, ends = ([n for n in dates if role_of_time(n) == role] for role in ("start", "end"))
    spans = Names(table.text, *(next(iter(found), "") for found in (starts, ends)))
    count_from_first(source, [[(table.rows, spans, 1)]] if starts else [])
    rows = [row for row in table.rows if table.text in row]
    if missing := len(table.rows) - len(rows):
        first = next(row for row in table.rows if table.text not in row)
        source.log.say(HEADINGS_LEFT, elements=missing, name=str(next(iter(first.values()), "")))
    document.top, document.has_moved = [rows], True
    unit = TIME_UNITS.get(time_unit, 0)
    shapes = RowShapes(source, table.text, unit, members=members)
    yield from rows_in(source, document.value_at(0).batches(), shapes.segments, shapes.of_record)


def _segments_of_lists(
    document: JsonDocument,
    answer: Answer,
    recordings: Sequence[tuple[str, Steps]],
    listings: tuple[Provider, Provider | None],
    time_unit: str,
    speakers: Mapping[str, None],
) -> Iterator[Segment]:
    """Yield the segments of a list of turns, or of one list for each recording.

    `speakers` are the names of members that are read as speakers in some list of the document.
    """
    source, (listing, words) = document.source, listings
    root = document.value_at(0)
    owner = root.at(listing.turns)
    turns, parts = _turns_in(document, listing, recordings)
    rows = [turn.value for turn in turns if isinstance(turn.value, dict)]
    _say_speakers(source, _speakers_of(rows, listing.turn, speakers))
    owned = [
        (_owner_of(document.top, steps), [turn.value for turn in part])
        for (_, steps), (_, part) in zip(recordings, parts, strict=True)
    ]
    if count_from_chunks(source, owned or [({}, rows)], listing.turn, listing.word):
        parts = [("", [turn for _, part in parts for turn in part])] if parts else []
    elif not parts and words is None:
        parts = turns_by_recording(turns, listing.turn.used)
    listing = listing._replace(turn=without_offsets(source, listing.turn, rows, time_unit))
    name_speakers(source, document.top, rows, listing.turn, listing.word)
    if start_after_words(listing.turn, listing.word, rows):
        listing = listing._replace(turn=listing.turn.without_start())
    if len({name for name, _ in parts}) < 2:
        warn_of_restarts(source, rows, listing.turn)
    _note_left(source, [] if parts else lists_left(document.top[0], listing))
    _drop_speakers(source, listing.turn, rows)
    documents = _documents(source, listing, words, rows)
    if isinstance(documents, DocumentsWithin) and not documents.are_turns:
        listing = listing._replace(turn=listing.turn.without_times())
    _note(source, listing, words, listing.turns or _path_of_all([steps for _, steps in recordings]))
    _note_dates(source, listing, rows)
    inner, inner_rows = listing.word, [w for r in rows for w in words_of(r, listing.turn)]
    if words is not None:
        inner, inner_rows = words.turn, root.at(words.turns).value
    inner = without_offsets(source, inner, inner_rows, time_unit)
    start_at_zero(source, (rows, listing.turn), (inner_rows, inner))
    _prepare_words(source, listing.turn, rows if is_of_words(listing) else [])
    _prepare_words(source, inner, inner_rows)
    per_second = time_unit_of(owner, listing.turn, rows, time_unit)
    word_per_second = time_unit_of(owner, inner, inner_rows, time_unit)
    timed = (rows, listing.turn, per_second), (inner_rows, inner, word_per_second)
    _count_each_from_first(source, parts if words is None else [], *timed)
    if words is None:
        turns, parts = _oldest_first(source, listing.turn, turns, parts)
    provider = listing._replace(
        word=inner,
        words_beside="" if words is None else words.turns,
        are_words=is_of_words(listing),
        in_pieces=True,
        may_lack_words=True,
        per_second=per_second,
        word_per_second=word_per_second,
        tags=marks_in("\n".join(text for row in rows[:MOST_TRIED] for text in _texts_in(row))),
    )
    yield from _segments_of_parts(provider, root, answer, parts or [("", turns)], documents)
    answer.finish(document)


def _documents(
    source: Source, listing: Provider, words: Provider | None, rows: Sequence[dict[str, Any]]
) -> DocumentsWithin | NamesWithin | None:
    """Return the reader of texts that are documents with turns of their own; `None` for others.

    Nobody knows when each turn of such a text was said.
    """
    has_words = words is not None or bool(listing.word.text) or is_of_words(listing)
    texts = [] if has_words else [first_of(row, listing.turn.text) for row in rows]
    is_read = bool(texts and listing.turn.text)
    return documents_in(source, texts, _by_role(listing.turn), None) if is_read else None


def _by_role(names: Names) -> dict[str, str]:
    """Return the first member of each role that tells what texts are."""
    roles = ("speaker", "start", "end", "duration")
    members = (names.speaker, names.start, names.end, names.length)
    return {role: member[0] for role, member in zip(roles, members, strict=True) if member}


def _note_dates(source: Source, listing: Provider, rows: Sequence[dict[str, Any]]) -> None:
    """Log the member with the dates of messages, if rows have no times."""
    some = rows[:MOST_TRIED]
    names = dict.fromkeys(name for row in some for name in row)
    columns = {name: [row.get(name) for row in some] for name in names}
    has_times = bool(listing.turn.start or listing.word.start)
    if not has_times and (name := dates_of_messages(columns)):
        source.log.say(DATES_LEFT, name=name)


def _prepare_words(source: Source, names: Names, rows: Sequence[dict[str, Any]]) -> None:
    """Give words without times their speaker, mark punctuation, and drop ends before starts."""
    fill_speakers(rows, names)
    mark_punctuation(rows, names)
    drop_early_ends(source, rows, names)


def _oldest_first(
    source: Source,
    names: Names,
    turns: list[JsonValue],
    parts: list[tuple[str, list[JsonValue]]],
) -> tuple[list[JsonValue], list[tuple[str, list[JsonValue]]]]:
    """Return the turns, and those of each recording; chats with the newest first, turned round."""
    if not (names.start and names.speaker) or names.end or names.length:
        return turns, parts
    lists = [part for _, part in parts] or [turns]
    starts = [[number_of(first_of(v.value, names.start)) for v in part] for part in lists]
    times = [[time for time in some if time is not None] for some in starts]
    go_back = [
        all(a >= b for a, b in pairwise(some)) and some[0] > some[-1] for some in times if some
    ]
    is_whole = list(map(len, starts)) == list(map(len, times))
    if not is_whole or not go_back or not all(go_back):
        return turns, parts
    source.log.say(NEWEST_FIRST, name=names.start[0])
    return turns[::-1], [(name, part[::-1]) for name, part in parts]


def _count_each_from_first(
    source: Source,
    parts: Sequence[tuple[str, list[JsonValue]]],
    turns: tuple[Sequence[dict[str, Any]], Names, int],
    words: tuple[Sequence[dict[str, Any]], Names, int],
) -> None:
    """Count times that are dates from the first of their recording; each has its turns in parts."""
    groups = [[turn.value for turn in part] for _, part in parts]
    timed: list[tuple[tuple[Sequence[dict[str, Any]], Names, int], ...]] = [
        ((group, *turns[1:]), ([w for r in group for w in words_of(r, turns[1])], *words[1:]))
        for group in groups
    ]
    count_from_first(source, timed or [(turns, words)])


def _segments_of_parts(
    provider: Provider,
    root: JsonValue,
    answer: Answer,
    parts: Sequence[tuple[str, list[JsonValue]]],
    documents: DocumentsWithin | NamesWithin | None = None,
) -> Iterator[Segment]:
    """Yield the segments of each recording with its turns, or those of documents in their texts."""
    is_several = len({name for name, _ in parts}) > 1
    for name, part in parts:
        recording = f"{answer.source.recording}{name}" if name[:1] == "-" else name
        segments: Iterable[Segment] = provider.segments(root, answer, part)
        if documents is not None:
            rows = [(s, v.value) for v in part for s in provider.segments(root, answer, [v])]
            texts = [first_of(row, provider.turn.text) for _, row in rows]
            segments = documents.segments([segment for segment, _ in rows], texts)
        for segment in segments:
            yield segment.replace(recording=recording) if is_several else segment


def prepared(
    top: list[Any], given: FrameRate | None = None
) -> tuple[list[Any], int, Counter[str], Counter[str]]:
    """Return the values of a document without wrappers and with times in seconds, not in frames.

    The number is the frame rate if it is assumed, otherwise 0. The elements of lists that are
    dropped are counted by the names of their wrappers, and those that nobody says by their kinds.
    """
    dropped: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    top = without_unspoken(top, kinds, DEEPEST)
    top = list(map(with_rows, top)) if len(top) > 1 else list(map(talks_of_lines, top))
    top = without_others([unwrapped(value, dropped) for value in top], dropped)
    for value in top:
        name_speeches(value)
        name_all_rows(value)
    lift_texts(top, ALTERNATIVES)
    rate, usual = (given, 0) if given else frame_rate(top)
    if rate is not None:
        frames_to_seconds(top, rate)
    return top, usual, dropped, kinds


def _owner_of(top: Sequence[Any], steps: Steps) -> Mapping[str, Any]:
    """Return the object around a list at a path; empty if it is in none."""
    value: Any = top[0] if len(top) == 1 else top
    for step in steps[:-1]:
        value = value[step]
    return value if isinstance(value, dict) else {}


def _speakers_of(rows: Sequence[Any], names: Names, speakers: Collection[str]) -> list[str]:
    """Return those of some speakers that turns have."""
    labels = {str(first_of(row, names.speaker)) for row in rows}
    return [name for name in speakers if name in labels]


def _say_speakers(source: Source, speakers: Collection[str]) -> None:
    """Log speakers that are names of members."""
    if speakers:
        names = [*speakers][:MOST_NAMED]
        source.log.say(SPEAKERS_OF_MEMBERS, names=names, speakers=len(speakers))


def _turns_in(
    document: JsonDocument, listing: Provider, recordings: Sequence[tuple[str, Steps]]
) -> tuple[list[JsonValue], list[tuple[str, list[JsonValue]]]]:
    """Return the turns, and those of each recording: the elements of its list, without headings.

    If the file is JSON lines, the turns are the values of the lines.
    """
    root = document.value_at(0)
    _note_left(document.source, (), records_left(document.top, recordings))
    parts = [(name, list(_at(document, steps).elements())) for name, steps in recordings]
    if parts:
        turns = [turn for _, part in parts for turn in part]
    elif len(document.top) > 1 or not (listing.turns or isinstance(root.value, list)):
        turns = document.values
    else:
        turns = list(root.at(listing.turns).elements())
    names = Names() if is_of_words(listing) else listing.turn
    if headings := headings_among([turn.value for turn in turns], names):
        first = next(iter(headings.values()))
        name = str(next(iter(first.values()), ""))
        document.source.log.say(HEADINGS_LEFT, elements=len(headings), name=name)
    if notices := notices_among([turn.value for turn in turns]):
        name = next(iter(notices.values()))
        document.source.log.say(NOTICES_LEFT, elements=len(notices), name=name)
    marks = (
        marks_among([turn.value for turn in turns], listing.turn) if is_of_words(listing) else {}
    )
    if marks:
        kinds = [*dict.fromkeys(marks.values())][:MOST_NAMED]
        document.source.log.say(KINDS_LEFT, rows=len(marks), kinds=kinds)
    if left := headings.keys() | notices.keys() | marks.keys():
        turns = [turn for turn in turns if id(turn.value) not in left]
        parts = [(n, [turn for turn in part if id(turn.value) not in left]) for n, part in parts]
    return turns, parts


def _at(document: JsonDocument, steps: Steps) -> JsonValue:
    """Return the value to which a path of member names and indices leads."""
    is_single = len(document.top) == 1
    value = document.value_at(0 if is_single else int(steps[0]))
    for step in steps if is_single else steps[1:]:
        value = value.element(step) if isinstance(step, int) else value.required(step)
    return value


def _names_of_files(paths: Sequence[str]) -> list[str]:
    """Return the names of audio files, with the names of their folders if these tell them apart.

    >>> _names_of_files(["a/1.wav", "b/1.wav"]), _names_of_files(["a/1.wav", "b/2.wav"])
    (['a-1', 'b-1'], ['1', '2'])
    """
    names = recordings_of_audio(paths)
    longer = [
        f"{folder}-{name}" if (folder := folder_of_audio(path)) else name
        for path, name in zip(paths, names, strict=True)
    ]
    return longer if len({*names}) < len({*longer}) == len(paths) else names


def _segment_of_text(text: Text, plain: str, recording: str) -> Segment:
    """Return a text as an utterance. If its id is an audio file, the id names the recording.

    `plain` is the name of this file.
    """
    name = None if text.id is None else plain
    if name is not None and without_media(text.id or "") != text.id:
        recording = name
    return Segment(recording, tuple(cut_text(text.text)), utterance=name)


def _texts_in(row: dict[str, Any]) -> list[str]:
    """Return the texts in an element."""
    return [value for value in row.values() if isinstance(value, str)]


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
    keyed = speakers_with_keys(texts, [row.get(speaker) for row in rows])
    with_key = [row for row in rows if keyed and str(row.get(speaker)) in keyed]
    left = [row for row in with_key if without_key(row.get(text)) != row.get(text)]
    for row in left:
        row[text] = without_key(row[text])
    if left:
        source.log.say(KEYS_LEFT, texts=len(left))


def _path_of_all(paths: Sequence[Steps]) -> str:
    """Return the member names that the paths of all recordings share.

    >>> _path_of_all([("talks", 0, "lines"), ("talks", 1, "lines")]), _path_of_all([("a.mp3",)] * 2)
    ('talks.lines', 'a.mp3')
    """
    shared = (steps[0] for steps in zip(*paths, strict=False) if len({*steps}) == 1)
    return ".".join(step for step in shared if isinstance(step, str))


def _note_left(source: Source, lists: Sequence[str], records: Sequence[str] = ()) -> None:
    """Log a warning about lists with the same members, and about records, that are not read."""
    if lists:
        source.log.say(LISTS_LEFT, lists=len(lists), names=lists[:MOST_NAMED])
    if records:
        source.log.say(RECORDS_LEFT, records=len(records), names=records[:MOST_NAMED])


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


def sniff(head: Head) -> Sniff:
    """Return `MAYBE` if the JSON has a list of segments or words.

    The result is never `SURE`, so that every other format has priority.
    """
    if head.shape != "json" and not head.is_yaml:
        return Sniff.NO
    values = list(head.json_values)
    is_read = _is_readable(values)
    if not is_read and head.is_cut:
        is_read = _is_readable(_without_cut_record(list(head.json_values)))
    return Sniff.MAYBE if is_read else Sniff.NO


def _is_readable(values: list[Any]) -> bool:
    """Return True if values of JSON have texts or a list of segments or words."""
    top, *_ = prepared(with_people(values, {}))
    is_read = bool(_texts_alone(top) or titled_texts(top)) or find_any(top) is not None
    return is_read or table_of(reshaped_top(top, {}), NO_MEMBERS) is not None


def _without_cut_record(top: list[Any]) -> list[Any]:
    """Return values without the last object of the outermost list of several: its end is missing.

    >>> _without_cut_record([{"calls": [{"id": 1, "turns": ["so"]}, {"id": 2}]}])
    [{'calls': [{'id': 1, 'turns': ['so']}]}]
    """
    value: Any = top
    while value and isinstance(value, (dict, list)):
        last = next(reversed(value))
        if isinstance(value, list) and len(value) > 1 and isinstance(last, dict):
            value.pop()
            break
        value = value[last] if isinstance(value, dict) else last
    return top


def _with_turns(source: Source, segments: list[Segment], texts: Sequence[str]) -> Sequence[Segment]:
    """Return the turns in texts that are documents; otherwise their segments."""
    documents = documents_in(source, texts, {}, None)
    return segments if documents is None else documents.segments(segments, texts)


def _texts_alone(top: Sequence[Any]) -> list[Text]:
    """Return the texts of a document of texts, unless they are turns that begin with names."""
    texts = texts_of(top)
    are_turns = bool(texts) and texts[0].id is None and turns_of_lines([t.text for t in texts])
    is_of_person = bool(texts) and bool(lines_of_people(top, is_alone=True))
    return [] if are_turns or is_of_person else texts


def find_any(top: list[Any]) -> tuple[Provider, Provider | None] | None:
    """Return the list to read, which may be at any depth; `None` if there is none."""
    if languages_of(top):
        return None
    if language := language_named(top) or language_spelt(top):
        top = with_text_in(language, top)
    top = reshaped_top(with_branches([*map(with_lists_of_maps, top)], Counter()), {})
    join_durations(top)
    return lists_in(top, NO_MEMBERS)[1]


SPEC = FormatSpec(
    title="Any JSON with a list of segments or words, recognised by the names of their members",
    sign='"text" with "start"',
    read=read,
    sniff=sniff,
    read_options=(UNIT_OPTION, MEMBER, FPS),
    unnamed_texts=unnamed_texts,
)
