"""The audit of a finished reading: regular structure that is left in texts, names and times.

A reader decides line by line what is a name, a time or a word. The audit looks at the rows that
come out, whatever the format: in speech, turns do not end with the same two words, numbers do not
count up from turn to turn, and the names of speakers are no words of a turn.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import groupby, islice, pairwise
from unicodedata import category

from formats.io.messages import NO_TEXT, ROWS_WITHOUT_WORDS, TEXTS_LEFT
from formats.reading.lines import SENTENCE_ENDS
from formats.reading.residue import Residue, labels_first
from formats.reading.time_values import word_count
from formats.schema import NamedTuple, lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from formats.io.source import Source
    from formats.schema.model import Segment

    OddWord = tuple[int, int, str]
    """The number of a row, a position in it, and the word there."""

MOST_ROWS, MOST_WORDS, MOST_OF_FIRST = 1000, 300, 5000
"""The rows that the audit looks at, and the words of each row and of the first one."""
MOST_OF_LANGUAGES, SHARE_OF_TRANSLATED = 100, 0.8
"""The rows whose languages are compared, and the least share of texts that differ among them."""
SHORTEST = 3
"""Words of a text whose beginning and end are compared with those of others."""
LONGEST_EDGE, FEWEST_EDGES = 3, 5
"""Words at the beginning or the end of texts, and how many texts have the same."""
SHARE_OF_ENDS, SHARE_OF_WORD, SHARE_OF_BARE, SHARE_OF_SENTENCES = 0.05, 0.1, 0.25, 0.6
"""The share of texts that end with the same words without a full stop: several words, one word, or
either if most texts have no full stop; and that of texts that end with the same sentence.
"""
SHARE_INSIDE = 0.2
"""How often the last words of texts are said inside texts, for each time that they are last."""
SHARE_OF_ODD, SHARE_OF_ODD_WORD, SHARE_OF_BEGINNINGS = 0.1, 0.3, 0.6
"""The share of texts that begin with the same words: with a sign in them, one word, or without."""
FEWEST_NAMES_BEHIND, SHARE_OF_DIFFERENT = 4, 0.5
"""The fewest texts with the same word behind their last sentence, and the share of texts with one
edge that differ otherwise.
"""
FEWEST_AGAIN, SHARE_OF_AGAIN, SHARE_OF_ALL_AGAIN = 5, 0.1, 0.4
"""How often a text, or any texts, return, and their share."""
FEWEST_ROLLING, SHARE_OF_ROLLING, LONGEST_OVERLAP = 5, 0.3, 60
"""The fewest texts that begin with the end of the text before, their share, and words that are
compared.
"""
FEWEST_ALIKE = 8
"""The fewest texts that are no speech if all are the same, also short ones of several words."""
FEWEST_GAPS, FEWEST_TIMES, SHARE_OF_RISING = 3, 5, 0.85
FEWEST_COUNTED, SHARE_OF_COUNTED = 6, 0.7
FEWEST_TITLES, MOST_TURNS_OF_TITLE = 5, 1.5
"""The fewest names that count up, and how many turns they have."""
FEWEST_VALUES, SHARE_OF_VALUES = 10, 0.8
"""The fewest turns that may be fields with values, and the share of those of one or two words."""
FEWEST_SMALL, MOST_OF_SMALL, SHARE_OF_CAPITALS = 2, 2, 0.9
LONGEST_NAME, LONGEST_UNSPACED, FEWEST_LONG = 6, 12, 3
"""Words of a name, its characters in a script without blanks, and the fewest names that are longer.
"""
MOST_EMPTY = 0.2
FEWEST_KNOWN, FEWEST_IN_CAPITALS, FEWEST_AT_EDGE, SHARE_AT_EDGE = 2, 4, 5, 0.01
FEWEST_SINGLE = 6
"""How often names of one word are before a colon in a text without speakers."""
FEWEST_UNNAMED, SHARE_OF_UNNAMED = 2, 0.2
"""The fewest texts without a speaker among texts with speakers, and the largest share of them."""
FEWEST_OWN, SHARE_OF_OWN = 5, 0.1
"""The fewest turns that name their own speaker, and their share: people rarely say their name."""
FIRST_DATE = 300_000_000_000_000_000
"""Nanoseconds: nine years, longer than recordings and chats; so large are times since 1970."""
SECOND, DAY_AS_MINUTES = 1_000_000_000, 1440
FEWEST_CLOCKS, SHARE_OF_SAME = 10, 0.15
"""The fewest times that may be those of a day, and the share that is equal to the time before."""
FEWEST_STARTS, FEWEST_STEPS, NEARLY_ALL = 5, 8, 0.95
"""The fewest times that may fall or be the same, those that may be numbers of lines, and their
share.
"""
FEWEST_RECORDINGS, MOST_SPEAKERS, SHARE_OF_CHANGES = 10, 0.33, 0.4
"""The fewest recordings of one text, the most speakers of each, and how often these change."""
WORDLESS = frozenset(("JSONL-NULL", "LABELS-AS-SPEAKERS", "NO-TEXT", "NO-WORDS"))
"""Codes of remarks about turns without words."""
CLOSED = (*SENTENCE_ENDS, *"\"”’»)'")
UNSPACED = lazy_pattern(r"[\u0e00-\u0eff\u3041-\u30ff\u3400-\u9fff]")
PROSE = lazy_pattern(r"[^\w'’.,!?¿¡;\"“”„«»‘…-]")
"""A sign that words of prose do not have."""
SIGNS_OF_SCRIPTS = frozenset((*SENTENCE_ENDS, *"،؛、，；«»「」『』"))
"""Points, commas and quotes of scripts other than Latin."""
GAP = lazy_pattern(r"\W{0,3}_{3,80}\W{0,3}\Z")
TIME = lazy_pattern(
    r"[(\[]?((?:[0-9]{1,2}:)?[0-9]{1,2}:[0-5][0-9]|[0-9]{2}\.[0-9]{2}\.[0-9]{2})[^\w:]{0,3}\Z"
)
NUMBER = lazy_pattern(r"[(\[#]?([0-9]{1,3})[).:\]]{1,2}\Z")
BEGINS, COLONS = frozenset("([#_\"'0123456789"), ":："
GLUED = lazy_pattern(r"[^\W\d_]{2,20}[:：](?=[^\W\d_])")
"""A name of one word with a colon, and no blank between them and the text."""
SIGNS = "".join((*SENTENCE_ENDS, *",;:：()[]*_\"'“”„«»‘’"))
"""Signs around words."""
COUNT = lazy_pattern(r"[0-9]{1,4}")
FEWEST_APART, TURNS_APART = 5, 2
"""The fewest names whose turns are together, and the turns that each has on average."""
SONG_CODE = lazy_pattern(r"(?:V|C|B|PC|CH|VS|BR)(?:[0-9]{1,2})?\Z")
"""A part of a song in brief: ``V1``, ``C``."""
OF_PERSON = lazy_pattern(r"[^\W\d_a-z][\w-]{0,30}['’]s [^\W\d_]{2,20}\Z")
"""A person named by another: ``Ann's mother``."""
MANY_NAMES = 20
"""Among so many names of speakers, one that is also the name of a field is not reported."""
FIELDS = frozenset(
    (
        *("text", "speaker", "role", "transcript", "content", "name", "message", "timestamp"),
        *("full text", "original text", "start time", "end time", "date", "title"),
        *("options", "choices", "inventory", "available move", "available moves"),
        *("available action", "available actions", "action", "actions"),
    )
)
"""Names of fields, which are no names of speakers."""
ALREADY: Mapping[str, frozenset[str]] = {
    "first": frozenset(("DATA-LEFT", "MARKS-LEFT", "NAMES-LEFT", "SPEAKER-TEXT-ALIKE")),
    "again": frozenset(("DATA-LEFT", "TXT-REPEATED")),
    "rolling": frozenset(("ROLLING", "YOUTUBE-ROLLING")),
    "known": frozenset(
        ("SPEAKER-TEXT-INSIDE", "SPEAKER-TEXT-OTHER", "SPEAKER-TEXT-ALIKE", "NAMES-LEFT")
    ),
    "times": frozenset(("MARKS-LEFT", "SPEAKER-TEXT-OTHER")),
    "long": frozenset(("SPEAKER-TEXT-NAMES",)),
}
"""Codes of remarks that say the same as one of the audit."""


