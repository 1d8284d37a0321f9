r"""Listings of utterances with one side below the other, from icefall, SpeechBrain and WeNet.

Each reader parses the text of a file and returns its utterances.
"""

from __future__ import annotations

import json
import re
import warnings
from ast import literal_eval
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from formats.schema.messages import expected_found
from scoring.model.counts import Counts, Edit, edit_of
from scoring.regression.evidence import EvidenceError

if TYPE_CHECKING:
    from formats.schema.words import Words

EMPTY = "<eps>"  # of SpeechBrain
_EQUAL = "="  # SpeechBrain's letter of equal words
EMPTY_WORD = "\N{OPEN BOX}"  # stands for a word without letters, which SpeechBrain counts
_NUMBER = r"(\d{1,15})"
_HEAD = re.compile(
    rf"(.*), %WER \S+ \[ {_NUMBER} / {_NUMBER}, {_NUMBER} ins, {_NUMBER} del, {_NUMBER} sub \]"
)
_COUNTS = re.compile(rf"WER: \S+ % N={_NUMBER} C={_NUMBER} S={_NUMBER} D={_NUMBER} I={_NUMBER}")


class ListedUtterance(NamedTuple):
    """An utterance of a listing."""

    identifier: str
    reference: Words
    hypothesis: Words
    line: int  # where it begins
    speaker: str | None = None
    counts: Counts | None = None  # as recorded
    numbers: str = ""  # the line that records them
    edits: str = ""  # the recorded ones, where each has a letter, and those of the words beside
    expected_edits: str = ""


def read_recogs(path: str, text: str) -> Iterator[ListedUtterance]:
    """Read icefall's `recogs-*`: lines `ID:<tab>ref=['a', 'b']` and `ID:<tab>hyp=…`."""
    waiting: tuple[str, Words, int] | None = None
    for number, line in _filled(text):
        name = "ref=" if waiting is None else "hyp="
        identifier, tab, rest = line.partition(":\t")
        if not tab or not rest.startswith(name) or (waiting and waiting[0] != identifier):
            of = f" of {waiting[0]!r}" if waiting else ""
            raise _unexpected(path, number, f"ID:<tab>{name}[words]{of}", line)
        words = _words(path, number, rest[len(name) :])
        if waiting is None:
            waiting = identifier, words, number
        else:
            yield ListedUtterance(identifier, waiting[1], words, waiting[2])
            waiting = None
    if waiting is not None:
        problem = expected_found(f"the hypothesis of {waiting[0]!r}", "the end")
        raise EvidenceError(path, waiting[2], None, problem)


def _words(path: str, number: int, text: str) -> Words:
    if not text.startswith("["):
        return tuple(text.split())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            words = literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        words = None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise _unexpected(path, number, "a list of words", text)
    # a word of several, or of none, as decoders write them
    return tuple(part for word in words for part in word.split())


def read_speechbrain(path: str, text: str) -> Iterator[ListedUtterance]:
    """Read SpeechBrain's `wer_*.txt`: header, then reference, edits and hypothesis in `=` lines."""
    lines = text.replace("\r\n", "\n").split("\n")
    position = lines.index("ALIGNMENTS") + 1 if "ALIGNMENTS" in lines else len(lines)
    while position < len(lines):
        match = _HEAD.fullmatch(lines[position]) if set(lines[position - 1]) == {"="} else None
        if match is None:
            if set(lines[position - 1]) == {"="} and lines[position].strip():
                raise _unexpected(path, position + 1, "ID, %WER and counts", lines[position])
            position += 1
            continue
        rows = lines[position + 1 : position + 4]
        _, length, insertions, deletions, substitutions = map(int, match.groups()[1:])
        # without any word there is nothing but empty lines
        cells = [[cell.strip() for cell in row.split(" ; ")] for row in (*rows, "", "", "")[:3]]
        sizes = [length, length + insertions - deletions]
        sides = [_words_of_cells(cells[row], size) for row, size in zip((0, 2), sizes, strict=True)]
        if list(map(len, sides)) != sizes:
            problem = expected_found(
                f"{sizes[0]} words of the reference and {sizes[1]} of the hypothesis of "
                f"{match[1]!r}",
                f"{len(sides[0])} and {len(sides[1])}",
            )
            raise EvidenceError(path, position + 2, None, problem)
        counts = Counts(length - substitutions - deletions, substitutions, deletions, insertions)
        pairs = zip(cells[0], cells[2], strict=False)
        letters = "".join(edit_of(*pair, EMPTY).letter for pair in pairs)
        edits = "".join(cells[1]).strip(), letters.replace(Edit.CORRECT.letter, _EQUAL)
        yield ListedUtterance(
            match[1],
            sides[0],
            sides[1],
            position + 1,
            counts=counts,
            numbers=lines[position],
            edits=edits[0],
            expected_edits=edits[1] if any(sides) else "",
        )
        position += 4


