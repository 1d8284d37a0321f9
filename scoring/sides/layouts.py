"""Detect other toolkits' results from names and first bytes of files.

This module is loaded whenever files are scored, and therefore imports very little.
"""

from __future__ import annotations

import os

from formats.schema import ContextValue, Within, lazy_pattern

OF_HISTORY = b"SQLite format 3\0"  # the first bytes of a history
HEAD, LOOKED_AT = 4096, 50
# Of a folder the first of these that matches any file is looked at, and then has to be one file.
NAMES = (
    *("recogs-*", "errs-*", "wer_*.txt", "cer_*.txt", "*.wer", "wer"),
    *("*.sbs", "*.sbs.txt"),
    *("*.sgml", "*.pra", "*.prf", "*.raw", "*.sys", "result*.txt"),
)
TRN = (
    ("ref.trn", "hyp.trn", "result.txt"),
    ("ref.wrd.trn", "hyp.wrd.trn", "result.wrd.txt"),
)
# Hypotheses of a weight in Kaldi's scoring directories, words, characters or numbers of words.
KALDI_TEXT = lazy_pattern(
    r"(?P<lmwt>[0-9]+)(?:\.(?P<wip>-?[0-9]+(?:\.[0-9]+)?))?\.(?P<suffix>txt|chars\.txt|tra|char)"
)
KALDI_REFERENCES = frozenset({"test_filt.txt", "test_filt.chars.txt", "text.filt", "char.filt"})
# The folder of a weight in recipes that score CTM files; AMI's recipe writes `ascore_LMWT`.
WEIGHT_FOLDER = lazy_pattern(r"a?score_([0-9.]{1,9})(?:_(-?[0-9.]{1,9}))?\Z")
WEIGHT_FOLDERS = "score_*"  # the owner of a folder whose folders of weights have sclite's reports
_PREDICTED = lazy_pattern(rb'\{[^\n]*"pred_text"\s*:')
_RECOGS = lazy_pattern(rb"[^\t\n]*:\tref=")
_SUMS_OF_WEIGHT = lazy_pattern(r"[cw]er_([0-9]+)(?:_(-?[0-9.]+))?")
_BINARY_TABLES = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")  # Parquet, Arrow, its streams
_SUMS = (b"SYSTEM SUMMARY PERCENTAGES", b"DETAILED OVERALL REPORT FOR")
_SIDE_BY_SIDE = b"ref_token\thyp_token"
_DUMP = b"DUMP OF SYSTEM ALIGNMENT STRUCTURE"


def is_result(path: str) -> bool:
    """Return True if names and first bytes show that a path is another toolkit's result."""
    if os.path.isdir(path):
        return has_words(path) or whose(path) is not None
    return _is_file_of_result(path)


def kind_of(head: bytes) -> str | None:
    """Return the kind of a result file, by its first bytes; None if unknown."""
    begin = head.lstrip()
    if b":\tref=" in begin and _RECOGS.match(begin):
        return "icefall recogs"
    if head.startswith(b"%WER = "):
        return "icefall sums"
    if begin.startswith(_SIDE_BY_SIDE):
        return "fstalign"
    if begin.startswith(b"utt: ") and b"\nWER: " in head:
        return "WeNet"
    if head.startswith(b"Overall -> "):
        return "WeNet sums"
    if head.startswith((b"compute-wer ", b"%WER ", b"%CER ")):
        listed = b"\nALIGNMENTS\n" in head.replace(b"\r\n", b"\n")
        return "SpeechBrain" if listed else "Kaldi sums"
    if begin.startswith(b"{") and _PREDICTED.match(begin):
        return "manifest"
    if begin.startswith(b"<SYSTEM "):
        return "sclite SGML"
    if _DUMP in head:
        return "sclite alignments"
    if any(mark in head for mark in _SUMS):
        return "sclite sums"
    return "manifest" if head.startswith(_BINARY_TABLES) or _has_both_sides(begin) else None


def kind_of_file(path: str) -> str | None:
    """Return the kind of a result file; a workbook counts as a table, although it is a zip file."""
    with open(path, "rb") as file:
        head = file.read(HEAD)
        kind = kind_of(head)
        if kind == "sclite sums" and _DUMP in file.read():
            return "sclite alignments"  # behind the tables, as in `-o all stdout`
    is_workbook = head.startswith(b"PK") and path.lower().endswith(".xlsx")
    return "manifest" if is_workbook else kind


def holds_both(path: str) -> bool:
    """Return True if a table file may have columns with the words of both sides."""
    return os.path.isfile(path) and kind_of_file(path) == "manifest"


def _has_both_sides(begin: bytes) -> bool:
    first = begin.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]
    # a comment of NIST's formats heads no table
    if first.startswith(b";;") or not any(sign in first for sign in b",;\t{"):
        return False
    from formats.manifests import SAID

    line = first.decode("utf-8", "replace")
    small = line.lower()
    if not any(name in small for name in SAID):
        return False  # a text with a comma: nothing else is loaded for it
    from formats.manifests.roles import has_both_sides

    return has_both_sides(line)