class RowOfReading(NamedTuple):
    """A row of a reading: the first words, the speaker, start in nanoseconds, and recording."""

    words: tuple[str, ...]
    speaker: str | None
    start: int | None
    recording: str = ""


class Audit:
    """The first rows of a reading, and the number of turns of each speaker."""

    def __init__(self) -> None:
        self.rows: list[RowOfReading] = []
        self.turns: dict[str | None, int] = defaultdict(int)
        self.empty = 0
        self.has_words = False

    def watched(self, segments: Iterator[Segment]) -> Iterator[Segment]:
        """Yield the segments, and keep the first rows."""
        turns = self.turns
        for segment in islice(segments, MOST_ROWS):
            words, most = segment.words, MOST_WORDS if self.rows else MOST_OF_FIRST
            if "" in words:
                words = tuple(filter(None, words))
            if len(words) > most:
                words = words[: most - LONGEST_EDGE] + words[-LONGEST_EDGE:]
            self.rows.append(
                RowOfReading(words, segment.speaker, segment.start_ns, segment.recording)
            )
            turns[segment.speaker] += 1
            if words:
                self.has_words = True
            elif segment.kind == "segment":
                self.empty += 1
            yield segment
        for segment in segments:
            turns[segment.speaker] += 1
            if not self.has_words and segment.words:
                self.has_words = True
            yield segment

    def say(self, source: Source, *, are_rows: bool) -> None:
        """Report regular structure among the rows, unless another remark says the same.

        Rows of tables and JSON that have no words are counted (`are_rows`) unless they are scored:
        the score counts empty utterances. So is a text in which no turn has words.
        """
        codes = {entry.code for entry in source.log.entries()}
        residues = list(residues_of(self.rows, self.turns))
        is_silent = any(residue.kind == "silent" for residue in residues)
        if is_silent and are_rows and not self._are_of_the_silent():
            residues = [residue for residue in residues if residue.kind != "silent"]
            is_silent = False  # the rows are counted
        if self.empty and codes.isdisjoint(WORDLESS) and not source.names_recordings:
            if not (self.has_words or are_rows):
                source.log.say(NO_TEXT, segments=sum(self.turns.values()))
            elif self.has_words and are_rows and not (source.log.side or is_silent):
                total = len(self.rows)
                source.log.say(ROWS_WITHOUT_WORDS, count=self.empty, total=total)
        for residue in residues:
            if codes.isdisjoint(ALREADY.get(residue.kind, ())):
                source.log.say(
                    TEXTS_LEFT[residue.kind],
                    None,
                    count=residue.count,
                    total=residue.total,
                    text=residue.text,
                )

    def _are_of_the_silent(self) -> bool:
        """Return True if all rows without words are of speakers who have no words at all."""
        speaking = {row.speaker for row in self.rows if row.words}
        empty = [row.speaker for row in self.rows if not row.words]
        return all(name and name not in speaking for name in empty)


