"""All steps of scoring: reading two sides, matching, alignment, and the result, `ErrorRates`.

The modules of this package have the steps, and the ways for columns, tables and clusters. The
package `scoring.results` has the numbers of the result.
"""

from __future__ import annotations

import os

from formats.schema import cache
from scoring.alignment.kernel import text_kind
from scoring.alignment.results import is_column
from scoring.model.counts import CHARACTER_UNITS, CHARACTERS_AND_BLANKS, checked_unit
from scoring.model.errors import OptionValueError, UnscoredHypothesisWarning, warn_caller
from scoring.options import Options, Rules, unit_of_characters
from scoring.score.aligned import (
    Sides,
    align_corpora,
    align_words,
    disagrees,
    may_be_garbled,
    may_mislead,
    remark_on_borders,
    runs_of,
)
from scoring.score.opening import (
    open_sessions,
    open_side,
    same_file,
    sides_of,
)
from scoring.score.plan import CHARACTERS, WORDS, ScorePlan, plan_of
from scoring.score.rates import ErrorRates
from scoring.sides.corpus import (
    NO_PARTNER,
    Account,
    Basis,
    CharacterTexts,
    Corpus,
    InputFile,
    RowNumbers,
    equal_utterances,
    in_same_order,
    with_speakers,
)
from scoring.sides.given import (
    File,
    Given,
    ListedSides,
    References,
    SideFile,
    listed,
    matched_series,
    reading_of,
    readings_of,
    refuse_systems,
    resolve,
    systems_in,
    warning_of_file_names,
    words_listed,
)
from scoring.sides.matching import POSITION
from scoring.sides.matching.in_common import WHOLE, account_of, in_common, partners_of, swap_remarks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence, Set
    from typing import Any, overload

    from typing_extensions import Unpack

    from formats.schema.messages import Message
    from formats.schema.words import Words
    from scoring.alignment.results import Alignments
    from scoring.options import CharacterUnit, Choices, ChoicesOfCharacters, ProfileName
    from scoring.pages.notebook import NamedRates
    from scoring.results.choices import ReferenceChoices
    from scoring.results.forgiven import Forgiveness
    from scoring.results.groups import Groups
    from scoring.results.record import Shard
    from scoring.results.sources import Sources
    from scoring.score.chooser import Chooser
    from scoring.score.plan_report import PlannedScore
    from scoring.sides.given import AnyHypothesis, Reading, SeveralSystems, Side
    from scoring.sides.matching import Cut, MatchedSides
    from scoring.sides.rows import ChosenWays
    from scoring.text.pipeline import Pipeline
    from scoring.text.settling import TurnedPairs
    from scoring.text.utterances import Facing

# Texts with nothing chosen: their files, and the identifiers and the account of a single pair.
_ONE = RowNumbers(range(1))
# The `text_kind` of texts that are neither names of files nor have references of HTML.
_SIGNLESS = 4
_FILES = InputFile("<reference>"), InputFile("<hypothesis>")
_ACCOUNT = Account(POSITION, 1, 1, 1)


if TYPE_CHECKING:

    @overload
    def wer(
        reference: Given,
        hypothesis: SeveralSystems,
        *,
        options: Options | None = None,
        **choices: Unpack[Choices],
    ) -> NamedRates[str, ErrorRates]: ...

    @overload
    def wer(
        reference: Given,
        hypothesis: Given,
        *,
        options: Options | None = None,
        **choices: Unpack[Choices],
    ) -> ErrorRates: ...


