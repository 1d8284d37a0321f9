"""Variants in references: the notation `{a|b|}`, `(x)`, `<*>`, and files of equivalent words."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from scoring.model.errors import InputError
from scoring.sides.corpus import Corpus

if TYPE_CHECKING:
    from formats.schema.words import Item, Words

WILDCARD = "<*>"
# The origin of the alternatives of the notation.
VARIANT = "variant"
_MARK = re.compile(r"([{|}])")
# Texts without any of these are plain words.
_NOTED = re.compile(r"[{}]|(?<!\S)<\*>|(?<!\S)\(\S+\)(?!\S)")


class _NotationError(ValueError):
    """Raised for a misplaced mark, with the index of its word and its position in the word."""

    def __init__(self, problem: str, word: int, place: int) -> None:
        super().__init__(problem)
        self.word, self.place = word, place


def parse_variants(words: Sequence[str]) -> list[Item]:
    """Return the words and alternatives of a text in variant notation; `{a}` means `{a|}`.

    Braces inside a word are an error; write two spellings of a word as `{colour|color}`.

    >>> parse_variants("on {the seventh|7} (uh) <*>".split())[1]
    Alternation('the' 'seventh' / '7')
    """
    from formats.schema.words import WILDCARD_KIND, Alternation, Token, read_token

    stack: list[list[list[Item]]] = [[[]]]
    opened: list[tuple[int, int]] = []
    for number, word in enumerate(words):
        place = 0
        has_marks = bool(opened) or "{" in word or "}" in word
        for text in filter(None, _MARK.split(word) if has_marks else (word,)):
            neighbours = word[:place][-1:], word[place + 1 : place + 2]
            if text == "{":
                _check_border(neighbours[0], "before {", number, place)
                opened.append((number, place))
                stack.append([[]])
            elif text == "}":
                if not opened:
                    raise _NotationError("expected { before }, found none", number, place)
                _check_border(neighbours[1], "after }", number, place)
                branches = stack.pop()
                opened.pop()
                stack[-1][-1].append(Alternation([*branches, []][: max(2, len(branches))], VARIANT))
            elif text == "|" and opened:
                stack[-1].append([])
            else:
                token = read_token(text) if text != WILDCARD else Token(text, kind=WILDCARD_KIND)
                stack[-1][-1].append(token)
            place += len(text)
    if opened:
        raise _NotationError("expected } after {, found the end of the text", *opened[-1])
    return stack[0][0]


def _check_border(letter: str, where: str, word: int, place: int) -> None:
    if letter.isalnum():
        problem = f"expected a blank {where}, found {letter!r}: write whole words in braces"
        raise _NotationError(problem, word, place)


def with_variants(corpus: Corpus) -> Corpus:
    """Return the utterances with the variants in their texts as alternatives.

    Raises InputError, with the position in the file, for misplaced braces.
    """
    from formats.schema.model import Segment

    words = list(corpus.words)
    special = dict(corpus.special)
    for row, plain in enumerate(words):
        segment = corpus.special.get(row)
        noted = plain if segment is None else tuple(_noted(segment.items()).split())
        if segment is None and not _NOTED.search(" ".join(noted)):
            continue
        try:
            items = parse_variants(noted)
        except _NotationError as problem:
            line = corpus.lines[row]
            path = getattr(line, "path", corpus.name)
            column = None if line is None else _column(path, line, noted, problem)
            text = f"utterance {corpus.identifiers[row]!r}: {problem}"
            raise InputError(path, line, column, text) from None
        old = segment or Segment("-", (), utterance=corpus.identifiers[row])
        special[row] = old.with_items(items)
        words[row] = special[row].words
    return corpus._replace(words=words, special=special)


def _noted(items: Iterable[Item]) -> str:
    """Return the words and alternatives that a reader returned, as text in variant notation."""
    from formats.schema.words import Token

    return " ".join(
        (f"({item.text})" if item.optional else item.text)
        if isinstance(item, Token)
        else "{" + "|".join(map(_noted, item.branches)) + "}"
        for item in items
    )


def _column(path: str, line: int, words: Words, problem: _NotationError) -> int | None:
    """Return the column of a mark, from 1; None if the file has no line with this number."""
    word = words[problem.word]
    earlier = words[: problem.word].count(word)
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = next(islice(file, line - 1, None), "")
    except (OSError, ValueError):
        return None
    place = -1
    for _ in range(earlier + 1):
        place = text.find(word, place + 1)
    return None if place < 0 else place + problem.place + 1


class VariantTable(NamedTuple):
    """Equivalent words and phrases, and equivalent parts of words.

    `phrases` maps each phrase to the other phrases of its group. `parts` are pairs of a part of a
    word and its compared form. `title` names the file and the hash of its bytes.
    """

    title: str
    phrases: dict[Words, list[Words]]
    parts: Sequence[tuple[str, str]]

    def key(self, word: str) -> str:
        """Return a word in the form in which it is compared: equivalent parts are replaced."""
        for part, compared in self.parts:
            word = word.replace(part, compared)
        return word

    def spellings(self, heard: Iterable[str]) -> dict[str, list[str]]:
        """Return the words of a hypothesis, grouped by the form in which they are compared."""
        keys: dict[str, list[str]] = {}
        for spoken in dict.fromkeys(heard) if self.parts else ():
            keys.setdefault(self.key(spoken), []).append(spoken)
        return keys

    def prepared(self, prepare: Callable[[Words], Words]) -> VariantTable:
        """Return the table with all phrases changed by `prepare` (normalisation)."""
        phrases: dict[Words, list[Words]] = {}
        for phrase, others in self.phrases.items():
            equivalents = phrases.setdefault(prepare(phrase), [])
            equivalents += [other for other in map(prepare, others) if other not in equivalents]
        phrases.pop((), None)
        return self._replace(phrases=phrases)


def with_equivalents(
    corpus: Corpus, table: VariantTable, spellings: dict[str, list[str]], unit: str
) -> Corpus:
    """Return the utterances with the equivalents of a table as alternatives.

    Words are cut into the units of the table; `spellings` are the words of the hypothesis.
    """
    from formats.schema.model import Segment
    from formats.schema.words import WILDCARD_KIND, Alternation, Token
    from scoring.text.units import split_in_units

    longest = max(map(len, table.phrases), default=0)

    def branches_at(texts: Words, begin: int) -> list[Words]:
        """Return the longest phrase of the table at a position and its equivalents.

        If no phrase begins there, return the word alone.
        """
        for size in range(min(longest, len(texts) - begin), 0, -1):
            phrase = texts[begin : begin + size]
            if phrase in table.phrases:
                return [phrase, *table.phrases[phrase]]
        word = texts[begin]
        others = [other for other in spellings.get(table.key(word), ()) if other != word]
        return [(word,), *((other,) for other in others)]

    def changed(items: Sequence[Item]) -> Iterator[Item]:
        run: list[str] = []
        for item in (*items, None):
            if isinstance(item, Token) and item.kind != WILDCARD_KIND and not item.optional:
                run += split_in_units((item.text,), unit)
                continue
            texts, begin = tuple(run), 0
            while begin < len(texts):
                branches = branches_at(texts, begin)
                begin += len(branches[0])
                if len(branches) == 1:
                    yield Token(branches[0][0])
                else:
                    yield Alternation([map(Token, branch) for branch in branches], VARIANT)
            run = []
            if isinstance(item, Alternation):
                yield Alternation([changed(b) for b in item.branches], item.origin)
            elif item is not None:
                yield item

    words, special = list(corpus.words), dict(corpus.special)
    for row, plain in enumerate(words):
        segment = corpus.special.get(row)
        items = list(map(Token, plain)) if segment is None else list(segment.items())
        written = list(changed(items))
        if any(isinstance(item, Alternation) for item in written):
            old = segment or Segment("-", (), utterance=corpus.identifiers[row])
            special[row] = old.with_items(written)
            words[row] = special[row].words
    return corpus._replace(words=words, special=special)


def read_variants(name: str | os.PathLike[str]) -> VariantTable:
    """Read a file of variants; `LANGUAGE=FILE` reads the general groups and those of a language.

    A line is one of these: a group of equivalents, `a | b c`; equivalent parts of words, which may
    be empty, `~ x | y`; the heading of the groups of a language, `[hi]`; a comment after `;;`.

    Raises InputError for any other line, and FormatError if the file cannot be read.
    """
    from formats.io.source import open_source

    path, language = os.fspath(name), ""
    if "=" in path and not os.path.exists(path):
        language, _, path = path.partition("=")
    phrases: dict[Words, list[Words]] = {}
    parts: list[tuple[str, str]] = []
    section, sections = "", {""}
    with open_source(path) as source:
        text = source.text(limit=None)
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition(";;")[0].strip()
        if content.startswith("[") and content.endswith("]"):
            section = content[1:-1].strip()
            sections.add(section)
        elif content and section in ("", language or section):
            column = len(line) - len(line.lstrip()) + 1
            fields = [field.strip() for field in content.lstrip("~").split("|")]
            is_part = content.startswith("~")
            if len(fields) < 2 or not (fields[0] if is_part else all(fields)):
                kind = "parts of words" if is_part else "words or phrases"
                problem = f"expected {kind} separated by |, found {content!r}"
                raise InputError(path, number, column, problem)
            if is_part:
                compared = "" if "" in fields else fields[0]
                parts += [(field, compared) for field in fields if field not in ("", compared)]
                continue
            group = [tuple(field.split()) for field in fields]
            for phrase in group:
                others = phrases.setdefault(phrase, [])
                others += [o for o in group if o != phrase and o not in others]
    if language not in sections:
        known = ", ".join(sorted(filter(None, sections))) or "none"
        raise InputError(path, None, None, f"expected the language [{language}], found {known}")
    from hashlib import sha256

    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    title = f"{language + '=' if language else ''}{os.path.basename(path)}@{digest}"
    parts.sort(key=lambda pair: -len(pair[0]))  # so that no part hides a longer one
    return VariantTable(title, phrases, parts)
