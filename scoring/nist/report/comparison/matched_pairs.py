"""The MAPSSWE test on matched segments, and a report on segments for several margins.

Utterances are cut into segments at runs of correct words; the margin is the length of such a run.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scoring.nist.report.comparison.ensemble import Ensemble
from scoring.nist.report.comparison.layout import (
    FORM_FEED,
    decimal,
    gap,
    indent,
    indented,
    longest,
    rule,
)
from scoring.nist.report.comparison.mcnemar import Contingency
from scoring.nist.report.comparison.mcnemar import analysis as mcnemar_analysis
from scoring.nist.report.comparison.verdicts import Compared, PairKey, better_title
from scoring.nist.report.rounding import percentage
from scoring.stats.matched_pairs import (
    BOUNDARY_WORDS,
    MatchedPairs,
    MatchedSegments,
    all_segments,
    matched_pairs_test,
)
from scoring.stats.paired_tests import Verdict
from scoring.stats.sample import moments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.model.aliases import Say

LONGEST_BOUNDARY = 10
_SPOTLESS_WARNING = (
    "Warning: MAPSSWE segmentation produced a segment with errors\n         ignoring segment\n"
)
_BOUNDARY_LINE = f"Minimum Number of Correct Boundary words {BOUNDARY_WORDS}\n"


class CommonSegments(NamedTuple):
    """The matched segments of all utterances that both systems have; each segment has an error."""

    segments: MatchedSegments
    utterances: int

    @property
    def size(self) -> int:
        """The number of segments."""
        return len(self.segments.words)

    @property
    def per_utterance(self) -> float:
        """The mean number of segments per utterance; NaN without utterances."""
        return self.size / self.utterances if self.utterances else float("nan")


def segmentation(
    ensemble: Ensemble, pair: PairKey, warn: Say, boundary_words: int = BOUNDARY_WORDS
) -> CommonSegments:
    """Return the matched segments of the utterances that both systems have; each has an error."""
    left, right = (ensemble.systems[number] for number in pair)
    cut = MatchedSegments(array("i"), array("i"), array("i"))
    pending: list[tuple[bytes, bytes]] = []
    utterances = 0

    def cut_pending() -> None:
        nonlocal utterances
        utterances += len(pending)
        segments = all_segments(pending, boundary_words)
        pending.clear()
        with_errors = segments.with_errors()
        for column, addition in zip(cut, with_errors, strict=True):
            column.extend(addition)
        if spotless := len(segments.words) - len(with_errors.words):
            warn(_SPOTLESS_WARNING * spotless)

    def warn_in_order(text: str) -> None:
        cut_pending()
        warn(text)

    for utterance, others in ensemble.matched(*pair, warn_in_order):
        if others:
            pending.append((left.edits_of(utterance), right.edits_of(others[0])))
    cut_pending()
    return CommonSegments(cut, utterances)


def compare(ensemble: Ensemble, warn: Say) -> Compared:
    """Run the test on every pair of systems."""
    verdicts = {}
    results: list[tuple[PairKey, CommonSegments, MatchedPairs]] = []
    for pair in ensemble.pairs:
        cut = segmentation(ensemble, pair, warn)
        result = matched_pairs_test(cut.segments.differences)
        verdicts[pair] = result.verdict
        results.append((pair, cut, result))

    def analyses() -> list[str]:
        titles = ensemble.titles
        return [
            "".join(_analysis(cut, result, *(titles[number] for number in pair)))
            for pair, cut, result in results
        ]

    return Compared(verdicts, analyses, lambda: "".join(_matrix(ensemble, verdicts)))


def _analysis(cut: CommonSegments, result: MatchedPairs, first: str, second: str) -> Iterator[str]:
    words, left, right = map(sum, cut.segments)
    shares = percentage(left, words), percentage(right, words)
    yield (
        f"      SEGMENTATION REPORT FOR SYSTEMS\n              {first:>4} and {second:>4}\n"
        f"{_BOUNDARY_LINE}\n"
        f"  Number of Segments {cut.size:2d},     {decimal(cut.per_utterance, 5, 3)} per sentence\n"
        f"  Number of Sentences {cut.utterances:2d}\n\n"
        f"    # Ref wrds      Err {first:>4}   Err {second:>4}\n{'-' * 39}\n"
        f"Totals {words:4d}           {left:4d}        {right:4d}\n\n"
        f"Pct err              {shares[0]:5.1f}%      {shares[1]:5.1f}%\n\n\n\n\n"
    )
    counts = [0, 0, 0, 0]
    for errors in zip(*cut.segments[1:], strict=True):
        counts[2 * (errors[0] > 0) + (errors[1] > 0)] += 1
    yield mcnemar_analysis(Contingency(*counts), first, second)
    moments_ = result.moments
    yield (
        f"MTCH_PR_RESULTS (systems: {first} {second}) (# segs: {cut.size}) "
        f"(Seg per Sent: {decimal(cut.per_utterance, 5, 3)}) "
        f"(% Error: {shares[0]:5.2f} {shares[1]:5.2f}) (mean: {decimal(moments_.mean, 5, 3)}) "
        f"(std dev: {moments_.deviation:5.3f}) (Z Stat: {moments_.z:5.3f}) "
        f"(Stat Diff: {'Yes' if result.verdict.better else 'No'})\n"
    )


def _matrix(ensemble: Ensemble, verdicts: Mapping[PairKey, Verdict]) -> Iterator[str]:
    yield "\n\n\n"
    yield indented("COMPARISON MATRIX: FOR THE MATCHED PAIRS TEST")
    yield indented("PECENTAGES ARE MEAN PCT ERROR/SEGMENT.  FIRST # IS LEFT SYSTEM")
    if ensemble.description:
        yield indented(ensemble.description)
    yield indent(42) + _BOUNDARY_LINE + "\n\n"
    titles = ensemble.titles
    width = longest(titles)
    cell = width + 3
    margin = indent((len(titles) + 1) * cell)
    frame = f"{margin}|{rule(cell - 1)}{rule(cell) * len(titles)}|\n"
    yield frame
    names = "".join(f" {title:>{width}} |" for title in titles)
    yield f"{margin}|{gap(cell - 1)}|{names}\n"
    for first, title in enumerate(titles):
        yield f"{margin}|{rule(cell - 1)}{f'+{rule(cell - 1)}' * len(titles)}|\n"
        yield f"{margin}| {title:>{width}} |"
        for second in range(len(titles)):
            if second <= first:
                yield f"{gap(cell - 1)}|"
                continue
            text = better_title(ensemble, (first, second), verdicts[first, second])
            blanks = max(0, cell - 1 - len(text))
            yield f"{gap(blanks // 2)}{text}{gap(blanks - blanks // 2)}|"
        yield "\n"
    yield frame


def margins(ensemble: Ensemble, warn: Say) -> str:
    """Return the undocumented report `mapsswe_seg`: segments per utterance for margins 1 to 10."""
    sizes = range(1, LONGEST_BOUNDARY + 1)
    warn("Doing segmentation analysis. This is slow so . . . \n\n")
    table: dict[tuple[PairKey, int], float] = {}
    for size in sizes:
        warn(f"   calculating buffer of  {size - 1}\n")
        for pair in ensemble.pairs:
            table[pair, size] = segmentation(ensemble, pair, warn, size).per_utterance
    means = [(size, moments([table[pair, size] for pair in ensemble.pairs]).mean) for size in sizes]
    margin = indent(32)
    frame = f"{margin}{'-' * 32}\n"
    heads = "Average Number of Segments Per Sentence Report for", "Changing Numbers of Buffer Words"
    lines = [
        *_margins_by_pair(ensemble, table),
        *_margins_heading(ensemble, *heads),
        f"{frame}{margin}|   Num Buf   |  Ave Seg/Sent  |\n",
        f"{margin}|-------------+----------------|\n",
        *(
            f"{margin}|      {size:2d}     |     {decimal(mean, 5, 3)}      |\n"
            for size, mean in means
        ),
        frame + FORM_FEED,
    ]
    return "".join(lines)


def _margins_heading(ensemble: Ensemble, *title: str) -> Iterator[str]:
    yield from map(indented, title)
    if ensemble.description:
        yield indented(ensemble.description)
    yield "\n\n"


def _margins_by_pair(
    ensemble: Ensemble, table: Mapping[tuple[PairKey, int], float]
) -> Iterator[str]:
    heads = "Number of Segments Per Sentence Report for Changing", "Numbers of Buffer Words"
    yield from _margins_heading(ensemble, *heads)
    titles = ensemble.titles
    count = len(titles)
    margin = indent((count + 1) * 15)
    frame = f"{margin}|-------------{'-' * 14 * count}|\n"
    yield frame
    yield f"{margin}|{'':13}|" + "".join(f"     {title:>4}    |" for title in titles) + "\n"
    for first, title in enumerate(titles):
        yield f"{margin}|-------------{'+-------------' * count}|\n"
        for size in range(1, LONGEST_BOUNDARY + 1):
            name = f"  {title:>4}    0  " if size == 1 else f"         {size - 1:2d}  "
            yield f"{margin}|{name}|"
            for second in range(count):
                if second > first:
                    yield f"    {decimal(table[(first, second), size], 5, 3)}    |"
                else:
                    yield f"{'':13}|"
            yield "\n"
    yield frame + FORM_FEED
