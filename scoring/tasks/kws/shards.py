"""Shards of a keyword search: each machine aligns some recordings, and the shards are merged.

A part has every scored detection and reference of its recordings, because the best threshold, the
curve and average precision depend on the scores of all detections. Each takes about 60 bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec
import numpy as np

from formats.keywords.model import Excerpt, Keyword, KwslistHeader, SearchedKeyword
from formats.schema.remarks import Remark
from formats.schema.value_records import to_builtins
from scoring.drawing.data import head_of, json_file
from scoring.results import shards
from scoring.results.record import Shard
from scoring.tasks.kws.alignment import SearchAccount, SearchAlignment
from scoring.tasks.kws.audio import Audio
from scoring.tasks.kws.detections import DetectionTable
from scoring.tasks.kws.evaluation import AlignedSearch
from scoring.tasks.kws.parameters import Parameters
from scoring.tasks.kws.record import signature
from scoring.tasks.kws.references import FoundReference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.schema.remarks import AnyMessage

SCHEMA, SCHEMA_VERSION = "sclite-kit/keyword-search-shard", 1


class SearchFiles(msgspec.Struct, frozen=True):
    """The files of a search, with the names that the user gave."""

    ecf: str
    kwlist: str
    rttm: str
    kwslist: str


class PlacedReference(msgspec.Struct, frozen=True, array_like=True):
    """A reference, and the index of its keyword."""

    keyword: int
    found: FoundReference


class PlacedDetection(msgspec.Struct, frozen=True, array_like=True):
    """A scored detection: indices of its keyword, channel, excerpt and reference (-1: none)."""

    keyword: int
    place: int
    begin: float
    duration: float
    score: float
    decision: bool
    written: str  # begin and score
    stretch: int
    partner: int


class SearchPart(shards.ShardPart, frozen=True):
    """The alignment of a shard of the recordings, and the data that all shards have in common."""

    files: SearchFiles
    parameters: Parameters
    language: str
    header: KwslistHeader
    excerpts: tuple[Excerpt, ...]
    only: tuple[str, ...]
    keywords: tuple[Keyword, ...]
    searched: tuple[tuple[int, SearchedKeyword], ...]
    segments: list[int] | None
    unsorted: int
    vanished: int
    account: SearchAccount
    references: tuple[PlacedReference, ...]
    detections: tuple[PlacedDetection, ...]
    remarks: tuple[Remark, ...] = ()

    @property
    def table(self) -> str:
        """The name of the file in messages."""
        return self.files.kwslist

    @property
    def run(self) -> tuple[object, ...]:
        """The data that all shards of a run have in common."""
        return tuple(getattr(self, name) for name in self.__struct_fields__[1:-4])

    def check(self) -> None:
        """Raise ValueError if values are outside their ranges."""
        self.shard.check()
        places = {(excerpt.file, excerpt.channel) for excerpt in self.excerpts}
        for name, values, size in (
            ("keyword", [each.keyword for each in self.references], len(self.keywords)),
            ("keyword", [each.keyword for each in self.detections], len(self.keywords)),
            ("keyword", [number for number, _ in self.searched], len(self.keywords)),
            ("place", [each.found.place for each in self.references], len(places)),
            ("place", [each.place for each in self.detections], len(places)),
            ("excerpt", [each.found.excerpt for each in self.references], len(self.excerpts)),
            ("excerpt", [each.stretch for each in self.detections], len(self.excerpts)),
            ("reference", [max(each.partner, 0) for each in self.detections], None),
        ):
            size = max(len(self.references), 1) if size is None else size
            wrong = [value for value in values if not 0 <= value < size]
            if wrong:
                raise ValueError(f"expected the number of one of {size} {name}s, found {wrong[0]}")


def part_lines(
    search: AlignedSearch,
    shard: Shard,
    files: SearchFiles,
    excerpts: Sequence[Excerpt],
    only: Sequence[str],
    remarks: Iterable[AnyMessage] = (),
) -> Iterator[bytes]:
    """Yield the JSON text of a shard (a part of the recordings), line by line.

    `remarks` are the remarks on the files.
    """
    alignment = search.alignment
    table, rows = alignment.detections, alignment.rows
    columns = [column[rows].tolist() for column in table.columns()]
    texts = (" ".join(table.written(row)) for row in rows.tolist())
    ends = alignment.excerpts.tolist(), alignment.partners.tolist()
    found = zip(alignment.keyword_of.tolist(), alignment.references, strict=True)
    part = SearchPart(
        shard=shard,
        files=files,
        parameters=search.parameters,
        language=search.language,
        header=table.header,
        excerpts=tuple(excerpts),
        only=tuple(only),
        keywords=alignment.keywords,
        searched=tuple(table.searched.items()),
        segments=None if alignment.segments is None else alignment.segments.tolist(),
        unsorted=search.unsorted,
        vanished=search.vanished,
        account=alignment.account,
        references=tuple(PlacedReference(*each) for each in found),
        detections=tuple(
            PlacedDetection(*each) for each in zip(*columns, texts, *ends, strict=True)
        ),
        remarks=tuple(map(Remark.of, remarks)),
    )
    head = {**head_of(SCHEMA, SCHEMA_VERSION), "signature": signature(search.parameters)}
    return json_file({**head, **to_builtins(part)})


def read_part(path: str, data: bytes) -> SearchPart:
    """Read the JSON text of `part_lines`; raises InputError for any other text."""
    return shards.read_part(path, data, SearchPart, SCHEMA, SCHEMA_VERSION)


def merged(parts: Sequence[tuple[str, SearchPart]]) -> AlignedSearch:
    """Merge the alignments of all shards; raises InputError if the shards are of different runs."""
    ordered = shards.parts_in_order(parts)
    first = ordered[0]
    references = [each for part in ordered for each in part.references]
    offsets = np.cumsum([0, *(len(part.references) for part in ordered)]).tolist()
    detections = [
        (each, each.partner + offset if each.partner >= 0 else -1)
        for part, offset in zip(ordered, offsets, strict=False)
        for each in part.detections
    ]
    # as without shards: by keyword, then by place, or by segment, which the order of stretches is
    by_stretch = first.segments is not None
    detections.sort(
        key=lambda pair: (pair[0].keyword, pair[0].stretch if by_stretch else pair[0].place)
    )
    values = [msgspec.structs.astuple(each) for each, _ in detections]
    columns = list(zip(*values, strict=True)) or [()] * len(PlacedDetection.__struct_fields__)
    *numbers, texts, stretches, _ = columns
    accounts = zip(*(part.account for part in ordered), strict=True)
    alignment = SearchAlignment(
        keywords=first.keywords,
        audio=Audio(first.excerpts, first.parameters.rules, first.only),
        detections=DetectionTable.of_columns(
            first.header, dict(first.searched), numbers, texts, first.files.kwslist
        ),
        references=tuple(each.found for each in references),
        keyword_of=np.array([each.keyword for each in references], dtype=np.int64),
        rows=np.arange(len(detections)),
        partners=np.array([partner for _, partner in detections], dtype=np.int64),
        excerpts=np.array(stretches, dtype=np.int64),
        account=SearchAccount(*map(sum, accounts)),
        segments=None if first.segments is None else np.array(first.segments, dtype=np.int64),
    )
    return AlignedSearch(
        alignment, first.parameters, first.language, first.unsorted, first.vanished
    )
