"""Matched pairs of segments: the test MAPSSWE, and how the segmentation depends on its margin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scoring.model.aliases import Say
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
    MatchedSegment,
    matched_pairs_test,
    segments,
)
from scoring.stats.paired_tests import Verdict
from scoring.stats.sample import moments

LONGEST_BOUNDARY = 10
_SPOTLESS_WARNING = (
    "Warning: MAPSSWE segmentation produced a segment with errors\n         ignoring segment\n"
)
_BOUNDARY_LINE = f"Minimum Number of Correct Boundary words {BOUNDARY_WORDS}\n"


class CommonSegments(NamedTuple):
    """The segments of all utterances two systems have in common."""

    segments: list[MatchedSegment]
    utterances: int

    @property
    def per_utterance(self) -> float:
        """The average number of segments in an utterance; NaN without utterances."""
        return len(self.segments) / self.utterances if self.utterances else float("nan")


def segmentation(
    ensemble: Ensemble, pair: PairKey, warn: Say, boundary_words: int = BOUNDARY_WORDS
) -> CommonSegments:
    """Cut the utterances of a pair of systems."""
    left, right = (ensemble.systems[number] for number in pair)
    matched: list[MatchedSegment] = []
    utterances = 0
    for utterance, others in ensemble.matched(*pair, warn):
        if not others:
            continue
        utterances += 1
        first, second = left.edits_of(utterance), right.edits_of(others[0])
        for segment in segments(first, second, boundary_words):
            if segment.first_errors or segment.second_errors:
                matched.append(segment)
            else:
                warn(_SPOTLESS_WARNING)
    return CommonSegments(matched, utterances)


def compare(ensemble: Ensemble, warn: Say) -> Compared:
    """Return the test on every pair of systems."""
    verdicts = {}
    analyses = []
    for pair in ensemble.pairs:
        cut = segmentation(ensemble, pair, warn)
        result = matched_pairs_test(
            [segment.first_errors - segment.second_errors for segment in cut.segments]
        )
        verdicts[pair] = result.verdict
        first, second = (ensemble.systems[number].title for number in pair)
        analyses.append("".join(_analysis(cut, result, first, second)))
    return Compared(verdicts, analyses, lambda: "".join(_matrix(ensemble, verdicts)))


def _analysis(cut: CommonSegments, result: MatchedPairs, first: str, second: str) -> Iterator[str]:
    words = sum(segment.words for segment in cut.segments)
    left = sum(segment.first_errors for segment in cut.segments)
    right = sum(segment.second_errors for segment in cut.segments)
    shares = percentage(left, words), percentage(right, words)
    count = len(cut.segments)
    yield (
        f"      SEGMENTATION REPORT FOR SYSTEMS\n              {first:>4} and {second:>4}\n"
        f"{_BOUNDARY_LINE}\n"
        f"  Number of Segments {count:2d},     {decimal(cut.per_utterance, 5, 3)} per sentence\n"
        f"  Number of Sentences {cut.utterances:2d}\n\n"
        f"    # Ref wrds      Err {first:>4}   Err {second:>4}\n{'-' * 39}\n"
        f"Totals {words:4d}           {left:4d}        {right:4d}\n\n"
        f"Pct err              {shares[0]:5.1f}%      {shares[1]:5.1f}%\n\n\n\n\n"
    )
    counts = [0, 0, 0, 0]
    for segment in cut.segments:
        counts[2 * (segment.first_errors > 0) + (segment.second_errors > 0)] += 1
    yield mcnemar_analysis(Contingency(*counts), first, second)
    moments_ = result.moments
    yield (
        f"MTCH_PR_RESULTS (systems: {first} {second}) (# segs: {count}) "
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
    """Return the undocumented `mapsswe_seg`: segments an utterance for margins of 1 to 10 words."""
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