def _words_of_cells(cells: Sequence[str], size: int) -> Words:
    """Return the words of a row; an empty cell is a word if the recorded numbers count it."""
    words = tuple(word for word in cells if word not in ("", EMPTY))
    counted = tuple(word or EMPTY_WORD for word in cells if word != EMPTY)
    return counted if len(words) != size == len(counted) else words


def read_wenet(path: str, text: str) -> Iterator[ListedUtterance]:
    """Read the output of WeNet's `compute-wer.py`: `utt:`, `WER:` with counts, `lab:`, `rec:`."""
    name: tuple[str, int] | None = None
    counts: list[int] = []
    numbers = ""
    sides: dict[str, list[str]] = {"lab": [], "rec": []}

    def finished() -> Iterator[ListedUtterance]:
        if name is None:
            return
        if not counts:
            raise EvidenceError(path, name[1], None, expected_found(f"WER: of {name[0]!r}", "none"))
        length, correct, substitutions, deletions, insertions = counts
        sizes = [length, length + insertions - deletions]
        lengths = [len(sides["lab"]), len(sides["rec"])]
        if lengths != sizes:
            problem = expected_found(
                f"{sizes[0]} words of lab and {sizes[1]} of rec of {name[0]!r}",
                f"{lengths[0]} and {lengths[1]} (--padding-symbol=underline cannot be read)",
            )
            raise EvidenceError(path, name[1], None, problem)
        recorded = Counts(correct, substitutions, deletions, insertions)
        words = tuple(sides["lab"]), tuple(sides["rec"])
        yield ListedUtterance(name[0], *words, name[1], counts=recorded, numbers=numbers)

    for number, line in _filled(text):
        key, _, rest = line.partition(":")
        if key == "utt":
            yield from finished()
            name, counts, sides = (rest.strip(), number), [], {"lab": [], "rec": []}
        elif key == "WER" and name is not None:
            match = _COUNTS.match(line)
            if match is None:
                raise _unexpected(path, number, "WER: with N, C, S, D and I", line)
            counts = list(map(int, match.groups()))
            numbers = " ".join(line.split())
        elif key[:3] in sides and key[3:4] in ("", "(") and name is not None:
            sides[key[:3]] += rest.split()
        elif set(line) == {"="}:
            break
        else:
            raise _unexpected(path, number, "utt:, WER:, lab: or rec:", line)
    yield from finished()


def rows_of(path: str) -> list[dict[str, Any]]:
    """Return the objects of a JSON lines file; an empty list for other files."""
    if not path.endswith((".jsonl", ".json")):
        return []
    try:
        rows = [
            json.loads(line)
            for line in Path(path).read_text("utf-8-sig").splitlines()
            if line.strip()
        ]
    except (ValueError, RecursionError):
        return []
    return rows if all(isinstance(row, dict) for row in rows) else []


ListingReader = Callable[[str, str], Iterator[ListedUtterance]]


def _filled(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line.rstrip("\r")


def _unexpected(path: str, number: int, expected: str, content: str) -> EvidenceError:
    return EvidenceError(path, number, 1, expected_found(expected, repr(content[:60])))
