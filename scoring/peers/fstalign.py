"""The statistics of `fstalign wer`, in the form that fstalign writes with `--json-log`.

The alignment has the minimum number of errors, as in fstalign with `--composition-approach standard
--disable-approx-alignment`. By default, fstalign examines only some of the paths.
"""

from __future__ import annotations

import os
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.measures import measure
from scoring.measures.slots import ENDS
from scoring.model.counts import Edit
from scoring.model.errors import OptionValueError
from scoring.score import wer as score
from scoring.sides.given import File

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from scoring.results import Rates

__all__ = ["wer"]

INS, DEL = "<ins>", "<del>"
FORMATS = {".nlp": "nlp", ".ctm": "ctm"}
KINDS = ("insertions", "deletions", "substitutions")
_LISTED = ("correct", "insertions", "deletions", "substitutions_fp", "substitutions_fn")
_COLUMNS = {Edit.INSERTION: KINDS[0], Edit.DELETION: KINDS[1], Edit.SUBSTITUTION: KINDS[2]}


class Slot(NamedTuple):
    """A pair of aligned words; `row` is the index of the reference segment."""

    reference: str
    hypothesis: str
    kind: str
    row: int


def wer(
    ref: str | os.PathLike[str],
    hyp: str | os.PathLike[str],
    *,
    ref_json: str | None = None,
    syn: str | None = None,
    disable_cutoffs: bool = False,
    disable_hyphen_ignore: bool = False,
    use_punctuation: bool = False,
    use_case: bool = False,
    speaker_switch_context: int = 5,
    pr_threshold: int = 0,
) -> dict[str, Any]:
    """Score a file as `fstalign wer` does; return the content of its JSON log.

    Parameters
    ----------
    ref, hyp
        Paths of `.nlp` or `.ctm` files; any other file is plain text, whose lines form one text.
    ref_json
        File with alternative wordings of the entities in an nlp reference.
    syn
        File of synonyms.
    disable_cutoffs, disable_hyphen_ignore
        With both options, a word with hyphens is correct only if both sides are equal. Set both or
        neither.
    use_punctuation
        Treat the punctuation after tokens of nlp files as words.
    use_case
        Treat words that differ in case as different.
    speaker_switch_context
        Number of words in the window before and after a change of speaker; below 1, there is no
        window.
    pr_threshold
        Smallest number of occurrences for a word or a pair of words to be listed.

    Raises
    ------
    OptionValueError
        If only one of the two options about hyphens is set, or a file is an OpenFST file.
    InputError
        If a file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "ref.txt").write_text("this is the best sentence")
    >>> _ = (folder / "hyp.txt").write_text("this is a test sentence")
    >>> wer(folder / "ref.txt", folder / "hyp.txt")["wer"]["bestWER"]["numErrors"]
    2
    """
    if disable_cutoffs != disable_hyphen_ignore:
        raise OptionValueError(
            "disable_cutoffs", expected="both of the options about hyphens, or neither", found="one"
        )
    implicit = "false" if disable_cutoffs else "true"
    step = f"synonyms:implicit={implicit}" + (f",file={syn}" if syn else "")
    is_nlp = _suffix(ref) == ".nlp"
    sides = [_side(path, use_punctuation) for path in (ref, hyp)]
    if is_nlp and ref_json:
        sides[0].options["wordings"] = ref_json
    elif not is_nlp and _suffix(hyp) not in FORMATS:
        sides = [" ".join(_text(path).split()) for path in (ref, hyp)]
    rules: dict[str, Any] = {"like": "fstalign"} if not use_case else {"profile": "fstalign@1.13"}
    rates = score(*sides, normalize=step, keep_sources=is_nlp, **rules)
    slots = list(_slots(rates, use_case))
    total = _result(rates.counts.reference_tokens, (slot.kind for slot in slots))
    numbers = {"bestWER": total | _precision(total) | {"meta": {}}, "classWER": {}}
    if is_nlp:
        numbers |= _of_tokens(rates, slots, speaker_switch_context)
    for name, places in (("unigrams", _words(slots)), ("bigrams", _pairs(slots))):
        if listed := _listed(places, pr_threshold):
            numbers[name] = listed
    return {"wer": numbers}


def _suffix(path: str | os.PathLike[str]) -> str:
    return os.path.splitext(path)[1].lower()


def _text(path: str | os.PathLike[str]) -> str:
    from formats import read

    transcript = read(path, format="txt")
    return " ".join(word for segment in transcript.segments for word in segment.words)


def _side(path: str | os.PathLike[str], marks: bool) -> Any:
    suffix = _suffix(path)
    if suffix == ".fst":
        raise OptionValueError("ref, hyp", expected="nlp, ctm or plain text", found=str(path))
    options: dict[str, object] = {}
    if suffix == ".nlp":
        options = {"level": "word", "events": "word", "punctuation": "word" if marks else "display"}
    return File(path, format=FORMATS.get(suffix, "txt"), options=options)


def _slots(rates: Rates, use_case: bool) -> Iterator[Slot]:
    for row in range(len(rates)):
        for edit, *words in rates.alignment_at(row):
            left, right = (word if use_case or word is None else word.lower() for word in words)
            kind = _COLUMNS.get(edit, "")
            yield Slot(INS if left is None else left, DEL if right is None else right, kind, row)


def _single(number: float) -> float:
    """Return a number rounded to single precision, in which fstalign computes."""
    return array("f", [number])[0]


