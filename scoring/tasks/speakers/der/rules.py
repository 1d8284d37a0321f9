"""The choices that define a diarisation error, and the choices of other tools by name."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Final, Literal, TypeAlias, get_args

from formats.schema.times import format_time
from scoring.model.errors import OptionValueError

# The words that choices of `scoring.der` may be.
CollarIs: TypeAlias = Literal["each-side", "total"]
Tool: TypeAlias = Literal["md-eval", "dscore", "pyannote", "meeteval", "spyder"]
Mapping: TypeAlias = Literal["best", "greedy", "names"]
Speaking: TypeAlias = Literal["all", "single", "overlap", "nonoverlap"]
EACH_SIDE: Final = "each-side"
TOTAL: Final = "total"
COLLARS: tuple[CollarIs, ...] = get_args(CollarIs)
BOTH: Final = "both"
REFERENCE: Final = "reference"
REGIONS = (REFERENCE, BOTH)
MAPPINGS: tuple[Mapping, ...] = get_args(Mapping)
BEST, GREEDY, NAMES = MAPPINGS
SPEAKING: tuple[Speaking, ...] = get_args(Speaking)
ANY, SINGLE, OVERLAP, NONOVERLAP = SPEAKING
UNITED, TRIMMED, LASTING, ALL, JOINED = "united", "trimmed", "lasting", "all", "joined"
ONCE, EACH = "once", "each"
REGION, SCORED = "region", "scored"
MAPPED, FRAMES = "mapped", "frames"
CUT, AS_MD_EVAL, IGNORED = "cut", "md-eval", "ignored"
SCORED_TOO, OF_REFERENCE, LEFT_OUT = "scored", "reference", "left-out"

TOLERANCE_NS = 500_000_000


@dataclass(frozen=True, slots=True)
class DiarisationRules:
    """The choices that define a diarisation error.

    - `collar_ns`: the width of the collar, time at borders of the reference that is not scored.
    - `collar_is`: the width is on each side of a border (`each-side`), or half of it is (`total`).
    - `skip_overlap`: do not score time with several turns in the reference.
    - `region`: what to score without a uem file: from the first begin to the last end of the
      `reference`, or of `both` sides.
    - `turns`: how a speaker's turns are cleaned. `united`: overlapping turns are joined. `joined`:
      touching turns, too. `trimmed`: as `united`, and cut at the borders of the region, which then
      have collars. `lasting`: turns without duration are dropped. `all`: turns without duration are
      kept and have collars.
    - `self_overlap`: a speaker with two simultaneous turns counts `once`, or once for `each` turn.
    - `mapped`: where the time that two speakers have in common is measured, for the mapping and the
      Jaccard error: in the whole `region`, or in its `scored` part.
    - `jaccard`: the mapping of speakers for the Jaccard error: the same (`mapped`), or on `frames`
      of 10 ms the mapping with the least sum of errors.
    - `notes`: time spans that the reference marks as excluded are removed (`cut`), scored like
      other time (`ignored`), or removed in the way of md-eval, together with sounds (`md-eval`).
    - `one_sided`: of the recordings that only one side has, score all (`scored`), those of the
      `reference`, or none (`left-out`).
    - `mapping`: pair speakers so that all pairs together have the most time in common (`best`), one
      pair after the other by descending time in common (`greedy`), or by equal names (`names`).
    - `speaking`: score time with any number of reference speakers (`all`), with one (`single`),
      with several (`overlap`), or with at most one (`nonoverlap`).
    - `tolerance_ns`: the greatest distance at which a speaker change matches. For the purity and
      coverage of segments, shorter gaps in a speaker's turns are filled.
    """

    collar_ns: int = 0
    collar_is: str = EACH_SIDE
    skip_overlap: bool = False
    region: str = BOTH
    turns: str = UNITED
    self_overlap: str = ONCE
    mapped: str = REGION
    jaccard: str = MAPPED
    notes: str = CUT
    one_sided: str = SCORED_TOO
    mapping: str = BEST
    speaking: str = ANY
    tolerance_ns: int = TOLERANCE_NS

    @property
    def collar_each_side(self) -> int:
        """Nanoseconds before and after a border; half nanoseconds are rounded up."""
        return self.collar_ns if self.collar_is == EACH_SIDE else (self.collar_ns + 1) // 2

    def __str__(self) -> str:
        """Return all choices with their names, for a signature.

        >>> str(DiarisationRules(250_000_000))
        'collar:0.25s each-side|overlap:scored|region:both|turns:united|self-overlap:once|\
mapped:region|jaccard:mapped|notes:cut|one-sided:scored'
        """
        choices = {
            "collar": f"{_seconds(self.collar_ns)}s {self.collar_is}",
            "overlap": "skipped" if self.skip_overlap else "scored",
        }
        for field in fields(self)[3:-1]:
            value = getattr(self, field.name)
            if field.name not in ("mapping", "speaking") or value != field.default:
                choices[field.name.replace("_", "-")] = value
        if self.tolerance_ns != TOLERANCE_NS:
            choices["tolerance"] = f"{_seconds(self.tolerance_ns)}s"
        return "|".join(f"{name}:{value}" for name, value in choices.items())


def _seconds(ns: int) -> str:
    """Return seconds as text with as many decimals as necessary."""
    return format_time(ns, 9).rstrip("0").rstrip(".")


LIKE: dict[Tool, DiarisationRules] = {
    "md-eval": DiarisationRules(
        region=REFERENCE, turns=ALL, notes=AS_MD_EVAL, one_sided=OF_REFERENCE
    ),
    "dscore": DiarisationRules(turns=TRIMMED, jaccard=FRAMES, notes=IGNORED),
    "pyannote": DiarisationRules(
        collar_is=TOTAL, turns=LASTING, self_overlap=EACH, mapped=SCORED, notes=IGNORED
    ),
    "meeteval": DiarisationRules(turns=ALL, notes=IGNORED, one_sided=LEFT_OUT),
    "spyder": DiarisationRules(turns=JOINED, notes=IGNORED, one_sided=OF_REFERENCE),
}
"""The rules of md-eval 22, dscore's `score.py`, pyannote.metrics 4.2, `dscore` in meeteval 0.4,
whose `md_eval_22` has md-eval's, and spyder 0.4."""

