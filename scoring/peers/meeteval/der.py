"""Diarisation error rates with meeteval's names, computed by `scoring.der`."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from decimal import Decimal
from functools import partial
from typing import Any

from scoring.peers.meeteval.given import Given, regions_of, sessions_of
from scoring.tasks.speakers.der.rules import Tool
from scoring.tasks.speakers.der.score import der

__all__ = ["DiaErrorRate", "dscore", "md_eval_22"]

REGIONS = ("all", "nooverlap")


@dataclass(frozen=True)
class DiaErrorRate:
    """The seconds of each type of error, and the rate; None: compute the rate from the seconds.

    >>> rate = DiaErrorRate(None, Decimal(4), Decimal(1), Decimal(0), Decimal(0))
    >>> (rate + rate).error_rate, sum([rate, rate]).scored_speaker_time
    (Decimal('0.25'), Decimal('8'))
    """

    error_rate: Any
    scored_speaker_time: Any
    missed_speaker_time: Any
    falarm_speaker_time: Any
    speaker_error_time: Any

    def __post_init__(self) -> None:
        if self.error_rate is None and self.scored_speaker_time:
            wrong = self.missed_speaker_time + self.falarm_speaker_time + self.speaker_error_time
            object.__setattr__(self, "error_rate", wrong / self.scored_speaker_time)

    def __add__(self, other: DiaErrorRate) -> DiaErrorRate:
        names = [member.name for member in fields(self)][1:]
        return DiaErrorRate(None, *(getattr(self, name) + getattr(other, name) for name in names))

    @classmethod
    def zero(cls) -> DiaErrorRate:
        """Return an error rate of zero seconds, with which a sum can start."""
        return cls(0, 0, 0, 0, 0)

    def asdict(self) -> dict[str, Any]:
        """Return the fields and `type` as a dictionary, which `ErrorRate.from_dict` can read."""
        return {"type": "diarization-error-rate", **asdict(self)}

    def __radd__(self, other: object) -> DiaErrorRate:
        return self if other == 0 else NotImplemented


def md_eval_22(
    reference: Given,
    hypothesis: Given,
    collar: Any = 0,
    regions: str = "all",
    regex: str | None = None,
    uem: Given = None,
    *,
    like: Tool = "md-eval",
) -> dict[Any, DiaErrorRate]:
    """Compute the diarisation errors of each session of the reference by md-eval's rules.

    Parameters
    ----------
    regions
        `all`, or `nooverlap`: time spans with several reference turns are not scored.
    like
        `md-eval`, or `meeteval`: without `uem`, the time from the first to the last turn of both
        sides is scored.

    >>> turns = [{"session_id": "s", "speaker": "A", "start_time": 5, "end_time": 10}]
    >>> heard = [{"session_id": "s", "speaker": "x", "start_time": 0, "end_time": 10}]
    >>> md_eval_22(turns, heard)["s"].error_rate, dscore(turns, heard)["s"].error_rate
    (Decimal('0.00'), Decimal('1.00'))
    """
    if regions not in REGIONS:
        raise ValueError(f"regions: expected one of {REGIONS}, found {regions!r}")
    sides = [sessions_of(side, regex, needed="speaker") for side in (reference, hypothesis)]
    common = [name for name in sides[0] if name in sides[1]]
    others = [name for side in sides for name in side if name not in common]
    if others:
        warnings.warn(f"sessions of one side only, not scored: {others}", stacklevel=2)
    spans = regions_of(uem)
    rates = {}
    for name in common:
        turns = [{"session": [_turn(item) for item in side[name]]} for side in sides]
        region = None
        if spans is not None and name in spans:
            begin, end = spans[name]
            region = {"session": [(float(begin), float(end))]}
        errors = der(
            *turns,
            collar=float(collar),
            skip_overlap=regions == "nooverlap",
            region=region,
            like=like,
        )
        seconds = [Decimal(ns).scaleb(-9).quantize(Decimal("1e-6")) for ns in errors.amounts]
        rate = errors.error_rate
        percent = None if rate is None else Decimal(f"{100 * rate:.2f}") / 100
        rates[name] = DiaErrorRate(percent, *seconds)
    return rates


def _turn(item: Mapping[str, Any]) -> tuple[str, float, float]:
    return str(item["speaker"]), float(item["start_time"]), float(item["end_time"])


dscore = partial(md_eval_22, like="meeteval")
