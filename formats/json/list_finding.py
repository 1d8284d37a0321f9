"""The list to read in any JSON: the likeliest of its lists of rows, with the names of members."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import partial
from itertools import islice
from typing import Any

from formats.json.columns_as_rows import TURN, rows_of_columns
from formats.json.maps_as_rows import as_rows, joined_parts
from formats.json.paths import first_of
from formats.json.provider import Provider
from formats.json.record_tables import table_of
from formats.json.recordings import (
    LISTS_OF_TEXTS,
    Steps,
    are_named,
    lists_of_recordings,
    lists_within,
    rows_of_recordings,
    talks_alone,
)
from formats.json.reshaping import name_turns
from formats.json.row_kinds import SPEAKERS, has_text, is_start
from formats.json.row_roles import (
    FEWEST_WORDS,
    PREDICTIONS,
    are_no_words,
    are_turns_within,
    inner_text,
    join_texts,
    joined_list,
    name_rows,
    row_names,
)
from formats.json.row_times import (
    MOST_FITTING,
    flatten_times,
    spread_times,
    words_of,
)
from formats.json.shapes import Names
from formats.json.texts import are_ids, without_lists
from formats.json.turn_members import NO_TITLES, is_code, lift_details, name_profiles
from formats.manifests.kinds_of_rows import WORD_LISTS
from formats.reading.member_names import (
    LANGUAGES,
    MOST_TRIED,
    NAMES,
    SPEAKER_PARTS,
    is_log,
    lift_members,
    likeliest_first,
    name_parts,
    name_without_unit,
    originals_beside,
    plain_name,
)
from formats.reading.member_values import are_attributes, are_links, is_wording
from formats.reading.time_values import word_count

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
MOST_CODES = 3
"""The most different words that are codes beside a diarisation."""
DEEPEST = 5
"""Levels of objects in which lists are looked for that are not read."""
BRACKETS = {"(": ")", "[": "]", "（": "）", "【": "】"}
FEWEST_REMARKS = 8
"""The fewest texts that are remarks and no speech if all are the same in brackets."""
SHARE_OF_VERSIONS = 0.6
"""The share of the different words of a list that another list has if it is the same talk."""
MOST_LISTS = 20
"""Lists of objects that are searched for texts."""
MOST_NAMED = 5
"""Names that a message lists."""
FEWEST_WORDS_OF_LANGUAGE = 2
"""The fewest words of the longest text in a language; values of one word may be codes."""
MOST_TURNS = 1000
"""The turns whose languages are compared."""
TEXT = "text"
"""The name that the text in the given language gets."""
MOST_MEMBERS = 50
"""The most members of an object that is one segment; of more, it is a dictionary."""


def is_of_words(listing: Provider) -> bool:
    """Return True if the elements of a list are words."""
    last = listing.turns.rpartition(".")[2].lower()
    texts = {plain_name(name)[0] for name in listing.turn.text}
    return last in WORD_LISTS or not texts.isdisjoint(("word", "punctuatedword"))


def _is_useful(listing: Provider) -> bool:
    """Return True if the elements have texts, and in addition times or speakers."""
    names, inner = listing.turn, listing.word
    return bool((names.text and (names.start or names.speaker)) or (inner.text and inner.start))


def lists_in(
    top: list[Any], members: Mapping[str, str]
) -> tuple[list[tuple[str, Steps]], tuple[Provider, Provider | None] | None]:
    """Return the recordings with their lists, and the list to read.

    The lists may be at any depth.
    """
    recordings = lists_of_recordings(top)
    if not recordings and (talks := talks_alone(top)):
        return talks, find_list(top, members, talks)
    listings = find_list(top, members, recordings)
    is_part = listings is not None and not recordings and _is_one_of_talks(top, listings[0])
    within = lists_within(top) if listings is None or is_part else []
    if within and (listings is None or len(within) > 1):
        recordings, listings = within, find_list(top, members, within)
    if listings and not recordings and (lists := _lists_of_member(top, members, listings[0])):
        recordings, listings = lists, find_list(top, members, lists)
    return recordings, listings


def _lists_of_member(
    top: Sequence[Any], members: Mapping[str, str], listing: Provider
) -> list[tuple[str, Steps]]:
    """Return all lists that have a text that the user named, if most words are in several of them.

    >>> rows = [{"line": "so it is", "n": 1}], [{"line": "well then, no", "n": 1}]
    >>> listing = Provider("JSON", "a.x", Names("line"))
    >>> _lists_of_member([{"a": {"x": rows[0]}, "b": {"y": rows[1]}}], {"text": "line"}, listing)
    [('', ('a', 'x')), ('', ('b', 'y'))]
    """
    name = members.get("text", "")
    if not name or len(top) != 1 or listing.turn.start or listing.turn.text != (name,):
        return []
    words_read = _joined_words(_rows_at(top[0], listing), listing)
    lists = {
        path: words for path, rows in _lists_of_objects(top[0], DEEPEST)
        if isinstance(rows[0].get(name), str) and (words := _joined_words(rows, listing))
        and (path == listing.turns or (words not in words_read and words_read not in words))
    }  # fmt: skip
    is_part = listing.turns in lists and 2 * len(words_read) < sum(map(len, lists.values()))
    return [("", (*path.split("."),)) for path in lists] if is_part else []


def _is_one_of_talks(top: Sequence[Any], listing: Provider) -> bool:
    """Return True if a list has turns with speakers, and other lists beside it have other talks.

    Languages, and names of lists that say the same in another form, are no talks.

    >>> turns = {"name": "Ann", "text": "so it is"}, {"name": "Ben", "text": "well then"}
    >>> listing = Provider("JSON", "a1.intro", Names("text", speaker="name"))
    >>> _is_one_of_talks([{"a1": {"intro": [turns[0]], "close": [turns[1]]}}], listing)
    True
    """
    left = lists_left(top[0], listing) if len(top) == 1 and listing.turn.speaker else []
    paths = [path.split(".") for path in (listing.turns, *left)]
    ends = [path[-1] for path in paths]
    if (
        not left
        or all(map(is_code, ends))
        or not NO_TITLES.isdisjoint(map(name_without_unit, ends))
    ):
        return False
    kinds = [_kinds_of_words(top[0], listing._replace(turns=".".join(path))) for path in paths]
    return all(
        len(kinds[0] & others) < SHARE_OF_VERSIONS * min(len(kinds[0]), len(others))
        for others in kinds[1:]
    )


def _kinds_of_words(root: Any, listing: Provider) -> frozenset[str]:
    """Return the different words in the texts of a list."""
    texts = (first_of(row, listing.turn.text) for row in _rows_at(root, listing))
    return frozenset(w for text in texts if isinstance(text, str) for w in text.lower().split())


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
    if spoken := languages_of_turns(top):
        first = next(_turns_within(top, DEEPEST))
        spoken = likeliest_first(dict.fromkeys(spoken, 0), first)
        read = with_text_in(spoken[0], deepcopy(top))
        return spoken[:MOST_NAMED] if lists_in(read, {TEXT: TEXT})[1] is not None else []
    lists = [*islice(rows_within(top), MOST_LISTS)]
    columns = [_columns_of_texts(rows, has_inner=True) for rows in lists]
    if not lists:
        columns = [_columns_of_texts(top, has_inner=False)]
        if not (len(columns[0]) > 1 and all(map(is_code, top[0]))):
            return []
    alike: dict[tuple[str, ...], Counter[str]] = {}
    for texts in columns:
        alike.setdefault((*texts,), Counter()).update(texts)
    in_languages = {n: c for n, c in alike.items() if len(n) > 1 and all(map(is_code, n))}
    words = max((in_languages or alike).values(), key=Counter.total)
    names = likeliest_first(words)
    members = {"text": names[0]} if names else {}
    listings = find_list(deepcopy(top), members, []) if names else None
    used = [name for found in listings or () if found for name in found.turn.used]
    is_read = bool(names) and (names[0] in used or table_of(top, members) is not None)
    return names[:MOST_NAMED] if is_read else []


def _columns_of_texts(rows: Sequence[Any], *, has_inner: bool) -> dict[str, float]:
    """Return the members that have texts in nearly all rows, with the number of their words."""
    columns: dict[str, list[Any]] = {}
    for row in rows:
        for name, value in row.items() if isinstance(row, dict) else ():
            inner = value if has_inner and isinstance(value, dict) else {"": value}
            for key, text in inner.items():
                text = joined_list(text) if key else text
                columns.setdefault(f"{name}.{key}" if key else name, []).append(text)
    return {
        name: words
        for name, texts in columns.items()
        if len(texts) >= MOST_FITTING * len(rows)
        and all(map(is_wording, texts))
        and not are_links(texts)
        and not are_attributes(name, texts)
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
        names = row_names(rows[:MOST_TRIED])
        if not (names.text and names.start):
            return {}
        (texts[code],) = names.text
    return texts


def in_language(
    top: list[Any], members: dict[str, str]
) -> tuple[list[Any], dict[str, str]]:  # fmt: skip
    """Return the list of the language that the member of the text names, such as ``en.text``.

    If it names the texts of turns alone, such as ``en``, these are the texts of all turns, as are
    those in ``turn``.
    """
    code, _, name = members.get("text", "").partition(".")
    if code == TURN and name_turns(value := rows_of_columns(top[0])) is not value:
        return top, {**members, "text": TEXT}
    if code and not name and code in languages_of_turns(top):
        return with_text_in(code, top), {**members, "text": TEXT}
    if not name or code not in languages_of(top):
        return top, members
    return [top[0][code]], {**members, "text": name}


def languages_of_turns(top: Sequence[Any]) -> list[str]:
    """Return the languages that name the texts of turns with a speaker or a start, else [].

    At least half of the turns have the texts, in two languages or more, and no other text.

    >>> turn = {"speaker": "Ann", "de": "so ist es also", "en": "so it is then"}
    >>> languages_of_turns([{"steps": [turn, {"speaker": "Ben", "choices": []}]}])
    ['de', 'en']
    >>> languages_of_turns([[{**turn, "text": "so it is"}]]), languages_of_turns([[{"en": "so"}]])
    ([], [])
    """
    turns = [*islice(_turns_within(top, DEEPEST), MOST_TURNS)]
    whole = [languages for turn in turns if (languages := _languages_in(turn))]
    if not whole or 2 * len(whole) < len(turns):
        return []
    names = [name for name in whole[0] if all(name in languages for languages in whole)]
    longest = {name: max(word_count(row[name]) for row in turns if row.get(name)) for name in names}
    is_known = any(name.lower() in LANGUAGES for name in names)
    named = [name for name, words in longest.items() if words >= FEWEST_WORDS_OF_LANGUAGE]
    return named if is_known and len(named) > 1 else []


def language_named(top: Sequence[Any]) -> str:
    """Return the language of the turns that the member `language` around them names, else "".

    >>> turn = {"speaker": "Ann", "de": "so ist es also", "en": "so it is then"}
    >>> language_named([{"lang": "de", "turns": [turn]}]), language_named([{"turns": [turn]}])
    ('de', '')
    """
    value = top[0] if len(top) == 1 else None
    named = [
        part for name, part in (value.items() if isinstance(value, dict) else ())
        if plain_name(name)[0] in NAMES["language"].plain and isinstance(part, str)
    ]  # fmt: skip
    languages = languages_of_turns(top) if len(named) == 1 else []
    return next((n for n in languages if n.lower() == named[0].lower().split("-")[0]), "")


def language_spelt(top: Sequence[Any]) -> str:
    """Return the only language of the turns whose pronunciation is in the turns, too, else "".

    >>> turn = {"speaker": "Ann", "zh": "so it is then", "pinyin": "so it", "en": "so it is"}
    >>> language_spelt([{"turns": [turn]}]), language_spelt([[{**turn, "pinyin": None}]])
    ('zh', '')
    """
    languages = languages_of_turns(top)
    first = next(_turns_within(top, DEEPEST)) if languages else {}
    spelt = originals_beside(name for name, part in first.items() if isinstance(part, str))
    named = [name for name in languages if name.lower() in spelt]
    return named[0] if len(named) == 1 else ""


def with_text_in(language: str, value: Any, levels: int = DEEPEST) -> Any:
    """Return a value with the texts of its turns in a language as their texts.

    >>> with_text_in("de", [{"speaker": "Ann", "de": "so ist es", "en": "so it is"}])
    [{'speaker': 'Ann', 'text': 'so ist es', 'en': 'so it is'}]
    """
    if isinstance(value, list) and levels:
        return [with_text_in(language, part, levels - 1) for part in value]
    if not isinstance(value, dict):
        return value
    if _is_turn(value):
        return {TEXT if name == language else name: part for name, part in value.items()}
    if not levels:
        return value
    return {name: with_text_in(language, part, levels - 1) for name, part in value.items()}


def _turns_within(value: Any, levels: int) -> Iterator[dict[str, Any]]:
    """Yield the objects of a value, at any depth, that have a speaker or a start, but no text."""
    if isinstance(value, dict) and _is_turn(value):
        yield value
        return
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in inner if levels else ():
        yield from _turns_within(part, levels - 1)


def _is_turn(value: dict[str, Any]) -> bool:
    """Return True for an object with a speaker or a start, but no text that is named so."""
    named = (name for name, part in value.items() if isinstance(part, (str, int, float)))
    is_spoken = any(is_start(name) or name_without_unit(name) in SPEAKERS for name in named)
    return is_spoken and not has_text(value)


def _languages_in(turn: dict[str, Any]) -> list[str]:
    """Return the languages of the texts in a turn; a text may be empty."""
    return [
        name for name, text in turn.items()
        if isinstance(text, str) and (is_code(name) or name.lower() in LANGUAGES)
        and name_without_unit(name) not in SPEAKERS and (not text.strip() or is_wording(text))
    ]  # fmt: skip


def rows_within(value: Any, levels: int = DEEPEST) -> Iterator[list[dict[str, Any]]]:
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
        names_of = partial(row_names, members=members)
        top[0] = without_lists(
            as_rows(joined_parts(top[0], row_names), names_of, is_mapped=bool(members))
        )
    first = top[0] if top else None
    root = first if len(top) == 1 else list(top)
    every = list(_listings(root, (), 3, members))
    listings = [e for e in every if _is_useful(e) or members] or _lists_of_texts(root, every)
    if not listings and are_named(steps for _, steps in recordings):
        listings = [e for e in every if e.turn.text]
    if not listings and isinstance(first, dict) and len(first) <= MOST_MEMBERS:
        # one of the JSON lines
        copy = {**first}
        lines = _listings([copy], (), 0, members)
        listings = [e for e in lines if e.turn.text and (_is_useful(e) or members)]
        first.update(copy if listings else {})
    listings.sort(key=_likelihood)
    if not listings:
        return _owners_of_words(root)
    best = _largest_of_likeliest(root, listings)
    if is_of_words(best):
        return _owners_of_words(root) or (best, None)
    best = _with_speakers(root, best, listings)
    beside = [listing for listing in listings if is_of_words(listing) and listing.turn.start]
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


def lists_left(root: Any, listing: Provider) -> list[str]:
    """Return the other lists, at any depth, that have the members that are read and other words.

    >>> rows = [{"text": "so it is", "start": 1}], [{"text": "well then", "start": 1}]
    >>> root = {"a": rows[0], "b": {"c": rows[1]}}
    >>> lists_left(root, Provider("JSON", "a", Names("text", "start")))
    ['b.c']
    """
    rows = _rows_at(root, listing) if listing.turn.text else []
    kinds = {frozenset(row) for row in rows[:MOST_TRIED]}
    turn = listing.turn
    read = frozenset((*turn.text, *turn.speaker, *turn.start)) if turn.speaker else frozenset()
    said = _joined_words(rows, listing)
    return [
        path for path, others in _lists_of_objects(root, DEEPEST)
        if (frozenset(others[0]) in kinds or (read and read <= others[0].keys()))
        and (words := _joined_words(others, listing))
        and words not in said and said not in words
    ]  # fmt: skip


def _lists_of_objects(value: Any, levels: int) -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists of objects in an object, each with its path."""
    for name, part in value.items() if isinstance(value, dict) and levels else ():
        if isinstance(part, list) and part and isinstance(part[0], dict):
            yield name, part
        for path, listed in _lists_of_objects(part, levels - 1):
            yield f"{name}.{path}", listed


