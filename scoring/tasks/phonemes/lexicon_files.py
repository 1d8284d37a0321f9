"""Read pronunciation lexicons: Kaldi's, the CMU dictionary's, JSON.

=============================== ==================================================================
`kaldi`                         `lexicon.txt`: one word and its phonemes per line
`kaldi-probabilities`           `lexiconp.txt`: a probability from 0 to 1 after the word
`kaldi-silence-probabilities`   `lexiconp_silprob.txt`: four numbers after the word
`cmu`                           the same as `kaldi`, with comments and variants `WORD(2)`
`json`                          an object from words to pronunciations
=============================== ==================================================================

A word has the pronunciations of all its lines. A word without phonemes has an empty pronunciation;
a message reports this, because omitting the word is then no error. Probabilities are checked but
not used.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from formats.reading.lines import column_of_field, split_words
from formats.schema import words_of_text
from formats.schema.errors import OptionError, SyntaxFormatError, quoted
from scoring.tasks.messages import LEXICON_EMPTY, LEXICON_NO_WORDS, LEXICON_NUMBER, LEXICON_REPEATED
from scoring.tasks.phonemes.lexicon import PronunciationLexicon
from scoring.tasks.phonemes.network import Pronunciation

if TYPE_CHECKING:
    from formats.io.source import Readable, Source

KALDI, PROBABILITIES, SILENCE = "kaldi", "kaldi-probabilities", "kaldi-silence-probabilities"
CMU, JSON = "cmu", "json"
LEXICON_FORMATS = (KALDI, PROBABILITIES, SILENCE, CMU, JSON)
STRESS = ("keep", "strip")
NUMBERS = {KALDI: 0, PROBABILITIES: 1, SILENCE: 4, CMU: 0}
COMMENTS = (";;;", "##")
NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[0-9]+\.")
VARIANT = re.compile(r"(.+)\([0-9]+\)", re.DOTALL)

NumberedLine = tuple[int, str]


class LexiconEntry(NamedTuple):
    """A pronunciation of a word, with the line and column of the word, from 1."""

    word: str
    phonemes: Pronunciation
    line: int | None
    column: int | None


def read_lexicon(
    path: Readable,
    format: str | None = None,  # noqa: A002
    *,
    encoding: str = "utf-8",
    stress: str = "keep",
) -> PronunciationLexicon:
    r"""Read a lexicon.

    Parameters
    ----------
    path
        A path, `-` for standard input, or a stream; gzip is read, too.
    format
        One of `LEXICON_FORMATS`; None: detected from the content. JSON begins with a brace and a
        quote. CMU's dictionary has comments, or variants of words. Of all other files, those with
        probabilities have a number from 0 to 1 after every word.
    encoding
        As in `formats.read`. The dictionaries of CMU up to 0.7b are in `latin-1`.
    stress
        `keep`, or `strip`: vowels of ARPAbet lose their stress digits.

    Raises
    ------
    formats.FormatError
        If the file cannot be read, or a line is invalid; the error has file, line and column.
    formats.OptionError
        If the format, the encoding or the treatment of stress is unknown.

    Examples
    --------
    >>> import io
    >>> lexicon = read_lexicon(io.StringIO(";;; words\nTHE  DH AH0\nTHE(2)  DH IY0\n"))
    >>> lexicon["THE"]
    (('DH', 'AH0'), ('DH', 'IY0'))
    >>> read_lexicon(io.StringIO('{"a": [["ah"], ["e", "i"]]}'))["a"]
    (('ah',), ('e', 'i'))
    """
    from formats.io.source import open_source

    if format is not None and format not in LEXICON_FORMATS:
        raise OptionError(
            expected=f"a lexicon format out of {', '.join(LEXICON_FORMATS)}", found=quoted(format)
        )
    if stress not in STRESS:
        raise OptionError(expected=f"stress {' or '.join(STRESS)}", found=quoted(stress))
    with open_source(path, encoding=encoding) as source:
        lines = list(source.lines())
        name = format or _format_of(lines, source.name)
        entries = _json_entries(source, lines) if name == JSON else _entries(source, lines, name)
        pronunciations = _gathered(source, entries)
        remarks = [entry for entry in source.log.entries() if entry.severity != "note"]
    lexicon = PronunciationLexicon(pronunciations, remarks)
    return lexicon if stress == "keep" else lexicon.without_stress()


def _format_of(lines: Sequence[NumberedLine], path: str) -> str:
    """Return the detected format of a lexicon; by default Kaldi's `lexicon.txt`."""
    records = [line for _, line in lines if line.strip()]
    base = os.path.basename(path).lower().removesuffix(".gz")
    if base.endswith(".json") or (records and re.match(r"\s*\{\s*(?:[\"}]|$)", records[0])):
        return JSON
    if base.endswith(".dict") or base.startswith("cmudict"):
        return CMU
    if any(line.startswith(";;;") for line in records):
        return CMU
    fields = [split_words(line) for line in records]
    words = {field[0] for field in fields if field}
    variants = map(VARIANT.fullmatch, words)
    if any(variant is not None and variant[1] in words for variant in variants):
        return CMU
    for name in (SILENCE, PROBABILITIES):
        count = NUMBERS[name]
        if fields and all(
            len(field) > count and all(map(_is_number, field[1 : count + 1])) for field in fields
        ):
            return name
    return KALDI


def _is_number(text: str) -> bool:
    return NUMBER.fullmatch(text) is not None