def residues_of(rows: Sequence[RowOfReading], turns: Mapping[str | None, int]) -> Iterator[Residue]:
    """Yield each kind of regular structure in rows; `turns` has the turns of each speaker.

    >>> texts = [("So", f"{n}", "it", "was.", "user", "avatar") for n in range(9)]
    >>> rows = [RowOfReading(words, "Ann", None) for words in texts]
    >>> [(residue.kind, residue.text) for residue in residues_of(rows, {"Ann": 9})]
    [('last', 'user avatar')]
    """
    names = {name: count for name, count in turns.items() if name}
    odd, size = _odd_words(rows), sum(len(row.words) for row in rows)
    looks: tuple[Callable[[], Residue | None], ...] = (
        lambda: _ends(rows),
        lambda: _beginnings(rows),
        lambda: _labels(rows),
        lambda: _rolling(rows),
        lambda: _again(rows),
        lambda: _gaps(odd, size),
        lambda: _times(odd, size),
        lambda: _counted(odd, len(rows)),
        lambda: _languages(rows),
        lambda: _titles(names),
        lambda: _small(names),
        lambda: _fields(names) or _values(rows),
        lambda: _apart(rows, names),
        lambda: _long(names),
        lambda: _silent(rows, names),
        lambda: _known(rows, odd, names),
        lambda: _at_edges(rows, names),
        lambda: _unnamed(rows, names),
        lambda: _own(rows),
        lambda: _dates(rows),
        lambda: _clocks(rows, names),
        lambda: _numbers_as_times(rows),
        lambda: _recordings(rows, names),
    )
    return (residue for look in looks if (residue := look()) is not None)


def _odd_words(rows: Sequence[RowOfReading]) -> list[OddWord]:
    """Return the words that begin with a digit or a bracket, or end in a colon.

    Each is behind the number of its row and its position; other words are no times, numbers,
    gaps or names with a colon.
    """
    return [
        (number, n, word)
        for number, row in enumerate(rows)
        for n, word in enumerate(row.words)
        if word[0] in BEGINS or word[-1] in COLONS
    ]


def _texts(rows: Iterable[RowOfReading]) -> list[tuple[str, ...]]:
    """Return the words of the texts that are long enough to be compared."""
    return [row.words for row in rows if len(row.words) >= SHORTEST]


def _common(
    texts: Sequence[tuple[str, ...]], size: int, edge: slice
) -> tuple[tuple[str, ...], int]:
    """Return the words, so many, that most texts have at an edge, and how many texts have them.

    The number is 0 if it is small, or if the texts are the same otherwise, too.
    """
    counts = Counter(words[edge] for words in texts if len(words) > size)
    (common, count), *_ = counts.most_common(1) or [((), 0)]
    if count < FEWEST_EDGES:
        return (), 0
    different = {words for words in texts if words[edge] == common}
    return common, count if len(different) >= SHARE_OF_DIFFERENT * count else 0


