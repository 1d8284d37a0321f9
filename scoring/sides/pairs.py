"""Both sides read together: what a plain file is may depend on what the other side is.

A file of lines is Kaldi's text where its first words are identifiers of the other side, a text of
as many lines as the other side has utterances is matched by position, and a JSON object is a
mapping from identifiers where the other side has these. Each such reading has a note.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from formats.errors import UnknownFormatError
from scoring.errors import InputError
from scoring.sides import kaldi_text
from scoring.sides.corpus import Corpus
from scoring.sides.given import File, Given, listed, reading_of
from scoring.sides.reading import Reading
from scoring.sides.side_files import NUMBERED, encoding_option, from_segments

Reader: TypeAlias = Callable[[Given, str, Reading], Corpus]
PLAIN = ("txt", NUMBERED, "kaldi")
# Single first words are identifiers only if they are no words of any language.
UNMISTAKABLE = re.compile(r"[^\W\d]\S*\d\S*|\S*_\S*|\d+-\d+-\d{4,}\S*")
DECIMAL = re.compile(r"\d\.\d\S*")


@dataclass(frozen=True, slots=True)
class Undecided:
    """A file whose own content does not decide its format.

    Attributes
    ----------
    file, side, reading
        What it was given as, `reference` or `hypothesis`, and how to read it.
    firsts
        The first word of each line that has any, or the keys of a JSON object.
    lines
        How many lines it has, blank ones counted.
    texts
        The texts of a JSON object, which has as many keys; None for a file of lines.
    problem
        What is wrong with it alone; None if it is plain text as its name says.
    plain
        What it is as plain text, where that was read.
    """

    file: File
    side: str
    reading: Reading
    firsts: Sequence[str]
    lines: int = 0
    texts: Sequence[str] | None = None
    problem: UnknownFormatError | InputError | None = None
    plain: Corpus | None = None

    @property
    def name(self) -> str:
        """The path."""
        return os.fspath(self.file.path)

    def read_as(self, name: str, read: Reader) -> Corpus:
        """The file in a format."""
        file = File(self.file.path, format=name, encoding=self.file.encoding)
        return read(file, self.side, self.reading)


def decided(
    left: Corpus | Undecided, right: Corpus | Undecided, read: Reader
) -> tuple[Corpus, Corpus]:
    """Read what is undecided of two sides; `read` is as `scoring.sides.given.as_corpus`.

    Raises
    ------
    InputError
        If a text has not as many lines as the other side has utterances.
    formats.FormatError
        If neither its content nor the other side decides the format of a file.
    """
    if isinstance(left, Undecided):
        if isinstance(right, Undecided):
            return _of_two(left, right, read)
        return _beside(left, right, read)
    if isinstance(right, Undecided):
        hypothesis, reference = _beside(right, left, read)
        return reference, hypothesis
    return left, right


def undecided(
    file: File,
    side: str,
    reading: Reading,
    problem: UnknownFormatError | InputError | None,
    plain: Corpus | None = None,
) -> Corpus | Undecided:
    """What is known of a file that is plain text, or has this problem; JSON texts are read.

    Raises
    ------
    formats.FormatError
        If the other side cannot decide it.
    """
    own = reading_of(file, reading)
    if isinstance(problem, UnknownFormatError):
        likely = problem.candidates
        # a file that looks like one of a format that nobody reads is like no other
        if likely[:1] == ("txt",) == likely:
            raise problem
        if not likely or likely[0] not in PLAIN:
            return _of_json(file, side, own, problem)
    firsts, lines, tabular = _lines_of(file, own)
    if isinstance(problem, UnknownFormatError) and 2 * tabular >= max(1, lines):
        raise problem
    return Undecided(file, side, reading, firsts, lines, problem=problem, plain=plain)


def _lines_of(file: File, reading: Reading) -> tuple[list[str], int, int]:
    """The first words of lines, how many lines there are, and how many look like a table's."""
    from formats.inputs import expand, opened
    from formats.lines import split_words
    from formats.lookalikes import reject_lookalike
    from formats.source import open_source

    firsts: list[str] = []
    lines = tabular = 0
    for _, open_it in opened(expand([os.fspath(file.path)]).files):
        option = encoding_option(reading.side)
        with open_source(open_it(), encoding=reading.encoding, encoding_option=option) as source:
            reject_lookalike(source, "txt")
            for _, line in source.lines():
                lines += 1
                tabular += _is_tabular(line)
                firsts += split_words(line)[:1]
    return firsts, lines, tabular


def _is_tabular(line: str) -> bool:
    """Whether a line is one of a table or of times, which are no plain text."""
    return max(line.count("\t"), line.count(";"), len(DECIMAL.findall(line))) > 1


