"""Read both sides together if the format of one side depends on the other side.

A file of lines is a Kaldi text if its first words are identifiers of the other side. A text is
matched by position if it has as many lines as the other side has lines or utterances. A JSON object
is a mapping from identifiers if the other side has these identifiers. A note reports each such
decision.
"""

from __future__ import annotations

from formats.schema import NamedTuple, lazy_pattern
from formats.schema.values import NamedFields
from scoring.alignment.results import is_column
from scoring.model.errors import InputError
from scoring.score import messages
from scoring.sides.corpus import NO_PARTNER, Corpus, RowNumbers
from scoring.sides.given import BY_POSITION, KALDI, Reading, listed
from scoring.sides.matching import DifferentLengthsError
from scoring.sides.side_files import ENOUGH_LINES, NUMBERED, from_segments, looks_alike

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeAlias

    from formats.detection.errors import UnknownFormatError
    from formats.io.source import Source

MANY_LINES = 20  # texts of lines that differ by one in so many are probably utterances
PLAIN = ("txt", NUMBERED, KALDI)
# Single first words are identifiers only if they are no words of any language.
UNMISTAKABLE = lazy_pattern(r"[^\W\d]\S*\d\S*|\S*_\S*|\d+-\d+-\d{4,}\S*")
DIGITS = lazy_pattern(r"\d+")
DECIMAL = lazy_pattern(r"\d\.\d\S*")


class UndecidedFile(NamedFields):
    """A file whose format cannot be detected from its own content."""

    name: str  # the path
    reading: Reading
    read_as: Callable[[str], Corpus]  # the file in a format of a name
    # Why its content is ambiguous; None if its name is that of plain text
    problem: UnknownFormatError | InputError | None
    plain: Corpus | None  # the file as plain text, where that was read
    numbered: Corpus | None  # the lines of that
    # The first word of each line that has any, or the keys of a JSON object
    firsts: Sequence[str] = ()
    lines: int = 0  # blank ones counted
    # The texts of a JSON object, which has as many keys; None for a file of lines
    texts: Sequence[str] | None = None
    open_again: Callable[[], Source] | None = None  # its text, where that is in memory
    is_collection: bool = False  # a folder, an archive or a pattern


class LikelyKaldi(NamedTuple):
    """A large file that is a Kaldi text if its first words are identifiers of the other side."""

    columns: Corpus  # as Kaldi's text
    read: Callable[[], Corpus | UndecidedFile]  # without columns


Opened: TypeAlias = "Corpus | UndecidedFile | LikelyKaldi"


def decided(left: Opened, right: Opened) -> tuple[Corpus, Corpus]:
    """Return both sides after deciding and reading the undecided formats."""
    if isinstance(left, LikelyKaldi) or isinstance(right, LikelyKaldi):
        return _with_columns(left, right)
    if isinstance(left, UndecidedFile):
        return _of_two(left, right) if isinstance(right, UndecidedFile) else _of_one(left, right)
    if isinstance(right, UndecidedFile):
        hypothesis, reference = _of_one(right, left)
        return reference, hypothesis
    return left, right


def _with_columns(left: Opened, right: Opened) -> tuple[Corpus, Corpus]:
    """Return large files as Kaldi's text if their identifiers match the other side's."""
    sides = left, right
    columns = [side.columns if isinstance(side, LikelyKaldi) else side for side in sides]
    corpora = [side for side in columns if isinstance(side, Corpus)]
    partners = _partners(corpora)
    if partners is None:
        first, second = (side.read() if isinstance(side, LikelyKaldi) else side for side in sides)
        return decided(first, second)
    reference, hypothesis = corpora
    if isinstance(partners, range):  # the same identifiers, which nobody compares again
        hypothesis = hypothesis._replace(identifiers=reference.identifiers)
    if isinstance(left, LikelyKaldi):
        reference = _as_kaldi(reference, corpora[1].name)
    if isinstance(right, LikelyKaldi):
        hypothesis = _as_kaldi(hypothesis, corpora[0].name)
    return reference, hypothesis


