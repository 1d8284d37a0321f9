"""Several hypotheses of each utterance, best first: the n-best lists of recognisers."""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from formats.schema import split_words
from formats.schema.errors import reason_unread
from scoring.model.errors import InputError

NBest = dict[str, list[str]]
_FOLDER = re.compile(r"([0-9]+)best_recog")
# An arc of Kaldi: two states, a label or two, and the weights, optional if they are 0.
_ARC = re.compile(r"\s*([0-9]+)\s+([0-9]+)\s+(\S+)(?:\s+(\S+))?(?:\s+(\S+))?\s*")
_WEIGHTS = re.compile(r"[-+.0-9einf]+,[-+.0-9einf]+(?:,[_0-9]*)?")
_RECOG = re.compile(r"([^\t]+):\t(ref|hyp|timestamp_ref|timestamp_hyp)=(\[.*\])")
# Members of JSON with the list, and with the identifier, the first that is there.
_LISTS = ("nbest", "n_best", "hypotheses", "beams", "pred_texts", "pred_text", "alternatives")
_NAMES = ("id", "utt_id", "utterance", "audio_filepath")
_TEXTS = ("text", "transcript", "pred_text", "sentence")


def read_nbest(path: str, kind: str = "auto", encoding: str = "utf-8") -> NBest:
    """Return the hypotheses of each utterance in a file or folder, best first.

    Parameters
    ----------
    path
        A file, or a folder of ESPnet 2 with `1best_recog/text`, `2best_recog/text` and so on.
    kind
        `numbered`: lines `ID-N words`; `lattices`: text of Kaldi's lattice-to-nbest, a block `ID-N`
        with a line for each arc, and a blank line between blocks; `espnet`: the folder, or
        `data.json` of ESPnet 1; `icefall`: recogs with several lines `hyp=[…]` of a cut; `json`:
        lines of JSON with a list, as of NeMo; `auto`: detected.

    Raises
    ------
    InputError
        If the file is not of the kind, or a number repeats.
    """
    if kind == "auto":
        kind = _kind_of(path, encoding)
    result: dict[str, dict[int, str]] = {}
    for identifier, number, text in _KINDS[kind](path, encoding):
        ranks = result.setdefault(identifier, {})
        if number in ranks:
            problem = f"expected one hypothesis {number} of {identifier!r}, found two"
            raise InputError(path, None, None, problem)
        ranks[number] = text
    if not result:
        raise InputError(path, None, None, "expected n-best lists, found no hypothesis")
    return {name: [ranks[number] for number in sorted(ranks)] for name, ranks in result.items()}


def kinds() -> Sequence[str]:
    """Return the names of the supported kinds of n-best lists."""
    return ("auto", *_KINDS)


def _kind_of(path: str, encoding: str) -> str:
    if os.path.isdir(path):
        return "espnet"
    first, second = (*(line for _, line in islice(_lines(path, encoding), 2)), "", "")[:2]
    if first.strip() == "{":
        return "espnet"
    if first.lstrip()[:1] == "{":
        return "json"
    if len(first.split()) == 1 and _ARC.fullmatch(second):
        return "lattices"
    return "icefall" if _RECOG.fullmatch(first) else "numbered"


def _lines(path: str, encoding: str, blank: bool = False) -> Iterator[tuple[int, str]]:
    encoding = "utf-8" if encoding == "auto" else encoding
    try:
        with open(path, encoding=encoding) as file:
            for number, line in enumerate(file, 1):
                if blank or line.strip():
                    yield number, line.rstrip("\r\n")
    except OSError as problem:
        raise InputError(path, None, None, reason_unread(problem)) from None
    except UnicodeDecodeError:
        raise InputError(
            path, None, None, f"expected text in {encoding}, found other bytes"
        ) from None


def _numbered(path: str, encoding: str) -> Iterator[tuple[str, int, str]]:
    for number, line in _lines(path, encoding):
        name, *words = split_words(line)
        yield *_ranked(name, path, number), " ".join(words)


def _ranked(name: str, path: str, line: int) -> tuple[str, int]:
    """Split `ID-N` into identifier and number."""
    identifier, _, rank = name.rpartition("-")
    if not (identifier and rank.isascii() and rank.isdigit()):
        raise InputError(
            path,
            line,
            1,
            f"expected an identifier and the number of a hypothesis, as in u1-2, found {name!r}",
        )
    return identifier, int(rank)


