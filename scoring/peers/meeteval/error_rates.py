"""Error rates with meeteval's fields, in meeteval's order; they can be added."""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, ClassVar

__all__ = [
    "CPErrorRate",
    "DICPErrorRate",
    "ErrorRate",
    "MimoErrorRate",
    "OrcErrorRate",
    "SelfOverlap",
    "combine_error_rates",
]


@dataclass(frozen=True)
class SelfOverlap:
    """The share of time in which segments of the same speaker overlap.

    Times have the unit of the input.

    >>> SelfOverlap(1, 4)
    SelfOverlap(overlap_rate=0.25, overlap_time=1, total_time=4)
    """

    overlap_rate: Any = field(init=False)
    overlap_time: Any
    total_time: Any

    def __post_init__(self) -> None:
        rate = self.overlap_time / self.total_time if self.total_time > 0 else 0
        object.__setattr__(self, "overlap_rate", rate)

    def __add__(self, other: SelfOverlap) -> SelfOverlap:
        return SelfOverlap(
            self.overlap_time + other.overlap_time, self.total_time + other.total_time
        )

    def __radd__(self, other: object) -> SelfOverlap:
        return self if other == 0 else NotImplemented

    @classmethod
    def zero(cls) -> SelfOverlap:
        """Return a self-overlap of zero seconds, with which a sum can start."""
        return SelfOverlap(0, 0)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> SelfOverlap:
        """Create a self-overlap from the dictionary of `dataclasses.asdict`."""
        return SelfOverlap(values["overlap_time"], values["total_time"])