def _ends(rows: Sequence[RowOfReading]) -> Residue | None:
    """Find the last words that texts share, unlike the ends of sentences."""
    texts = _texts(rows)
    are_closed = 2 * sum(words[-1].endswith(CLOSED) for words in texts) >= len(texts)
    _, most = _common(texts, 1, slice(-1, None))
    for size in range(LONGEST_EDGE if most else 0, 0, -1):
        common, count = _common(texts, size, slice(-size, None))
        last = common[-1] if count else ""
        if not any(map(str.isalnum, last)) or (size == 1 and UNSPACED.search(last)):
            continue
        share = SHARE_OF_ENDS if size > 1 else SHARE_OF_WORD
        share = share if are_closed else SHARE_OF_BARE
        share = SHARE_OF_SENTENCES if last.endswith(SENTENCE_ENDS) else share
        if count >= share * len(texts):
            if _are_said_inside(texts, common):
                continue
            sentence = max((n for n in range(size - 1) if common[n].endswith(CLOSED)), default=-1)
            return Residue("last", count, len(texts), " ".join(common[sentence + 1 :]))
    behind = Counter(
        words[-1] for words in texts
        if words[-1].isalnum() and words[-1][0].isupper() and words[-2].endswith(CLOSED)
    ) if are_closed else Counter[str]()  # fmt: skip
    (last, count), *_ = behind.most_common(1) or [("", 0)]
    is_name = count >= FEWEST_NAMES_BEHIND and not UNSPACED.search(last)
    return Residue("last", count, len(texts), last) if is_name else None


def _are_said_inside(texts: Sequence[tuple[str, ...]], end: Sequence[str]) -> bool:
    """Return True if the last words of texts are said elsewhere, too, and are therefore speech.

    A word with a capital is an exception, as the caption of a button, unless it ends a sentence.

    >>> texts = [("so", "it", "was", word, "was") for word in ("said", "good", "done", "old", "so")]
    >>> _are_said_inside(texts, ["was"]), _are_said_inside(texts, ["so", "was"])
    (True, False)
    """
    if end[0][0].isupper() and not end[-1].endswith(SENTENCE_ENDS):
        return False
    size, plain = len(end), [_plain(word) for word in end]
    at_ends = inside = 0
    for text in texts:
        words = list(map(_plain, text))
        at_ends += words[-size:] == plain
        inside += sum(
            word == plain[0] and words[n : n + size] == plain
            for n, word in enumerate(words[:-size])
        )
    return inside >= SHARE_INSIDE * at_ends


def _has_sign(word: str) -> bool:
    """Return True if a word has a sign that prose has in no script; vowel signs belong to letters.

    >>> [_has_sign(word) for word in ("[so", "a|b", "it's", "कैसे।", "شكراً،")]
    [True, True, False, False, False]
    """
    return any(
        category(sign)[0] != "M" and sign not in SIGNS_OF_SCRIPTS for sign in PROSE.findall(word)
    )


def _plain(word: str) -> str:
    return word.strip(SIGNS).casefold()


def _beginnings(rows: Sequence[RowOfReading]) -> Residue | None:
    """Find the first words that texts share, above all with signs in them."""
    texts = _texts(rows)
    _, most = _common(texts, 1, slice(1))
    for size in range(LONGEST_EDGE if most >= SHARE_OF_ODD * len(texts) else 0, 0, -1):
        common, count = _common(texts, size, slice(size))
        is_odd = any(map(_has_sign, common))
        share = SHARE_OF_ODD if is_odd and size > 1 else SHARE_OF_BEGINNINGS
        share = SHARE_OF_ODD_WORD if is_odd and size == 1 else share
        if count and count >= share * len(texts) and (is_odd or size > 1):
            return Residue("first", count, len(texts), " ".join(common))
    return None


def _labels(rows: Sequence[RowOfReading]) -> Residue | None:
    """Find a few words with which nearly all texts begin, as labels of classes."""
    texts = [row.words for row in rows if row.words]
    labelled = labels_first(texts)
    return Residue("labels", labelled[0], len(texts), labelled[1]) if labelled is not None else None


def _again(rows: Sequence[RowOfReading]) -> Residue | None:
    """Find a text that many rows have, or many texts that return; brief ones if all are equal.

    >>> _again([RowOfReading(("View", "speech"), None, None)] * 8).kind
    'again'
    """
    counts = Counter(words for words in _texts(rows) if len(words) > SHORTEST)
    filled = [row.words for row in rows if row.words]
    if len(filled) >= FEWEST_ALIKE and len(set(filled)) == 1 and len(filled[0]) > 1:
        counts[filled[0]] = len(filled)
    (words, most), *_ = counts.most_common(1) or [((), 0)]
    text = " ".join(words)
    if most >= max(FEWEST_AGAIN, SHARE_OF_AGAIN * len(rows)):
        return Residue("again", most, len(rows), text)
    again = counts.total() - len(counts)
    is_much = again >= max(FEWEST_AGAIN, SHARE_OF_ALL_AGAIN * len(rows))
    return Residue("repeated", again, len(rows), text) if is_much else None