def _lattices(path: str, encoding: str) -> Iterator[tuple[str, int, str]]:
    """Yield the blocks of a text of Kaldi: `ID-N`, arcs `from to word weights`, the last state."""
    lines = _lines(path, encoding, blank=True)
    for is_block, block in groupby(lines, lambda numbered: bool(numbered[1].strip())):
        if is_block:
            (number, name), *arcs = block
            yield *_ranked(name.strip(), path, number), " ".join(_arc_words(arcs, path))


def _arc_words(arcs: Iterable[tuple[int, str]], path: str) -> Iterator[str]:
    """Yield the words of a block of arcs in the order of its states, without `<eps>` and 0."""
    state = ""
    for number, line in arcs:
        fields = line.split()
        if state and fields[0] != state:
            problem = (
                f"expected a single path, with an arc from state {state} here, found one from "
                f"state {fields[0]}"
            )
            raise InputError(path, number, 1, problem)
        if len(fields) > 2 and _ARC.fullmatch(line) is None:
            raise InputError(path, number, 1, f"expected an arc or a last state, found {line!r}")
        if len(fields) > 2:
            state = fields[1]
            labels = fields[2:-1] if _WEIGHTS.fullmatch(fields[-1]) else fields[2:]
            if labels and labels[-1] not in {"<eps>", "0"}:
                yield labels[-1]


def _espnet(path: str, encoding: str) -> Iterator[tuple[str, int, str]]:
    if os.path.isfile(path):
        yield from _espnet_json(path, encoding)
        return
    texts = [
        (int(match[1]), text)
        for text in Path(path).rglob("*best_recog/text")
        if (match := _FOLDER.fullmatch(text.parent.name))
    ]
    if not texts:
        raise InputError(
            path,
            None,
            None,
            "expected a folder with 1best_recog/text, 2best_recog/text and so on, found none",
        )
    for number, text in sorted(texts):
        for _, line in _lines(str(text), encoding):
            name, *words = split_words(line)
            yield name, number, " ".join(words)


def _espnet_json(path: str, encoding: str) -> Iterator[tuple[str, int, str]]:
    """Yield the hypotheses of each utterance in JSON of ESPnet 1.

    `target1[1]` is the first hypothesis. Word pieces are joined.
    """
    try:
        utterances = json.loads("".join(f"{line}\n" for _, line in _lines(path, encoding)))["utts"]
        for name, utterance in utterances.items():
            for rank, output in enumerate(utterance["output"], 1):
                text = output["rec_text"].replace("<eos>", "").replace("\u2581", " ")
                yield name, rank, " ".join(split_words(text))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        problem = "expected data.json of ESPnet: utts with output and rec_text"
        raise InputError(path, None, None, problem) from None


def _icefall(path: str, encoding: str) -> Iterator[tuple[str, int, str]]:
    numbers: dict[str, int] = {}
    for number, line in _lines(path, encoding):
        match = _RECOG.fullmatch(line)
        if match is None:
            raise InputError(path, number, 1, "expected ID:, a tab and ref=[…] or hyp=[…]")
        if match[2] == "hyp":
            numbers[match[1]] = numbers.get(match[1], 0) + 1
            try:
                words = ast.literal_eval(match[3])
            except (SyntaxError, ValueError, MemoryError, RecursionError):
                problem = f"expected a list of words, found {match[3][:40]!r}"
                raise InputError(path, number, None, problem) from None
            yield match[1], numbers[match[1]], " ".join(map(str, words))


def _json(path: str, encoding: str) -> Iterator[tuple[str, int, str]]:
    for number, line in _lines(path, encoding):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(path, number, 1, "expected JSON, found other text") from None
        texts = _member(record, _LISTS)
        name = _member(record, _NAMES)
        if not isinstance(texts, list) or name is None:
            expected = f"a list {' or '.join(_LISTS)} and {' or '.join(_NAMES)}"
            raise InputError(path, number, None, f"expected {expected}, found at most one of them")
        for rank, text in enumerate(texts, 1):
            yield str(name), rank, _text(text, path, number)


def _text(value: Any, path: str, line: int) -> str:
    """Return the text of a hypothesis: a string, a list that begins with it, or an object."""
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, Mapping):
        value = _member(value, _TEXTS)
    if not isinstance(value, str):
        raise InputError(path, line, None, f"expected a text, found {value!r:.40}")
    return value


def _member(record: Any, names: Iterable[str]) -> Any:
    if not isinstance(record, Mapping):
        return None
    return next((record[name] for name in names if name in record), None)


_KINDS: dict[str, Callable[[str, str], Iterator[tuple[str, int, str]]]] = {
    "numbered": _numbered,
    "lattices": _lattices,
    "espnet": _espnet,
    "icefall": _icefall,
    "json": _json,
}