def _partners(sides: Sequence[Corpus]) -> Sequence[int] | None:
    """Return the row of each second identifier in the first side.

    None unless both sides are columns that share nine tenths of the identifiers.
    """
    names: list[Any] = [side.identifiers for side in sides if is_column(side.identifiers)]
    if len(names) < 2:
        return None
    rows: Sequence[int] = names[0].find(names[1])
    shared = len(rows) - rows.count(NO_PARTNER)
    return rows if 10 * shared >= 9 * min(map(len, names)) else None


def _as_kaldi(side: Corpus, partner: str) -> Corpus:
    """Return a side that is read as Kaldi's text, with a note about this choice."""
    if not partner:
        return side.with_remark(messages.AS_KALDI, path=side.name)
    return side.with_remark(messages.AS_KALDI_OF, path=side.name, partner=partner)


def examined(file: UndecidedFile) -> Corpus | UndecidedFile:
    """Read a file as far as necessary to know whether it is plain text or has a problem.

    JSON texts are read completely.
    """
    problem = file.problem
    if problem is not None and not isinstance(problem, InputError):
        likely = problem.candidates
        # a file that looks like one of a format that nobody reads is like no other
        if likely[:1] == ("txt",) == likely:
            raise problem
        if not likely or likely[0] not in PLAIN:
            return _of_json(file, problem)
    if file.plain is not None:
        texts = () if file.numbered is None else file.numbered.words
        return file._replace(firsts=[words[0] for words in texts if words], lines=len(texts))
    firsts, lines, tabular = _lines_of(file)
    if problem is not None and 2 * tabular >= max(1, lines):
        raise problem
    return file._replace(firsts=firsts, lines=lines)


def _sources_of(file: UndecidedFile) -> Iterator[Source]:
    """Yield the texts of a file, or of all files in a folder, a pattern or an archive."""
    from formats.io.source import open_source
    from formats.reading.inputs import expand, opened

    if file.open_again is not None:
        yield file.open_again()
        return
    for _, open_it in opened(expand([file.name]).files):
        reading = file.reading
        with open_source(open_it(), encoding=reading.encoding, side=reading.side) as source:
            yield source


def _lines_of(file: UndecidedFile) -> tuple[list[str], int, int]:
    """Return the first word of each line, the number of lines, and how many look like rows."""
    from formats.detection.line_shapes import reject_lookalike
    from formats.reading.lines import split_words

    firsts: list[str] = []
    lines = tabular = 0
    for source in _sources_of(file):
        reject_lookalike(source, "txt")
        for _, line in source.lines():
            lines += 1
            # one of a table or of times, which are no plain text
            marks = line.count("\t"), line.count(";"), len(DECIMAL.findall(line))
            tabular += max(marks) > 1
            firsts += split_words(line)[:1]
    return firsts, lines, tabular


def _of_json(file: UndecidedFile, problem: UnknownFormatError) -> Corpus | UndecidedFile:
    """Return a JSON object of texts as a side.

    If it has a member `text`, this is the whole text.
    """
    import json

    from formats.io.source import recording_of
    from formats.schema import words_of_text
    from formats.schema.model import Segment

    path = file.name
    if file.is_collection:
        raise problem
    text = "".join(source.text(limit=None) for source in _sources_of(file))
    if file.reading.side == "hypothesis" and not text.strip():
        return file._replace(problem=None)
    try:
        members = json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError):
        raise problem from None
    if not isinstance(members, dict) or not members:
        raise problem
    if isinstance(members.get("text"), str):
        words = words_of_text(members["text"])
        corpus = from_segments([Segment(recording_of(path), words, line=1)], path, None)
        corpus = corpus.with_remark(messages.AS_MEMBER, path=path)
        return corpus._replace(named_by_file=True)
    texts = list(members.values())
    if not all(isinstance(text, str) for text in texts):
        raise problem
    return file._replace(firsts=list(members), texts=texts)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key appears twice")
    return dict(pairs)


