"""What fstalign counts of a reference in tokens: classes, switches of speakers, case."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.drawing.blocks import Block, Table
from scoring.drawing.numbers import percent
from scoring.model import Edit
from scoring.rates.counted import Sums
from scoring.rates.measured import (
    NAMES,
    Figure,
    MeasureSetting,
    MeasureSpec,
    f1_figures,
    whole_from,
)

if TYPE_CHECKING:
    from scoring.measures.view import View

KINDS = {Edit.SUBSTITUTION: "substitutions", Edit.DELETION: "deletions"}
ERRORS = "substitutions + deletions + insertions"
_PARTS = ("words", "substitutions", "deletions", "insertions")


def _recordings(view: View) -> list[str]:
    """The recording of each utterance."""
    assert view.rates.sources is not None  # `needs` asks for them
    return [segment.recording for segment in view.rates.sources.references]


def count_classes(view: View) -> dict[str, Any]:
    """Words and errors of each class; insertions between the tokens of an entity belong to it."""
    sources = view.rates.sources
    assert sources is not None
    counted: defaultdict[str, Counter[int]] = defaultdict(Counter)
    tags = [segment.get("tags") or "" for segment in sources.references]
    recordings = _recordings(view)
    for row, segment in enumerate(sources.references):
        first = tags[row].partition(",")[0]
        follows = row + 1 < len(tags) and (tags[row + 1], recordings[row + 1]) == (
            tags[row],
            recordings[row],
        )
        names = [f"class:{first.partition(':')[2] or first}"] if first else []
        names += [f"tag:{tag}" for tag in (segment.get("wer_tags") or "").split(",") if tag]
        if not names:
            continue
        edits = Counter(view.edits[view.offsets[row] : view.offsets[row + 1]].tolist())
        inserted = edits.pop(Edit.INSERTION, 0)
        numbers = {"words": edits.total()} | {kind: edits[edit] for edit, kind in KINDS.items()}
        for name in names:
            # nobody has an insertion after an entity, nor wer_tags any
            inside = inserted if follows and name.startswith("class:") else 0
            for kind, number in (numbers | {"insertions": inside}).items():
                counted[f"{kind}[{name}]"][row] += number
                if name.startswith("class:"):
                    counted[kind][row] += number
    return counted


def class_tables(totals: Sums) -> Iterator[Block]:
    """A table of classes, and one of wer_tags."""
    for kind in ("class", "tag"):
        rows = []
        for name, numbers in sorted(totals.by_label(kind).items()):
            cells = [numbers[part] for part in _PARTS]
            rate = numbers.ratio(sum(cells[1:]), "words")
            rows.append((name, *map(str, cells), percent(rate)))
        if rows:
            yield Table((kind, *_PARTS, "rate %"), rows)


def count_switches(view: View) -> dict[str, Any]:
    """Words and errors near words whose speaker is another than that of the word before."""
    reach = view.settings["switch_context"]
    counted: defaultdict[str, Counter[int]] = defaultdict(Counter)
    begin = 0
    for _, group in groupby(_recordings(view)):
        rows = range(begin, begin + sum(1 for _ in group))
        begin = rows.stop
        slots = range(int(view.offsets[rows.start]), int(view.offsets[rows.stop]))
        words = [slot for slot in slots if view.left[slot] >= 0]
        speakers = [view.rates.speakers[view.utterances[slot]] for slot in words]
        done, before = 0, None
        for place, speaker in enumerate(speakers):
            is_switch = before is not None and speaker is not None and speaker != before
            before = before if speaker is None else speaker
            if not is_switch:
                continue
            counted["switches"][int(view.utterances[words[place]])] += 1
            start, end = max(place - reach, done), min(place + reach, len(words))
            done = max(done, end)
            # insertions before the first and after the last word are outside
            for slot in range(words[start], words[end - 1] + 1) if start < end else ():
                row, edit = int(view.utterances[slot]), Edit(view.edits[slot])
                counted["words"][row] += int(view.left[slot] >= 0)
                kind = "insertions" if edit == Edit.INSERTION else KINDS.get(edit)
                if kind:
                    counted[kind][row] += 1
    return counted


def count_case(view: View) -> dict[str, Any]:
    """Upper-case letters of words that are aligned with each other."""
    upper = [
        side.by_type(lambda word: sum(map(str.isupper, word)))
        for side in (view.reference, view.hypothesis)
    ]
    paired = (view.left >= 0) & (view.right >= 0)
    left, right = (
        np.where(paired, letters[np.where(paired, places, 0)] if len(letters) else 0, 0)
        for letters, places in zip(upper, (view.left, view.right), strict=True)
    )
    columns: dict[str, Any] = {}
    for name, chosen in (("matching", paired & (view.edits == Edit.CORRECT)), ("all", paired)):
        columns[f"{name}_true_positive"] = view.sums(chosen & (left == right) & (left > 0))
        columns[f"{name}_false_negative"] = view.sums(chosen & (left > right))
        columns[f"{name}_false_positive"] = view.sums(chosen & (left < right))
    return columns


CLASSES = MeasureSpec(
    name="classes",
    title="Classes of tokens",
    question=NAMES,
    definition="The reference has a segment for each token, with the property tags (nlp files with "
    "the reader's option level=word). The rate of a class divides substitutions, deletions and "
    "insertions by the words of its tokens. Consecutive tokens with the same tags are one entity; "
    "insertions between its first and its last token belong to it, others to no class. Rates of "
    "wer_tags have no insertions, as in fstalign.",
    figures=(Figure("class_wer", "error rate in entities", f"{ERRORS} / words", high=None),),
    columns=_PARTS,
    count=count_classes,
    needs=frozenset({"sources"}),
    details=class_tables,
)
SWITCHES = MeasureSpec(
    name="switches",
    title="Near switches of speakers",
    question="Who is recognised worse?",
    definition="A word is a switch if its speaker is another than that of the last word before it "
    "that has a speaker. The window of a switch has so many words before it, and as many from it "
    "on (5). Windows are visited in order, and a word in two of them counts once. Insertions "
    "between two words of a window count. The rate divides the errors by the words of all windows.",
    figures=(
        Figure("switch_wer", "error rate near switches", f"{ERRORS} / words", high=None),
        Figure("switches", "switches", "switches", "none", high=None, form="count"),
    ),
    columns=(*_PARTS, "switches"),
    count=count_switches,
    needs=frozenset({"sources"}),
    parameters=(
        MeasureSetting("switch_context", 5, whole_from(1), "words before and from a switch"),
    ),
)
CASE = MeasureSpec(
    name="case-fstalign",
    title="Case as fstalign counts it",
    question="What does formatting cost?",
    definition="Words that are aligned with each other are compared by their numbers of upper-case "
    "letters: equal and above 0 is a true positive, more in the reference a false negative, more "
    "in the hypothesis a false positive. Matching words are those that are right, so this needs "
    "words that are compared without case; all adds substituted words.",
    figures=tuple(
        figure
        for scope, title in (("matching", "matching words"), ("all", "all pairs"))
        for figure in f1_figures(
            f"{scope}_true_positive",
            f"{scope}_true_positive + {scope}_false_negative",
            f"{scope}_true_positive + {scope}_false_positive",
            f"{scope}_",
            f"{{}}, {title}",
            ("precision", "recall"),
        )
    ),
    columns=tuple(
        f"{scope}_{part}"
        for scope in ("matching", "all")
        for part in ("true_positive", "false_negative", "false_positive")
    ),
    count=count_case,
)