def wer(
    reference: Given,
    hypothesis: AnyHypothesis,
    *,
    options: Options | None = None,
    **choices: Unpack[Choices],
) -> ErrorRates | NamedRates[str, ErrorRates]:
    """Return the word error rate of a hypothesis, with its counts and alignments.

    Parameters
    ----------
    reference, hypothesis
        A file of any format: a `pathlib.Path`, or a `sclite_kit.File` with reading options. A
        `str`: the text of one utterance, never a path. A list or iterator of texts or token lists:
        utterances in order. A mapping from identifiers to texts or token lists. A column of texts:
        a Series, a numpy array, anything with `__arrow_c_stream__` or `__arrow_c_array__`; a null
        is a missing utterance. A None in a list or mapping of hypotheses is also a missing
        utterance. Two pandas Series with different indexes need `match`. Several references are
        given as `sclite_kit.References`. Several systems are given as a mapping from their names to
        files or mappings, or as `sclite_kit.Systems`. The result is then a dictionary from the name
        of each system to its result; it prints as a table, and `show` compares the systems. For a
        data frame or an Arrow table in first place, both are names of columns:
        `wer(table, reference="text", hypothesis="pred", by="accent")`; a list of names are several
        systems, or several references.
    options
        Options; None for the defaults.
    **choices
        Fields of `sclite_kit.Options` that override `options`.

    Raises
    ------
    formats.FormatError, InputError
        If a file cannot be read or scored, or an identifier repeats.
    MatchingError
        If references lack a hypothesis and `missing` is `error`, or nothing matches.
    DifferentLengthsError
        If sides matched by position are not equally long; also a `MatchingError` and `ValueError`.
    MissingTextError
        If a row of a column has no text, but its partner has; also a `MatchingError` and
        `ValueError`.
    TypeError, ValueError
        If an argument has the wrong type or an invalid value.

    Warns
    -----
    UserWarning
        If texts are names of files: with a separator or a suffix of a format.
    UnscoredHypothesisWarning
        If there are hypotheses without reference, or sessions too large for their measure.

    Examples
    --------
    >>> rates = wer(reference={"u1": "a b", "u2": ""}, hypothesis={"u2": "c", "u1": "a b"})
    >>> rates.corpus_rate
    0.5
    >>> wer("the cat", "the hat").counts.substitutions
    1
    >>> systems = wer({"u1": "a b"}, {"A": {"u1": "a"}, "B": {"u1": "a b"}})
    >>> [(name, rates.corpus_rate) for name, rates in systems.items()]
    [('A', 0.5), ('B', 0.0)]
    >>> wer("It's 50.", "it is fifty", normalize=["plain", "contractions", "numbers"]).corpus_rate
    0.0
    """
    if options is None and not choices:
        rates = _score_texts(reference, hypothesis, WORDS)
        if rates is not None:
            return rates
    chosen = Options(**choices) if options is None else options.changed(**choices)
    scored: ErrorRates | NamedRates[str, ErrorRates] = _with_warnings(
        reference, hypothesis, chosen, WORDS
    )
    return scored


@cache
def _plan(is_of_characters: bool) -> tuple[ScorePlan, Rules]:
    """Return the default plan, and its rules for utterances that are matched by position."""
    plan = plan_of(Options(), usual=CHARACTERS if is_of_characters else WORDS)
    return plan, plan.rules._replace(matched_by=POSITION)


def _score_texts(
    reference: Given, hypothesis: AnyHypothesis, usual: Mapping[str, Any]
) -> ErrorRates | None:
    """Score two texts, or two lists of as many texts, by the default plan.

    Return None for other sides, and for texts that are names of files.
    """
    sides: tuple[Any, Any] = reference, hypothesis
    texts, names, account = ([sides[0]], [sides[1]]), _ONE, _ACCOUNT
    if type(reference) is type(hypothesis) is list and len(reference) == len(hypothesis) > 0:
        count = len(reference)
        texts, names = sides, RowNumbers(range(count))
        account = Account(POSITION, count, count, count)
    kinds = text_kind(texts[0]), text_kind(texts[1])
    if not all(kinds):
        return None
    every = "" if min(kinds) == _SIGNLESS else "\n".join([*texts[0], *texts[1]])
    if ("." in every or "/" in every or os.sep in every) and warning_of_file_names(*sides):
        return None
    plan, rules = _plan(usual is CHARACTERS)
    rows = len(names)
    values = tuple(texts[0]), tuple(texts[1])
    words: tuple[Sequence[Words], Sequence[Words]] = (
        words_listed("reference", values[0], kinds[0]),
        words_listed("hypothesis", values[1], kinds[1]),
    )
    if rules.unit != "word":
        words = CharacterTexts.of(words[0]), CharacterTexts.of(words[1])
    aligned = align_words(*words, rules, plan.options.jobs)
    reference_side = ListedSides([("reference", names, values[0], None, rows, kinds[0])])
    doubts: list[Message] = []
    if disagrees(aligned) or may_be_garbled(every):
        right = listed("hypothesis", names, values[1], None, rows, kinds[1])
        both = reference_side[0], right
        doubts = doubts_about(aligned, plan.options, both, both, range(rows))
    basis = Basis(reference_side, plan.options, sources=plan.sources)
    named = *_FILES, rules, account, names, [None] * rows
    return ErrorRates(*named, aligned, tuple(doubts), basis=basis)


