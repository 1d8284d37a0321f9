"""Evidence that names begin turns: one score for a layout, against the reading without turns.

The names of a layout without times are also those of lists, records, logs and sentences with
colons. No single sign tells them apart, so each sign that a person would look for is a number
between 0 and 1, and the table of weights says how much it speaks for turns or against them.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from formats.meetings.layouts import IN_ANGLES, NAME_AND_ROLE, WIDE_BLANK
from formats.meetings.turns.accounts import TurnLayout, TurnText
from formats.meetings.turns.heads import (
    BY_NAME,
    LIST_SIGNS,
    OF_LINES,
    UNTIMED,
    TurnHead,
    is_identifier,
    row_of,
)
from formats.meetings.turns.narration import ADDRESS, QUESTION
from formats.meetings.turns.outside import MOST_ABOVE, frame_of, is_brief
from formats.meetings.turns.persons import PERSONS_OF_CHATS, PROGRAMS, ROLES_OF_CHATS
from formats.meetings.turns.plain import HTML, LEAST, SAMPLE, SEPARATED
from formats.reading.patterns import FRENCH_NAME
from formats.reading.speakers import (
    LOG_WORDS,
    NO_ONE,
    NOTATIONS,
    SOUNDS_TOO,
    VOICE,
    is_label,
    is_name,
    is_sound,
)
from formats.reading.time_values import NO_BLANKS
from formats.schema import lazy_pattern

WEIGHTS = {
    "always": -6.5,  # most texts are no talk
    "share of the paragraphs": 5.5,  # in a talk, somebody says every paragraph
    "hardly any paragraph": -2.0,
    "names alone over few paragraphs": -2.0,  # headings of parts
    "names alone on paragraphs": 1.5,  # such lines are taken only if they return
    "names in capitals with a colon alone": 2.5,  # printed plays
    "names alone as long as their texts": -3.0,  # stanzas that begin alike
    "signs that sounds have, too": -2.5,  # [music] is no speaker
    "signs that prose has, too": -2.5,  # Tea - a drink
    "signs of turns only": 3.0,  # nothing else has them
    "all names return": 2.5,
    "two names return": 0.5,
    "few names": 1.0,  # few persons say much, and a list has many items
    "few names of many turns": 2.5,
    "names alternate": 1.5,  # persons answer each other
    "roles alternate": 2.0,  # also where answers have many paragraphs
    "a chair between others": 1.5,
    "no name returns": -1.5,  # a list of words and what they mean
    "most names once": -1.0,
    "one word for each text": -3.0,  # a glossary
    "words in alphabetical order": -4.0,
    "one name only": -4.0,  # Note:
    "a narrator only": 4.5,
    "names of roles": 1.0,  # Interviewer, User
    "a person, then a program": 8.0,  # Human and AI, also over many paragraphs
    "labels": 1.0,  # Speaker 1
    "no names": -3.5,  # names in small letters, and with signs
    "phrases as names": -3.5,  # In short: it was late
    "full names in capitals": 5.0,  # of parliaments, over many paragraphs
    "capitals before sentences": 3.0,  # OPERATOR, Q and A over lists and titles
    "numbers in names": -1.0,  # Item 3
    "identifiers": -2.5,
    "titles in names": 2.0,  # Hon. Ann Example, Dr. Ex
    "names in angle brackets": 3.0,  # of chats; tags of HTML are none
    "fields in one order": -9.0,  # each paragraph has a title, an author and a year
    "texts of several words": 1.0,  # values are brief
    "texts of several sentences": 0.5,
    "sentences": 0.5,
    "a question": 1.0,
    "a list of questions": -6.0,  # a guide for interviews
    "addresses": 1.0,  # persons say I and you
    "signs of records": -2.5,  # addresses, paths, brackets
    "nothing above the first name": 1.0,
    "a title of the speech above": 2.5,  # Transcript
    "most of the text above it": -3.5,
    "most lines below the last name": -2.0,
    "rules between turns": 4.0,
    "titles of acts": 1.5,
    "names alone are indented": 4.0,  # paragraphs of prints
    "names of fields": -20.0,  # nobody speaks under them: Transcript, Title
    "nothing but names or identifiers": -20.0,  # a list
    "names of sounds": -20.0,  # Applause
    "marks of moods": -20.0,  # <_Relaxed>
    "records of a log": -20.0,  # ERROR
    "too few turns": -20.0,
    "names over times": -20.0,  # the times begin the turns
    "other lines are times": -20.0,
    "a list of the persons": 3.0,
}
"""What each sign says for turns, in log odds: 2 means that turns are 7 times as likely with it."""
DOUBT_OF_NAMES = 1.0
"""The evidence below which turns are doubtful."""
FIELDS = frozenset(
    ("action", "aligned transcription", "audio", "author", "caption", "category", "claim", "cons",
     "content", "copyright", "definition", "description", "dialogue", "duration", "eng", "english",
     "expected", "fact", "files", "final", "full text", "ground truth", "groundtruth", "gt", "hyp",
     "hypothesis", "image", "input", "interim", "key points", "keywords", "lab", "license", "lie",
     "lrc", "meaning", "myth", "output", "partial", "predicted", "prediction", "prompt", "pros",
     "rec", "ref", "reference", "scene", "sent", "sentence", "setting", "summary", "target",
     "term", "text", "title", "transcript", "transcription", "truth", "url", "version", "visual",
     "visuals", "voiceover", "website", "word", "作曲", "作词", "编曲", "会议主题", "会议内容",
     "会议纪要", "布置任务", "讨论主题", "议题")
)  # fmt: skip
"""Names of the fields of records, which nobody speaks under."""
PROMPTS = (" prompt", " text", "프롬프트", "提示词", "提示詞", "プロンプト")
"""Ends of the names of texts for a model: ``Image prompt``, ``Source text``."""
PARTLY_ALONE = 0.3
"""The largest share of heads with a text in layouts whose texts are below the names."""
MOST_LINES = 0.8
"""The share of lines with signs that are derived from the text, and of names that are roles."""
MOST_BETWEEN = 4
"""The farthest line below a name that is its text: blank lines and rules may be between."""
LEVELS = LOG_WORDS - {"NOTE", "TODO"}
"""Words of the records of a log that people do not begin with."""
MOST_VALUES = 0.5
"""The share of texts without a letter that are values of records."""
MOST, NEARLY_ALL = 0.6, 0.9
"""Shares of texts and of changes of speakers."""
FEWEST_WORDS, SOME_ADDRESSED = 5, 0.25
"""The fewest names of one word that show a glossary, and the most texts in it that address one."""
FEWEST_QUESTIONS, MANY_QUESTIONS = 5, 12
"""The fewest turns that may be the questions of a guide, with signs of a list and without."""
OF_FRENCH = lazy_pattern(r"(?:MM?\.|Mmes?|Mlle)[ ]\w")
"""A title before a name in the minutes of French parliaments."""
IN_CAPITALS, FEWEST_SITTING = "{speaker CAPS}", 6
"""The placeholder of a name in capitals, and the fewest turns of a sitting."""
FREQUENT, MANY_TURNS = 5, 40
"""The turns of a name that is frequent, and the fewest turns of which such names have most."""
CHAIRED, MANY = 0.35, 10
"""The share of turns of a chair, and the fewest turns that show it."""
LONG = 8
"""Blanks in a text that is no title."""
HARDLY_ANY = 0.1
"""The share of paragraphs that begin turns below which others are no turns of a talk."""
AS_LONG = 0.7
"""The characters of names, as a share of those of the lines below, that show verses."""
LONG_NAME = 3
"""Blanks in a name that is rather a phrase."""
TITLE_FIRST = lazy_pattern(
    r"(?i:hon|dr|prof|mrs?|ms|sen|rep|gov|rev|capt|sgt|sra?|dep|dott|ing|fr|mme)\.[ ]?[^\W\d_]"
)
"""A title before a name."""
TITLE_IN_NAME = lazy_pattern(r"\b(?:Dr|Prof|Mrs?|Ms|Hon|Sr|Sra|Dott|Ing)\.[ ]\w")
"""A title inside a long name: ``Vice President Dr. Ann Example``."""
SOME_DIGITS = 0.3
"""The share of names with digits that are rather items than persons."""
FEWEST_BLANKS, FEWEST_CHARACTERS = 3, 5
"""What a text has at least that is more than a value, with blanks between words or without."""
MOST_OF_HEAD = 0.5
"""The largest share of a text that is above the first turn."""
NARRATORS = frozenset(("host", "instructor", "lecturer", "moderator", "narrator", "presenter"))
"""Names of those who may be the only speaker."""
DIGITS = lazy_pattern("[0-9]+")
SENTENCE_INSIDE = lazy_pattern(r"[.?!…。？！][\"”’)]?[ ]?(?=[^\W\d_a-z])")
"""The end of a sentence before another one."""
SIGNS_OF_DATA = lazy_pattern(r"https?://|[\w/]/\w+/|\w=\S|\w_\w|[{}<>|]|\[(?!\])|(?<!\[)\]")
"""An address, a path, an assignment, an identifier, or a bracket, but no empty remark: ``[]``."""


def score_of(layout: TurnLayout, text: TurnText) -> float:
    """Return how much the evidence is for turns, in log odds; above 0, it is for turns."""
    evidence = evidence_of(layout, text)
    return sum(WEIGHTS[name] * value for name, value in evidence.items())


def evidence_of(layout: TurnLayout, text: TurnText) -> dict[str, float]:
    """Return the signs of turns, and the signs of other texts, each between 0 and 1."""
    heads = text.heads(layout.pattern)
    said = with_texts(_sample(heads), text)
    return {
        "always": 1.0,
        **dict(_of_layout(layout, heads)),
        **dict(_of_names([x.name for x in heads.values() if x.name], is_nick=_has_nicks(layout))),
        "full names in capitals": are_of_sitting(heads.values(), layout.pattern),
        "capitals before sentences": _are_capitals_before_sentences(heads.values()),
        **dict(_of_texts(said, is_alone=have_no_texts(heads) or layout.pattern == WIDE_BLANK)),
        "a person, then a program": _are_of_chat(heads, text),
        "a list of questions": are_listed_questions(said, heads, text),
        **dict(_of_places(heads, layout, text)),
        **dict(_of_records(heads, layout, text)),
    }


def _of_layout(layout: TurnLayout, heads: Mapping[int, TurnHead]) -> Iterator[tuple[str, float]]:
    """Yield the evidence of the layout and of the number of its heads."""
    pattern = layout.pattern
    row = row_of(pattern)
    share = layout.heads / max(layout.paragraphs, layout.heads + layout.left)
    yield "share of the paragraphs", share
    yield "hardly any paragraph", share < HARDLY_ANY
    yield "names alone over few paragraphs", have_no_texts(heads) and share < MOST_OF_HEAD
    yield "names alone on paragraphs", pattern == NAME_AND_ROLE
    capitals = sum((head.name or "").isupper() for head in heads.values())
    is_play = pattern == UNTIMED and have_no_texts(heads) and capitals >= NEARLY_ALL * len(heads)
    yield "names in capitals with a colon alone", is_play
    yield "signs that sounds have, too", pattern in SOUNDS_TOO
    yield "signs that prose has, too", row is not None and row.fewest > 0
    is_derived = pattern not in {*NOTATIONS, *BY_NAME, *OF_LINES} and "=" not in pattern
    yield "signs of turns only", pattern == VOICE or (is_derived and share >= MOST_LINES)


def have_no_texts(heads: Mapping[int, TurnHead]) -> bool:
    """Return True if nearly all names are alone on their lines."""
    return sum(bool(head.text) for head in heads.values()) <= PARTLY_ALONE * len(heads)


def are_verses(heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if names alone are as long as the lines below them, as in stanzas."""
    return have_no_texts(heads) and _are_as_long(with_texts(_sample(heads), text))


