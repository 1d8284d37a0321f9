"""The counts of fstalign: classes of reference tokens, switches of speakers, sentences."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.drawing import percent
from scoring.drawing.blocks import Block, Table
from scoring.measures.columns import WordColumns, numbered, placed
from scoring.measures.settings import whole_from
from scoring.measures.slots import ENDS
from scoring.measures.view import properties_of
from scoring.model.counts import Edit
from scoring.results.counted import Sums
from scoring.results.measured import NAMES, Figure, MeasureSetting, MeasureSpec
from scoring.results.repeats import cut_word

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from scoring.measures.view import View

ERRORS = "substitutions + deletions + insertions"
_PARTS = ("words", "substitutions", "deletions", "insertions")


def count_classes(view: View) -> dict[str, Any]:
    """Count words and errors of each token class.

    An insertion between the tokens of an entity belongs to this entity.
    """
    counted: defaultdict[str, Counter[int]] = defaultdict(Counter)
    tags, others = properties_of(view.segments, ("tags", "wer_tags"))
    inside, words = np.zeros(len(view.edits), np.bool_), np.flatnonzero(view.left >= 0)
    # an entity is a run of rows
    keys = [
        (text, view.segments[row].recording, row - place)
        for place, (row, text) in enumerate(tags.items())
    ]
    for (text, _, shift), entity in groupby(range(len(keys)), keys.__getitem__):
        rows = [place + shift for place in entity]
        places = words[slice(*view.reference.offsets[[rows[0], rows[-1] + 1]])]
        if text and len(places):
            inside[places[0] : places[-1]] = True
    inserted = view.sums(inside & (view.edits == Edit.INSERTION))
    numbers = np.column_stack([view.counts[:, :3].sum(axis=1), view.counts[:, 1:3], inserted])
    for row in sorted({*tags, *others}):
        first = tags.get(row, "").partition(",")[0]
        names = [f"class:{first.partition(':')[2] or first}"] if first else []
        names += [f"tag:{tag}" for tag in others.get(row, "").split(",") if tag]
        for name in names:
            is_class = name.startswith("class:")
            for part, number in zip(_PARTS, numbers[row].tolist(), strict=True):
                # wer_tags have no insertions
                number *= is_class or part != "insertions"
                counted[f"{part}[{name}]"][row] += number
                counted[part][row] += number * is_class
    return counted


def class_tables(totals: Sums) -> Iterator[Block]:
    """Yield a table of token classes, and a table of `wer_tags`."""
    for kind in ("class", "tag"):
        rows = []
        for name, numbers in sorted(totals.by_label(kind).items()):
            cells = [str(numbers[part]) for part in _PARTS]
            rows.append((name, *cells, percent(CLASSES.figures[0].of(numbers))))
        if rows:
            yield Table((kind, *_PARTS, "rate %"), rows)


def count_switches(view: View) -> dict[str, Any]:
    """Count words and errors near a change of speaker."""
    reach = view.settings["switch_context"]
    switches: Counter[int] = Counter()
    inside = np.zeros(len(view.edits), np.bool_)
    names = _recordings(view.segments)
    for _, group in groupby(range(len(names)), names.__getitem__):
        rows = list(group)
        if len({view.rates.speakers[row] for row in rows}) < 2:
            continue
        slots = np.arange(view.offsets[rows[0]], view.offsets[rows[-1] + 1])
        words = slots[view.left[slots] >= 0]
        done, before = 0, None
        owners = view.utterances[words]
        firsts = np.flatnonzero(np.diff(owners, prepend=-1))
        for place, row in zip(firsts.tolist(), owners[firsts].tolist(), strict=True):
            speaker = view.rates.speakers[row]
            is_switch = before is not None and speaker is not None and speaker != before
            before = before if speaker is None else speaker
            if not is_switch:
                continue
            switches[row] += 1
            begin, end = place - reach, place + reach
            # an insertion before the window is outside, unless the one before reached further
            first = words[begin] if begin >= done else words[done - 1] + 1 if done else slots[0]
            last = words[end - 1] if end <= len(words) else slots[-1]
            inside[first : last + 1] = True
            done = min(end, len(words))
    edits = (Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION)
    kinds = (view.left >= 0, *(view.edits == edit for edit in edits))
    columns = {part: view.sums(inside & flags) for part, flags in zip(_PARTS, kinds, strict=True)}
    return {**columns, "switches": switches}


def _recordings(segments: Sequence[Segment]) -> list[str | int]:
    """Return the recording of each segment; a segment without recording has its index."""
    return [row if part.recording == "-" else part.recording for row, part in enumerate(segments)]


def count_sentences(view: View) -> dict[str, Any]:
    """Count sentences and sentences with an error.

    A sentence counts at the segment of its last word.
    """
    raw: WordColumns = view.reference.raw
    if any(part.displays or part.alternations for part in view.segments):
        shown = (
            [word.display or word.text for word in part.all_tokens()] for part in view.segments
        )
        raw = WordColumns(*numbered(list(shown)))
    ends = raw.by_type(lambda word: not ENDS.isdisjoint(cut_word(word)[-1][1]), np.bool_)
    origins = view.reference.raw.origins
    # the last word that was made of a word with a mark
    is_end = np.append(ends, False)[origins] & (np.append(origins[1:], -1) != origins)
    begins = view.offsets[:-1][[a != b for a, b in pairwise([None, *_recordings(view.segments)])]]
    is_first = np.append(False, placed(is_end, view.left, False))
    is_first[begins] = True
    sentences = np.cumsum(is_first[:-1])
    words = np.flatnonzero(view.left >= 0)
    lasts = words[np.flatnonzero(np.diff(sentences[words], append=-1))]
    errors = np.bincount(sentences[view.wrong], minlength=len(sentences) + 1)
    wrong, rows = errors[sentences[lasts]] > 0, view.utterances[lasts]
    return {
        "sentences": np.bincount(rows, minlength=len(view)),
        "wrong": np.bincount(rows[wrong], minlength=len(view)),
    }


CLASSES = MeasureSpec(
    name="classes",
    title="Classes of tokens",
    question=NAMES,
    definition="The reference has a segment for each token, with the property tags (nlp files "
    "with the reader's option level=word). The rate of a class divides substitutions, "
    "deletions and insertions by the words of its tokens. Consecutive tokens with the "
    "same tags are one entity; insertions between its first and its last token belong "
    "to it, and other insertions to no class. The rates of wer_tags do not count "
    "insertions, as in fstalign.",
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
    definition="A word is a switch if its speaker is another than that of the last word before "
    "it in the recording that has a speaker. The window of a switch has 5 words "
    "before the switch and 5 words from it on (the setting changes both numbers). A "
    "word in two windows counts once. Insertions inside a window count. The rate "
    "divides the errors in all windows by their reference words.",
    figures=(
        Figure("switch_wer", "error rate near switches", f"{ERRORS} / words", high=None),
        Figure("switches", "switches", "switches", "none", high=None, form="count"),
    ),
    columns=(*_PARTS, "switches"),
    count=count_switches,
    needs=frozenset({"sources"}),
    parameters=(
        MeasureSetting(
            "switch_context",
            5,
            whole_from(1),
            "words of a window before a switch, and from it on (default: 5)",
        ),
    ),
)
SENTENCES = MeasureSpec(
    name="sentences",
    title="Sentences",
    question="How many sentences are right?",
    definition="A sentence of the reference ends after a word with a full stop, a question mark "
    "or an exclamation mark (in the text as read or in its display form), and at the "
    "end of a recording. A sentence may consist of several segments. If there are no "
    "recordings, it ends with its utterance. Inserted words after the last word of a "
    "sentence belong to the next, or to none. The rate divides the sentences with an "
    "error by all sentences. A recording without such marks is one sentence.",
    figures=(
        Figure("sentence_error_rate", "sentences with an error", "wrong / sentences"),
        Figure("sentences", "sentences", "sentences", "none", high=None, form="count"),
    ),
    columns=("sentences", "wrong"),
    count=count_sentences,
    needs=frozenset({"sources"}),
    worst="wrong",
)