def _with_warnings(
    reference: Given, hypothesis: AnyHypothesis, chosen: Options, usual: Mapping[str, Any]
) -> Any:
    """Return the score, with Python warnings for the caller about probable mistakes."""
    systems = systems_in(hypothesis)
    if systems is None:
        single: Any = hypothesis
        sides = _checked_sides(reference, single, chosen)
        return _warned(score(*sides, chosen, usual=usual), chosen)
    from scoring.pages.notebook import SYSTEM, NamedRates

    hypotheses: list[Given] = []
    for side in systems.values():
        hypotheses.append(_checked_sides(reference, side, chosen)[1])
    named: dict[str, ErrorRates] = {}
    results = score_systems(reference, hypotheses, chosen, usual)
    for name, rates in zip(systems, results, strict=True):
        named[name] = _warned(rates, chosen).named(name)
    return NamedRates(named, [SYSTEM])


def _checked_sides(reference: Given, hypothesis: Given, chosen: Options) -> tuple[Given, Given]:
    """Return both sides, with matched rows of Series; warn about texts that are file names."""
    sides = matched_series(reference, hypothesis, chosen.match)
    text = warning_of_file_names(*sides)
    if text is not None:
        warn_caller(text)
    return sides


def _warned(rates: ErrorRates, chosen: Options) -> ErrorRates:
    """Return the result; warn the caller about utterances that were not scored."""
    if rates.unscored is not None and not chosen.allow_unmatched:
        warn_caller(str(rates.unscored), UnscoredHypothesisWarning)
    for message in rates.skipped_sessions:
        warn_caller(str(message), UnscoredHypothesisWarning)
    return rates


def open_pairs(
    reference: Given, hypotheses: Sequence[Given], options: Options
) -> list[tuple[Corpus, Corpus]]:
    """Return both sides of each system as read; a shared reference is read once.

    With several references, the returned reference is the first.
    """
    readings = readings_of(options)
    side = reference.sides[0] if isinstance(reference, References) else reference
    file = resolve(side, "reference")
    # what a plain text is may depend on the hypothesis
    corpus = open_side(file, readings[0]) if len(hypotheses) > 1 else file
    shared = corpus if isinstance(corpus, Corpus) else file
    pairs: list[tuple[Corpus, Corpus]] = []
    for given in hypotheses:
        hypothesis = resolve(given, "hypothesis")
        own = file if _is_same_file(file, hypothesis) else shared
        pair = _sides(own, hypothesis, readings)
        pairs.append(_doubted(file, hypothesis, readings, pair))
    return pairs


def planned_score(
    reference: Given,
    hypotheses: Sequence[Given],
    options: Options,
    usual: Mapping[str, Any] = WORDS,
) -> PlannedScore:
    """Return the plan of `score_systems` without scoring."""
    from scoring.score.plan_report import PlannedScore

    if options.meeting is None:
        pairs = open_pairs(reference, hypotheses, options)
    else:
        sides = reference.sides if isinstance(reference, References) else [reference]
        opened = [open_sessions(sides, hypothesis, options) for hypothesis in hypotheses]
        pairs = [(references[0], file) for references, files in opened for file in files]
    plan = plan_of(options, pairs[0][0], pairs, usual)
    number = len(reference.sides) if isinstance(reference, References) else 1
    chooser = _chooser(number, plan.options, plan.pipeline)
    rules = plan.rules if chooser is None else chooser.named(plan.rules)
    if options.meeting is not None:
        from scoring.score.meetings import planned_measure

        rules, note = planned_measure(plan.options, rules, pairs)
        plan = plan._replace(notes=(*plan.notes, *note))
    return PlannedScore(plan, rules, pairs)


def score_systems(
    reference: Given,
    hypotheses: Sequence[Given],
    options: Options,
    usual: Mapping[str, Any] = WORDS,
) -> list[ErrorRates]:
    """Score the hypotheses of several systems, all by the same plan."""
    if options.meeting is not None:
        return [score(reference, hypothesis, options, usual=usual) for hypothesis in hypotheses]
    pairs = open_pairs(reference, hypotheses, options)
    plan = plan_of(options, pairs[0][0], pairs, usual)
    systems: list[ErrorRates] = []
    for number, (left, right) in enumerate(pairs):
        side: Given = left
        if isinstance(reference, References):
            side = References([left, *reference.sides[1:]])
        own = plan if number == 0 else plan._replace(notes=())
        systems.append(score(side, right, options, plan=own))
    return systems