def _rolling(rows: Sequence[RowOfReading]) -> Residue | None:
    """Find texts that begin with the end of the text before, and have other words, too.

    >>> texts = [tuple(f"{n} {n + 1} so {n + 2} {n + 3} so".split()) for n in range(0, 12, 2)]
    >>> _rolling([RowOfReading(words, None, None) for words in texts]).count
    5
    """
    rolling = [
        below.words
        for above, below in pairwise(rows)
        if above.recording == below.recording and _continues(above.words, below.words)
    ]
    if len(rolling) < max(FEWEST_ROLLING, SHARE_OF_ROLLING * len(rows)):
        return None
    return Residue("rolling", len(rolling), len(rows), " ".join(rolling[0]))


def _continues(above: tuple[str, ...], below: tuple[str, ...]) -> bool:
    """Return True if a text begins with the last words of the other, or is a part of it.

    >>> _continues(("so", "it", "is", "so"), ("it", "is", "so", "now"))
    True
    >>> _continues(("so", "it", "is"), ("so", "it", "is")), _continues(("so", "it"), ("it", "is"))
    (False, False)
    """
    edge, size = below[:SHORTEST], len(above)
    if len(edge) < SHORTEST or above == below:
        return False
    for n in range(max(0, size - LONGEST_OVERLAP), size - SHORTEST + 1):
        if above[n] == edge[0] and above[n:] == below[: size - n]:
            return True
    return above[: len(below)] == below or above[-len(below) :] == below


def _gaps(odd: Sequence[OddWord], size: int) -> Residue | None:
    """Find gaps to fill, as in an exercise."""
    gaps = [word for _, _, word in odd if "___" in word and GAP.match(word)]
    return Residue("gaps", len(gaps), size, gaps[0]) if len(gaps) >= FEWEST_GAPS else None


def _times(odd: Sequence[OddWord], size: int) -> Residue | None:
    """Find times among words that rise from each to the next."""
    likely = (word for _, _, word in odd if not (word[0].isdecimal() and word[-1] in ")]"))
    times = [(match[1], word) for word in likely if (match := TIME.match(word))]
    if len(times) < FEWEST_TIMES:
        return None
    seconds = [_seconds(time) for time, _ in times]
    rising = sum(a < b for a, b in pairwise(seconds))
    is_most = rising >= SHARE_OF_RISING * (len(times) - 1)
    return Residue("times", len(times), size, times[0][1]) if is_most else None


def _seconds(time: str) -> int:
    """Return a time of digits in groups as seconds.

    >>> _seconds("1:02:03"), _seconds("02.03")
    (3723, 123)
    """
    seconds = 0
    for part in time.replace(".", ":").split(":"):
        seconds = 60 * seconds + int(part)
    return seconds


def _counted(odd: Sequence[OddWord], total: int) -> Residue | None:
    """Find rows with one number each that counts up from row to row, as titles do."""
    by_row: dict[int, list[tuple[int, str]]] = {}
    for number, _, word in odd:
        if word[-1] in ").:]" and (match := NUMBER.match(word)):
            by_row.setdefault(number, []).append((int(match[1]), word))
    numbered = [numbers[0] for numbers in by_row.values() if len(numbers) == 1]
    steps = sum(second == first + 1 for (first, _), (second, _) in pairwise(numbered))
    is_list = len(numbered) >= FEWEST_COUNTED and steps >= FEWEST_COUNTED - 2
    is_list = is_list and steps >= SHARE_OF_COUNTED * (len(numbered) - 1)
    return Residue("counted", len(numbered), total, numbered[0][1]) if is_list else None


def _languages(rows: Sequence[RowOfReading]) -> Residue | None:
    """Find texts of two languages in turn."""
    from formats.reading.line_languages import do_lines_alternate

    texts = [" ".join(row.words[:60]) for row in rows[:MOST_OF_LANGUAGES] if row.words]
    are_different = len(set(texts)) >= SHARE_OF_TRANSLATED * len(texts)
    if len(texts) < FEWEST_AGAIN or not are_different or not do_lines_alternate(texts):
        return None  # brief answers that return are no translations
    return Residue("languages", len(texts), len(texts), texts[1])


