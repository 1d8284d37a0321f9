"""The plan of a score: every rule that determines the score, and the source of each rule.

The plan is created once, after all sides are opened and before utterances are matched. For each
rule, the first of these sources decides: the user's option, the recipe, the reference's own
properties (see `scoring.sides.corpus.Brought`), the default. `scoring.sides.given` decides earlier
how files are read.
"""

from __future__ import annotations

from formats.schema.values import NamedFields
from scoring.model.counts import CHARACTERS_AND_BLANKS
from scoring.options import FIELDS, PLACES, USUAL, Options, Rules
from scoring.sides.corpus import Brought, Corpus
from scoring.sides.matching.in_common import TIME, WHOLE, way_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from formats.schema.messages import Message
    from scoring.text.pipeline import Pipeline

# The rules that a side may bring.
BROUGHT = (
    *(name for name, item in FIELDS.items() if item.usual is not None),
    "missing",
    "forgive_optional",
)
WORDS: Mapping[str, Any] = {}
# The defaults of `cer`, which counts as jiwer, evaluate and torchmetrics do.
CHARACTERS: Mapping[str, Any] = {"unit": "char+space", "profile": "levenshtein"}
CHOSEN, DEFAULT = "chosen", "default"
NOTHING = Brought({}, "")


class ScorePlan(NamedFields):
    """All rules of a score, with the source of each.

    Attributes
    ----------
    options
        The chosen options and the reference's own properties. `Options.value` returns all other
        options, too.
    pipeline
        The normalisation steps for both sides; None without steps.
    rules
        The rules in the signature that do not depend on the matching.
    sources
        The source of each field of `options`: `chosen`, `recipe NAME`, `recorded in PATH`, a
        property of the files, or `default`.
    notes
        Messages about options that contradict the reference's properties or another system's needs.
    is_doubted
        True if a warning is given for scores that are probably not intended.
    is_part
        True if the rows are a shard, of which conditions may keep none.
    """

    options: Options
    pipeline: Pipeline | None
    rules: Rules
    sources: Mapping[str, str]
    notes: tuple[Message, ...] = ()
    is_doubted: bool = True
    is_part: bool = False


def plan_of(
    options: Options,
    reference: Corpus | None = None,
    pairs: Sequence[tuple[Corpus, Corpus]] = (),
    usual: Mapping[str, Any] = WORDS,
) -> ScorePlan:
    """Decide every rule of a score and return the plan.

    Parameters
    ----------
    options
        The options that the user chose.
    reference
        The opened reference, or None if it has no properties that matter.
    pairs
        Both opened sides of each system that is scored, ranked or compared.
    usual
        Defaults that replace the defaults of `Options`.
    """
    brought = NOTHING if reference is None or reference.brought is None else reference.brought
    changes: dict[str, Any] = {}
    sources: dict[str, str] = {}
    notes: list[Message] = []
    fixed = _fixed_by_recipe(options)
    for name in BROUGHT:
        chosen, recorded = getattr(options, name), brought.rules.get(name)
        if name == "forgive_optional":  # a flag without a third state
            chosen, recorded = chosen or None, recorded or None
        if fixed is not None and fixed(name):
            sources[name] = f"recipe {options.like}"
        elif chosen is not None:
            sources[name] = CHOSEN
            if recorded is not None and recorded != chosen:
                from scoring.score.messages import OTHER_RULE, Message

                values = {"recorded": _shown(recorded), "chosen": _shown(chosen)}
                fields = {"path": brought.where, "option": name, **values}
                notes.append(Message(OTHER_RULE, fields))
        elif recorded is not None:
            changes[name], sources[name] = recorded, f"recorded in {brought.where}"
        elif name in usual:
            changes[name], sources[name] = usual[name], DEFAULT
    if options.cut is None and options.meeting is None:
        because, note = _cut_along_alignment(pairs, options)
        if note is not None:
            changes["cut"], sources["cut"] = "alignment", because
            notes.append(note)
    unit = changes.get("unit", options.value("unit"))
    if options.meeting is not None and unit == CHARACTERS_AND_BLANKS:
        changes["unit"], sources["unit"] = "char", "segments of a speaker are not one text"
        from scoring.score.messages import SPACES_UNCOUNTED, Message

        notes.append(Message(SPACES_UNCOUNTED))
    decided = options.changed(**changes) if changes else options
    pipeline = pipeline_of(decided)
    is_free = options.like is None and options.variants_length is None
    if is_free and pipeline is not None and pipeline.has_places:
        decided = decided.changed(variants_length=PLACES)
        sources["variants_length"] = "steps give readings"
    rules = decided.rules("none" if pipeline is None else pipeline.signature)
    return ScorePlan(decided, pipeline, rules, sources, tuple(notes))


def source_of(plan: ScorePlan, name: str) -> str:
    """Return the source of a field's value: an option, a recipe, a record or the default."""
    if name in plan.sources:
        return plan.sources[name]
    fixed = _fixed_by_recipe(plan.options)
    if fixed is not None and fixed(name):
        return f"recipe {plan.options.like}"
    return DEFAULT if plan.options.value(name) == USUAL[name] else CHOSEN


def _fixed_by_recipe(options: Options) -> Any:
    """Return a function that tells whether the recipe fixes an option; None without a recipe."""
    if options.like is None:
        return None
    from scoring.text.recipes import recipe_named

    return recipe_named(options.like).fixes


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _cut_along_alignment(
    pairs: Sequence[tuple[Corpus, Corpus]], options: Options
) -> tuple[str, Message | None]:
    """Return why timed recordings are cut along the alignment, and a note about this.

    The reason is empty if recordings are cut by time.

    Reasons: the reference is captions, whose borders are imprecise; a recipe cuts along the
    alignment; times are interpolated on request. With several systems, all are cut in the same way.
    """
    is_free = options.like is None and options.interpolate == "none" and options.shift is None
    is_rough = is_free and any(_is_rough(reference) for reference, _ in pairs)
    if not is_rough and len(pairs) < 2:
        return "", None
    ways = [way_of(*pair, match=options.match) for pair in pairs]
    from scoring.score.messages import CAPTIONS, SHARED_CUT, Message

    if is_rough and TIME in ways:
        return "borders of captions are rough", Message(CAPTIONS, {"path": pairs[0][0].name})
    if {TIME, WHOLE} <= {*ways}:
        whole = next(pair[1].name for pair, way in zip(pairs, ways, strict=True) if way == WHOLE)
        return "all systems can follow it", Message(SHARED_CUT, {"path": whole})
    return "", None


def _is_rough(reference: Corpus) -> bool:
    """Return True if the reference has imprecise times: captions or a speech service's output."""
    if not reference.is_unnamed and not reference.is_placed:
        return False
    from formats.detection import are_borders_rough

    return are_borders_rough(reference.format) and any(
        segment.start_ns is not None for segment in reference.segments
    )


def pipeline_of(options: Options) -> Pipeline | None:
    """Return the normalisation pipeline; None without steps."""
    if options.normalize is None:
        return None
    from scoring.text.pipeline_files import as_pipeline

    pipeline = as_pipeline(options.normalize)
    return pipeline if pipeline.placed else None