def score(
    reference: Given,
    hypothesis: Given,
    options: Options,
    shard: Shard | None = None,
    *,
    usual: Mapping[str, Any] = WORDS,
    plan: ScorePlan | None = None,
    is_doubted: bool = True,
) -> ErrorRates:
    """Score as `wer` does, but without Python warnings: the result lists skipped items.

    A shard is a part of the utterances, or of the sessions if speakers are assigned. `usual` are
    the defaults of `plan_of`. Systems may share a `plan`. With `is_doubted`, the function warns of
    scores that are probably not intended. Only the first rows of a table need this check.
    """
    compute = _measured if options.measures or options.measure_options else _scored
    rates = compute(reference, hypothesis, options, shard, usual, plan, is_doubted)
    if notes := tuple(_notes(reference, options)):
        rates = rates._replace(reader_messages=(*rates.reader_messages, *notes))
    if options.verdicts is None:
        return rates
    from scoring.results.verdicts import DIGITS, read_verdicts

    verdicts = read_verdicts(options.verdicts, rates.rules.ignore_case)
    rules = rates.rules._replace(verdicts=verdicts.sha256[:DIGITS])
    return rates._replace(rules=rules, verdicts=verdicts)


def _notes(reference: Given, options: Options) -> Iterator[Message]:
    """Yield notes on options that have no effect, or that are not part of the recipe `like`."""
    number = len(reference.sides) if isinstance(reference, References) else 1
    if number == 1 and options.references != "network":
        from scoring.score.messages import REFERENCES_IDLE, Message

        yield Message(REFERENCES_IDLE, {"choice": options.references})
    more = number if options.like is not None and number > 1 else 0
    if options.beside_recipe or more:
        from scoring.score.messages import BESIDE_RECIPE, CHOICE, REFERENCES, Message

        beside = [
            Message(CHOICE, {"option": name, "value": getattr(options, name)})
            for name in options.beside_recipe
        ]
        if more:
            beside.append(Message(REFERENCES, {"references": more}))
        yield Message(BESIDE_RECIPE, {"choices": beside, "recipe": options.like})


def _scored(
    reference: Given,
    hypothesis: Given,
    options: Options,
    shard: Shard | None,
    usual: Mapping[str, Any],
    plan: ScorePlan | None,
    is_doubted: bool,
) -> ErrorRates:
    """Open both sides, create a plan unless `plan` is given, and score."""
    references = reference.sides if isinstance(reference, References) else [reference]
    if options.meeting is not None:
        from scoring.score.meetings import score_meetings

        opened = open_sessions(references, hypothesis, options)
        plan = plan or plan_of(options, opened[0][0], usual=usual)
        chooser = _chooser(len(references), plan.options, plan.pipeline)
        return score_meetings(*opened, plan, shard, chooser)
    readings = readings_of(options)
    sides = [resolve(side, "reference") for side in references]
    right = resolve(hypothesis, "hypothesis")
    pairs = [_doubted(side, right, readings, _sides(side, right, readings)) for side in sides]
    plan = plan or plan_of(options, pairs[0][0], pairs[:1], usual)
    plan = plan._replace(is_doubted=is_doubted, is_part=shard is not None)
    return _by_plan(pairs, readings, plan)