def _of_two(left: UndecidedFile, right: UndecidedFile) -> tuple[Corpus, Corpus]:
    """Return two undecided files as sides: by identifier, by position, or as plain texts."""
    mappings = [side for side in (left, right) if side.texts is not None]
    shared = len({*left.firsts} & {*right.firsts})
    fewest = min(len(set(left.firsts)), len(set(right.firsts)))
    look_alike = _look_alike(left.firsts) and _look_alike(right.firsts)
    if shared and 10 * shared >= 9 * fewest and (mappings or look_alike):
        return _named(left, right.name), _named(right, left.name)
    if _are_names(left.firsts, right.firsts, shared):
        return _named(left, ""), _named(right, "")
    if mappings:
        assert mappings[0].problem is not None
        raise mappings[0].problem
    for side, partner in ((left, right), (right, left)):
        if side.problem is None or not looks_alike(side.firsts):
            continue
        is_sure = side.lines == partner.lines and all(map(_is_unmistakable, side.firsts))
        if partner.lines and (shared or not is_sure):
            raise side.problem
        text, named = _by_position(partner, _named(side, ""))
        return (named, text) if side is left else (text, named)
    return _texts(left, right)


def _are_names(ours: Sequence[str], theirs: Sequence[str], shared: int) -> bool:
    """Return True if both lists look like identifiers, few of which are shared."""
    sides = ours, theirs
    if any(len(side) < ENOUGH_LINES or len(set(side)) < len(side) for side in sides):
        return False
    if shared:
        if not _is_unmistakable(ours[0]):
            return False
        return len({DIGITS.sub("0", first) for first in (*ours, *theirs)}) == 1
    if all(all(map(_is_unmistakable, side)) for side in sides):
        return True
    if not all(map(_look_alike, sides)):
        return False
    from scoring.sides.matching.spelling import difference

    return difference(ours, theirs, 0.9) is not None


def _is_unmistakable(word: str) -> bool:
    has_sign = "_" in word or any(map(str.isdecimal, word))
    return has_sign and UNMISTAKABLE.match(word) is not None


def _texts(left: UndecidedFile, right: UndecidedFile) -> tuple[Corpus, Corpus]:
    """Return plain texts: by lines if both have equally many lines, otherwise the whole texts.

    Raises DifferentLengthsError if the numbers of lines differ and a recipe compares lines.
    """
    are_collections = left.is_collection or right.is_collection
    if max(left.lines, right.lines) < ENOUGH_LINES or are_collections:
        return _plain(left), _plain(right)
    reason, names = left.reading.by_line, {"path": left.name, "partner": right.name}
    first, second = (side.numbered or side.read_as(NUMBERED) for side in (left, right))
    count = min(len(first.words), len(second.words))
    if not any([*first.words[count:], *second.words[count:]]):
        if count < ENOUGH_LINES:
            return _plain(left), _plain(right)
        # blank lines at the end of one file are no utterances
        first, second = (
            text if len(text.words) == count else text.select(range(count))
            for text in (first, second)
        )
        return first, second.with_remark(messages.LINE_BY_LINE, **names, lines=count)
    if reason == BY_POSITION:
        return first, second
    if reason:
        files = {"path": right.name, "reference": left.name, "recipe": reason}
        lengths = {"wanted": left.lines, "number": right.lines}
        value = messages.Message(messages.UNEQUAL_LINES, {**files, **lengths})
        raise DifferentLengthsError(value)
    lines = {"lines": left.lines, "partner_lines": right.lines}
    least, most = sorted(lines.values())
    are_close = most - least <= most // MANY_LINES
    entry = messages.LINES_DIFFER if are_close else messages.AS_TEXTS
    return _plain(left), _plain(right).with_remark(entry, **names, **lines)