def _joined_words(rows: Sequence[Any], listing: Provider) -> str:
    """Return the texts of objects without blanks."""
    texts = (first_of(row, listing.turn.text) for row in rows if isinstance(row, dict))
    return "".join("".join(text.split()) for text in texts if isinstance(text, str))


def _are_one_remark(texts: Sequence[Any]) -> bool:
    """Return True if several texts are the same remark in brackets, such as ``(goes on)``."""
    known = [text for text in texts if text]
    first = known[0] if {*map(type, known)} == {str} and len({*known}) == 1 else ""
    is_remark = first[:1] in BRACKETS and first[-1:] == BRACKETS.get(first[:1])
    return len(known) >= FEWEST_REMARKS and is_remark


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
    words = [e for e in every if is_of_words(e) and e.turn.text and e.turn.start]
    owners = [e for e in every if not e.turn.text and e.turn.start and e.turn.speaker]
    turns = [e for e in owners if (e.turn.end or e.turn.length) and _are_turns(root, e)]
    if words and owners:
        return owners[0], words[0]
    return (turns[0], None) if turns else None


def _are_turns(root: Any, listing: Provider) -> bool:
    """Return True if the elements are turns without words."""
    for name in filter(None, listing.turns.split(".")):
        if name not in root:
            return False  # a name with a dot in it
        root = root[name]
    used = frozenset(listing.turn.used)
    rows = (row for row in root[:MOST_TRIED] if isinstance(row, dict))
    others: dict[str, list[str]] = {}
    for row in rows:
        for name, value in row.items():
            is_other = name not in used and SPEAKER_PARTS.isdisjoint(name_parts(name))
            if is_other and isinstance(value, list) and value:
                return False
            if is_other and isinstance(value, str) and value:
                others.setdefault(name, []).append(value)
    return all(map(_are_codes, others.values()))