def _by_plan(
    opened: Sequence[tuple[Corpus, Corpus]], readings: tuple[Reading, Reading], plan: ScorePlan
) -> ErrorRates:
    """Match, align and count the hypothesis against each reference, by a plan."""
    options, pipeline, rules = plan.options, plan.pipeline, plan.rules
    chooser = _chooser(len(opened), options, pipeline)
    if chooser is not None:
        rules = chooser.named(rules)
    matched, more, read = _matched(opened, readings[0].keep, options, chooser, pipeline)
    unit = rules.unit if chooser is None else chooser.unit_of_rows
    sides = _prepared(matched, pipeline, rules, options, readings[0].keep, unit)
    sides, more, kept, on_rows, read = _chosen(sides, more, read, options, plan.is_part)
    left, right = sides.reference, sides.hypothesis
    matching = partners_of(left, right, matched.by, options.missing, options.allow_unmatched)
    account = account_of(left, right, matching, matched.by, rules.missing, matched.ignored_words)
    partners = matching.partners
    if rules.missing == "skip" and matching.reference_only:
        rows = [row for row, partner in enumerate(partners) if partner != NO_PARTNER]
        sides, more = sides.of_references(rows), [side.select(rows) for side in more]
        kept, partners = [kept[row] for row in rows], [partners[row] for row in rows]
    left, right, aligned, forgiveness = sides
    choices: ReferenceChoices | None = None
    ways: ChosenWays = ()
    before = [left, *more], right
    if chooser is not None:
        from scoring.score.references import score_references

        left, aligned, choices, ways = score_references(
            [left, *more], right, partners, rules, options, chooser.table
        )
    elif aligned is None:
        aligned, ways = align_corpora(left, right, partners, rules, options.jobs)
    groups, notes = _groups(left, aligned, options)
    pairs = opened[0], (left, right), partners
    doubts = doubts_about(aligned, options, *pairs, matched.by) if plan.is_doubted else []
    doubts += _across_borders(aligned, matched, kept, rules)
    forgiveness = forgiveness or _forgiveness(
        *before, partners, rules, options, chooser, choices, ways
    )
    aligned, forgiveness = _counted(aligned, forgiveness, rules)
    keeps = options.keep_sources
    sources = _sources(left, right, partners, pipeline, matched.cut, kept) if keeps else None
    has_displays = left.has_displays or right.has_displays
    return ErrorRates(
        InputFile(left.name, left.format),
        InputFile(right.name, right.format),
        rules,
        account,
        left.identifiers,
        left.speakers,
        aligned,
        (*left.remarks, *right.remarks, *on_rows, *doubts, *notes, *plan.notes),
        sources,
        groups,
        choices=choices,
        basis=Basis(read, options, has_displays=has_displays, sources=plan.sources),
        forgiveness=forgiveness,
    )


def _chosen(
    sides: Sides, more: list[Corpus], read: tuple[Corpus, ...], options: Options, is_part: bool
) -> tuple[Sides, list[Corpus], Sequence[int], Sequence[Message], tuple[Corpus, ...]]:
    """Return the sides and further references with the utterances of `options.where` only.

    Also return the positions of these utterances, remarks on them, and all references as read, with
    the values by which utterances were chosen.
    """
    if not options.where:
        return sides, more, range(len(sides.reference.identifiers)), (), read
    from scoring.results.where import KeptUtterances

    left, right, kept, remarks, _ = rows = KeptUtterances.of(*sides[:2], options, is_part=is_part)
    chosen = sides.of_references(kept, left)._replace(hypothesis=right)
    more = [side.select(kept) for side in more]
    return chosen, more, kept, remarks, rows.with_columns(read, options)


def doubts_about(
    aligned: Alignments,
    options: Options,
    read: tuple[Corpus, Corpus],
    matched: tuple[Corpus, Corpus],
    partners: Sequence[int],
    matched_by: str = "",
) -> list[Message]:
    """Return warnings about a score that is probably wrong."""
    remarks = swap_remarks(*read)
    is_of_result = read[0].brought is not None and read[0].name != read[1].name
    has_columns = any(row.properties for row in read[1].outlines[:1])
    is_suspect = is_of_result or (has_columns and not aligned.errors)
    if is_suspect or may_mislead(aligned, options.value("unit")):
        from scoring.score.doubts import doubts_of, places_in

        place = places_in(matched, partners)
        remarks += doubts_of(aligned, options, read, place, is_cut=matched_by == WHOLE)
    return remarks


def _across_borders(
    aligned: Alignments, matched: MatchedSides, kept: Sequence[int], rules: Rules
) -> Iterator[Message]:
    """Yield a note if words are on the wrong side of a segment border.

    Words must be assigned to segments by time. There is no note for scores in characters.
    """
    if matched.runs and rules.unit not in CHARACTER_UNITS:
        runs = runs_of(matched.runs, kept)
        yield from remark_on_borders(aligned, runs, matched.hypothesis.name, rules.ignore_case)


def _chooser(number: int, options: Options, pipeline: Pipeline | None) -> Chooser | None:
    """Return the chooser among references and variants; None if there is nothing to choose."""
    if number == 1 and not options.chooses:
        return None
    from scoring.score.chooser import Chooser

    return Chooser(number, options, pipeline)


def _sources(
    left: Corpus,
    right: Corpus,
    partners: Sequence[int],
    pipeline: Pipeline | None,
    cut: Cut | None,
    rows: Sequence[int],
) -> Sources:
    """Return the segments of both sides as read.

    A `cut` adds the whole recordings; `rows` are the positions of its scored utterances.
    """
    from scoring.results.sources import sources_of, with_streams

    sources = sources_of(left, right, partners, pipeline)
    if cut is None or not cut.streams:
        return sources
    return with_streams(sources, cut.sizes, cut.streams, rows)