def _of_one(side: UndecidedFile, partner: Corpus) -> tuple[Corpus, Corpus]:
    """Return an undecided file and the other side, which decides its format."""
    names = set(() if partner.by_position else partner.names)
    is_named = bool(names) and not partner.is_unnamed
    shared = [first in names for first in side.firsts].count(True)
    look_alike = _look_alike(side.firsts)
    if shared and (is_named or len(names) > 1 or side.texts or look_alike):
        is_covered = 10 * len(names.intersection(side.firsts)) >= 9 * len(names)
        if 10 * shared >= 9 * len(side.firsts) or (is_covered and look_alike):
            return _named(side, partner.name), partner
    is_numbered = side.problem is not None and looks_alike(side.firsts)
    is_mapping = side.texts is not None
    if side.problem is not None and not is_named and (is_mapping or is_numbered):
        raise side.problem
    if is_mapping or is_numbered or (is_named and _are_names(partner.names, side.firsts, shared)):
        return _named(side, ""), partner  # its identifiers may be others
    return _by_position(side, partner)


def _look_alike(firsts: Sequence[str]) -> bool:
    """Return True if all first words of lines may be identifiers."""
    if len(firsts) < ENOUGH_LINES or len(set(firsts)) < len(firsts):
        return all(map(_is_unmistakable, firsts))
    return all(any(sign.isdigit() or sign in "-_" for sign in first) for first in firsts)


def _named(side: UndecidedFile, partner: str) -> Corpus:
    """Return the file as utterances with identifiers."""
    if side.texts is not None:
        corpus = listed(side.reading.side, side.firsts, side.texts)._replace(name=side.name)
        if not partner:
            return corpus.with_remark(messages.AS_MAPPING, path=side.name)
        return corpus.with_remark(messages.AS_MAPPING_OF, path=side.name, partner=partner)
    return _as_kaldi(side.read_as(KALDI), partner)


def _plain(side: UndecidedFile) -> Corpus:
    """Return the file as one text; LookAlikeError if it may have another format."""
    if isinstance(side.problem, InputError):
        raise side.problem
    if side.plain is not None:
        return side.plain
    return side.read_as("txt").with_remark(messages.AS_TEXT, path=side.name)


def _by_position(side: UndecidedFile, partner: Corpus) -> tuple[Corpus, Corpus]:
    """Return a plain text: each line is an utterance if the numbers match, otherwise one text.

    Raises InputError if a recipe compares lines and the numbers of lines and utterances differ.
    """
    from formats.io.source import recording_of

    note = messages.LINES_OF_UTTERANCES
    fields = {"path": side.name, "lines": side.lines, "partner": partner.name}
    if side.reading.by_line == BY_POSITION and not side.is_collection:
        return (side.numbered or side.read_as(NUMBERED)).with_remark(note, **fields), partner
    spoken = partner.spoken if partner.is_unnamed else ()
    names = set(partner.identifiers) or {segment.recording for segment in spoken}
    is_one_text = len(names) < 2 and (partner.by_position or not partner.identifiers)
    if is_one_text or side.is_collection or recording_of(side.name) in names or not side.lines:
        return _plain(side), partner
    count = len(partner.identifiers) or len(spoken)
    if side.lines != count and not partner.by_position:
        number = f"{side.lines} line{'s' * (side.lines != 1)}"
        problem = (
            f"expected {count} lines, one for each utterance of {partner.name}, or identifiers as "
            f"in trn, found {number} without identifiers"
        )
        raise InputError(side.name, None, None, problem)
    text = side.numbered or side.read_as(NUMBERED)
    if not partner.by_position:
        if not partner.identifiers:
            numbers = list(RowNumbers(range(count)))
            named = map(lambda segment, name: segment.replace(utterance=name), spoken, numbers)
            partner = partner.with_utterances(numbers, list(named))
        partner = partner._replace(by_position=True)
        text = text._replace(identifiers=partner.identifiers)
    return text.with_remark(note, **fields), partner