def _are_codes(values: Sequence[str]) -> bool:
    """Return True if values are no words: they have digits, or are single words that return.

    >>> _are_codes(["A", "A", "B", "A", "A", "A"]), _are_codes(["c1", "c2"]), _are_codes(["so"])
    (True, True, False)
    """
    are_single = all(len(value.split()) == 1 for value in values)
    are_few = len({*values}) <= MOST_CODES and 3 * len({*values}) <= len(values)
    return are_single and (are_few or all(any(map(str.isdigit, value)) for value in values))


def _likelihood(listing: Provider) -> tuple[bool, int, int]:
    path = listing.turns.split(".") if listing.turns else []
    name = plain_name(path[-1])[0] if path else ""
    rank = LISTS.index(name) if name in LISTS else len(LISTS)
    return is_of_words(listing), 0 if not path else rank, len(path)


def _listings(
    value: Any, path: tuple[str, ...], levels: int, members: Mapping[str, str]
) -> Iterator[Provider]:
    """Yield the lists of objects in a value, searching at most `levels` levels of nesting."""
    if isinstance(value, list):
        name_rows(value)
        objects = [element for element in value[:MOST_TRIED] if isinstance(element, dict)]
        is_whole = len(objects) == len(value[:MOST_TRIED])
        if objects and is_whole and (members or not is_log(objects[0])):
            join_texts(objects, value)
            flatten_times(value)
            lift_details(objects, value)
            name_profiles(value)
            spread = spread_times(objects, value, members)
            mapped = members or inner_text(objects)
            if (name := mapped.get("start")) in spread:
                mapped = {**mapped, "end": f"{name} end"}
            lift_members(value, mapped)
            names = row_names(objects, mapped)
            words = [word for row in objects for word in words_of(row, names)][:MOST_TRIED]
            inner = row_names(words, {}) if words else Names()
            if are_no_words(objects, names, inner):
                for row in value:
                    row.pop(names.words, None)
                names, inner = row_names(objects, mapped), Names()
            if names.text and _are_one_remark([first_of(row, names.text) for row in objects]):
                return
            are_turns = are_turns_within(words, inner, has_text=bool(names.text))
            yield Provider("JSON", ".".join(path), names, Names() if are_turns else inner)
    elif isinstance(value, dict) and levels:
        for name, member in value.items():
            if "." not in name:  # a dot is between the names of a path
                yield from _listings(member, (*path, name), levels - 1, members)
