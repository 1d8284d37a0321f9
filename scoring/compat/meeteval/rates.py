"""Error rates with meeteval's fields, in its order: they add up and print as its own do."""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True)
class SelfOverlap:
    """How long speakers overlap themselves, of how long they speak, in the unit of the times.

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
        """What changes no sum."""
        return SelfOverlap(0, 0)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> SelfOverlap:
        """What `dataclasses.asdict` made a dictionary of."""
        return SelfOverlap(values["overlap_time"], values["total_time"])


@dataclass(frozen=True, repr=False)
class ErrorRate:
    """Errors of one or more sessions.

    Attributes
    ----------
    error_rate
        Errors per word of the reference; None without such words.
    errors, length
        How many, and words of the reference.
    insertions, deletions, substitutions
        Which.
    reference_self_overlap, hypothesis_self_overlap
        None without times.

    Examples
    --------
    >>> ErrorRate(1, 2, 0, 0, 1) + ErrorRate(0, 2, 0, 0, 0)
    ErrorRate(error_rate=0.25, errors=1, length=4, insertions=0, deletions=0, substitutions=1)
    """

    error_rate: float | None = field(init=False)
    errors: int
    length: int
    insertions: int
    deletions: int
    substitutions: int
    reference_self_overlap: SelfOverlap | None = None
    hypothesis_self_overlap: SelfOverlap | None = None

    def __post_init__(self) -> None:
        found = self.insertions + self.deletions + self.substitutions
        if found != self.errors or min(self.errors, self.length) < 0:
            raise ValueError(
                f"errors: expected the sum of their kinds, {found}, and no less than 0"
            )
        rate = self.errors / self.length if self.length else None
        object.__setattr__(self, "error_rate", rate)

    def __add__(self, other: ErrorRate) -> ErrorRate:
        overlaps = []
        for name in ("reference_self_overlap", "hypothesis_self_overlap"):
            one, two = getattr(self, name), getattr(other, name)
            overlaps.append(None if one is None or two is None else one + two)
        sums = (getattr(self, name) + getattr(other, name) for name in _COUNTS)
        if not isinstance(other, type(self)):
            return ErrorRate(*sums, *overlaps)
        made: Any = self._sum_type()
        return made(*sums, *overlaps, **self._more(other))  # type: ignore[no-any-return]

    def __radd__(self, other: object) -> ErrorRate:
        return self if other == 0 else NotImplemented

    @classmethod
    def zero(cls) -> ErrorRate:
        """What changes no sum: no errors, no words."""
        return ErrorRate(0, 0, 0, 0, 0)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ErrorRate:
        """What `dataclasses.asdict` made a dictionary of; the keys tell of which class.

        As in meeteval, a `DICPErrorRate` comes back as an `OrcErrorRate`, which has the same keys.

        Raises
        ------
        ValueError
            If the keys are those of no class.

        Examples
        --------
        >>> from dataclasses import asdict
        >>> ErrorRate.from_dict(asdict(OrcErrorRate(0, 2, 0, 0, 0, assignment=(0, 1))))
        OrcErrorRate(error_rate=0.0, errors=0, length=2, insertions=0, deletions=0, substitutions=0, assignment=(0, 1))
        """  # noqa: E501
        fields_of_sums = {name: value for name, value in values.items() if name != "error_rate"}
        for name in ("reference_self_overlap", "hypothesis_self_overlap"):
            overlap = fields_of_sums.get(name)
            fields_of_sums[name] = None if overlap is None else SelfOverlap.from_dict(overlap)
        kind: type[ErrorRate] = ErrorRate
        if "scored_speaker" in values:
            kind = CPErrorRate
        elif "assignment" in values:
            pairs = any(isinstance(one, tuple | list) for one in values["assignment"] or ())
            kind = MimoErrorRate if pairs else OrcErrorRate
        try:
            return kind(**fields_of_sums)
        except TypeError:
            raise ValueError(
                f"expected the fields of an error rate, found {', '.join(values)}"
            ) from None

    def _sum_type(self) -> type[ErrorRate]:
        return ErrorRate

    def _more(self, other: ErrorRate) -> Mapping[str, int]:
        return {}

    def __repr__(self) -> str:
        shown = (
            f"{one.name}={value!r}"
            for one in fields(self)
            if (value := getattr(self, one.name)) is not None
        )
        return f"{type(self).__name__}({', '.join(shown)})"


_COUNTS = ("errors", "length", "insertions", "deletions", "substitutions")


@dataclass(frozen=True, repr=False)
class CPErrorRate(ErrorRate):
    """Errors with speakers assigned to streams.

    Attributes
    ----------
    missed_speaker, falarm_speaker, scored_speaker
        Speakers without a stream, streams without a speaker, speakers of the reference.
    assignment
        Pairs of speaker and stream, None for nobody; None of several sessions.
    """

    missed_speaker: int = 0
    falarm_speaker: int = 0
    scored_speaker: int = 0
    assignment: tuple[tuple[Any, Any], ...] | None = None

    @classmethod
    def zero(cls) -> CPErrorRate:
        """What changes no sum of this class."""
        return CPErrorRate(0, 0, 0, 0, 0)

    def _sum_type(self) -> type[ErrorRate]:
        return CPErrorRate

    def _more(self, other: ErrorRate) -> Mapping[str, int]:
        names = ("missed_speaker", "falarm_speaker", "scored_speaker")
        return {name: getattr(self, name) + getattr(other, name) for name in names}

    def apply_assignment(
        self,
        reference: Any,
        hypothesis: Any,
        style: str = "ref",
        fallback_keys: Iterable[Any] = string.ascii_letters,
        missing: Any = "",
    ) -> tuple[Any, Any]:
        """Both sides with the same speakers: those of the reference, or of the hypothesis (`hyp`).

        Parameters
        ----------
        reference, hypothesis
            Segments, or what speakers say: lists or dictionaries.
        fallback_keys
            What who has no partner is called by.
        missing
            What nobody says.

        >>> rate = CPErrorRate(0, 0, 0, 0, 0, assignment=(("A", "x"), (None, "y")))
        >>> rate.apply_assignment({"A": "a"}, {"x": "b", "y": "c"})
        ({'A': 'a', 'a': ''}, {'A': 'b', 'a': 'c'})
        """
        if style not in ("ref", "hyp"):
            raise ValueError(f"style: expected 'ref' or 'hyp', found {style!r}")
        pairs = self.assignment or ()
        sides = (reference, hypothesis)
        lists = not any(isinstance(one, Mapping) or _segments(one) is not None for one in sides)
        spare = iter(
            range(min(map(len, sides)), max(map(len, sides)))
            if lists
            else [one for one in fallback_keys if not any(one in pair for pair in pairs)]
        )
        own = style == "hyp"
        try:
            names = [next(spare) if pair[own] is None else pair[own] for pair in pairs]
        except StopIteration:
            raise RuntimeError("fallback_keys: expected more of them, found too few") from None
        found: list[Any] = []
        for at, side in enumerate(sides):
            called = {
                pair[at]: name
                for pair, name in zip(pairs, names, strict=True)
                if pair[at] is not None
            }
            segments = _segments(side)
            if segments is not None:
                renamed = [{**one, "speaker": called[one["speaker"]]} for one in segments]
                found.append(_as_given(side, renamed))
                continue
            known = side if isinstance(side, Mapping) else dict(enumerate(side))
            said = {
                name: known.get(pair[at], missing) for pair, name in zip(pairs, names, strict=True)
            }
            found.append([said.get(name, missing) for name in range(len(said))] if lists else said)
        return found[0], found[1]


@dataclass(frozen=True, repr=False)
class OrcErrorRate(ErrorRate):
    """Errors with each segment of the reference on a stream: `assignment`, in the given order."""

    assignment: tuple[Any, ...] | None = None

    def apply_assignment(self, reference: Any, hypothesis: Any) -> tuple[Any, Any]:
        """The segments of the reference as speakers called as the streams are; the hypothesis.

        >>> rate = OrcErrorRate(0, 3, 0, 0, 0, assignment=("x", "y", "x"))
        >>> rate.apply_assignment(["a", "b", "c"], {"x": "a c", "y": "b"})[0]
        {'x': ['a', 'c'], 'y': ['b']}
        """
        return _moved(reference, self.assignment or (), hypothesis), hypothesis


@dataclass(frozen=True)
class DICPErrorRate(OrcErrorRate):
    """Errors with each segment of the hypothesis at a speaker: `assignment`, in the given order."""

    def apply_assignment(self, reference: Any, hypothesis: Any) -> tuple[Any, Any]:
        """The reference; the segments of the hypothesis with the speakers they are laid at."""
        return reference, _moved(hypothesis, self.assignment or (), reference)


@dataclass(frozen=True, repr=False)
class MimoErrorRate(ErrorRate):
    """Errors with segments of each speaker on streams, pairs of both in the order of the path."""

    assignment: list[tuple[Any, Any]] | None = None

    def apply_assignment(self, reference: Any, hypothesis: Any) -> tuple[Any, Any]:
        """The segments of the reference, in the order they are laid down, on streams; the other.

        >>> rate = MimoErrorRate(0, 2, 0, 0, 0, assignment=[("B", 0), ("A", 0)])
        >>> rate.apply_assignment({"A": ["a"], "B": ["b"]}, ["b a"])[0]
        [['b', 'a']]
        """
        waiting: dict[Any, list[Any]] = {}
        segments = _segments(reference)
        if segments is not None:
            for one in segments:
                waiting.setdefault(one["speaker"], []).append(one)
        else:
            known = reference if isinstance(reference, Mapping) else dict(enumerate(reference))
            waiting = {speaker: list(said) for speaker, said in known.items()}
        steps = self.assignment or []
        laid = [waiting[speaker].pop(0) for speaker, _ in steps]
        moved = laid if segments is None else _as_given(reference, laid)
        return _moved(moved, [stream for _, stream in steps], hypothesis), hypothesis


def _segments(given: Any) -> list[Mapping[str, Any]] | None:
    """The segments of a list of them, or of an object of meeteval's; None of anything else."""
    if hasattr(given, "to_seglst"):
        return list(given.to_seglst())
    listed = isinstance(given, list | tuple) and bool(given)
    if listed and all(isinstance(one, Mapping) and "speaker" in one for one in given):
        return list(given)
    return None


