"""The files of Kaldi's scoring: their paths, lines split at ASCII blanks, texts by identifier.

A recipe scores a sweep of language model weights (LMWT); later recipes also sweep word insertion
penalties. `wer_LMWT` and `wer_LMWT_PENALTY` have the rates. The scored words are in

- `scoring_kaldi/test_filt.txt` and `scoring_kaldi/penalty_PENALTY/LMWT.txt`;
- in early recipes: `scoring/test_filt.txt` and `scoring/LMWT.txt` or `LMWT.PENALTY.txt`. In
  `LMWT.tra` and `LMWT.PENALTY.tra`, each word is a number.

Files of characters have `.chars.txt` or `.char` in place of `.txt`, and `cer` in place of `wer`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from formats.schema import words_of_text
from scoring.sides.layouts import (
    KALDI_TEXT,
    hypotheses_folders,
    names_in,
    texts_folder,
    weight_folders,
    weights_of,
)

if TYPE_CHECKING:
    from formats.schema.words import Words

REFERENCES = {
    "wer": ("test_filt.txt", "text.filt", "test.txt"),
    "cer": ("test_filt.chars.txt", "char.filt"),
}
UNITS = {"wer": "word", "cer": "char"}
SUFFIXES = {"wer": ("txt", "tra"), "cer": ("chars.txt", "char")}


class ScoringFiles(NamedTuple):
    """The files of one kind of rate in a scoring directory; the path of a missing file is empty."""

    kind: str  # `wer` or `cer`
    path: str  # as it was named
    root: str  # the folder with the rates
    folder: str  # of the texts; without any, that of the details
    details: str  # `wer_details` or `cer_details`
    reference: str
    best: str  # `best_wer` or `best_cer`
    texts: Mapping[tuple[str, ...], str]  # the hypotheses by weights
    rates: Mapping[tuple[str, ...], str]  # `wer_LMWT_PENALTY` by weights, in the order of names

    @property
    def per_utt(self) -> str:
        """The path of the file with the alignments of the best weights."""
        return file_in(self.details, "per_utt") if self.details else ""

    def detail(self, name: str) -> str:
        """Return the path of a file in `wer_details` (or `cer_details`); empty if it is missing."""
        return file_in(self.details, name) if self.details else ""

    @property
    def best_line(self) -> str:
        """The line in `best_wer` with the rate of the best weights; empty without this file."""
        return read_lines(self.best, ("%WER",)).get("%WER", "") if self.best else ""

    def weights_of_details(self) -> tuple[str, ...]:
        """Return the weights of the hypotheses in `per_utt`: LMWT and, if known, penalty.

        The result is empty if the LMWT is unknown.
        """
        numbers = []
        for name in filter(None, map(self.detail, ("lmwt", "wip"))):
            with open(name, encoding="utf-8", errors="replace") as file:
                numbers.append(file.read().strip())
        if len(numbers) == 2:
            return tuple(numbers)
        return weights_of(self.best_line.rpartition(" ")[2]) or ()

    @property
    def has_penalty_folders(self) -> bool:
        """True if the texts are where later recipes write them."""
        return os.path.basename(os.path.normpath(self.folder)) == "scoring_kaldi"

    def ordered_weights(self) -> list[tuple[str, ...]]:
        """Return the weights of the texts in the order in which the recipe compares their rates.

        This is the order of penalties and LMWT; in early recipes, the order of file names.
        """
        return sorted(self.texts, key=ascending if self.has_penalty_folders else "_".join)

    def text_name(self, weights: Sequence[str]) -> str:
        """Return the path of the text for the given weights."""
        suffix = SUFFIXES[self.kind][0]
        if self.has_penalty_folders:
            name = os.path.join(
                *(f"penalty_{wip}" for wip in weights[1:]), f"{weights[0]}.{suffix}"
            )
        else:
            name = ".".join((*weights, suffix))
        return os.path.join(self.folder, name)


def ascending(weights: Sequence[str]) -> tuple[float, ...]:
    """Return the key of the order of weights by penalty, and by LMWT of the same penalty."""
    return tuple(map(_number, reversed(weights)))


def _number(weight: str) -> float:
    try:
        return float(weight)
    except ValueError:
        return 0.0


def timed_words_of_weights(path: str) -> dict[tuple[str, ...], str]:
    """Return the CTM file of each weight, as in ``score_7/dev.ctm``.

    The result is empty unless several folders of weights have one CTM file of the same name each.
    """
    found = {}
    for weights, folder in weight_folders(path).items():
        files = [file for file in names_in(folder) if file.endswith(".ctm")]
        if len(files) != 1:
            return {}
        found[weights] = os.path.join(folder, files[0])
    if len(found) < 2 or len({os.path.basename(file) for file in found.values()}) > 1:
        return {}
    return {weights: found[weights] for weights in sorted(found, key=ascending)}


def find_files(path: str, *, of_characters: bool = False) -> ScoringFiles:
    """Return the files of the requested rate, or of the only rate in the directory."""
    asked = "cer" if of_characters else "wer"
    folder = os.path.basename(os.path.normpath(path))
    if folder in ("wer_details", "cer_details"):
        return files_of(path, folder[:3])
    by_kind = {kind: files_of(path, kind) for kind in (asked, *UNITS)}
    detailed = [files for files in by_kind.values() if files.details]
    if by_kind[asked].details:
        return by_kind[asked]
    of_texts = _with_texts(by_kind, of_characters=of_characters)
    if detailed and (of_texts is None or of_texts.kind != asked):
        return detailed[0]
    return of_texts or by_kind[asked]


def _with_texts(by_kind: Mapping[str, ScoringFiles], *, of_characters: bool) -> ScoringFiles | None:
    """Return the files of the requested rate.

    Without request, prefer the rate that has best weights.
    """
    present = [by_kind[kind] for kind in UNITS if by_kind[kind].texts]
    if of_characters and by_kind["cer"].texts:
        return by_kind["cer"]
    recorded = [files for files in present if files.best]
    rated = [files for files in present if files.rates]
    return next(iter((*recorded, *rated, *present)), None)


def files_of(path: str, kind: str) -> ScoringFiles:
    """Return the files of a kind of rate (`wer` or `cer`) in a scoring directory."""
    is_details = os.path.basename(os.path.normpath(path)) == f"{kind}_details"
    if is_details:
        folders = [os.path.join(path, os.pardir)]
    else:
        folders = [subdirectory(path, "scoring_kaldi") or path]
    place = folders[0] if is_details else path
    of_texts = texts_folder(place) or next(iter(hypotheses_folders(place)), "")
    if of_texts and of_texts not in folders:
        folders.append(of_texts)
    details = path if is_details else next(filter(None, _details_in(path, folders, kind)), "")
    texts = _texts(of_texts, kind) if of_texts else {}
    folder = of_texts if texts else folders[0]
    # where the path leads, beside scoring_kaldi
    roots = (path, os.path.join(folders[0], os.pardir))
    rates = next(filter(None, (_rates(root, kind) for root in roots)), {})
    root = os.path.dirname(next(iter(rates.values()))) if rates else path
    names = REFERENCES[kind]
    places = [file_in(place, name) for place in folders for name in names]
    best = [file_in(place, f"best_{kind}") for place in folders]
    return ScoringFiles(
        kind,
        path,
        root,
        folder,
        details,
        next(filter(None, places), ""),
        next(filter(None, best), ""),
        texts,
        rates,
    )


def _details_in(path: str, folders: Sequence[str], kind: str) -> Iterator[str]:
    for folder in (*folders, path):
        details = subdirectory(folder, f"{kind}_details")
        yield details if details and file_in(details, "per_utt") else ""


def _rates(root: str, kind: str) -> dict[tuple[str, ...], str]:
    """Return the recorded rates of a folder by weights, in the order of their names."""
    rates = {}
    for name in sorted(names_in(root)) if os.path.isdir(root) else ():
        weights = weights_of(name)
        if weights and name.startswith(kind):
            rates[weights] = os.path.join(root, name)
    return rates


def _texts(folder: str, kind: str) -> dict[tuple[str, ...], str]:
    """Return the hypothesis files by weights.

    Texts of words are preferred to texts of word numbers.
    """
    texts: dict[tuple[str, ...], str] = {}
    penalties = [name for name in names_in(folder) if name.startswith("penalty_")]
    for name in ("", *penalties):
        place = os.path.join(folder, name)
        penalty = (name.removeprefix("penalty_"),) if name else ()
        for file in names_in(place) if os.path.isdir(place) else ():
            match = KALDI_TEXT.fullmatch(file)
            if match is None or match["suffix"] not in SUFFIXES[kind]:
                continue
            weights = (match["lmwt"], *((match["wip"],) if match["wip"] else penalty))
            if match["suffix"] != "tra" or weights not in texts:
                texts[weights] = os.path.join(place, file)
    return texts


def subdirectory(path: str, name: str) -> str:
    """Return the path of a subfolder; empty if it is missing."""
    joined = os.path.join(path, name)
    return joined if os.path.isdir(joined) else ""


def file_in(path: str, name: str) -> str:
    """Return the path of a file in a folder; empty if it is missing."""
    joined = os.path.join(path, name)
    return joined if os.path.isfile(joined) else ""


def lines_of(path: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the numbered nonempty lines of a file, split at ASCII blanks.

    Invalid UTF-8 bytes become Python's surrogates.
    """
    with open(path, "rb") as file:
        text = file.read().decode("utf-8", "surrogateescape")
    for number, line in enumerate(text.split("\n"), 1):
        if fields := words_of_text(line):
            yield number, fields


def read_texts(path: str) -> dict[str, Words]:
    """Read a Kaldi text; if an identifier occurs twice, its first line counts, as in Kaldi."""
    texts: dict[str, Words] = {}
    for _, fields in lines_of(path):
        texts.setdefault(fields[0], tuple(fields[1:]))
    return texts


def read_lines(path: str, starts: tuple[str, ...]) -> dict[str, str]:
    """Return, for each of the given words, the first line that begins with it."""
    lines: dict[str, str] = {}
    for _, fields in lines_of(path):
        if fields[0] in starts:
            lines.setdefault(fields[0], " ".join(fields))
    return lines