def _entries(source: Source, lines: Iterable[NumberedLine], name: str) -> Iterator[LexiconEntry]:
    """Yield the entries of a file with one entry per line."""
    for number, line in lines:
        if name == CMU and line.startswith(COMMENTS):
            continue
        fields = split_words(line)
        if not fields:
            continue
        word, phonemes = fields[0], fields[1:]
        if name == CMU:
            variant = VARIANT.fullmatch(word)
            word = word if variant is None else variant[1]
            phonemes = list(takewhile(lambda phoneme: not phoneme.startswith("#"), phonemes))
        for index in range(NUMBERS[name]):
            _check_number(source, number, line, fields, index + 1, probability=index == 0)
        phonemes = phonemes[NUMBERS[name] :]
        if name == KALDI and phonemes and "." in phonemes[0] and _is_number(phonemes[0]):
            column = column_of_field(line, 1)
            found = {"phoneme": phonemes[0], "format": PROBABILITIES}
            source.log.say(LEXICON_NUMBER, number, column, **found)
        yield LexiconEntry(word, tuple(phonemes), number, column_of_field(line, 0))


def _check_number(
    source: Source, number: int, line: str, fields: Sequence[str], index: int, *, probability: bool
) -> None:
    expected = "a probability above 0, up to 1" if probability else "a number not below 0"
    if index >= len(fields):
        raise source.syntax_error(number, expected, "the end of the line", len(line) + 1)
    if not _is_number(fields[index]) or (probability and not 0 < float(fields[index]) <= 1):
        column = column_of_field(line, index)
        raise source.syntax_error(number, expected, quoted(fields[index]), column)


def _gathered(source: Source, entries: Iterable[LexiconEntry]) -> dict[str, list[Pronunciation]]:
    """Collect the pronunciations of each word; report oddities as remarks."""
    pronunciations: dict[str, list[Pronunciation]] = {}
    for entry in entries:
        paths = pronunciations.setdefault(entry.word, [])
        if entry.phonemes in paths:
            source.log.say(LEXICON_REPEATED, entry.line, word=entry.word)
            continue
        if not entry.phonemes:
            source.log.say(LEXICON_EMPTY, entry.line, entry.column, word=entry.word)
        paths.append(entry.phonemes)
    if not pronunciations:
        source.log.say(LEXICON_NO_WORDS)
    return pronunciations


def _json_entries(source: Source, lines: Iterable[NumberedLine]) -> Iterator[LexiconEntry]:
    import json

    text = "\n".join(line for _, line in lines)
    try:
        content = json.loads(text, object_pairs_hook=_Pairs)
    except json.JSONDecodeError as problem:
        raise SyntaxFormatError(
            f"expected JSON: {problem.msg}",
            path=source.name,
            line=problem.lineno,
            column=problem.colno,
        ) from None
    except (RecursionError, ValueError) as problem:
        raise SyntaxFormatError(f"expected JSON of words: {problem}", path=source.name) from None
    if not isinstance(content, _Pairs):
        expected = "an object from words to pronunciations"
        raise source.syntax_error(1, expected, _kind(content), 1)
    for position, (word, value) in enumerate(content):
        for phonemes in _json_pronunciations(_JsonPlace(source, text, word, position), value):
            yield LexiconEntry(word, phonemes, None, None)


class _Pairs(list[tuple[str, object]]):
    """A JSON object as a list of pairs, so that repeated words are not lost."""


class _JsonPlace(NamedTuple):
    """The position of a word for errors: the word is key number `position` (from 0) of the text."""

    source: Source
    text: str
    word: str
    position: int

    def error(self, expected: str, content: str) -> SyntaxFormatError:
        """Return an error at the position of the word in the JSON file."""
        # all earlier values are lists and texts, so that every key so far is a word
        strings = re.finditer(r'"(?:[^"\\]|\\.)*"(\s*:)?', self.text)
        keys = [match.start() for match in strings if match[1]]
        start = keys[self.position]
        line, column = self.text.count("\n", 0, start) + 1, start - self.text.rfind("\n", 0, start)
        return self.source.syntax_error(line, expected, content, column)


def _json_pronunciations(place: _JsonPlace, value: object) -> Iterator[Pronunciation]:
    """Yield the pronunciations of a word: a text, or a list of texts or of phoneme lists."""
    paths = [value] if isinstance(value, str) else value
    noun = f"pronunciations of {quoted(place.word)}"
    if not isinstance(paths, list) or isinstance(paths, _Pairs):
        raise place.error(f"{noun} as lists of phonemes", _kind(value))
    if not paths:
        raise place.error(noun, "none")
    single = [path for path in paths if isinstance(path, str) and len(split_words(path)) == 1]
    if len(paths) > 1 and len(single) == len(paths):
        # one pronunciation of several phonemes, or several of one each: nobody can tell
        raise place.error(
            f"{noun} as lists of phonemes, such as [[...], [...]]", "a list of single phonemes"
        )
    for path in paths:
        if isinstance(path, str):
            yield words_of_text(path)
        elif isinstance(path, list) and not isinstance(path, _Pairs):
            for phoneme in path:
                if not isinstance(phoneme, str) or not phoneme:
                    content = _kind(phoneme) if phoneme != "" else "an empty text"
                    raise place.error(f"{noun} of phonemes that are texts", content)
            yield tuple(path)
        else:
            raise place.error(f"{noun} as lists of phonemes", _kind(path))


def _kind(value: object) -> str:
    kinds = {_Pairs: "an object", list: "a list", str: "a text", bool: "true or false"}
    return "null" if value is None else kinds.get(type(value), "a number")