def _forgiveness(
    references: Sequence[Corpus],
    hypothesis: Corpus,
    partners: Sequence[int],
    rules: Rules,
    options: Options,
    chooser: Chooser | None,
    choices: ReferenceChoices | None,
    ways: ChosenWays,
) -> Forgiveness | None:
    """Return the alternatives that the paths of both sides take; None if no side has any."""
    sides = references[0], hypothesis
    if chooser is None and not any(side.special or side.settled for side in sides):
        return None
    from scoring.results.forgiven import Forgiveness, written_paths

    table = None if chooser is None else chooser.table
    chosen = () if choices is None else choices.chosen
    return Forgiveness.of(
        written_paths(
            references, hypothesis, partners, rules, options.variants, table, chosen, ways
        )
    )


def _counted(
    aligned: Alignments, forgiveness: Forgiveness | None, rules: Rules
) -> tuple[Alignments, Forgiveness | None]:
    """Return alignments and forgiven places; they are counted by place if the rules require it."""
    if forgiveness is None or not rules.is_by_places:
        return aligned, forgiveness
    from scoring.results.places import counted_by_places

    return counted_by_places(aligned, forgiveness)


def _measured(
    reference: Given,
    hypothesis: Given,
    options: Options,
    shard: Shard | None,
    usual: Mapping[str, Any],
    plan: ScorePlan | None,
    is_doubted: bool,
) -> ErrorRates:
    """Return the result with the measures that the options name."""
    from scoring.measures import needs_sources, with_measures

    keeps = options.keep_sources or needs_sources(options)
    plain = options.changed(measures=(), measure_options={}, keep_sources=keeps)
    rates = _scored(reference, hypothesis, plain, shard, usual, plan, is_doubted)
    rates = with_measures(rates, options)
    if rates.basis is not None and rates.basis.options is not None:
        own = rates.basis.options.changed(
            measures=options.measures,
            measure_options=options.measure_options,
            keep_sources=options.keep_sources,
        )
        rates.basis = rates.basis._replace(options=own)
    return rates if options.keep_sources else rates._replace(sources=None)


def _matched(
    opened: Sequence[tuple[Corpus, Corpus]],
    keep: bool,
    options: Options,
    chooser: Chooser | None,
    pipeline: Pipeline | None,
) -> tuple[MatchedSides, list[Corpus], tuple[Corpus, ...]]:
    """Return the matched sides, and further references in the order of the first reference.

    Also return all references as read.
    """
    left, right = opened[0]

    def pair(left: Corpus, right: Corpus) -> MatchedSides:
        missing, cut, match = options.missing, options.cut, options.match
        return in_common(
            left, right, keep=keep, missing=missing, cut=cut, match=match, shift=options.shift
        )

    matched = pair(left, right)
    more: list[Corpus] = []
    read = [left]
    if chooser is not None:
        matched = chooser.opened(matched)
        for sides in opened[1:]:
            read.append(sides[0])
            added = chooser.added(matched, pair(*sides))
            unit = checked_unit(options.value("unit"))
            more.append(_ready(added, "reference", pipeline, unit))
        remarks = [remark for corpus in (matched.reference, *more) for remark in corpus.remarks]
        matched = matched._replace(reference=matched.reference._replace(remarks=tuple(remarks)))
    return matched, more, tuple(read)


def _groups(
    left: Corpus, aligned: Alignments, options: Options
) -> tuple[Groups, tuple[Message, ...]]:
    """Return the groups that the options ask for, and notes on metadata."""
    if not options.by and options.metadata is None:
        return {}, ()
    from scoring.results.groups import groups_with_metadata

    words = [counts.reference_tokens for counts in aligned.counts]
    source = left.identifiers, left.speakers, left.spoken, left.name
    return groups_with_metadata(options, *source, words)