def _are_as_long(heads: Collection[TurnHead]) -> bool:
    lengths = [(len(head.name or ""), len(head.text)) for head in heads]
    return sum(name for name, _ in lengths) >= AS_LONG * sum(size for _, size in lengths)


def _has_nicks(layout: TurnLayout) -> bool:
    """Return True for a layout of chats with names in angle brackets, often in small letters."""
    return layout.pattern == IN_ANGLES


def _of_names(names: list[str], *, is_nick: bool = False) -> Iterator[tuple[str, float]]:
    """Yield the evidence of the names, and of how they return and alternate.

    `is_nick` means that names have no capital in this layout; none may be a tag of HTML.
    """
    counts = Counter(names)
    size = len(names)
    changes = sum(first != second for first, second in itertools.pairwise(names))
    is_new = len(counts) == size

    def share(is_so: Callable[[str], bool]) -> float:
        return sum(count for name, count in counts.items() if is_so(name)) / size

    yield "all names return", min(counts.values()) > 1
    yield "two names return", sum(count > 1 for count in counts.values()) > 1
    yield "no name returns", is_new
    yield "most names once", not is_new and 2 * sum(n == 1 for n in counts.values()) > size
    yield "one name only", len(counts) == 1
    yield "a narrator only", len(counts) == 1 and _is_narrator(names[0])
    do_alternate = not is_new and len(counts) > 1 and changes >= NEARLY_ALL * (size - 1)
    is_chaired = len(counts) > 2 and max(counts.values()) >= CHAIRED * size
    are_roles = share(is_role) >= MOST_LINES
    yield "names alternate", do_alternate
    yield "roles alternate", do_alternate and are_roles
    yield "a chair between others", do_alternate and is_chaired and size >= MANY
    yield "few names", 1 < len(counts) <= size / 3
    frequent = [count for name, count in counts.items() if count >= FREQUENT and is_name(name)]
    are_most = sum(frequent) >= MOST_LINES * size
    yield "few names of many turns", size >= MANY_TURNS and len(frequent) > 1 and are_most
    yield "names of roles", are_roles
    yield "labels", len(counts) > 1 and share(is_label) >= MOST_LINES
    yield "phrases as names", share(_is_phrase)
    are_nicks = is_nick and not any(HTML.match(f"<{name}>") for name in counts)
    yield "no names", 0.0 if are_nicks else share(lambda x: not (is_name(x) or is_role(x)))
    yield "names in angle brackets", are_nicks
    again = sum(count > 1 for count in counts.values()) > 1
    yield "titles in names", again and share(_has_title) >= MOST_OF_HEAD
    numbered = sum(map(_is_numbered, counts))
    yield "numbers in names", numbered >= SOME_DIGITS * len(counts)
    are_alike = len({DIGITS.sub("", name) for name in counts}) == 1
    are_ids = are_alike or all(map(is_identifier, counts))
    yield "identifiers", is_new and are_ids and numbered == size


