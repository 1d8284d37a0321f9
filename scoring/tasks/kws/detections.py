"""Detections of a system, as columns; a detection takes about 70 bytes."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, islice
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from formats.keywords.model import Detection, KwslistHeader, SearchedKeyword
from scoring.model.errors import InputError
from scoring.tasks.kws.audio import Audio, detection_file
from scoring.tasks.kws.parameters import SOUND, KeywordSearchError

BATCH = 1 << 12
"""Detections that are added together."""


class TextColumn:
    """Many short strings in a single array of bytes."""

    __slots__ = ("_data", "_ends")

    def __init__(self) -> None:
        self._data = bytearray()
        self._ends = array("q")

    def extend(self, texts: Iterable[str]) -> None:
        """Add strings."""
        encoded = list(map(str.encode, texts))
        begin = len(self._data)
        self._data += b"".join(encoded)
        self._ends.extend(islice(accumulate(map(len, encoded), initial=begin), 1, None))

    def __getitem__(self, index: int) -> str:
        begin = self._ends[index - 1] if index else 0
        return self._data[begin : self._ends[index]].decode()


class DetectionColumns(NamedTuple):
    """Detections as arrays: times in seconds, places and keywords as indices (place -1: none)."""

    keywords: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    begins: npt.NDArray[np.float64]
    durations: npt.NDArray[np.float64]
    scores: npt.NDArray[np.float64]
    decisions: npt.NDArray[np.bool_]


class DetectionTable:
    """The detections of a system in the order of its file; immutable."""

    def __init__(
        self,
        events: Iterable[KwslistHeader | SearchedKeyword | Detection],
        numbers: Mapping[str, int],
        audio: Audio,
        path: str | None = None,
    ) -> None:
        self.header = KwslistHeader("", "", "")
        self.searched: dict[int, SearchedKeyword] = {}
        self._texts = TextColumn()
        self.path = path
        # in the order of `DetectionColumns`
        self._numbers: list[array[Any]] = [array(kind) for kind in "iidddb"]
        self._columns: DetectionColumns | None = None
        places: dict[tuple[str, str], int] = {}
        batch: list[Detection] = []
        for event in events:
            if isinstance(event, Detection):
                batch.append(event)
                if len(batch) < BATCH:
                    continue
            self._extend(batch, numbers, audio, places)
            batch = []
            if isinstance(event, SearchedKeyword):
                self._begin(event, numbers)
            elif isinstance(event, KwslistHeader):
                self.header = event
        self._extend(batch, numbers, audio, places)

    def _begin(self, event: SearchedKeyword, numbers: Mapping[str, int]) -> None:
        number = self._number(event.keyword, numbers, event.line)
        if number in self.searched:
            first = self.searched[number].line
            where = "" if first is None else f" (first in line {first})"
            raise self._error(
                event.line, f"keyword {event.keyword!r} is searched twice{where}: expected once"
            )
        self.searched[number] = event

    def _number(self, keyword: str, numbers: Mapping[str, int], line: int | None) -> int:
        number = numbers.get(keyword)
        if number is None:
            raise self._error(line, f"expected a keyword of the keyword list, found {keyword!r}")
        return number

    def _error(self, line: int | None, problem: str) -> KeywordSearchError | InputError:
        if self.path is None:
            return KeywordSearchError(problem)
        error = InputError(self.path, line, None, problem)
        error.status = 2
        return error

    def _extend(
        self,
        batch: list[Detection],
        numbers: Mapping[str, int],
        audio: Audio,
        places: dict[tuple[str, str], int],
    ) -> None:
        """Add the detections in the scored audio; `places` are the known files and channels."""
        number_of: dict[str, int] = {}
        for detection in batch:
            keyword, file, channel = detection[:3]
            if keyword not in number_of:
                number_of[keyword] = number = self._number(keyword, numbers, detection.line)
                self.searched.setdefault(number, SearchedKeyword(keyword))
            if (file, channel) not in places:
                name = detection_file(file, audio.rules)
                places[file, channel] = audio.places.get((name, channel), -1)
        batch = [each for each in batch if places[each[1:3]] in audio.own]
        if not batch:
            return
        keywords, files, channels, *values = zip(*batch, strict=True)
        for score, line in zip(values[2], values[-1], strict=True):
            if not isfinite(score):
                raise self._error(line, f"expected a finite score, found {score!r}")
        channel_places = map(places.__getitem__, zip(files, channels, strict=True))
        columns = map(number_of.__getitem__, keywords), channel_places, *values[:4]
        for column, added in zip(self._numbers, columns, strict=True):
            column.extend(added)
        self._texts.extend(
            f"{each.begin_text or format(each.begin, '.15g')} "
            f"{each.score_text or format(each.score, '.15g')}"
            for each in batch
        )

    def __len__(self) -> int:
        return len(self._numbers[0])

    @classmethod
    def of_columns(
        cls,
        header: KwslistHeader,
        searched: Mapping[int, SearchedKeyword],
        columns: Sequence[Sequence[Any]],
        texts: Iterable[str],
        path: str | None = None,
    ) -> DetectionTable:
        """Create a table from columns in `DetectionColumns` order, and texts (begin, score)."""
        table = cls((header,), {}, Audio((), SOUND), path)
        table.searched.update(searched)
        for column, values in zip(table._numbers, columns, strict=True):
            column.extend(values)
        table._texts.extend(texts)
        return table

    def written(self, row: int) -> tuple[str, str]:
        """Return the start time and score of a detection as written in the file."""
        begin, _, score = self._texts[row].partition(" ")
        return begin, score

    def columns(self) -> DetectionColumns:
        """Return the numbers as read-only arrays."""
        if self._columns is None:
            kinds = (np.int64, np.int64, np.float64, np.float64, np.float64, np.bool_)
            self._columns = DetectionColumns(*map(np.array, self._numbers, kinds))
            for column in self._columns:
                column.flags.writeable = False
        return self._columns