def _prepared(
    matched: MatchedSides,
    pipeline: Pipeline | None,
    rules: Rules,
    options: Options,
    keep: bool,
    unit: str,
) -> Sides:
    """Return both sides after normalisation, cut in units.

    If whole recordings are matched, also return their alignment.
    """
    left, right = matched.reference, matched.hypothesis
    aligned: Alignments | None = None
    forgiveness: Forgiveness | None = None

    def ready(
        side: Corpus,
        role: str,
        settled: Set[int] = frozenset(),
        facing: Facing | None = None,
    ) -> Corpus:
        return _ready(side, role, pipeline, unit, settled, facing)

    if matched.cut is not None:
        from scoring.score.cutting import cut_recordings

        left, right, aligned, forgiveness = cut_recordings(
            left, right, matched.cut, ready, rules, options.jobs, options.cut
        )
    if keep:
        from scoring.results.sources import with_segments

        left, right = with_segments(left), with_segments(right)
    if options.speakers is not None:
        left = with_speakers(left, options.speakers)
    if aligned is None:
        settled: Set[int] = frozenset()
        facing: tuple[Facing | None, Facing | None] = None, None
        is_only = rules.is_by_places and not (rules.references or rules.variants)
        if pipeline is not None and is_only and pipeline.is_settled_by_equal_words:
            settled = equal_utterances(left, right)
            if unit == "word" and not rules.compounds and not rules.ignore_case:
                facing = _facing(left, right, rules)
        left = ready(left, "reference", settled=settled, facing=facing[0])
        right = ready(right, "hypothesis", settled=settled, facing=facing[1])
    return Sides(left, right, aligned, forgiveness)


def _facing(left: Corpus, right: Corpus, rules: Rules) -> tuple[Facing | None, Facing | None]:
    """Return, for each side, the texts of the other side.

    None if their identifiers are not the same.
    """
    if not in_same_order(left, right):
        return None, None
    from scoring.score.choices import path_costs
    from scoring.text.utterances import Facing

    costs = path_costs(rules)
    # a word of the hypothesis alone is an insertion
    turned = costs._replace(deletion=costs.insertion, insertion=costs.deletion)
    pairs: list[TurnedPairs] = []
    return (
        Facing(right.words, right.special.keys(), costs, pairs),
        Facing(left.words, left.special.keys(), turned, pairs),
    )


def _ready(
    side: Corpus,
    role: str,
    pipeline: Pipeline | None,
    unit: str,
    settled: Set[int] = frozenset(),
    facing: Facing | None = None,
) -> Corpus:
    """Return a side after normalisation, in units."""
    if pipeline is not None:
        from scoring.results.sources import normalized

        side = normalized(side, pipeline, role, settled, facing)
    if unit == "word":
        return side
    if unit == CHARACTERS_AND_BLANKS and not side.special and not is_column(side.words):
        return side._replace(words=CharacterTexts.of(side.words))
    from scoring.alignment.texts import UNITS, ColumnWords

    if isinstance(side.words, ColumnWords) and unit in UNITS:
        return side._replace(words=side.words.in_unit(unit))
    from scoring.text.units import in_units

    return side._replace(words=in_units(side.words, unit))


def _sides(
    reference: Side, hypothesis: Side, readings: tuple[Reading, Reading]
) -> tuple[Corpus, Corpus]:
    """Return both sides as read; a single file is a manifest with the words of both sides."""
    match reference, hypothesis:
        case Corpus(format=None), Corpus(format=None):  # texts of a program
            return reference, hypothesis
    if _is_same_file(reference, hypothesis):
        readings = readings[0], readings[1]._replace(predicted="yes")
    return sides_of(reference, hypothesis, readings)


def _doubted(
    reference: Side,
    hypothesis: Side,
    readings: tuple[Reading, Reading],
    pair: tuple[Corpus, Corpus],
) -> tuple[Corpus, Corpus]:
    """Return both sides as read; with a warning if they are the same file, read in the same way."""
    if not isinstance(reference, SideFile) or not isinstance(hypothesis, SideFile):
        return pair
    if reference.size is None or reference.size != hypothesis.size:
        return pair
    ways = [
        reading_of(side, reading)
        for side, reading in zip((reference, hypothesis), readings, strict=True)
    ]
    from scoring.sides.side_files import is_manifest

    # a table may have the words of both sides
    if is_manifest(pair[1].format) or ways[0].options != ways[1].options:
        return pair
    doubt = same_file(reference, hypothesis)
    if doubt is None:
        return pair
    return pair[0], pair[1]._replace(remarks=(*pair[1].remarks, doubt))


def _is_same_file(reference: Side, hypothesis: Side) -> bool:
    """Return True if both sides are the same file."""
    left, right = (
        side.name if isinstance(side, File) else None for side in (reference, hypothesis)
    )
    return left == right not in (None, "-")