@dataclass(frozen=True, repr=False)
class ErrorRate:
    """Errors of one or more sessions.

    Attributes
    ----------
    error_rate
        Errors per word of the reference; None without such words.
    errors, length
        The number of errors, and the number of reference words.
    insertions, deletions, substitutions
        The number of errors of each kind.
    reference_self_overlap, hypothesis_self_overlap
        None without times.

    Examples
    --------
    >>> ErrorRate(1, 2, 0, 0, 1) + ErrorRate(0, 2, 0, 0, 0)
    ErrorRate(error_rate=0.25, errors=1, length=4, insertions=0, deletions=0, substitutions=1)
    """

    identifier: ClassVar[str] = "error-rate"

    error_rate: float | None = field(init=False)
    errors: int
    length: int
    insertions: int
    deletions: int
    substitutions: int
    reference_self_overlap: SelfOverlap | None = None
    hypothesis_self_overlap: SelfOverlap | None = None

    def __post_init__(self) -> None:
        sum_of_kinds = self.insertions + self.deletions + self.substitutions
        if sum_of_kinds != self.errors or min(self.errors, self.length) < 0:
            raise ValueError(
                f"errors: expected the sum of their kinds, {sum_of_kinds}, and no less than 0"
            )
        rate = self.errors / self.length if self.length else None
        object.__setattr__(self, "error_rate", rate)

    def __add__(self, other: ErrorRate) -> ErrorRate:
        with_speakers = isinstance(self, CPErrorRate) and isinstance(other, CPErrorRate)
        names = (*_COUNTS, *_SPEAKERS) if with_speakers else _COUNTS
        sums: dict[str, Any] = {name: getattr(self, name) + getattr(other, name) for name in names}
        for name in _OVERLAPS:
            left, right = getattr(self, name), getattr(other, name)
            sums[name] = None if left is None or right is None else left + right
        return (CPErrorRate if with_speakers else ErrorRate)(**sums)

    def __radd__(self, other: object) -> ErrorRate:
        return self if other == 0 else NotImplemented

    @classmethod
    def zero(cls) -> ErrorRate:
        """Return an error rate of zero words, with which a sum can start."""
        return cls(0, 0, 0, 0, 0)

    def asdict(self) -> dict[str, Any]:
        """Return a dictionary of the fields and `type`, the name of the class."""
        return {"type": self.identifier, **asdict(self)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ErrorRate:
        """Return the error rate that a dictionary from `asdict` describes.

        Without the member `type`, the keys of the dictionary determine the class.

        A `DICPErrorRate` has the same keys as an `OrcErrorRate`: as in meeteval, the result is then
        an `OrcErrorRate`.

        Raises
        ------
        ValueError
            If no class has these keys.

        Examples
        --------
        >>> ErrorRate.from_dict(OrcErrorRate(0, 2, 0, 0, 0, assignment=(0, 1)).asdict())
        OrcErrorRate(error_rate=0.0, errors=0, length=2, insertions=0, deletions=0, substitutions=0, assignment=(0, 1))
        """  # noqa: E501
        fields_by_name = {name: value for name, value in values.items() if name != "error_rate"}
        name = fields_by_name.pop("type", None)
        if name == "diarization-error-rate":
            from scoring.peers.meeteval.der import DiaErrorRate

            return DiaErrorRate(values["error_rate"], **fields_by_name)  # type: ignore[return-value]
        for side in _OVERLAPS:
            overlap = fields_by_name.get(side)
            fields_by_name[side] = None if overlap is None else SelfOverlap.from_dict(overlap)
        classes = (CPErrorRate, OrcErrorRate, MimoErrorRate, DICPErrorRate)
        kind = {kind.identifier: kind for kind in classes}.get(str(name), ErrorRate)
        if name is None and "scored_speaker" in values:
            kind = CPErrorRate
        elif name is None and "assignment" in values:
            pairs = any(isinstance(pair, tuple | list) for pair in values["assignment"] or ())
            kind = MimoErrorRate if pairs else OrcErrorRate
        try:
            return kind(**fields_by_name)
        except TypeError:
            expected = "expected the fields of an error rate"
            raise ValueError(f"{expected}, found {', '.join(values)}") from None

    def __repr__(self) -> str:
        shown = (
            f"{member.name}={value!r}"
            for member in fields(self)
            if (value := getattr(self, member.name)) is not None
        )
        return f"{type(self).__name__}({', '.join(shown)})"


_COUNTS = ("errors", "length", "insertions", "deletions", "substitutions")
_OVERLAPS = ("reference_self_overlap", "hypothesis_self_overlap")
_SPEAKERS = ("missed_speaker", "falarm_speaker", "scored_speaker")


@dataclass(frozen=True, repr=False)
class CPErrorRate(ErrorRate):
    """Errors after speakers were assigned to streams.

    Attributes
    ----------
    missed_speaker
        The number of speakers without a stream.
    falarm_speaker
        The number of streams without a speaker.
    scored_speaker
        The number of reference speakers.
    assignment
        Pairs of speaker and stream (None if there is no partner). The assignment of several
        sessions is None.
    """

    identifier = "cp-error-rate"
    missed_speaker: int = 0
    falarm_speaker: int = 0
    scored_speaker: int = 0
    assignment: tuple[tuple[Any, Any], ...] | None = None

    def apply_assignment(
        self,
        reference: Any,
        hypothesis: Any,
        style: str = "ref",
        fallback_keys: Iterable[Any] = string.ascii_letters,
        missing: Any = "",
    ) -> tuple[Any, Any]:
        """Return both sides with the same speaker names.

        They are the names of the reference with `style` "ref", and those of the hypothesis with
        "hyp".

        Parameters
        ----------
        reference, hypothesis
            Segments, or texts by speaker: lists or dictionaries.
        fallback_keys
            Names for speakers without a partner on the other side.
        missing
            The words of an absent speaker.

        >>> rate = CPErrorRate(0, 0, 0, 0, 0, assignment=(("A", "x"), (None, "y")))
        >>> rate.apply_assignment({"A": "a"}, {"x": "b", "y": "c"})
        ({'A': 'a', 'a': ''}, {'A': 'b', 'a': 'c'})
        """
        if style not in ("ref", "hyp"):
            raise ValueError(f"style: expected 'ref' or 'hyp', found {style!r}")
        pairs = self.assignment or ()
        sides = (reference, hypothesis)
        lists = not any(
            isinstance(side, Mapping) or _listed_segments(side) is not None for side in sides
        )
        spare = iter(
            range(min(map(len, sides)), max(map(len, sides)))
            if lists
            else [key for key in fallback_keys if not any(key in pair for pair in pairs)]
        )
        named = int(style == "hyp")
        try:
            names = [next(spare) if pair[named] is None else pair[named] for pair in pairs]
        except StopIteration:
            raise RuntimeError("fallback_keys: expected more keys, found too few") from None
        renamed_sides: list[Any] = []
        for index, side in enumerate(sides):
            own = [pair[index] for pair in pairs]
            segments = _listed_segments(side)
            if segments is not None:
                speakers = dict(zip(own, names, strict=True))
                renamed = [{**item, "speaker": speakers[item["speaker"]]} for item in segments]
                renamed_sides.append(_as_given(side, renamed))
                continue
            texts = side if isinstance(side, Mapping) else dict(enumerate(side))
            by_name = {
                name: texts.get(speaker, missing) for speaker, name in zip(own, names, strict=True)
            }
            numbers = range(len(by_name))
            renamed_sides.append(
                [by_name.get(number, missing) for number in numbers] if lists else by_name
            )
        return renamed_sides[0], renamed_sides[1]


@dataclass(frozen=True, repr=False)
class OrcErrorRate(ErrorRate):
    """Errors after each reference segment was assigned to a stream.

    `assignment` has the stream of each segment, in the order of the input.
    """

    identifier = "orc-error-rate"
    assignment: tuple[Any, ...] | None = None

    def apply_assignment(self, reference: Any, hypothesis: Any) -> tuple[Any, Any]:
        """Return the reference with the assigned streams as speakers, and the hypothesis unchanged.

        >>> rate = OrcErrorRate(0, 3, 0, 0, 0, assignment=("x", "y", "x"))
        >>> rate.apply_assignment(["a", "b", "c"], {"x": "a c", "y": "b"})[0]
        {'x': ['a', 'c'], 'y': ['b']}
        """
        return _moved(reference, self.assignment or (), hypothesis), hypothesis


@dataclass(frozen=True)
class DICPErrorRate(OrcErrorRate):
    """Errors after each hypothesis segment was assigned to a speaker.

    `assignment` has the speaker of each segment, in the order of the input.
    """

    identifier = "di-cp-error-rate"

    def apply_assignment(self, reference: Any, hypothesis: Any) -> tuple[Any, Any]:
        """Return the reference unchanged, and the hypothesis with the assigned speakers."""
        return reference, _moved(hypothesis, self.assignment or (), reference)


@dataclass(frozen=True, repr=False)
class MimoErrorRate(ErrorRate):
    """Errors after the segments of each speaker were assigned to streams.

    `assignment` has pairs of speaker and stream, in the order of the alignment.
    """

    identifier = "mimo-error-rate"
    assignment: list[tuple[Any, Any]] | None = None

    def apply_assignment(self, reference: Any, hypothesis: Any) -> tuple[Any, Any]:
        """Return the reference with streams as speakers, and the hypothesis unchanged.

        The reference segments are in the order of the assignment.

        >>> rate = MimoErrorRate(0, 2, 0, 0, 0, assignment=[("B", 0), ("A", 0)])
        >>> rate.apply_assignment({"A": ["a"], "B": ["b"]}, ["b a"])[0]
        [['b', 'a']]
        """
        waiting: dict[Any, list[Any]] = {}
        segments = _listed_segments(reference)
        if segments is not None:
            for segment in segments:
                waiting.setdefault(segment["speaker"], []).append(segment)
        else:
            texts = reference if isinstance(reference, Mapping) else dict(enumerate(reference))
            waiting = {speaker: list(lines) for speaker, lines in texts.items()}
        steps = self.assignment or []
        ordered = [waiting[speaker].pop(0) for speaker, _ in steps]
        moved = ordered if segments is None else _as_given(reference, ordered)
        return _moved(moved, [stream for _, stream in steps], hypothesis), hypothesis


def _listed_segments(side: Any) -> list[Mapping[str, Any]] | None:
    """Return the segments if a side is a list or an object of meeteval; None for other types."""
    if hasattr(side, "to_seglst"):
        return list(side.to_seglst())
    listed = isinstance(side, list | tuple) and bool(side)
    if listed and all(isinstance(item, Mapping) and "speaker" in item for item in side):
        return list(side)
    return None


def _as_given(side: Any, segments: list[Any]) -> Any:
    """Put segments into an object of the class of `side`."""
    if not hasattr(side, "to_seglst"):
        return segments
    return side.new(type(side.to_seglst())(segments))


def _moved(side: Any, assignment: Sequence[Any], streams: Any) -> Any:
    """Return the segments, with the stream of the assignment as the speaker of each."""
    segments = _listed_segments(side)
    items = list(side) if segments is None else segments
    if len(items) != len(assignment):
        raise ValueError(f"expected {len(assignment)} segments, found {len(items)}")
    if segments is not None:
        moved = [
            {**segment, "speaker": stream}
            for segment, stream in zip(segments, assignment, strict=True)
        ]
        return _as_given(side, moved)
    by_stream: dict[Any, list[Any]] = {
        name: [] for name in (streams if isinstance(streams, Mapping) else range(len(streams)))
    }
    for segment, stream in zip(items, assignment, strict=True):
        by_stream[stream].append(segment)
    return by_stream if isinstance(streams, Mapping) else type(streams)(by_stream.values())


def combine_error_rates(*rates: Any) -> Any:
    """Add the error rates in a dictionary or list; return a single error rate unchanged.

    Rates of words (`ErrorRate`) and rates of diarisation (`DiaErrorRate`) cannot be combined.

    >>> combine_error_rates({"a": ErrorRate(1, 2, 0, 0, 1), "b": ErrorRate(0, 2, 0, 0, 0)}).errors
    1
    """
    items: list[Any] = []
    for argument in rates:
        if isinstance(argument, Mapping):
            items.extend(argument.values())
        else:
            items.extend(argument if isinstance(argument, list | tuple) else [argument])
    return sum(items[1:], items[0]) if items else ErrorRate.zero()
