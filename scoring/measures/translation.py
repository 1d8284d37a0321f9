"""Speech translation: BLEU, chrF and TER of the unnormalised texts, equal to sacrebleu's.

Each utterance is a segment. As in the evaluations of IWSLT, a whole recording is first cut at the
reference segments along the alignment. Sums over the segments give the numbers of sacrebleu's
corpus scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from scoring.drawing.blocks import Block, Fact
from scoring.model.errors import ScoringError
from scoring.results.counted import Sums
from scoring.results.measured import Figure, MeasuredValues, MeasureSetting, MeasureSpec

if TYPE_CHECKING:
    from scoring.measures.view import View

ORDERS, CHARACTER_ORDERS = range(1, 5), range(1, 7)
BETA_SQUARED = 4  # chrF weighs recall twice as much as precision
CHRF_PARTS = ("hypothesis", "reference", "matched")
COLUMNS = (
    *(f"ngrams{order}_{part}" for order in ORDERS for part in ("matched", "total")),
    *("hypothesis_length", "reference_length"),
    *(f"characters{order}_{part}" for order in CHARACTER_ORDERS for part in CHRF_PARTS),
    *("edits", "edited_length"),
)


class SacrebleuError(ScoringError):
    """The package sacrebleu is not installed."""

    status = 2


@cache
def _metrics() -> Any:
    """Import and return the module of sacrebleu's metrics; raise SacrebleuError without it."""
    try:
        from sacrebleu import metrics  # type: ignore[import-not-found,unused-ignore]
    except ModuleNotFoundError:
        raise SacrebleuError(
            "translation: expected an installed sacrebleu, found none (pip install sacrebleu, or "
            "sclite-kit[translation])"
        ) from None
    return metrics


def _tokenizer(value: Any) -> str:
    """Return the name of a sacrebleu tokenizer; raise ValueError if the name is unknown."""
    name = str(value)
    try:
        _metrics().BLEU(tokenize=name)
    except (KeyError, ValueError, AssertionError):
        raise ValueError(f"expected a tokenizer of sacrebleu such as 13a, found {name!r}") from None
    return name


def _characters(text: str) -> list[Counter[str]]:
    """Count the character n-grams of a text without blanks, for each n from 1 to 6."""
    letters = "".join(text.split())
    return [
        Counter(letters[begin : begin + order] for begin in range(len(letters) - order + 1))
        for order in CHARACTER_ORDERS
    ]


def count(view: View) -> dict[str, Any]:
    """Return the sums of each utterance for BLEU, chrF and TER."""
    metrics, tokenizer = _metrics(), view.settings["bleu_tokenize"]
    bleu, ter = metrics.BLEU(tokenize=tokenizer), metrics.TER()
    columns: dict[str, list[int]] = {name: [] for name in COLUMNS}
    sides = view.reference.raw.words, view.hypothesis.raw.words
    for reference, hypothesis in zip(*(map(" ".join, side) for side in sides), strict=True):
        score = bleu.corpus_score([hypothesis], [[reference]])
        for order, matched, total in zip(ORDERS, score.counts, score.totals, strict=True):
            columns[f"ngrams{order}_matched"].append(int(matched))
            columns[f"ngrams{order}_total"].append(int(total))
        columns["hypothesis_length"].append(int(score.sys_len))
        columns["reference_length"].append(int(score.ref_len))
        edits = ter.corpus_score([hypothesis], [[reference]])
        columns["edits"].append(int(edits.num_edits))
        columns["edited_length"].append(int(edits.ref_length))
        pairs = zip(_characters(hypothesis), _characters(reference), strict=True)
        for order, (heard, spoken) in zip(CHARACTER_ORDERS, pairs, strict=True):
            numbers = heard.total() if spoken else 0, spoken.total(), (heard & spoken).total()
            for part, number in zip(CHRF_PARTS, numbers, strict=True):
                columns[f"characters{order}_{part}"].append(number)
    return {**columns, f"segments[tok:{tokenizer}]": [1] * len(view)}


def _chrf(totals: Sums) -> float:
    """Return chrF2: the F2 of precision and recall, each averaged over the lengths of n-grams.

    A length counts if both sides have n-grams of this length.
    """
    precision = recall = 0.0
    orders = 0
    for order in CHARACTER_ORDERS:
        heard, spoken, matched = (totals[f"characters{order}_{part}"] for part in CHRF_PARTS)
        if heard and spoken:
            precision += matched / heard
            recall += matched / spoken
            orders += 1
    if not orders or not precision + recall:
        return 0.0
    precision, recall = precision / orders, recall / orders
    score = (1 + BETA_SQUARED) * precision * recall
    score /= BETA_SQUARED * precision + recall
    return 100 * score


def numbers(totals: Sums) -> MeasuredValues:
    """Compute the scores from the sums; without a reference there are no scores."""
    if not totals["edited_length"]:
        return {}
    scores: dict[str, float | None] = {
        "chrf": _chrf(totals),
        "ter": 100 * (totals["edits"] / totals["edited_length"]),
    }
    matched, total = (
        [totals[f"ngrams{order}_{part}"] for order in ORDERS] for part in ("matched", "total")
    )
    lengths = totals["hypothesis_length"], totals["reference_length"]
    bleu = _metrics().BLEU.compute_bleu(matched, total, *lengths, smooth_method="exp")
    scores["bleu"] = float(bleu.score)
    return scores


def signatures(totals: Sums) -> Iterator[Block]:
    """Yield the sacrebleu signature of each score."""
    metrics = _metrics()
    for tokenizer in totals.by_label("tok"):
        kinds = {
            "BLEU": metrics.BLEU(tokenize=tokenizer),
            "chrF2": metrics.CHRF(),
            "TER": metrics.TER(),
        }
        for name, metric in kinds.items():
            metric.corpus_score(["a"], [["a"]])  # it has no signature before
            yield Fact(f"{name} of sacrebleu", str(metric.get_signature()))


MEASURE = MeasureSpec(
    name="translation",
    title="Translation",
    question="How good is the translation of speech?",
    definition="BLEU, chrF2 and TER of the texts as read, with case and punctuation, by sacrebleu "
    "(an extra: sclite-kit[translation]). Each utterance is a segment; whole recordings are cut "
    "along the alignment first (--cut), as mwerSegmenter does. The scores are those of "
    "sacrebleu's corpus_score with its defaults; bleu_tokenize selects another tokenizer, for "
    "example zh or char. The length ratio divides the tokens of the hypothesis by those of the "
    "reference, as BLEU counts them.",
    figures=(
        Figure("bleu", "BLEU", better="higher", high=None, form="number"),
        Figure("chrf", "chrF2", better="higher", high=None, form="number"),
        Figure("ter", "TER", high=None, form="number"),
        Figure(
            "length_ratio",
            "length ratio",
            "hypothesis_length / reference_length",
            "none",
            high=None,
            form="number",
        ),
    ),
    columns=COLUMNS,
    count=count,
    numbers=numbers,
    needs=frozenset({"raw"}),
    parameters=(
        MeasureSetting("bleu_tokenize", "13a", _tokenizer, "tokenizer of BLEU (default: 13a)"),
    ),
    details=signatures,
)
