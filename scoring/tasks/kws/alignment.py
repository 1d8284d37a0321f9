"""Alignment of detections with references: hits, misses and false alarms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from formats.keywords.model import Keyword
from scoring.tasks.kws.audio import Audio
from scoring.tasks.kws.detections import DetectionTable
from scoring.tasks.kws.mapping import DetectionCandidates, ReferenceSpan, best_mapping
from scoring.tasks.kws.parameters import Parameters
from scoring.tasks.kws.references import FoundReference, ReferenceSource
from scoring.tasks.kws.segments import Segmentation

# of rejected and accepted mapped detections (missed references among the former), then unmapped
LABELS = ("MISS", "CORR", "CORR!DET", "FA")


class SearchAccount(NamedTuple):
    """Numbers of detections and references that were not scored, by reason."""

    detections: int = 0  # how many the system gave
    unknown_audio: int = 0  # detections of a file and channel without excerpt
    outside_excerpts: int = 0  # detections that no excerpt holds entirely
    outscored: int = 0  # detections that are not the best of their segment
    references_outside: int = 0  # references that no excerpt, or no segment, holds
    references_repeated: int = 0  # references in the segment of another one of their keyword


class AlignmentRows(NamedTuple):
    """The lines of the alignment as columns: indices, or -1 for none."""

    keywords: npt.NDArray[np.int64]
    references: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]  # of the detections
    labels: npt.NDArray[np.int64]  # indices into `LABELS`


@dataclass(frozen=True, eq=False, repr=False)
class SearchAlignment:
    """The mapping of detections to references; immutable."""

    keywords: tuple[Keyword, ...]  # all keywords, in the order of their list
    audio: Audio  # what was scored
    detections: DetectionTable
    references: tuple[FoundReference, ...]  # those scored, by keyword
    keyword_of: npt.NDArray[np.int64]  # number of the keyword of each reference
    rows: npt.NDArray[np.int64]  # which rows of the detections are scored
    partners: npt.NDArray[np.int64]  # index of the reference each of these rows is mapped to, or -1
    excerpts: npt.NDArray[np.int64]  # index of the stretch of each of these rows
    account: SearchAccount  # what was not scored
    # how many segments each stretch has, where segments are the trials
    segments: npt.NDArray[np.int64] | None = None

    def __repr__(self) -> str:
        return (
            f"<Alignment of {len(self.keywords)} keywords: {len(self.references)} references, "
            f"{len(self.rows)} detections>"
        )

    def table(self) -> AlignmentRows:
        """Return a line for each trial, sorted by keyword and channel.

        Within a channel, mapped trials precede missed and unmapped trials; each kind is in order of
        time.
        """
        columns, rows, partners = self.detections.columns(), self.rows, self.partners
        missed = np.ones(len(self.references), dtype=bool)
        missed[partners[partners >= 0]] = False
        alone = np.flatnonzero(missed)
        begins = np.array([r.begin for r in self.references], dtype=np.float64)
        places = np.array([r.place for r in self.references], dtype=np.int64)
        mapped = partners >= 0
        times = columns.begins[rows] * self.audio.clock.ticks
        times[mapped] = begins[partners[mapped]]
        keywords = np.concatenate([columns.keywords[rows], self.keyword_of[alone]])
        order = np.lexsort(
            (
                np.concatenate([times, begins[alone]]),
                np.concatenate([np.where(mapped, 0, 2), np.ones(len(alone), dtype=np.int64)]),
                np.concatenate([columns.places[rows], places[alone]]),
                keywords,
            )
        )
        decided = columns.decisions[rows].astype(np.int64)
        kinds = np.concatenate([np.where(mapped, 0, 2) + decided, np.zeros(len(alone), int)])
        return AlignmentRows(
            keywords[order],
            np.concatenate([partners, alone])[order],
            np.concatenate([rows, np.full(len(alone), -1)])[order],
            kinds[order],
        )


def align_occurrences(
    keywords: Sequence[Keyword],
    audio: Audio,
    detections: DetectionTable,
    source: ReferenceSource,
    parameters: Parameters,
) -> SearchAlignment:
    """Map detections to references for each keyword and channel; decisions have no effect."""
    references, keyword_of = source.references(keywords)
    columns, clock = detections.columns(), audio.clock
    begins = clock.times(columns.begins)
    durations = clock.times(columns.durations)
    ends, middles = begins + durations, begins + durations / 2
    excerpts = audio.holding(columns.places, begins, ends)
    rows = np.flatnonzero(excerpts >= 0)
    order = np.lexsort((middles[rows], columns.places[rows], columns.keywords[rows]))
    rows = rows[order]
    partners = np.full(len(rows), -1, dtype=np.int64)
    width = max(len(audio.places), 1)
    groups = columns.keywords[rows] * width + columns.places[rows]
    by_group: dict[int, list[int]] = {}
    for index, (reference, keyword_number) in enumerate(
        zip(references, keyword_of.tolist(), strict=True)
    ):
        by_group.setdefault(keyword_number * width + reference.place, []).append(index)
    tolerance = clock.time(parameters.tolerance)
    least, greatest = detections.header.min_score, detections.header.max_score
    for group, indices in by_group.items():
        low, high = np.searchsorted(groups, (group, group + 1)).tolist()
        if low == high:
            continue
        part = rows[low:high]
        scores = columns.scores[part]
        candidates = DetectionCandidates(
            begins=begins[part].tolist(),
            ends=ends[part].tolist(),
            middles=middles[part].tolist(),
            scores=scores.tolist(),
            lowest=float(scores.min()) if least is None else least,
            highest=float(scores.max()) if greatest is None else greatest,
            ticks=clock.ticks,
        )
        spans = [ReferenceSpan(references[i].begin, references[i].end) for i in indices]
        for number, candidate in best_mapping(spans, candidates, tolerance):
            partners[low + candidate] = indices[number]
    unknown = int((columns.places < 0).sum())
    outside = len(detections) - unknown - len(rows)
    return SearchAlignment(
        keywords=tuple(keywords),
        audio=audio,
        detections=detections,
        references=references,
        keyword_of=keyword_of,
        rows=rows,
        partners=partners,
        excerpts=excerpts[rows],
        account=SearchAccount(len(detections), unknown, outside, 0, source.outside),
    )


def align_segments(
    keywords: Sequence[Keyword],
    audio: Audio,
    detections: DetectionTable,
    source: ReferenceSource,
    segmentation: Segmentation,
) -> SearchAlignment:
    """Assign detections and references to segments; a segment with both is a mapped pair.

    A reference counts if its first and last word are in the same segment. Of several references or
    detections of a keyword in a segment, only one is kept: the one with the best score, or the
    first of equal scores.
    """
    references, keyword_of, outside, repeated = _segments_spoken(
        keywords, audio, source, segmentation
    )
    columns, clock = detections.columns(), audio.clock
    middles = clock.times(columns.begins) + clock.times(columns.durations) / 2
    segments = segmentation.of_middles(columns.places, middles)
    inside = np.flatnonzero(segments >= 0)
    # within a segment the best score comes first, of equal ones the first
    order = np.lexsort(
        (inside, -columns.scores[inside], segments[inside], columns.keywords[inside])
    )
    inside = inside[order]
    width = max(len(segmentation), 1)
    keys = columns.keywords[inside] * width + segments[inside]
    rows = inside[np.flatnonzero(np.diff(keys, prepend=-1))]
    keys = columns.keywords[rows] * width + segments[rows]
    by_segment = {
        keyword * width + segment: index for index, (keyword, segment) in enumerate(keyword_of)
    }
    partners = np.array([by_segment.get(key, -1) for key in keys.tolist()], dtype=np.int64)
    places = np.array([segment.excerpt for segment in segmentation.segments], dtype=np.int64)
    unknown = int((columns.places < 0).sum())
    return SearchAlignment(
        keywords=tuple(keywords),
        audio=audio,
        detections=detections,
        references=tuple(references),
        keyword_of=np.array([keyword for keyword, _ in keyword_of], dtype=np.int64),
        rows=rows,
        partners=partners,
        excerpts=places[segments[rows]] if len(rows) else np.zeros(0, dtype=np.int64),
        account=SearchAccount(
            detections=len(detections),
            unknown_audio=unknown,
            outside_excerpts=len(detections) - unknown - len(inside),
            outscored=len(inside) - len(rows),
            references_outside=outside,
            references_repeated=repeated,
        ),
        segments=np.bincount(places, minlength=len(audio.stretches)),
    )


def _segments_spoken(
    keywords: Sequence[Keyword],
    audio: Audio,
    source: ReferenceSource,
    segmentation: Segmentation,
) -> tuple[list[FoundReference], list[tuple[int, int]], int, int]:
    """Return the segments with references, pairs of keyword and segment, and two counts.

    The counts are the dropped occurrences: those not within a single segment, and those repeated in
    a segment.
    """
    outside = repeated = 0
    seen: dict[tuple[int, int], None] = {}
    for number, segment in source.segments(keywords, segmentation):
        if segment < 0:
            outside += 1
        elif (number, segment) in seen:
            repeated += 1
        else:
            seen[number, segment] = None
    references = []
    for _, index in seen:
        spoken = segmentation.segments[index]
        begin, end = audio.clock.seconds(spoken.begin), audio.clock.seconds(spoken.end)
        references.append(
            FoundReference(
                spoken.place,
                spoken.begin,
                spoken.end,
                spoken.excerpt,
                spoken.begin_text or f"{begin:.15g}",
                f"{end:.4f}",
            )
        )
    return references, list(seen), outside, repeated
