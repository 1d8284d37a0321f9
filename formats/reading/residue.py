"""Signs of structure in lines that were read as words: what speech does not have, whatever it is.

The signs are general: they say that lines have a layout, not which. Readers of plain text report
them if nothing more exact is known.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from formats.schema import lazy_pattern
from formats.schema.values import NamedFields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Marked = tuple[int, str]
    """How many lines or words have a sign, and the first of them."""

FEWEST, FEWEST_PAIRS, FEWEST_WORDS = 6, 4, 30
"""The fewest lines, pairs of lines, and words that are looked at."""
SHARE_OF_NAMES, SHARE_OF_EDGES, SHARE_OF_PAIRS = 0.4, 0.3, 0.4
"""The share of lines that begin with names, have a sign at an edge, or repeat others."""
SHARE_OF_TIMED = 0.1
"""The share of turns with times below which somebody wrote a time now and then."""
SHARE_OF_ODD, SHARE_OF_LETTERS = 0.1, 0.3
"""The share of words with signs inside, and of single letters."""
MOST_NAMES, MOST_INSIDE = 0.4, 0.25
"""The most different first words, as a share of their lines, and how often they are inside."""
SAME_WORDS = 0.7
"""The share of words that a line has in common with the line above, which it repeats."""
QUOTES, MARKS_OF_PROSE = "\"'“”„‚‘’«»‹›¿¡", ",.;:!?…。،؟।\"'“”’»)"
ODD = lazy_pattern(r"[0-9_@#$&*+/<>=\\^`{}|~\[\]\u2190-\u2bff\U0001f000-\U0001faff]|[(（]")
"""A sign or a digit, which the first and the last word of most lines do not have."""
FACES = lazy_pattern(r"[\u2600-\u27bf\U0001f300-\U0001faff\u200d\ufe0f]{1,40}\Z")
"""Pictures with which people end a line."""
CHOICE = lazy_pattern(r"\(?[a-eA-E]\)\Z")
"""The letter of an answer to choose."""
CODED = lazy_pattern(
    r"[^\W_][_@#/<>=\\^`{}|~\[\]▁]|[_@#<>=\\^`{}|~▁][^\W_]"
    r"|\A(?=[^\W\d_]{0,40}[0-9])(?=[0-9]{0,40}[^\W\d_])\w{2,80}\Z"
)
"""A word with a sign inside, or with letters and digits."""
GAP = lazy_pattern(r"\S(?: {4,}|\t+|\u3000{2,})\S")
GAPS = ("    ", "\t", "\u3000\u3000")
"""A gap between columns, and what it contains."""
NUMBER = lazy_pattern(r"[0-9]{1,6}")
LONGEST_LINE = 60
"""Characters of a line that may be above or below a page."""
FEWEST_LISTED, SHARE_OF_LISTED, SHARE_OF_COMMAS = 8, 0.9, 0.7
"""The fewest items of a list, the share of lines that are items, and of words with commas."""
ITEM = lazy_pattern(r"[^\W\d_][\w\u0900-\u0dff'’.-]{0,40}:?\Z")
UNSPACED = lazy_pattern(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff]{5}")
"""A word of a list, and a text of several words in a script without blanks."""
MOST_OF_NAME = 3
"""The most words of a name in a list of names."""
COMMAS, FEWEST_COMMAS = ",;|", 5
DASHES, SHARE_OF_DASHES = frozenset("-–—•·"), 0.25
"""Signs alone between the items of a list, and their share of the words."""
JOINED = lazy_pattern(
    rf"[^\W\d_][\w-]{{0,60}}(?:[{COMMAS}][^\W\d_][\w-]{{0,60}}){{{FEWEST_COMMAS}}}"
)
"""Words with commas between them, and no blanks."""


FEWEST_LABELLED, MOST_LABELS, SHARE_OF_LABELLED = 20, 0.15, 0.97
LETTERS_OF_LABEL, MOST_LABELS_INSIDE, FEWEST_BEHIND = 5, 0.05, 2
"""The fewest texts with labels, the most labels, and the share of the texts with one; the letters
of an average label, how often labels are inside texts, and how many more words follow labels.
"""


ENTRY = lazy_pattern(
    r"([^\W\d_][\w'’-]{0,30}(?:[ /][\w'’-]{1,30}){0,3})(?:[ ]?[:=]|[ ][-–—])[ ](?=\S)"
)
FEWEST_ENTRIES, SHARE_OF_ENTRIES, SHARE_OF_TERMS = 6, 0.9, 0.8
"""A word and a sign before its text in a dictionary, the fewest, the share that is ordered, and the
share of lines that are entries, or terms alone.
"""


MOST_OF_ITEM = 8
"""The most words of an item, or of a phrase."""
ENDS = frozenset('.?!…。？！"”»:;,')
"""Signs at the ends of sentences, and of their parts."""
AUTHOR = lazy_pattern(
    r"[.?!…\"”’'»][ ]?((?:~|[–—-]{1,2})[ ]?[^\W\d_a-z][\w.'’-]{0,20}(?: [\w.'’-]{1,20}){0,4})[ ]?\Z"
)
SOURCE = lazy_pattern(
    r"(?:\[[0-9]{1,3}\] |[0-9]{1,3}\. |[-*•] )?[^\W\d_][\w'’-]{1,30},? [A-Z]\.[^()\n]{0,70}?"
    r"\((?:1[5-9]|20)[0-9]{2}[a-z]?\)"
)
"""The author and the year of a source: ``Ex, A. (2014)``."""
LONGEST_AUTHOR, SHARE_OF_AUTHORS = 110, 0.6
"""A name behind a sentence, the characters in which it is, and the share of lines with one."""
FEWEST_PHRASES, SHARE_OF_PHRASES, LONG_WORD = 20, 0.25, 8
OF_SPEECH = frozenset(("i", "you", "he", "she", "we", "they", "it", "is", "was", "are", "that"))
MOST_SAID = 0.02
"""The fewest lines of a list of keywords, the share with one word, and the letters of that; words
that most speech has, and the largest share of phrases with one of them.
"""


class Residue(NamedFields):
    """A sign of structure, how many lines or words have it, and the first of them."""

    kind: str
    count: int
    total: int
    text: str


def residue_of(lines: Sequence[str]) -> Residue | None:
    """Return the first sign of structure that many lines have; `None` for ordinary text."""
    rows = [line.split() for line in lines]
    if (pages := _pages(lines)) is not None:
        return Residue("pages", *_of_lines(pages, rows))
    looks: tuple[tuple[str, Callable[[], Marked | None]], ...] = (
        ("names", lambda: _names(rows)),
        ("labels", lambda: labels_first(rows)),
        ("first", lambda: _edges(rows, 0)),
        ("last", lambda: _edges(rows, -1)),
        ("columns", lambda: _columns(lines)),
        ("list", lambda: _items(rows)),
        ("again", lambda: _again(rows)),
        ("glossary", lambda: _glossary(lines)),
        ("authors", lambda: _authors(lines)),
        ("sources", lambda: _sources(lines)),
        ("phrases", lambda: _phrases(lines, rows)),
    )
    if len(rows) >= FEWEST:
        for kind, look in looks:
            if (found := look()) is not None:
                return Residue(kind, *_of_lines(found, rows))
    words = [word for row in rows for word in row]
    if (listed := _between_commas(words)) is not None:
        count, text = listed
        return Residue("commas", count, len(words), text)
    if (coded := _coded(words)) is not None:
        count, text = coded
        return Residue("words", count, len(words), text)
    return None


def columns_of(lines: Sequence[str]) -> Residue | None:
    """Return the lines with a gap as between columns, if they are many."""
    found = _columns(lines) if len(lines) >= FEWEST else None
    return None if found is None else Residue("columns", found[0], len(lines), found[1])


def _of_lines(found: Marked, rows: Sequence[Sequence[str]]) -> tuple[int, int, str]:
    count, text = found
    return count, len(rows), text


def _bare(word: str) -> str:
    """Return a word without the signs that surround words in prose."""
    return word.lstrip(QUOTES).rstrip(MARKS_OF_PROSE)


def _names(rows: Sequence[Sequence[str]]) -> Marked | None:
    """Find first words that return and are not inside lines, if no small letter follows them."""
    likely = [row for row in rows if len(row) > 2 and not _bare(row[1])[:1].islower()]
    if len(likely) < max(FEWEST, SHARE_OF_NAMES * len(rows)):
        return None
    first = Counter(_bare(row[0]) for row in rows if len(row) > 2)
    inside = Counter(_bare(word).casefold() for row in rows for word in row[1:])
    names = {
        name for name, count in first.items()
        if count > 1 and name[:1].isalnum() and inside[name.casefold()] <= MOST_INSIDE * count
    }  # fmt: skip
    found = [row[0] for row in likely if _bare(row[0]) in names]
    is_cased = any(word[:1].islower() for row in rows for word in row)
    are_few = len(set(map(_bare, found))) <= MOST_NAMES * len(found)
    is_most = len(found) >= max(FEWEST, SHARE_OF_NAMES * len(rows))
    return (len(found), found[0]) if is_cased and are_few and is_most else None


def labels_first(rows: Sequence[Sequence[str]]) -> Marked | None:
    """Find a few long words with which nearly all texts begin, and which are not inside texts.

    Many different words follow each of them, as behind labels of classes: ``question is it late``.

    >>> texts = [f"{label} {word} was {n}" for n in range(3)
    ...          for label in ("question", "statement") for word in "so it he she we they".split()]
    >>> labels_first([text.split() for text in texts])
    (36, 'question')
    >>> labels_first([text.split()[1:] for text in texts])
    """
    rows = [row for row in rows if row]
    first = Counter(row[0] for row in rows)
    labels = {word: count for word, count in first.items() if count > 1 and word[-1].isalnum()}
    if len(rows) < FEWEST_LABELLED or not 1 < len(labels) <= MOST_LABELS * len(rows):
        return None
    labelled = sum(labels.values())
    letters = sum(map(len, labels)) / len(labels)
    if labelled < SHARE_OF_LABELLED * len(rows) or letters < LETTERS_OF_LABEL:
        return None
    inside = sum(word in labels for row in rows for word in row[1:])
    behind = {row[1] for row in rows if len(row) > 1 and row[0] in labels}
    are_outside = inside <= MOST_LABELS_INSIDE * labelled
    is_label = are_outside and len(behind) >= FEWEST_BEHIND * len(labels)
    return (labelled, next(iter(labels))) if is_label else None


def _edges(rows: Sequence[Sequence[str]], place: int) -> Marked | None:
    """Find first or last words that have signs or digits."""
    edges = [row[place] for row in rows if len(row) > 1]
    if place < 0:
        edges = [FACES.sub("", word) for word in edges]
    found = list(filter(_is_odd, edges))
    is_most = len(found) >= max(FEWEST, SHARE_OF_EDGES * len(rows))
    return (len(found), found[0]) if is_most else None


def _is_odd(word: str) -> bool:
    return (
        CHOICE.match(word) is not None
        or word.endswith(('",', "',"))
        or ODD.search(_bare(word)) is not None
    )


def _columns(lines: Sequence[str]) -> Marked | None:
    """Find lines with a gap as between columns."""
    found = [line for line in lines if any(map(line.__contains__, GAPS)) and GAP.search(line)]
    is_most = len(found) >= max(FEWEST, SHARE_OF_EDGES * len(lines))
    return (len(found), found[0][:LONGEST_LINE]) if is_most else None


def _items(rows: Sequence[Sequence[str]]) -> Marked | None:
    """Find lines that are one word, or a name of few words, as in lists of words or persons."""
    items = [row for row in rows if _is_item(row)]
    is_list = len(items) >= max(FEWEST_LISTED, SHARE_OF_LISTED * len(rows))
    return (len(items), " ".join(items[0])) if is_list else _vocabulary(rows)


def _vocabulary(rows: Sequence[Sequence[str]]) -> Marked | None:
    """Find lines that are one word or sign each, in the order of their characters.

    >>> words = "so it is and the van was at our bridge".split()
    >>> _vocabulary([[word] for word in sorted(words)]), _vocabulary([[word] for word in words])
    ((10, 'and'), None)
    """
    words = [row[0] for row in rows if len(row) == 1]
    if len(words) < max(FEWEST_LISTED, SHARE_OF_TERMS * len(rows)):
        return None
    steps = sum(first < second for first, second in pairwise(words))
    text = next(filter(str.isalpha, words), words[0])
    return (len(words), text) if steps >= SHARE_OF_ENTRIES * (len(words) - 1) else None


def _is_item(row: Sequence[str]) -> bool:
    """Return True for a word, or a few words with capitals, that end no sentence."""
    words = [*row[:-1], row[-1].rstrip(",;")]
    words = [word.strip(QUOTES) for word in words]
    is_brief = len(words) == 1 or (
        len(words) <= MOST_OF_NAME and all(word[:1].isupper() for word in words)
    )
    return is_brief and all(ITEM.match(word) and not UNSPACED.match(word) for word in words)


def _between_commas(words: Sequence[str]) -> Marked | None:
    """Find words with commas between them and no blanks, and lists of words with commas."""
    joined = [
        word for word in words
        if len(word) > FEWEST_WORDS
        and sum(map(word.count, COMMAS)) >= FEWEST_COMMAS
        and JOINED.search(word)
        and not UNSPACED.search(word)
    ]  # fmt: skip
    if joined:
        return len(joined), joined[0]
    dashes = [word for word in words if word in DASHES]
    if len(dashes) >= max(FEWEST_LISTED, SHARE_OF_DASHES * len(words)):
        return len(dashes), f"{words[0]} {dashes[0]}"
    listed = [word for word in words if word[-1] in ",;"]
    is_list = len(listed) >= max(FEWEST_LISTED, SHARE_OF_COMMAS * len(words))
    return (len(listed), listed[0]) if is_list else None


def _authors(lines: Sequence[str]) -> Marked | None:
    """Find lines that end with a name behind a sentence and a dash, as quotations do.

    >>> _authors(["So it was. ~Ann Ex", "It was not. ~Ben Wy", "Well. ~Ann Ex"] * 2)
    (6, '~Ann Ex')
    """
    found = [match[1] for line in lines if (match := AUTHOR.search(line[-LONGEST_AUTHOR:]))]
    is_most = len(found) >= max(FEWEST, SHARE_OF_AUTHORS * len(lines))
    return (len(found), found[0]) if is_most else None


def _sources(lines: Sequence[str]) -> Marked | None:
    """Find lines that begin with a name, initials and a year, as lists of literature have them.

    >>> _sources(["Ex, A. (2014). The road.", "Roe, B. & Lee, C. (2016). Boats.", "So."] * 3)
    (6, 'Ex, A. (2014)')
    """
    found = [match[0] for line in lines if (match := SOURCE.match(line[:LONGEST_AUTHOR]))]
    is_most = len(found) >= max(FEWEST_PAIRS, SHARE_OF_AUTHORS * len(lines))
    return (len(found), found[0]) if is_most else None


def _phrases(lines: Sequence[str], rows: Sequence[Sequence[str]]) -> Marked | None:
    """Find brief lines without sentences of which most have one long word, as lists of keywords.

    >>> words = "rate level natural steady full equilibrium".split()
    >>> _phrases(lines := [f"{x} {y} of unemployment" for x in words for y in words if x != y],
    ...          [line.split() for line in lines])
    (30, 'unemployment')
    """
    are_brief = len(rows) >= FEWEST_PHRASES and all(
        len(row) <= MOST_OF_ITEM and line.rstrip()[-1:] not in ENDS
        for line, row in zip(lines, rows, strict=True)
    )
    small = sum(line[:1].islower() for line in lines)
    if not are_brief or small < SHARE_OF_ENTRIES * len(lines):
        return None
    said = sum(not OF_SPEECH.isdisjoint(row) for row in rows)
    if said > MOST_SAID * len(rows):
        return None
    counts = Counter(word for row in rows for word in set(row) if len(word) >= LONG_WORD)
    (word, count), *_ = counts.most_common(1) or [("", 0)]
    return (count, word) if count >= SHARE_OF_PHRASES * len(rows) else None


def _glossary(lines: Sequence[str]) -> Marked | None:
    """Find lines that begin with words in alphabetical order and a sign, as in dictionaries.

    >>> words = "apple bridge carry dance early forest garden happy".split()
    >>> _glossary([f"{word} - I know it." for word in words])
    (8, 'apple -')
    >>> _glossary([f"{word.title()} - I know it." for word in words] + ["House", "Island"])
    (8, 'Apple -')
    """
    entries = [match for line in lines if (match := ENTRY.match(line))]
    if len(entries) < max(FEWEST_ENTRIES, len(lines) / 2):
        return None
    terms = [match[1] if (match := ENTRY.match(line)) else _term(line) for line in lines]
    words = [term.casefold() for term in terms if term]
    steps = sum(first < second for first, second in pairwise(words))
    is_ordered = len(words) >= SHARE_OF_TERMS * len(lines)
    is_ordered = is_ordered and steps >= SHARE_OF_ENTRIES * (len(words) - 1)
    return (len(entries), entries[0][0].strip()) if is_ordered else None


def _term(line: str) -> str:
    """Return a brief line with a capital that ends no sentence: a term that is not explained."""
    bare = line.strip()
    is_brief = bare[:1].isupper() and len(bare.split()) <= MOST_OF_NAME and bare[-1] not in ENDS
    return bare if is_brief else ""


def _again(rows: Sequence[Sequence[str]]) -> Marked | None:
    """Find lines that repeat the line above in nearly the same words, or begin with all of it."""
    keys = [[_bare(word).casefold() for word in row] for row in rows if len(row) > 2]
    repeats = [n for n, (a, b) in enumerate(pairwise(keys)) if _has_same_words(a, b)]
    rows = [row for row in rows if len(row) > 2]
    repeats = [n for n in repeats if rows[n] != rows[n + 1]]  # equal lines are reported elsewhere
    pairs = [n for n in repeats if n % 2 == 0]
    is_most = len(pairs) >= max(FEWEST_PAIRS, SHARE_OF_PAIRS * (len(keys) // 2))
    return (len(repeats), " ".join(keys[repeats[0] + 1])[:LONGEST_LINE]) if is_most else None


def _has_same_words(above: Sequence[str], line: Sequence[str]) -> bool:
    if line[: len(above)] == above:
        return True
    least = SAME_WORDS * max(len(above), len(line))
    if len(above) < least or len(line) < least or set(above).isdisjoint(line):
        return False
    return (Counter(above) & Counter(line)).total() >= least


def _pages(lines: Sequence[str]) -> Marked | None:
    """Find lines that are the same but for a number that rises, as between pages."""
    short = ((n, line) for n, line in enumerate(lines) if len(line) <= LONGEST_LINE)
    for form, numbers in lines_with_numbers(short).items():
        rise = all(a < b for a, b in pairwise(numbers.values()))
        if len(numbers) > FEWEST_PAIRS and rise and any(map(str.isalpha, form)):
            return len(numbers), lines[min(numbers)]
    return None


def lines_with_numbers(lines: Iterable[tuple[int, str]]) -> dict[str, dict[int, int]]:
    """Return the first numbers of lines by position, for all lines that differ only in numbers."""
    forms: dict[str, dict[int, int]] = {}
    for n, line in lines:
        if (number := NUMBER.search(line)) is not None:
            forms.setdefault(NUMBER.sub("0", line), {})[n] = int(number[0])
    return forms


def _coded(words: Sequence[str]) -> Marked | None:
    """Find words with signs inside, or single letters, if there are too many for speech."""
    if len(words) < FEWEST_WORDS:
        return None
    coded = [word for word in words if not word.isalpha() and CODED.search(_bare(word))]
    if len(coded) >= SHARE_OF_ODD * len(words):
        return len(coded), coded[0]
    letters = list(_single_letters(words))
    return (len(letters), letters[0]) if len(letters) >= SHARE_OF_LETTERS * len(words) else None


def _single_letters(words: Sequence[str]) -> Iterator[str]:
    """Yield the words of one letter of a script with capitals; other scripts have such words."""
    return (word for word in words if len(word) == 1 and word.lower() != word.upper())


def doubt_of_turns(turns: Sequence[tuple[int, bool]]) -> Residue | None:
    """Return what is odd about turns, each a number of words, and True if it has a time."""
    words = sum(size for size, _ in turns)
    longest = max((size for size, _ in turns), default=0)
    untimed = sum(not is_timed for _, is_timed in turns)
    if len(turns) > FEWEST and 2 * longest > words >= FEWEST_WORDS:
        return Residue("longest", longest, words, "")
    if len(turns) - untimed >= max(FEWEST_PAIRS, SHARE_OF_TIMED * len(turns)) and (
        2 * untimed > len(turns)
    ):
        return Residue("untimed", untimed, len(turns), "")
    return None
