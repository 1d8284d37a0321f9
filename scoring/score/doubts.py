"""Warnings about scores that are probably wrong, such as swapped sides or garbled letters.

The checks look for six signs: both sides have few words in common; the hypothesis is several
times as long as the reference; the sides look swapped; both sides are the same file; the hypothesis
equals the reference although its rows have a second text; letters are garbled (UTF-8 read in
another encoding, HTML entities, look-alike letters of another script).
`scoring.sides.matching.clocks` checks times when words are matched by time.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from scoring.score.aligned import (
    POOR_AGREEMENT,
    SEEN,
    WORDS_OF_TEXT,
    is_far_longer,
    sample_step,
    texts_of,
    wrong_rows,
)
from scoring.sides.corpus import NO_PARTNER
from scoring.sides.side_files import is_manifest, takes_option

if TYPE_CHECKING:
    from formats.schema.messages import Message
    from scoring.alignment.results import Alignments
    from scoring.options import Options
    from scoring.sides.corpus import Corpus, SideRemark

# Codes of the messages of this module, and of sides that look swapped.
CODES = frozenset({"NO-BLANKS", "UNRELATED", "OTHER-TEXT", "GARBLED", "SWAPPED", "SAME-FILE"})
# Rows of a table that are checked where the table is read in parts.
SAMPLED_ROWS = 10_000
# File and line of a row of the alignment, on the side of the reference (0) or hypothesis (1).
PlaceOfRow = Callable[[int, int], str]

# The share of the shorter side's words below which next to none agrees.
_LEAST_AGREEMENT = 0.05
# Words from which poor agreement is compared with that of other utterances.
_WORDS_OF_CHANCE = 200
# How many times as many words as by chance agree in related texts.
_MORE_THAN_CHANCE = 1.15
# Rows below which they are compared backwards, and the words of them.
_FEW_ROWS, _LONGEST_TEXT = 10, 2_000
_LONGEST_WORD = 8
# Of rows whose columns are looked at, the share that has another text, and the share of the
# words of such rows that the other text has.
_ROWS, _HAS_TEXT, _ALIKE = 200, 0.5, 0.3
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});")
# The first byte of a letter in UTF-8 and what follows it, in another encoding.
_GARBLED = re.compile("[\u00c2-\u00f4][^\x00-\x7f]")
# Marks that English has, too: garbled ones are noticed beside plain ones.
_MARKS = "‘’“”–—…"
# The share of the words of a reference that a recipe drops at most.
_MOST_DROPPED = 0.2
# Letters of Cyrillic and Greek, and the Latin letters that they look like.
_LOOKS = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухԁһѵԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧονυα",
    "ABESIJKMHOPCTYXaesijopcyxdhvqwlABEZHIKMNOPTYXovua",
)
_LATIN, _OTHER_SCRIPT = re.compile("[A-Za-z]"), re.compile("[\u0370-\u052f]")
MOJIBAKE, ENTITIES, LOOK_ALIKES = "mojibake", "entities", "look-alikes"


class GarbledKind(NamedTuple):
    """A kind of garbled letters on one side, with the number of cases and the first case."""

    side: int
    kind: str
    number: int
    written: str
    meant: str
    row: int


def doubts_of(
    aligned: Alignments,
    options: Options,
    sides: tuple[Corpus, Corpus],
    place: PlaceOfRow,
    *,
    is_cut: bool = False,
) -> Iterator[Message]:
    """Yield warnings about a score that is probably wrong.

    `is_cut` is true if whole recordings were aligned, and then cut into utterances.
    """
    left, right = sides
    unit = options.value("unit")
    is_unseparated = unit == "word" and looks_unseparated(aligned)
    if is_unseparated:
        from scoring.score import messages

        yield messages.Message(messages.UNSEPARATED, {"path": left.name})
    yield from _result_as_reference(aligned, left, right)
    if not aligned.counts.total().errors:
        if "field" not in dict(options.hypothesis_options):
            yield from _other_text(left, right)
        return
    # word numbers in place of words have a warning of their own
    are_numbers = [any(each.code == "KALDI-INTEGERS" for each in side.remarks) for side in sides]
    if any(are_numbers):
        _refuse_word_numbers(aligned, options, sides, are_numbers)
    elif unit == "word" and not is_unseparated:
        yield from _many_more_words(aligned, left.name, right.name)
        yield from _unrelated(aligned, left.name, right.name, is_cut=is_cut)
    for oddity in odd_letters(aligned, unit):
        yield _remark_on(oddity, options, sides, place)


def _refuse_word_numbers(
    aligned: Alignments,
    options: Options,
    sides: tuple[Corpus, Corpus],
    are_numbers: Sequence[bool],
) -> None:
    """Raise InputError if only one side has integers as words, and next to none agrees.

    A named format of this side means that the integers are words.
    """
    total = aligned.counts.total()
    words, correct = total.reference_tokens, total.correct
    fewest = min(words, total.hypothesis_tokens)
    if all(are_numbers) or fewest < WORDS_OF_TEXT or correct >= _LEAST_AGREEMENT * fewest:
        return
    side = ("reference", "hypothesis")[are_numbers[1]]
    if options.value(f"{side}_format") is not None:
        return
    from scoring.model.errors import InputError
    from scoring.score import messages

    name, other = (corpus.name for corpus in (sides if are_numbers[0] else sides[::-1]))
    fields = {"reference": other, "correct": correct, "words": words, "side": side}
    raise InputError(name, None, None, messages.Message(messages.WORD_NUMBERS, fields))


def among(remarks: Iterable[SideRemark]) -> list[Message]:
    """Return the remarks that warn about doubtful scores."""
    from formats.schema.messages import Message

    return [each for each in remarks if isinstance(each, Message) and each.code in CODES]


class DoubtsOfBatches:
    """Warnings about doubtful scores from the first batches of a table, each kind once.

    A warning that concerns the whole text is kept only if most batches have this warning.
    """

    def __init__(self) -> None:
        self.most_rows = SAMPLED_ROWS
        self._rows = self._batches = 0
        self._met: dict[str, list[Message]] = {}

    def add(self, remarks: Iterable[SideRemark], rows: int) -> None:
        """Add the warnings of a batch with the given number of rows."""
        if not rows:
            return
        self._rows += rows
        self._batches += 1
        for doubt in among(remarks):
            self._met.setdefault(doubt.entry.key, []).append(doubt)

    @property
    def is_open(self) -> bool:
        """True if more rows should be examined."""
        return self._rows < self.most_rows

    def messages(self) -> list[Message]:
        """Return the warnings of the batches."""
        return [
            doubts[0]
            for doubts in self._met.values()
            if doubts[0].code in ("GARBLED", "SWAPPED") or 2 * len(doubts) > self._batches
        ]


def places_in(sides: tuple[Corpus, Corpus], partners: Sequence[int]) -> PlaceOfRow:
    """Return the positions of utterances that are aligned with a partner."""

    def place(side: int, row: int) -> str:
        corpus, position = sides[side], partners[row] if side else row
        if position == NO_PARTNER or corpus.lines[position] is None:
            return f"{corpus.name}: {sides[0].identifiers[row]}"
        return corpus.place(position)

    return place


# Agreement.


def _many_more_words(aligned: Alignments, path: str, name: str) -> Iterator[Message]:
    """Yield a warning if the hypothesis is several times as long as the reference."""
    total = aligned.counts.total()
    words, heard = total.reference_tokens, total.hypothesis_tokens
    if is_far_longer(words, heard):
        from scoring.score import messages

        fields = {"path": name, "reference": path, "heard": heard, "words": words}
        yield messages.Message(messages.MANY_MORE_WORDS, fields)


def _unrelated(aligned: Alignments, path: str, name: str, *, is_cut: bool) -> Iterator[Message]:
    """Yield a warning if the sides agree in no more words than unrelated texts do.

    Utterances that an alignment has cut agree even in unrelated texts, so they are joined again.
    """
    total = aligned.counts.total()
    words, heard_words, correct = total.reference_tokens, total.hypothesis_tokens, total.correct
    fewest = min(words, heard_words)
    if fewest < WORDS_OF_TEXT or correct >= POOR_AGREEMENT * fewest:
        return
    from scoring.pages.hint import bare_word
    from scoring.score import messages

    rows = range(0, len(aligned), -(-len(aligned) // SEEN))
    said, heard = (
        [list(map(bare_word, side[row])) for row in rows]
        for side in (aligned.references, aligned.hypotheses)
    )
    if is_cut:
        said, heard = ([[word for words in side for word in words]] for side in (said, heard))
    alike = _agreement(said, heard)
    of_rows = min(sum(map(len, said)), sum(map(len, heard)))
    fields = {"path": name, "reference": path}
    if max(correct / fewest, alike / max(of_rows, 1)) < _LEAST_AGREEMENT:
        yield messages.Message(messages.UNRELATED, {**fields, "correct": correct, "words": words})
        return
    if of_rows < _WORDS_OF_CHANCE or alike >= POOR_AGREEMENT * of_rows:
        return
    entry = messages.UNRELATED_ROWS
    if len(said) < _FEW_ROWS:
        entry = messages.UNRELATED_BACKWARDS
        # backwards, as related texts are not
        said, heard = ([words[:_LONGEST_TEXT] for words in side] for side in (said, heard))
        alike, of_rows = _agreement(said, heard), min(sum(map(len, said)), sum(map(len, heard)))
        chance = _agreement(said, [words[::-1] for words in heard])
    else:
        # each beside the hypothesis of another utterance of about its length
        order = sorted(range(len(rows)), key=lambda row: len(said[row]))
        others = [heard[row] for row in (*order[1:], order[0])]
        chance = _agreement([said[row] for row in order], others)
    if alike <= _MORE_THAN_CHANCE * chance:
        numbers = {"correct": alike, "words": of_rows, "chance": chance}
        yield messages.Message(entry, {**fields, **numbers})


def _agreement(left: Sequence[Sequence[str]], right: Sequence[Sequence[str]]) -> int:
    """Return the number of correct words, summed over all pairs of texts."""
    from scoring.alignment.sequences import edit_distance_batch

    return edit_distance_batch(left, right).total().correct


def looks_unseparated(aligned: Alignments) -> bool:
    """Return True if the first words are mostly long and in a script without blanks."""
    texts = texts_of(aligned.references, range(min(len(aligned), SEEN)), "word")
    if all(map(str.isascii, texts)):
        return False
    words = [word for text in texts for word in text.split()]
    long = [word for word in words if len(word) > _LONGEST_WORD and not word.isascii()]
    if 2 * len(long) <= len(words):
        return False
    from scoring.results.repeats import UNSEPARATED

    return 2 * sum(len(UNSEPARATED.findall(word)) > _LONGEST_WORD for word in long) > len(words)


# Equal sides.


def _result_as_reference(aligned: Alignments, left: Corpus, right: Corpus) -> Iterator[Message]:
    """Yield a warning if a hypothesis has the reference of a result, such as a decode folder.

    A recipe may drop words, such as hesitations, from the reference in the result, so the
    hypothesis may have more words. Recognised words are never in Kaldi's data folder.
    """
    is_file = right.brought is None and right.format is not None
    if left.brought is None or not is_file or left.name == right.name:
        return
    total = aligned.counts.total()
    if total.reference_tokens < WORDS_OF_TEXT:
        return
    folder = os.path.dirname(right.name)
    is_data = os.path.isfile(os.path.join(folder, "utt2spk"))
    if total.correct < total.reference_tokens and not is_data:
        return
    if total.insertions > _MOST_DROPPED * total.reference_tokens:
        return
    from scoring.score import messages

    fields = {"path": right.name, "reference": left.name}
    if not total.errors:
        yield messages.Message(messages.RESULT_AS_REFERENCE, fields)
    elif total.correct == total.reference_tokens:
        number = {"insertions": total.insertions}
        yield messages.Message(messages.FILTERED_AS_REFERENCE, {**fields, **number})
    else:
        yield messages.Message(messages.DATA_AS_HYPOTHESIS, {**fields, "folder": folder or "."})


# Another text in the rows.


def _other_text(left: Corpus, right: Corpus) -> Iterator[Message]:
    """Yield a warning if a field of the hypothesis's rows has words like those that were scored.

    The scored words equal the reference, so the field may have the real hypothesis.
    """
    rows = right.spoken[:_ROWS] if right.segments and is_manifest(right.format) else ()
    texts: dict[str, list[tuple[list[str], Sequence[str]]]] = {}
    for segment in rows:
        for name, value in segment.properties:
            texts.setdefault(name, []).append((value.split(), segment.words))
    if not texts:
        return
    from scoring.pages.hint import bare_word
    from scoring.score import messages

    for name, values in texts.items():
        differing = [(text, words) for text, words in values if text != [*words]]
        if len(values) < _HAS_TEXT * len(rows) or not differing:
            continue
        common = sum(
            (Counter(map(bare_word, text)) & Counter(map(bare_word, words))).total()
            for text, words in differing
        )
        if common >= _ALIKE * sum(len(words) for _, words in differing) and common:
            fields = {"path": right.name, "reference": left.name, "column": name}
            yield messages.Message(messages.OTHER_TEXT, fields)


# Garbled letters.


def odd_letters(aligned: Alignments, unit: str) -> Iterator[GarbledKind]:
    """Yield the kinds of garbled letters in utterances with errors.

    In a long result, a sample is examined first, and all utterances only if the sample has such
    letters.
    """
    sample = wrong_rows(aligned, sample_step(aligned))[:SEEN]
    kinds = _kinds(_odd_rows(aligned, sample, unit), unit)
    if kinds and len(aligned) > SEEN:
        kinds = _kinds(_odd_rows(aligned, wrong_rows(aligned), unit), unit)
    for (side, kind), finds in kinds.items():
        _, written, meant, row = finds[0]
        yield GarbledKind(side, kind, sum(number for number, *_ in finds), written, meant, row)


def _odd_rows(
    aligned: Alignments, rows: Sequence[int], unit: str
) -> list[tuple[int, tuple[str, str]]]:
    """Return the rows in which letters may be garbled, with the texts of both sides."""
    said, heard = (texts_of(side, rows, unit) for side in (aligned.references, aligned.hypotheses))
    return [
        (row, (left, right))
        for row, left, right in zip(rows, said, heard, strict=True)
        if not (left.isascii() and right.isascii()) or "&" in left or "&" in right
    ]


def _kinds(
    rows: Sequence[tuple[int, tuple[str, str]]], unit: str
) -> dict[tuple[int, str], list[tuple[int, str, str, int]]]:
    """Return the garbled letters by side and kind.

    Each case has the number of letters, the written and the intended form, and the row.
    """
    kinds: dict[tuple[int, str], list[tuple[int, str, str, int]]] = {}
    for row, texts in rows:
        for side in (1, 0):
            text, other = texts[side], texts[1 - side]
            finds = [*_garbled_letters(text, other, unit), *_entities(text, other, unit)]
            if unit == "word":
                finds += _look_alikes(text, other)
            for kind, *find in finds:
                kinds.setdefault((side, kind), []).append((*find, row))  # type: ignore[arg-type]
    return kinds


def _garbled_letters(text: str, other: str, unit: str) -> Iterator[tuple[str, int, str, str]]:
    """Yield the letters of `other` that are wrongly decoded in `text`.

    Each has its kind, its count, a wrong word, and this word with the intended letters.
    """
    if text.isascii() or not _GARBLED.search(text):
        return
    letters = {*_MARKS, *other} if not other.isascii() else {*_MARKS}
    for letter in sorted(letters):
        for bytes_ in () if letter.isascii() else _as_bytes(letter):
            number = text.count(bytes_) - other.count(bytes_)
            if number > 0:
                word = _word_with(bytes_, text, unit)
                yield MOJIBAKE, number, word, _restored(word, letters)
                break


@cache
def _as_bytes(letter: str) -> tuple[str, ...]:
    r"""Return what a letter's UTF-8 bytes become if another encoding reads them, in both cases.

    >>> _as_bytes("é"), _as_bytes("’")[0]
    (('Ã©', 'ã©', 'Ã‰', 'ã‰', 'Ã\x89', 'ã\x89'), 'â€™')
    """
    from formats.io.twice_encoded import misread_forms

    forms = (form for form in dict.fromkeys((letter, letter.upper())) if not form.isascii())
    texts = [
        each for form in forms for text in misread_forms(form) for each in (text, text.lower())
    ]
    return tuple(dict.fromkeys(texts))


def _word_with(piece: str, text: str, unit: str) -> str:
    """Return the first word of a text that contains `piece`.

    If the text consists of characters, the result is `piece` itself.
    """
    if unit != "word":
        return piece
    return next((word for word in text.split() if piece in word), piece)


def _restored(word: str, letters: set[str]) -> str:
    """Return a word with the intended letters in place of wrongly decoded bytes."""
    for letter in sorted(letters):
        for bytes_ in () if letter.isascii() else _as_bytes(letter):
            word = word.replace(bytes_, letter)
    return word


def _entities(text: str, other: str, unit: str) -> Iterator[tuple[str, int, str, str]]:
    """Yield HTML character references that are more frequent in `text` than in `other`."""
    if "&" not in text:
        return
    from html import unescape

    for name, number in Counter(_ENTITY.findall(text)).items():
        if unescape(name) != name and number > other.count(name):
            word = _word_with(name, text, unit)
            yield ENTITIES, number - other.count(name), word, unescape(word)


def _look_alikes(text: str, other: str) -> Iterator[tuple[str, int, str, str]]:
    """Yield words of `text` that look like words of `other`, but have letters of another script."""
    both = text + other
    if _OTHER_SCRIPT.search(both) is None or _LATIN.search(both) is None:
        return
    words, others = Counter(text.split()), Counter(other.split())
    looks = {_looks(word): word for word in others.keys() - words.keys() if len(word) > 1}
    for word, number in words.items():
        if word in others or len(word) < 2:
            continue
        partner = looks.get(_looks(word))
        if partner is None or partner.casefold() == word.casefold():
            continue
        mixed = [_is_mixed(each) for each in (word, partner)]
        is_odd = mixed[0]
        if not any(mixed):
            # the one that is not in the script of most letters
            is_odd = _is_latin(word) != _is_latin(both)
        if is_odd:
            yield LOOK_ALIKES, number, word, partner


def _looks(word: str) -> str:
    return word.translate(_LOOKS).casefold()


def _is_latin(text: str) -> bool:
    """Return True if most letters are Latin."""
    return 2 * len(_LATIN.findall(text)) > sum(map(str.isalpha, text))


def _is_mixed(word: str) -> bool:
    """Return True if a word mixes Latin letters with similar letters of other scripts."""
    return _LATIN.search(word) is not None and word.translate(_LOOKS) != word


def _remark_on(
    oddity: GarbledKind, options: Options, sides: tuple[Corpus, Corpus], place: PlaceOfRow
) -> Message:
    """Return the warning about garbled letters."""
    from scoring.score import messages

    role = ("reference", "hypothesis")[oddity.side]
    side = sides[oddity.side]
    encoding = (options.reference_encoding, options.hypothesis_encoding)[oddity.side]
    entry = messages.GARBLED[oddity.kind]
    if oddity.kind == MOJIBAKE and (encoding or options.encoding) not in ("utf-8", "auto"):
        entry = messages.GARBLED_BY_OPTION
    elif oddity.kind == ENTITIES and takes_option(side.format, "entities"):
        entry = messages.ENTITIES_DECODED
    return messages.Message(
        entry,
        {
            "path": side.name,
            "number": oddity.number,
            "written": oddity.written,
            "meant": oddity.meant,
            "place": place(oddity.side, oddity.row),
            "side": role,
        },
    )