if TYPE_CHECKING:

    @overload
    def cer(
        reference: Given,
        hypothesis: SeveralSystems,
        *,
        unit: CharacterUnit | None = None,
        profile: ProfileName | None = None,
        options: Options | None = None,
        **choices: Unpack[ChoicesOfCharacters],
    ) -> NamedRates[str, ErrorRates]: ...

    @overload
    def cer(
        reference: Given,
        hypothesis: Given,
        *,
        unit: CharacterUnit | None = None,
        profile: ProfileName | None = None,
        options: Options | None = None,
        **choices: Unpack[ChoicesOfCharacters],
    ) -> ErrorRates: ...


def cer(
    reference: Given,
    hypothesis: AnyHypothesis,
    *,
    unit: CharacterUnit | None = None,
    profile: ProfileName | None = None,
    options: Options | None = None,
    **choices: Unpack[ChoicesOfCharacters],
) -> ErrorRates | NamedRates[str, ErrorRates]:
    """Return the character error rate: `scoring.wer` of characters, with unit costs.

    As in jiwer, evaluate and torchmetrics, one space between two words counts as a character.
    `sclite` counts no spaces and has other costs: `unit="char", profile="sclite"`.

    Parameters
    ----------
    unit
        `char+space` (code points, and a space between words), `char` (without spaces; words in
        brackets stay whole) or `grapheme` (user-perceived characters, without spaces). By default
        `char+space`, or the unit of the recipe `like`, or `char` with a measure of several
        speakers.
    profile
        As in `scoring.wer`; by default `levenshtein`, or the profile of the recipe. `unit` and
        `profile` override the values in `options`.
    options, **choices
        As in `scoring.wer`.

    Examples
    --------
    >>> cer("the cat", "the hat").cer
    0.14285714285714285
    >>> cer("a b", "ab").counts.deletions
    1
    """
    is_default = options is None and not choices and unit is None and profile is None
    if is_default:
        rates = _score_texts(reference, hypothesis, CHARACTERS)
        if rates is not None:
            return rates
    if unit is not None and unit not in CHARACTER_UNITS:
        raise OptionValueError(
            "unit", expected=f"one of {', '.join(CHARACTER_UNITS)}", found=repr(unit)
        )
    like = choices.get("like", options and options.like)
    changes: dict[str, Any] = {**choices}
    # they override those of `options`
    changes |= {"unit": unit, "profile": profile}
    if like:
        changes["unit"] = unit or unit_of_characters(like)
    # a recipe may have other options for characters than for words
    chosen = (options or Options()).changed(**changes)
    scored: ErrorRates | NamedRates[str, ErrorRates] = _with_warnings(
        reference, hypothesis, chosen, CHARACTERS
    )
    return scored


def mer(
    reference: Given,
    hypothesis: Given,
    *,
    options: Options | None = None,
    **choices: Unpack[Choices],
) -> float | None:
    """Return the match error rate: errors per alignment slot, from 0 to 1; None without slots.

    >>> mer("a b", "a c d")
    0.6666666666666666
    """
    refuse_systems(hypothesis)
    return wer(reference, hypothesis, options=options, **choices).match_error_rate


def wil(
    reference: Given,
    hypothesis: Given,
    *,
    options: Options | None = None,
    **choices: Unpack[Choices],
) -> float | None:
    """Return the word information lost, from 0 to 1; None without reference words.

    >>> wil("a b", "a c"), wil("a b", "")
    (0.75, 1.0)
    """
    refuse_systems(hypothesis)
    return wer(reference, hypothesis, options=options, **choices).word_information_lost


def wip(
    reference: Given,
    hypothesis: Given,
    *,
    options: Options | None = None,
    **choices: Unpack[Choices],
) -> float | None:
    """Return the word information preserved, from 0 to 1; None without reference words.

    >>> wip("a b", "a c"), wip("a b", "")
    (0.25, 0.0)
    """
    refuse_systems(hypothesis)
    return wer(reference, hypothesis, options=options, **choices).word_information_preserved


def ser(
    reference: Given,
    hypothesis: Given,
    *,
    options: Options | None = None,
    **choices: Unpack[Choices],
) -> float | None:
    """Return the sentence error rate, the share of utterances with an error; None if empty.

    >>> ser(["a b", "c"], ["a b", "d"])
    0.5
    """
    refuse_systems(hypothesis)
    return wer(reference, hypothesis, options=options, **choices).sentence_error_rate