def _titles(names: Mapping[str, int]) -> Residue | None:
    """Find names that differ in a number that counts up, and have hardly more than a turn each."""
    from formats.reading.speakers import is_label

    forms: dict[str, list[tuple[int, str]]] = {}
    for name in names:
        if (number := COUNT.search(name)) is not None and any(map(str.isalpha, name)):
            forms.setdefault(COUNT.sub("0", name), []).append((int(number[0]), name))
    for titles in forms.values():
        turns = sum(names[name] for _, name in titles)
        steps = sum(second == first + 1 for (first, _), (second, _) in pairwise(titles))
        is_list = len(titles) >= FEWEST_TITLES and turns <= MOST_TURNS_OF_TITLE * len(titles)
        is_list = is_list and steps >= SHARE_OF_COUNTED * (len(titles) - 1)
        if is_list and not is_label(titles[0][1]) and " " in titles[0][1]:
            return Residue("titles", len(titles), len(names), titles[0][1])
    return None


def _small(names: Mapping[str, int]) -> Residue | None:
    """Find the names in small letters of one or two turns if nearly all turns have capitals."""
    capitals = sum(count for name, count in names.items() if name[0].isupper())
    small = [name for name, count in names.items() if name[0].islower() and count <= MOST_OF_SMALL]
    is_odd = len(small) >= FEWEST_SMALL and capitals >= SHARE_OF_CAPITALS * sum(names.values())
    return Residue("small", len(small), len(names), small[0]) if is_odd else None


def _fields(names: Mapping[str, int]) -> Residue | None:
    """Find names of fields among the names of speakers."""
    fields = [name for name in names if name.casefold().rstrip(" :") in FIELDS]
    if (
        not fields
        and all(map(SONG_CODE.match, names))
        and {"V", "C"} <= {name[0] for name in names}
    ):
        fields = list(names)  # parts of a song: V1, C, V2
    if len(fields) == 1 and len(names) >= MANY_NAMES:
        return None  # one of so many may be a person: who leads a parliament
    return Residue("fields", len(fields), len(names), fields[0]) if fields else None


def _apart(rows: Sequence[RowOfReading], names: Mapping[str, int]) -> Residue | None:
    """Find names each of which has all of its turns together, as in lists of what persons say."""
    if not FEWEST_APART <= len(names) <= len(rows) / TURNS_APART or rows[0].start is not None:
        return None
    speakers = [name for name, _ in groupby(row.speaker for row in rows)]
    if len(speakers) != len(names):
        return None
    return Residue("apart", len(names), len(rows), speakers[0] or "")


def _values(rows: Sequence[RowOfReading]) -> Residue | None:
    """Find names of records before values: nearly all texts are brief, and many have a digit.

    Many are empty, or the names are written as in programs: ``batch_size: 32``. Turns of a diariser
    have no words at all.
    """
    turns = [row for row in rows if row.speaker]
    brief = [row for row in turns if sum(map(word_count, row.words)) < SHORTEST]
    if len(turns) < FEWEST_VALUES or len(brief) < SHARE_OF_VALUES * len(turns):
        return None
    coded = [
        row for row in brief
        if "_" in (row.speaker or "") or not row.words or any(map(str.isdigit, row.words[0]))
    ]  # fmt: skip
    are_said = sum(bool(row.words) for row in turns) >= FEWEST_VALUES
    is_much = are_said and 2 * len(coded) >= len(turns)
    text = f"{coded[0].speaker}: {' '.join(coded[0].words)}".strip() if coded else ""
    return Residue("values", len(brief), len(turns), text) if is_much else None


def _long(names: Mapping[str, int]) -> Residue | None:
    """Find names as long as sentences."""
    long = [
        name for name in names
        if name.count(" ") >= LONGEST_NAME
        or (len(name) > LONGEST_UNSPACED and UNSPACED.search(name))
    ]  # fmt: skip
    return Residue("long", len(long), len(names), long[0]) if len(long) >= FEWEST_LONG else None


def _silent(rows: Sequence[RowOfReading], names: Mapping[str, int]) -> Residue | None:
    """Find the names that have no words, unless many rows have none."""
    empty = sum(not row.words for row in rows)
    if not empty or empty > MOST_EMPTY * len(rows):
        return None
    speaking = {row.speaker for row in rows if row.words}
    silent = [row.speaker for row in rows if row.speaker and row.speaker not in speaking]
    return Residue("silent", len(set(silent)), len(names), silent[0] or "") if silent else None


def _known(
    rows: Sequence[RowOfReading], odd: Sequence[OddWord], names: Mapping[str, int]
) -> Residue | None:
    """Find the names of speakers with a colon among the words."""
    known = []
    for number, n, word in odd:
        words = rows[number].words
        if word[-1] in COLONS and len(word) > 1 and n + 1 < len(words):
            parts = (" ".join(words[max(0, n - size) : n + 1]) for size in range(3))
            if any(part[:-1] in names for part in parts):
                known.append(" ".join(words[n : n + 2]))
    known = known if names else _returning_names(rows, odd) or _names_first(rows, odd)
    return Residue("known", len(known), len(rows), known[0]) if len(known) >= FEWEST_KNOWN else None