_STEPS = (
    ("region", BOTH, "scored without a region file: the extent of both sides"),
    ("region", REFERENCE, "scored without a region file: the extent of the reference"),
    ("turns", UNITED, "turns: overlapping turns of a speaker are joined"),
    (
        "turns",
        TRIMMED,
        "turns: overlapping turns of a speaker are joined, then cut at the region's borders",
    ),
    ("turns", LASTING, "turns: only those longer than 0 s"),
    ("turns", ALL, "turns: all; a turn of 0 s has a collar around it, too"),
    ("turns", JOINED, "turns: overlapping and touching turns of a speaker are joined"),
    ("self_overlap", ONCE, "two turns of a speaker at the same time count once"),
    ("self_overlap", EACH, "two turns of a speaker at the same time count twice"),
    ("collar_is", EACH_SIDE, "the collar lies on each side of a boundary"),
    ("collar_is", TOTAL, "half of the collar lies on each side of a boundary"),
    ("mapped", REGION, "speakers are paired by all their time"),
    ("mapped", SCORED, "speakers are paired by the time that is scored"),
    ("jaccard", MAPPED, "Jaccard errors: with the pairs of speakers of the error rate"),
    (
        "jaccard",
        FRAMES,
        "Jaccard errors: on frames of 10 ms, with the pairs of speakers that have the fewest",
    ),
    ("notes", CUT, "NOSCORE regions: not scored"),
    ("notes", AS_MD_EVAL, "NOSCORE regions: not scored, as in md-eval"),
    ("notes", IGNORED, "NOSCORE regions: scored like all others"),
    ("one_sided", SCORED_TOO, "recordings of one side only: scored if you ask for it"),
    ("one_sided", OF_REFERENCE, "recordings of one side only: those of the reference are scored"),
    ("one_sided", LEFT_OUT, "recordings of one side only: dropped"),
)
STEPS = {name: {value: text for key, value, text in _STEPS if key == name} for name, *_ in _STEPS}
"""The rules in which tools differ, in the order of the explanation, and their values."""


def rules_like(like: str | None, **changes: object) -> DiarisationRules:
    """Return the rules of a tool (our own if None), changed by the keywords that are not None."""
    if like is not None and like not in LIKE:
        raise OptionValueError("like", expected=f"one of {', '.join(LIKE)}", found=repr(like))
    chosen = {name: value for name, value in changes.items() if value is not None}
    for name, allowed in (
        ("collar_is", COLLARS),
        ("region", REGIONS),
        ("mapping", MAPPINGS),
        ("speaking", SPEAKING),
    ):
        if chosen.get(name, allowed[0]) not in allowed:
            raise OptionValueError(name, expected=" or ".join(allowed), found=repr(chosen[name]))
    for name in ("collar", "tolerance"):
        if int(str(chosen.get(f"{name}_ns", 0))) < 0:
            raise OptionValueError(name, expected="seconds from 0", found="less")
    return replace(DiarisationRules() if like is None else LIKE[like], **chosen)  # type: ignore[arg-type]