def whose(path: str) -> str | None:
    """Return the toolkit that wrote a folder, or None.

    The name is `Kaldi`, the name of ESPnet, a name in `NAMES`, or `WEIGHT_FOLDERS`.
    """
    names = os.listdir(path)
    if "text" in names:  # Kaldi's data, which has its own reader
        return None
    if "scoring_kaldi" in names or any(weights_of(name) for name in names):
        return "Kaldi"
    for trn_names in TRN:
        if trn_names[0] in names or trn_names[2] in names:
            return trn_names[0]
    for pattern in NAMES:
        if results_named(path, pattern):
            return pattern
    return WEIGHT_FOLDERS if any(map(raw_reports, weight_folders(path).values())) else None


def weight_folders(path: str) -> dict[tuple[str, ...], str]:
    """Return the folders `score_LMWT` or `score_LMWT_PENALTY` in a folder, by their weights."""
    found = {}
    for name in names_in(path):
        match = WEIGHT_FOLDER.fullmatch(name)
        if match is not None and os.path.isdir(folder := os.path.join(path, name)):
            found[tuple(filter(None, match.groups()))] = folder
    return found


def has_weight_reports(path: str) -> bool:
    """Return True if a path is a folder whose folders of weights have sclite's reports."""
    return os.path.isdir(path) and whose(path) == WEIGHT_FOLDERS


def raw_reports(folder: str) -> list[str]:
    """Return the names of sclite's reports with numbers of words in a folder."""
    return results_named(folder, "*.raw")


def results_named(folder: str, pattern: str) -> list[str]:
    """Return the result files whose names match a pattern.

    Only the first few files are examined.
    """
    from fnmatch import fnmatch

    named = sorted(name for name in os.listdir(folder) if fnmatch(name, pattern))
    return [name for name in named[:LOOKED_AT] if _is_file_of_result(os.path.join(folder, name))]


def _is_file_of_result(path: str) -> bool:
    return os.path.isfile(path) and kind_of_file(path) is not None


def has_words(path: str) -> bool:
    """Return True if the path is a Kaldi scoring directory with the scored words."""
    return has_details(path) or bool(texts_folder(path))


def has_details(path: str) -> bool:
    """Return True if a scoring directory has the alignments of the scored words.

    These are the words after the recipe's filters.
    """
    kinds = ("wer_details", "cer_details")
    inside = (
        os.path.join(path, *parts, kind) for parts in ((), ("scoring_kaldi",)) for kind in kinds
    )
    named = os.path.basename(os.path.normpath(path)) in kinds and os.path.isdir(path)
    return named or any(map(os.path.isdir, inside))


def texts_folder(path: str) -> str:
    """Return the path of the folder with the hypotheses of all weights; empty if it is missing.

    The folder has a reference or (in its parent) rates.
    """
    return next(filter(_has_reference, hypotheses_folders(path)), "")


def hypotheses_folders(path: str) -> list[str]:
    """Return the folders with the hypotheses of all weights, with or without a reference."""
    folders = [os.path.join(path, name) for name in ("scoring_kaldi", "scoring")]
    if os.path.basename(os.path.normpath(path)) in ("scoring_kaldi", "scoring"):
        folders.insert(0, path)
    return list(filter(_has_hypotheses, folders))


_LISTINGS = ContextValue("listings")  # the names in each folder


def cache_listings() -> Within:
    """List each folder on disk only once within a `with` block."""
    return Within(_LISTINGS, {} if (known := _LISTINGS.get()) is None else known)


def names_in(folder: str) -> list[str]:
    """Return the names in a folder, as `os.listdir` does."""
    listings: dict[str, list[str]] | None = _LISTINGS.get()
    if listings is None:
        return os.listdir(folder)
    place = folder.rstrip("/") or folder
    if place not in listings:
        listings[place] = os.listdir(folder)
    return listings[place]


def _has_hypotheses(folder: str) -> bool:
    names = names_in(folder) if os.path.isdir(folder) else []
    below = [os.path.join(folder, name) for name in names if name.startswith("penalty_")]
    places = [names, *(names_in(place) for place in below if os.path.isdir(place))]
    return any(KALDI_TEXT.fullmatch(name) for place in places for name in place)


def _has_reference(folder: str) -> bool:
    """Return True if a folder has a reference, or if its parent has rates."""
    above = names_in(os.path.join(folder, os.pardir))
    return not KALDI_REFERENCES.isdisjoint(names_in(folder)) or any(map(weights_of, above))


def weights_of(name: str) -> tuple[str, ...] | None:
    """Return the weights in a name such as `wer_LMWT` or `wer_LMWT_PENALTY`, or None."""
    match = _SUMS_OF_WEIGHT.fullmatch(os.path.basename(name))
    return None if match is None else tuple(filter(None, match.groups()))