def _returning_names(rows: Sequence[RowOfReading], odd: Sequence[OddWord]) -> list[str]:
    """Return the names between a sentence and a colon in texts without speakers.

    Several of two words or more must return, or one of several in capitals: "He says:" may return.
    Names of one word must return, too, and be at the beginning of texts or behind sentences.

    >>> words = tuple("A. Ms Ray: so. Mr Lee: I. Ms Ray: me. Mr Lee: no. Oh: I. Oh: so.".split())
    >>> rows = [RowOfReading(words, None, None, "a")]
    >>> _returning_names(rows, [(0, n, word) for n, word in enumerate(words)])
    ['Ms Ray:', 'Ms Ray:', 'Mr Lee:', 'Mr Lee:']
    >>> words = tuple("Agent:Hello. Guest:Hi, I ... Agent:Yes? Guest:No.".split())
    >>> _returning_names([RowOfReading(words, None, None, "a")] * 2, [])
    ['Agent:', 'Agent:', 'Agent:', 'Agent:', 'Guest:', 'Guest:', 'Guest:', 'Guest:']
    """
    spans = Counter[str]()
    for number, n, word in odd:
        words = rows[number].words
        begin = n
        while n - begin < LONGEST_NAME and begin and not words[begin - 1].endswith(CLOSED):
            begin -= 1
        is_behind = word[-1] in COLONS and begin > 0 and words[begin - 1].endswith(CLOSED)
        if is_behind and words[begin][0].isupper():
            spans[" ".join(words[begin : n + 1])] += 1
    again = Counter({span: count for span, count in spans.items() if count >= FEWEST_KNOWN})
    capitals = Counter({span: count for span, count in spans.items() if span[-3:-1].isupper()})
    if again and len(capitals) >= FEWEST_IN_CAPITALS:
        return list(capitals.elements())
    titles = Counter(
        {span: count for span, count in again.items() if span.istitle() and " " in span}
    )
    if len(titles) > 1:
        return list(titles.elements())
    single = Counter(_single_names(rows))
    single = Counter({name: n for name, n in single.items() if n >= FEWEST_KNOWN})
    return list(single.elements()) if len(single) > 1 and single.total() >= FEWEST_SINGLE else []


def _names_first(rows: Sequence[RowOfReading], odd: Sequence[OddWord]) -> list[str]:
    """Return the names with a colon at the beginning of texts without speakers, if one returns.

    They are in capitals, have several words with capitals, or belong to a person: ``Ann's dog``.

    >>> rows = [RowOfReading(("ANN'S", "DOG:", "WOOF."), None, None)] * 2
    >>> _names_first(rows, [(0, 1, "DOG:"), (1, 1, "DOG:")])
    ["ANN'S DOG:", "ANN'S DOG:"]
    """
    from formats.reading.speakers import HEAD_NAMES, NOBODY, is_name

    first: dict[int, str] = {}
    for number, n, word in odd:
        words = rows[number].words
        name = " ".join(words[: n + 1])[:-1]
        is_short = word[-1] in COLONS and n < LONGEST_EDGE and n + 1 < len(words)
        if is_short and number not in first and is_name(name):
            first[number] = name
    names = Counter(first.values())
    again = [
        name for name in first.values()
        if names[name] >= FEWEST_KNOWN
        and (name.isupper() or (" " in name and name.istitle()) or OF_PERSON.match(name))
        and not NOBODY.match(name) and not HEAD_NAMES.match(name)
    ]  # fmt: skip
    return [f"{name}:" for name in again]


def _single_names(rows: Sequence[RowOfReading]) -> Iterator[str]:
    """Yield the words with a capital and a colon at the beginning of texts or behind sentences."""
    for row in rows:
        before = "."
        for word in row.words:
            if word[0].isupper() and (":" in word or "：" in word):
                if (glued := GLUED.match(word)) is not None:
                    yield glued[0]
                elif word[-1] in COLONS and len(word) > 2 and before.endswith(CLOSED):
                    yield word
            before = word