def _result(words: int, kinds: Iterable[str]) -> dict[str, Any]:
    """Return the number of words, the errors of each kind, and the rate, under fstalign's names."""
    counts = Counter(kinds)
    numbers: dict[str, Any] = {kind: counts[kind] for kind in KINDS}
    errors = sum(numbers.values())
    rate = _single(errors / words) if words else None
    return numbers | {"numErrors": errors, "numWordsInReference": words, "wer": rate}


def _of_slots(slots: Sequence[Slot]) -> dict[str, Any]:
    """Return the words, errors and rate of a part of the alignment."""
    words = sum(slot.kind != "insertions" for slot in slots)
    return _result(words, (slot.kind for slot in slots))


def _precision(total: Mapping[str, Any]) -> dict[str, float | None]:
    correct = total["numWordsInReference"] - total["deletions"] - total["substitutions"]
    wrong = total["substitutions"]
    parts = {"precision": total["insertions"], "recall": total["deletions"]}
    return {
        name: _single(correct / all_words) if (all_words := correct + wrong + lost) else None
        for name, lost in parts.items()
    }


def _of_measure(columns: Mapping[str, int], label: str = "") -> dict[str, Any]:
    """Return the words, errors and rate that a measure has for a label, or without a label."""
    kinds = (kind for kind in KINDS for _ in range(columns[f"{kind}{label}"]))
    return _result(columns[f"words{label}"], kinds)


def _of_tokens(rates: Rates, slots: Sequence[Slot], reach: int) -> dict[str, Any]:
    """Return the results that need more of an nlp reference than words, such as speakers.

    `reach` is the number of words before and after a change of speaker.
    """
    classes = measure(rates, "classes").columns.totals()
    by_label: dict[str, dict[str, Any]] = {"class": {}, "tag": {}}
    for column in classes:
        name, bracket, label = column.partition("[")
        if name == "words" and bracket:
            kind, _, label_name = label.rstrip("]").partition(":")
            by_label[kind][label_name] = _of_measure(classes, f"[{label}") | {"meta": {}}
    numbers: dict[str, Any] = {"classWER": by_label["class"]}
    if by_label["tag"]:
        numbers["wer_tag"] = by_label["tag"]
    if reach > 0:
        near = measure(rates, "switches", {"switch_context": reach}).columns.totals()
        numbers["speakerSwitchWER"] = _of_measure(near) | {"meta": {"windowSize": reach}}
    speakers: defaultdict[str, list[Slot]] = defaultdict(list)
    for slot in slots:
        speakers[rates.speakers[slot.row] or ""].append(slot)
    numbers["speakerWER"] = {
        name: _of_slots(places) | {"meta": {}} for name, places in speakers.items()
    }
    numbers["sentenceWer"] = [_of_slots(places) for places in _sentences(rates, slots)]
    return numbers


def _sentences(rates: Rates, slots: Sequence[Slot]) -> Iterator[Sequence[Slot]]:
    """Yield the slots of each sentence.

    Insertions after the last word of a sentence belong to the next sentence.
    """
    assert rates.sources is not None
    displays = [_last_display(segment) for segment in rates.sources.references]
    lasts = {slot.row: position for position, slot in enumerate(slots) if slot.kind != "insertions"}
    begin = 0
    for row, position in lasts.items():
        if displays[row][-1:] in ENDS:
            yield slots[begin : position + 1]
            begin = position + 1
    if any(slot.kind != "insertions" for slot in slots[begin:]):
        yield slots[begin:]


def _last_display(segment: Segment | None) -> str:
    tokens = [] if segment is None else list(segment.all_tokens())
    return (tokens[-1].display or tokens[-1].text) if tokens else ""


def _words(slots: Sequence[Slot]) -> Iterator[tuple[str, str]]:
    """Yield each word of both sides together with its edit."""
    for slot in slots:
        if slot.kind == "substitutions":
            yield slot.reference, "substitutions_fn"
            yield slot.hypothesis, "substitutions_fp"
        else:
            is_inserted = slot.kind == "insertions"
            yield slot.hypothesis if is_inserted else slot.reference, slot.kind or "correct"


def _pairs(slots: Sequence[Slot]) -> Iterator[tuple[str, str]]:
    """Yield two consecutive words as one text, together with the edit of the two."""
    for first, second in pairwise(slots):
        left = f"{first.reference} {second.reference}"
        right = f"{first.hypothesis} {second.hypothesis}"
        is_whole, is_heard = INS not in left, DEL not in right
        if left == right:
            yield left, "correct"
        elif is_whole and is_heard:
            yield left, "substitutions_fn"
            yield right, "substitutions_fp"
        elif is_whole:
            yield left, "deletions"
        elif is_heard:
            yield right, "insertions"


def _listed(places: Iterable[tuple[str, str]], least: int) -> dict[str, Any]:
    """Return the counts, precision and recall (in percent) of each word or pair of words.

    `places` are the words or pairs with their edits. Those with fewer than `least` places are
    dropped.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, kind in places:
        counts[name][kind] += 1
    return {
        name: {kind: kinds[kind] for kind in _LISTED} | _percentages(kinds)
        for name, kinds in sorted(counts.items())
        if kinds.total() >= least
    }


def _percentages(kinds: Counter[str]) -> dict[str, float]:
    correct = kinds["correct"]
    in_hypothesis = correct + kinds["insertions"] + kinds["substitutions_fp"]
    in_reference = correct + kinds["deletions"] + kinds["substitutions_fn"]
    return {
        name: _single(_single(correct / words) * 100) if words else 0.0
        for name, words in (("precision", in_hypothesis), ("recall", in_reference))
    }