def _as_given(given: Any, segments: list[Any]) -> Any:
    """Segments as such an object again."""
    if not hasattr(given, "to_seglst"):
        return segments
    return given.new(type(given.to_seglst())(segments))


def _moved(given: Any, assignment: Sequence[Any], streams: Any) -> Any:
    """Each segment with the stream it is assigned to."""
    segments = _segments(given)
    every = list(given) if segments is None else segments
    if len(every) != len(assignment):
        raise ValueError(f"expected {len(assignment)} segments, found {len(every)}")
    if segments is not None:
        moved = [
            {**one, "speaker": stream} for one, stream in zip(segments, assignment, strict=True)
        ]
        return _as_given(given, moved)
    found: dict[Any, list[Any]] = {
        name: [] for name in (streams if isinstance(streams, Mapping) else range(len(streams)))
    }
    for one, stream in zip(every, assignment, strict=True):
        found[stream].append(one)
    return found if isinstance(streams, Mapping) else type(streams)(found.values())


def combine_error_rates(*rates: Any) -> Any:
    """The sum of error rates, of a dictionary or list of them; a single one is itself.

    They are of one kind: of words (`ErrorRate`), or of diarisation (`DiaErrorRate`).

    >>> combine_error_rates({"a": ErrorRate(1, 2, 0, 0, 1), "b": ErrorRate(0, 2, 0, 0, 0)}).errors
    1
    """
    every: list[Any] = []
    for one in rates:
        if isinstance(one, Mapping | list | tuple):
            every.extend(one.values() if isinstance(one, Mapping) else one)
        else:
            every.append(one)
    if not every:
        return ErrorRate(0, 0, 0, 0, 0)
    total = every[0]
    for rate in every[1:]:
        total = total + rate
    return total