def _at_edges(rows: Sequence[RowOfReading], names: Mapping[str, int]) -> Residue | None:
    """Find names of speakers before the first or behind the last sentence of texts."""
    known = {tuple(name.split()) for name in names if len(name) > 1 and name[-1].isalnum()}
    last = {name[-1] for name in known if name}
    first = {name[0] for name in known if name}
    found = []
    for row in rows:
        words = row.words
        if not words or not (words[-1] in last or words[0] in first):
            continue
        for size in range(1, min(LONGEST_EDGE + 1, len(words))):
            if tuple(words[-size:]) in known and words[-size - 1].endswith(CLOSED):
                found.append(" ".join(words[-size - 1 :]))
                break
            if tuple(words[:size]) in known and words[size][0].isupper():
                found.append(" ".join(words[: size + 1]))
                break
    least = max(FEWEST_AT_EDGE, SHARE_AT_EDGE * len(rows))
    return Residue("edges", len(found), len(rows), found[0]) if len(found) >= least else None


def _unnamed(rows: Sequence[RowOfReading], names: Mapping[str, int]) -> Residue | None:
    """Find the few texts without a speaker if all others have one."""
    bare = [row.words for row in rows if row.words and not row.speaker]
    if not names or not FEWEST_UNNAMED <= len(bare) <= SHARE_OF_UNNAMED * len(rows):
        return None
    return Residue("unnamed", len(bare), len(rows), " ".join(bare[0][:LONGEST_NAME]))


def _own(rows: Sequence[RowOfReading]) -> Residue | None:
    """Find the turns that name their own speaker, as narration does.

    >>> turn = RowOfReading(tuple("Come in. Ann opens the door.".split()), "ANN", None)
    >>> _own([turn] * 5).count
    5
    """
    turns = [row for row in rows if row.speaker and len(row.words) >= SHORTEST]
    own = []
    for row in turns:
        name = (row.speaker or "").split()[-1].strip(SIGNS).casefold()
        if len(name) > 2 and name.isalpha() and any(
            word[:1].isupper() and word.casefold() == name
            for word in (word.strip(SIGNS) for word in row.words)
        ):  # fmt: skip
            own.append(" ".join(row.words[:LONGEST_NAME]))
    is_much = len(own) >= max(FEWEST_OWN, SHARE_OF_OWN * len(turns))
    return Residue("own", len(own), len(turns), own[0]) if is_much else None


def _dates(rows: Sequence[RowOfReading]) -> Residue | None:
    """Find times that count from 1970."""
    dates = [row.start for row in rows if row.start is not None and row.start >= FIRST_DATE]
    return Residue("dates", len(dates), len(rows), f"{dates[0] / SECOND:.0f}") if dates else None


def _clocks(rows: Sequence[RowOfReading], names: Mapping[str, int]) -> Residue | None:
    """Find times below 24 minutes that may be hours and minutes of a day, as in a chat."""
    starts = [row.start for row in rows if row.start is not None]
    if not names or len(starts) < FEWEST_CLOCKS:
        return None
    same = sum(first == second for first, second in pairwise(starts))
    are_clocks = min(starts) >= 60 * SECOND and max(starts) < DAY_AS_MINUTES * SECOND
    are_clocks = are_clocks and not any(start % SECOND for start in starts)
    is_much = same >= SHARE_OF_SAME * len(starts)
    text = f"{starts[0] // SECOND // 60}:{starts[0] // SECOND % 60:02d}"
    return Residue("clocks", same, len(starts), text) if are_clocks and is_much else None


def _numbers_as_times(rows: Sequence[RowOfReading]) -> Residue | None:
    """Find times that are always the same, that fall, or that count texts, in one recording."""
    starts = [row.start for row in rows if row.start is not None and row.words]
    if len(starts) < FEWEST_STARTS or len({row.recording for row in rows}) > 1:
        return None
    text = f"{starts[0] / SECOND:.10g}"
    if len(set(starts)) == 1:
        return Residue("same", len(starts), len(rows), text)
    least = NEARLY_ALL * (len(starts) - 1)
    if sum(first > second for first, second in pairwise(starts)) >= least:
        return Residue("falling", len(starts), len(rows), text)
    steps = sum(second - first == SECOND for first, second in pairwise(starts))
    are_numbers = len(starts) >= FEWEST_STEPS and steps >= least and starts[0] in (0, SECOND)
    return Residue("steps", len(starts), len(rows), text) if are_numbers else None


def _recordings(rows: Sequence[RowOfReading], names: Mapping[str, int]) -> Residue | None:
    """Find a dialogue of which each turn is a recording of its own."""
    recordings = {row.recording for row in rows}
    is_each = len(recordings) == len(rows) >= FEWEST_RECORDINGS
    if not is_each or any(row.start is not None for row in rows):
        return None
    changes = sum(first.speaker != second.speaker for first, second in pairwise(rows))
    are_few = 1 < len(names) <= MOST_SPEAKERS * len(rows)
    is_dialogue = are_few and changes >= SHARE_OF_CHANGES * len(rows)
    text = rows[0].recording
    return Residue("recordings", len(rows), len(rows), text) if is_dialogue else None