def is_role(name: str) -> bool:
    """Return True for a generic name: `Speaker 1`, `Interviewer`, `User`."""
    return is_label(name) or name.casefold() in ROLES_OF_CHATS or name.casefold() in NARRATORS


def _is_narrator(name: str) -> bool:
    """Return True for the name of one who may be the only speaker."""
    return is_label(name) or name.casefold() in NARRATORS


def _are_of_chat(heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if a person begins the text and a program answers, and no other name is there.

    Both say more than a value: the fields of a program may be ``User: ann`` and ``AI: on``.
    """
    if not text.filled or min(heads) != text.filled[0]:
        return False
    names = {(head.name or "").casefold() for head in heads.values()}
    person = (heads[min(heads)].name or "").casefold()
    are_two = person in PERSONS_OF_CHATS and len(names) == 2 and (names - {person}) <= PROGRAMS
    return are_two and all(
        not is_brief(head) or head.text.count(" ") >= FEWEST_BLANKS
        for head in with_texts(heads, text)
    )


def _is_phrase(name: str) -> bool:
    """Return True for many words, and for words whose last one is in small letters: `In short`.

    In Chinese, a name has no 的, which joins the words of a phrase: `未解决的问题`.
    """
    does_end_small = " " in name and name.rpartition(" ")[2].islower() and name not in NO_ONE
    if FRENCH_NAME.match(name) is not None or TITLE_IN_NAME.search(name) is not None:
        return False
    return name.count(" ") >= LONG_NAME or does_end_small or "的" in name


def is_one_phrase(heads: Collection[TurnHead]) -> bool:
    """Return True if no names but one phrase return, alone, as the notice of a program does."""
    counts = Counter(head.name or "" for head in heads)
    again = [name for name, count in counts.items() if count > 1]
    return len(again) == 1 and _is_phrase(again[0]) and not any(head.text for head in heads)


def _has_title(name: str) -> bool:
    """Return True if a name begins with the title of a person and a point: ``Hon. Ann Example``."""
    return TITLE_FIRST.match(name) is not None


def _is_numbered(name: str) -> bool:
    """Return True if a name has a digit and is no label, such as `Speaker 1`."""
    return any(map(str.isdigit, name)) and not is_label(name)


def _sample(heads: Mapping[int, TurnHead]) -> dict[int, TurnHead]:
    """Return heads from all of a long text, which are enough to know its texts."""
    return dict(itertools.islice(heads.items(), 0, None, max(1, len(heads) // SAMPLE)))


def _of_texts(heads: Collection[TurnHead], *, is_alone: bool) -> Iterator[tuple[str, float]]:
    """Yield the evidence of the texts after the names, which may be on the next lines."""
    size = len(heads)
    texts = [head.text for head in heads]
    several = sum(
        text.count(" ") >= FEWEST_BLANKS
        or (not text.isascii() and len(NO_BLANKS.findall(text)) > FEWEST_CHARACTERS)
        for text in texts
    )
    yield "texts of several words", several >= MOST * size
    parts = sum(SENTENCE_INSIDE.search(text) is not None for text in texts)
    yield "texts of several sentences", parts >= NEARLY_ALL * size
    yield "sentences", are_said(heads)
    yield "a question", any(not QUESTION.isdisjoint(text) for text in texts)
    addressed = sum(ADDRESS.search(text) is not None for text in texts)
    yield "addresses", addressed / size
    names = [head.name or "" for head in heads]
    are_words = len(set(names)) == size >= FEWEST_WORDS and not any(" " in x for x in names)
    is_list = are_words and addressed <= SOME_ADDRESSED * size and not any(map(is_role, names))
    yield "one word for each text", is_list
    yield "words in alphabetical order", is_list and names == sorted(names, key=str.casefold)
    yield "names alone as long as their texts", is_alone and _are_as_long(heads)
    yield "signs of records", sum(SIGNS_OF_DATA.search(text) is not None for text in texts) / size


def _of_places(
    heads: Mapping[int, TurnHead], layout: TurnLayout, text: TurnText
) -> Iterator[tuple[str, float]]:
    """Yield the evidence of where the heads are, and of what is above and below them."""
    first, last = min(heads), max(heads)
    outside = text.rules(layout.pattern) | text.is_heading
    below = sum(text.is_filled[n] for n in range(last + 1, len(text.lines)))
    begin = text.speech_title
    above = any(begin <= n < first for n in text.is_first - outside)
    yield "nothing above the first name", not above
    yield "a title of the speech above", begin > 0 and not above
    yield "most of the text above it", is_mostly_above(first, text)
    yield "most lines below the last name", 2 * below > sum(text.is_filled)
    yield "rules between turns", _are_below_rules(heads, text)
    yield "names alone are indented", _are_indented(heads, text)
    yield "titles of acts", bool(text.acts)
    yield "a list of the persons", are_participants(heads, text)
    is_most = layout.heads >= MOST * layout.paragraphs
    yield (
        "fields in one order",
        are_in_one_order(heads, text) or (not is_most and _do_return_in_one_order(heads, text)),
    )


def _are_over_times(heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if nearly all heads are only names, and a line with a time follows each."""
    alone = [n for n, head in heads.items() if not head.text]
    if len(alone) < SEPARATED * len(heads):
        return False
    size = len(text.lines)
    below = (
        next((m for m in range(n + 1, min(n + MOST_BETWEEN, size)) if text.is_spoken(m)), n)
        for n in alone
    )
    return sum(map(text.begins_with_time, below)) >= SEPARATED * len(alone)


def _have_fields(heads: Iterable[TurnHead]) -> bool:
    """Return True if a name is that of a field of records, or of a text for a comparison."""
    counts = Counter(head.name or "" for head in heads)
    return any(
        n in FIELDS
        or (counts[n] > 1 and (n.casefold() in FIELDS or n.casefold().endswith(PROMPTS)))
        for n in counts
    )


def are_sounds(heads: Iterable[TurnHead]) -> bool:
    """Return True if most names are those of sounds, such as applause."""
    names = [head.name for head in heads if head.name and not is_label(head.name)]
    return 2 * sum(map(is_sound, names)) > len(names)


def are_logged(heads: Collection[TurnHead]) -> bool:
    """Return True if names are levels of a log (`ERROR`), or numbers follow most names."""
    values = sum(head.text != "" and not any(map(str.isalpha, head.text)) for head in heads)
    levels = sum(head.name in LEVELS for head in heads)
    return levels > len(heads) // 20 or values > MOST_VALUES * len(heads)


def are_nothing_else(layout: TurnLayout, heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True for a list of names, for identifiers and times as in Kaldi's segments, and a log.

    A log has a date, a time and a brief message on each line.
    """
    are_alone = len(heads) == sum(text.is_filled) and not any(x.text for x in heads.values())
    are_noted = "{_}" in layout.pattern or "{date" in layout.pattern
    return are_alone and (not layout.timed or are_noted)


def is_mostly_above(first: int, text: TurnText) -> bool:
    """Return True if the text above the first turn is too long for the heading of a document."""
    begin = text.speech_title
    if first - begin <= MOST_ABOVE:
        return False
    lengths = [len(folded.line) for folded in text.folded]
    return sum(lengths[begin:first]) > MOST_OF_HEAD * sum(lengths[begin:])


def _of_records(
    heads: Mapping[int, TurnHead], layout: TurnLayout, text: TurnText
) -> Iterator[tuple[str, float]]:
    """Yield the evidence of lists and records whose names are beside no speech."""
    turns = heads.values()
    names = {(head.name or "").casefold() for head in turns}
    are_labels = layout.pattern == VOICE or all(is_label(head.name or "") for head in turns)
    are_labels = are_labels or (len(names) > 1 and names <= ROLES_OF_CHATS)
    are_enough = len(heads) >= LEAST or (are_labels and len(heads) > 1)
    are_times = row_of(layout.pattern) is not None and (
        len(text.is_time_alone - heads.keys()) > MOST_OF_HEAD * len(heads)
    )
    yield "names of fields", _have_fields(turns)
    yield "nothing but names or identifiers", are_nothing_else(layout, heads, text)
    yield "names of sounds", are_sounds(turns)
    yield "marks of moods", all(text.folded[n].text.startswith("<_") for n in heads)
    yield "records of a log", are_logged(turns)
    yield "too few turns", not are_enough
    yield "names over times", _are_over_times(heads, text)
    yield "other lines are times", are_times


def _are_below_rules(heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if rules separate the turns or are around their names, and names return."""
    counts = Counter(head.name for head in heads.values())
    if text.framed.issuperset(heads):
        return min(counts.values()) > 1
    below = [
        next((m for m in range(n + 1, len(text.lines)) if text.is_filled[m]), 0)
        for n in text.is_rule - text.framed
    ]
    begun = [counts[heads[n].name] > 1 for n in below if n in heads]
    is_most = len(begun) >= max(MOST * len(heads), 0.75 * len(list(filter(None, below))))
    return is_most and sum(begun) >= LEAST


def _are_indented(heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if nearly all lines with names are indented, and nearly no other line is."""
    are_names = all(text.indents[n] > 0 and text.folded[n].line[0].isalpha() for n in heads)
    return are_names and text.are_indented(heads)


def are_in_one_order(heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if the same names, three or more, begin the lines of nearly each paragraph.

    These are fields of records, but not those who take turns in a chat with a program. Phrases are
    fields, too, if they are below each heading: ``Scene note: the boat``.
    """
    if frame_of(heads):
        return False
    are_phrases = any(_is_phrase(head.name or "") for head in heads.values())
    begins = text.is_first
    if are_phrases and len(text.is_heading) >= LEAST:  # fields below each heading
        begins = {min((m for m in heads if m > n), default=n) for n in text.is_heading}
    orders: list[list[str]] = []
    for n, head in heads.items():
        if n in begins or not orders:
            orders.append([])
        orders[-1].append(head.name or "")
    ((order, count),) = Counter(map(tuple, orders)).most_common(1)
    is_same = LEAST <= count >= NEARLY_ALL * len(orders)
    return is_same and len(order) == len(set(order)) >= LEAST


def _do_return_in_one_order(heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if three or more names begin paragraphs side by side, always in one order.

    Other paragraphs are between the last of them and the first: ``Duty: … Use: … Virtue: …``. None
    of the names is a role or has a title.
    """
    names = [head.name or "" for head in heads.values()]
    order = names[: len({*names})]
    are_whole = len(order) >= LEAST and len({*order}) == len(order)
    is_again = len(names) >= LEAST * len(order) and len(names) % len(order) == 0
    if not are_whole or not is_again or names != order * (len(names) // len(order)):
        return False
    if any(_has_title(name) or is_role(name) for name in order):
        return False
    numbers = {n: index for index, n in enumerate(sorted(text.is_first | heads.keys()))}
    places = [numbers[n] for n in heads]
    steps = [b - a for a, b in itertools.pairwise(places)]
    gaps = steps[len(order) - 1 :: len(order)]
    return min(gaps) > 1 and sum(steps) - sum(gaps) == len(steps) - len(gaps)


def are_of_sitting(heads: Collection[TurnHead], pattern: str) -> bool:
    """Return True if texts are behind full names in capitals, or behind French titles.

    Most names have several words, and two names return. ``NOTE - so it is`` has one word.
    """
    row = row_of(pattern)
    if row is None or not any(IN_CAPITALS in first for first in row.patterns):
        return False
    counts = Counter(head.name or "" for head in heads)
    full = [
        name for name in counts
        if " " in name and ((name.isupper() and is_name(name)) or OF_FRENCH.match(name))
    ]  # fmt: skip
    do_return = sum(count > 1 for count in counts.values()) > 1
    is_enough = len(heads) >= FEWEST_SITTING and len(counts) >= LEAST and do_return
    return is_enough and 2 * len(full) >= len(counts) and not have_no_texts(dict(enumerate(heads)))


def _are_capitals_before_sentences(heads: Collection[TurnHead]) -> bool:
    """Return True if nearly all names are in capitals, before sentences, and several alternate.

    A form has each of its fields once, and the names of its fields are not in turn.
    """
    names = [head.name or "" for head in heads]
    counts = Counter(names)
    capitals = sum(map(str.isupper, names)) >= NEARLY_ALL * len(names)
    changes = sum(first != second for first, second in itertools.pairwise(names))
    do_return = sum(count > 1 for count in counts.values()) > 1 and len(counts) > 2
    is_enough = len(names) >= FEWEST_SITTING and changes >= NEARLY_ALL * (len(names) - 1)
    said = sum(head.text != "" and not is_brief(head) for head in heads)
    return capitals and do_return and is_enough and said >= NEARLY_ALL * len(names)


def are_listed_questions(
    said: Collection[TurnHead], heads: Mapping[int, TurnHead], text: TurnText
) -> bool:
    """Return True if nearly all texts are questions: behind signs of a list, or all of many."""
    listed = sum(text.folded[n].text[:2] in LIST_SIGNS for n in heads)
    questions = sum(head.text.rstrip()[-1:] in QUESTION and head.text != "" for head in said)
    if questions == len(said) >= MANY_QUESTIONS:
        return True
    is_enough = len(said) >= FEWEST_QUESTIONS and 2 * listed >= len(heads)
    return is_enough and questions >= NEARLY_ALL * len(said)


def are_participants(heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if a line above the turns names all speakers: ``Participants: Ann, Bob``."""
    names = {head.name or "" for head in heads.values()}
    listed = text.participants(min(heads))
    return len(names) > 1 and bool(listed) and all(name in listed for name in names)


def are_said(heads: Collection[TurnHead]) -> bool:
    """Return True if most texts are long or end like sentences (titles do not)."""
    said = sum(not is_brief(head) or head.text.count(" ") > LONG for head in heads)
    return said >= MOST * len(heads)


def with_texts(heads: Mapping[int, TurnHead], text: TurnText) -> list[TurnHead]:
    """Return the heads of turns; those without a text with the next line that is no rule."""
    below, line = [""] * len(text.lines), ""
    for n in range(len(text.lines) - 1, -1, -1):
        below[n], line = line, text.folded[n].line if text.is_spoken(n) else line
    return [head if head.text else head._replace(text=below[n]) for n, head in heads.items()]