def _of_json(
    file: File, side: str, reading: Reading, problem: UnknownFormatError
) -> Corpus | Undecided:
    """A JSON object of texts; its member `text`, if it has one, is all that is said."""
    from formats.blanks import words_of_text
    from formats.model import Segment
    from formats.source import is_collection, open_source, recording_of

    path = os.fspath(file.path)
    if is_collection(path):
        raise problem
    with open_source(path, encoding=reading.encoding) as source:
        text = source.text(limit=None)
    if side == "hypothesis" and not text.strip():
        return Undecided(file, side, reading, ())
    try:
        members = json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError):
        raise problem from None
    if not isinstance(members, dict) or not members:
        raise problem
    if isinstance(members.get("text"), str):
        words = words_of_text(members["text"])
        remark = f'note: {path}: the member "text" is read as one text'
        corpus = from_segments([Segment(recording_of(path), words, line=1)], path, None, (remark,))
        return corpus._replace(named_by_file=True)
    texts = list(members.values())
    if not all(isinstance(one, str) for one in texts):
        raise problem
    return Undecided(file, side, reading, list(members), texts=texts, problem=problem)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _of_two(left: Undecided, right: Undecided, read: Reader) -> tuple[Corpus, Corpus]:
    """Both undecided: with identifiers, by position, or plain text."""
    of_json = [one for one in (left, right) if one.texts is not None]
    firsts, others = set(left.firsts), set(right.firsts)
    shared = len(firsts & others)
    least = min(len(firsts), len(others))
    look_alike = _look_alike(left.firsts) and _look_alike(right.firsts)
    if shared and 10 * shared >= 9 * least and (of_json or look_alike):
        return _named(left, right.name, read), _named(right, left.name, read)
    if of_json:
        assert of_json[0].problem is not None
        raise of_json[0].problem
    for one, other in ((left, right), (right, left)):
        if one.problem is None or not kaldi_text.looks_alike(one.firsts):
            continue
        is_sure = one.lines == other.lines and all(map(UNMISTAKABLE.match, one.firsts))
        if other.lines and (shared or not is_sure):
            raise one.problem
        named = _named(one, "", read)
        sides = _by_position(other, named, read)
        return (sides[1], sides[0]) if one is left else sides
    return _plain(left, read), _plain(right, read)


def _beside(one: Undecided, other: Corpus, read: Reader) -> tuple[Corpus, Corpus]:
    """An undecided side beside one that is read already: both."""
    names = set(() if other.by_position else other.identifiers)
    is_named = bool(names)
    names = names or {segment.recording for segment in other.segments}
    shared = [first in names for first in one.firsts].count(True)
    if shared and (is_named or len(names) > 1 or one.texts or _look_alike(one.firsts)):
        of_other = len(names.intersection(one.firsts))
        by_other = 10 * of_other >= 9 * len(names) and _look_alike(one.firsts)
        if 10 * shared >= 9 * len(one.firsts) or by_other:
            return _named(one, other.name, read), other
    looks_alike = one.problem is not None and kaldi_text.looks_alike(one.firsts)
    if one.problem is not None and (one.texts is not None or (looks_alike and not is_named)):
        raise one.problem
    if looks_alike:
        return _named(one, other.name, read), other  # its identifiers may be others
    return _by_position(one, other, read)


def _look_alike(firsts: Sequence[str]) -> bool:
    """Whether first words of lines may all be identifiers."""
    if len(firsts) < kaldi_text.ENOUGH_LINES or len(set(firsts)) < len(firsts):
        return all(map(UNMISTAKABLE.match, firsts))
    return all(any(sign.isdigit() or sign in "-_" for sign in first) for first in firsts)


def _named(one: Undecided, other: str, read: Reader) -> Corpus:
    """The file as utterances with identifiers."""
    if one.texts is not None:
        corpus = listed(one.side, one.firsts, one.texts)._replace(name=one.name)
        what = "a JSON object is a mapping"
    else:
        corpus = one.read_as(kaldi_text.NAME, read)
        what = "read as Kaldi's text"
    why = f": its identifiers are those of {other}" if other else ""
    return corpus._replace(remarks=(*corpus.remarks, f"note: {one.name}: {what}{why}"))


def _plain(one: Undecided, read: Reader) -> Corpus:
    """The file as one text; LookAlikeError if it may be another."""
    if isinstance(one.problem, InputError):
        raise one.problem
    if one.plain is not None:
        return one.plain
    corpus = one.read_as("txt", read)
    return corpus._replace(remarks=(*corpus.remarks, f"note: {one.name}: read as plain text"))


def _by_position(one: Undecided, other: Corpus, read: Reader) -> tuple[Corpus, Corpus]:
    """A plain text beside utterances: its lines are these, in their order; else one text.

    Raises
    ------
    InputError
        If there are more or fewer lines.
    """
    from formats.source import is_collection, recording_of

    spoken = [segment for segment in other.segments if segment.kind != "ignored"]
    names = set(other.identifiers) or {segment.recording for segment in spoken}
    is_one_text = len(names) < 2 and (other.by_position or not other.identifiers)
    if is_one_text or is_collection(one.name) or recording_of(one.name) in names or not one.lines:
        return _plain(one, read), other
    count = len(other.identifiers) or len(spoken)
    if one.lines != count and not other.by_position:
        raise InputError(
            one.name,
            None,
            None,
            f"expected {count} lines, one for each utterance of {other.name}, found {one.lines}",
        )
    text = one.read_as(NUMBERED, read)
    if not other.by_position:
        if not other.identifiers:
            numbers = [
                segment.replace(utterance=f"{at:06d}") for at, segment in enumerate(spoken, 1)
            ]
            keep = one.reading.keep
            numbered = from_segments(numbers, other.name, other.format, other.remarks, keep=keep)
            other = numbered._replace(repeated=other.repeated, definitions=other.definitions)
        other = other._replace(by_position=True, timed_segments=(), rows=())
        text = text._replace(identifiers=other.identifiers)
    remark = f"note: {one.name}: its {one.lines} lines are the utterances of {other.name} in order"
    return text._replace(remarks=(*text.remarks, remark)), other
