"""Records with references and options, for scoring another hypothesis in the same way.

Options with their default are not stored. Normalisation steps are stored with all arguments, so
that the rebuilt steps have the same hash. References are stored in full (segments, times,
alternatives) unless they consist of the words of the utterances.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from formats.schema.model import Segment
from formats.schema.words import Definition, Words
from scoring.model.errors import OptionValueError
from scoring.options import FIELDS, USUAL, Options
from scoring.sides.corpus import Basis, Corpus, RowNumbers
from scoring.sides.given import keeps_segments
from scoring.sides.side_files import is_manifest, is_named_by_file

if TYPE_CHECKING:
    from scoring.model.aliases import Json
    from scoring.results import Rates

# Options that say nothing about another hypothesis.
NOT_RECORDED = frozenset(name for name, item in FIELDS.items() if not item.recorded)
_RECORDED = [name for name in FIELDS if name not in NOT_RECORDED]


def options_record(basis: Basis) -> Mapping[str, object]:
    """Return the options of a result for its record."""
    if basis.recorded is not None:
        return basis.recorded
    return recorded_options(basis.options or Options())


def sources_record(basis: Basis) -> Mapping[str, str]:
    """Return the source of each rule of a result; rules with their default value are absent."""
    options = basis.options
    if options is None or basis.recorded is not None:
        return basis.sources
    sources = {
        name: source
        for name, source in basis.sources.items()
        # to choose a default decides what it would be anyway
        if source not in ("default", "chosen") or options.value(name) != USUAL[name]
    }
    for name, item in FIELDS.items():
        is_chosen = name in basis.sources or options.value(name) == USUAL[name]
        if item.moves and name != "like" and not is_chosen:
            sources[name] = _source_of(name, options)
    return dict(sorted(sources.items()))


def _source_of(name: str, options: Options) -> str:
    """Return the source of an option that does not have its default value."""
    if options.like is None:
        return "chosen"
    from scoring.text.recipes import recipe_named

    return f"recipe {options.like}" if recipe_named(options.like).fixes(name) else "chosen"


def recorded_options(options: Options, names: Collection[str] | None = None) -> Json:
    """Return options by name as JSON values: those in `names`, or all that are not defaults."""
    values: Json = {}
    for name in _RECORDED:
        value = options.value(name)
        if name in names if names is not None else value != USUAL[name]:
            values[name] = _plain(name, value)
    if options.like is not None and "like" in values:
        from scoring.text.recipes import recipe_named

        values["like"] = {"name": options.like, "hash": recipe_named(options.like).hash}
    return values


def _plain(name: str, value: Any) -> object:
    """Return the value of an option in the types of JSON."""
    if name == "normalize":
        from scoring.text.pipeline_files import as_pipeline, recorded_pipeline

        return None if value is None else _plain("", recorded_pipeline(as_pipeline(value)))
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return {str(key): _plain("", item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain("", item) for item in value]
    if value is None or isinstance(value, str | int | float):
        return value
    return {"object": str(value)}  # as a list of words, which a file holds


def shown_option(name: str, value: object) -> str:
    """Return an option as text; a normalisation step is shown by its name and hash."""
    plain = value if name == "missing" and value is None else _plain(name, value)
    if name == "missing" and value is None:
        return "delete"
    if isinstance(plain, dict) and "sha256" in plain:
        return f"{plain['name']}#{plain['sha256'][:8]}"
    if isinstance(plain, bool):
        return "on" if plain else "off"
    return "none" if plain is None else str(plain)


def options_of(record: Mapping[str, Any]) -> Options:
    """Return the options of a record.

    Raises
    ------
    ValueError
        If an option cannot be applied here, with the reason and a solution.
    """
    unknown = [name for name in record if name not in _RECORDED]
    if unknown:
        raise OptionValueError(unknown[0], "this version of sclite-kit has no such option")
    values = dict(record)
    like = values.pop("like", None)
    if like is not None:
        values["like"] = _installed_recipe(like)
    if values.get("normalize") is not None:
        from scoring.text.pipeline_files import pipeline_of_record

        values["normalize"] = pipeline_of_record(values["normalize"])
    for name, value in dict(values.get("measure_options", {})).items():
        if isinstance(value, Mapping):  # a list of words; what it counts is not the error rate
            values["measures"] = [each for each in values.get("measures", ()) if each != name]
            values["measure_options"] = {}
    if values.get("metadata") is not None:
        # the groups of a record are in its utterances
        for name in ("by", "metadata", "metadata_key", "bins"):
            values.pop(name, None)
    return Options(**values)


def _installed_recipe(like: Mapping[str, str]) -> str:
    from scoring.text.recipes import RecipeError, recipe_named

    name = like["name"]
    try:
        recipe = recipe_named(name)
    except RecipeError:
        raise OptionValueError(
            "like",
            f"the recipe {name} is not installed (install the version of this package that has "
            "it, or record the run again)",
        ) from None
    if recipe.hash != like["hash"]:
        raise OptionValueError(
            "like", expected=f"the recipe {name}#{like['hash']}", found=f"#{recipe.hash}"
        )
    return name


def basis_of_record(
    record: Mapping[str, Any] | None,
    references: Sequence[SideRecord] | None,
    words: Corpus | None,
    sources: Mapping[str, str],
) -> Basis | None:
    """Return the references and options of a record; `words` is the reference as plain words."""
    if record is None:
        return None
    corpora: tuple[Corpus, ...] = () if words is None else (words,)
    if references is not None:
        corpora = tuple(map(corpus_of, references))
    try:
        return Basis(corpora, options_of(record), record, sources=sources)
    except (ValueError, TypeError, KeyError, ImportError) as problem:
        return Basis(corpora, None, record, str(problem), sources=sources)


def words_of_reference(rates: Rates) -> Corpus:
    """Return the reference of a result, rebuilt from the words of its utterances."""
    return Corpus(
        name=rates.reference.path,
        format=rates.reference.format,
        identifiers=rates.identifiers,
        speakers=rates.speakers,
        words=rates.aligned.references,
        lines=[None] * len(rates),
        special={},
        named_by_file=is_named_by_file(rates.reference.format),
        by_position=rates.matching_summary.matched_by == "position",
    )


def references_record(rates: Rates) -> tuple[SideRecord, ...] | None:
    """Return the references of a result as read; None if its utterances contain all words."""
    basis = rates.basis
    if basis is None or not basis.references:
        return None
    reference = basis.references[0]
    options = basis.options
    needs_segments = options is None or keeps_segments(options) or options.meeting is not None
    if not needs_segments and all(map(_holds_words_and_choices, basis.references)):
        # columns of a large file have no segments; a record is the same however its file was read
        basis = basis._replace(
            references=tuple(side._replace(segments=()) for side in basis.references)
        )
    if len(basis.references) == 1 and not needs_segments and holds_only_words(reference):
        words = words_of_reference(rates)
        if options is not None and options.speakers is not None:
            words = words._replace(speakers=reference.speakers)
        if same_side(words, reference):
            return None
    return tuple(map(_side_record, basis.references))


def holds_only_words(side: Corpus) -> bool:
    """Return True if the utterances have only names, speakers and words."""
    return not side.special and _holds_words_and_choices(side)


def _holds_words_and_choices(side: Corpus) -> bool:
    """Return True if utterances have nothing but names, speakers, words and alternatives."""
    if side.is_unnamed or is_manifest(side.format):
        return False
    others = {
        name: usual
        for name, usual in Segment._field_defaults.items()
        if name not in _OF_WORDS | _OF_CHOICES
    }
    return all(
        getattr(segment, name) == usual
        for segment in side.segments
        for name, usual in others.items()
    )


def same_side(left: Corpus, right: Corpus) -> bool:
    """Return True if two sides have equal content; the names of their files do not matter."""
    sides = left, right
    return (
        all(getattr(left, name) == getattr(right, name) for name in _FLAGS[1:])
        and left.special == right.special
        and (all(map(holds_only_words, sides)) or list(left.segments) == list(right.segments))
        and _same_column(left.identifiers, right.identifiers)
        and _same_column(left.speakers, right.speakers)
        and (
            _same_column(left.words, right.words)
            or list(map(tuple, left.words)) == list(map(tuple, right.words))
        )
    )


def _same_column(left: Sequence[object], right: Sequence[object]) -> bool:
    """Return True if two columns have equal values.

    Equal texts are found without splitting into words.
    """
    return left == right or list(left) == list(right)


_FLAGS = ("repeated", "has_confidences", "named_by_file", "by_position")
_OF_WORDS = frozenset({"recording", "words", "speaker", "utterance", "line"})
_OF_CHOICES = frozenset({"alternations", "optional"})


class SideRecord(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    rename={"identifiers": "ids"},
):
    """A side as read, without columns that can be computed from the segments."""

    name: str
    format: str | None
    numbered: bool = False  # the identifiers count the utterances
    identifiers: tuple[str, ...] = ()
    speakers: tuple[str | None, ...] = ()
    words: tuple[Words, ...] | None = None
    special: tuple[tuple[int, Segment], ...] = ()
    segments: tuple[Segment, ...] = ()
    definitions: tuple[Definition, ...] = ()
    repeated: int = 0
    has_confidences: bool = False
    named_by_file: bool = False
    by_position: bool = False
    columns: dict[str, tuple[str | None, ...]] = {}  # values by which utterances were chosen


def _side_record(side: Corpus) -> SideRecord:
    spoken = side.spoken
    columns: Json = {}
    if not side.is_unnamed:
        if list(side.identifiers) == list(RowNumbers(range(len(side.words)))):
            columns["numbered"] = True
        else:
            columns["identifiers"] = tuple(side.identifiers)
        if any(speaker is not None for speaker in side.speakers):
            columns["speakers"] = tuple(side.speakers)
        if [segment.words for segment in spoken] != list(side.words):
            columns["words"] = tuple(map(tuple, side.words))
    return SideRecord(
        name=side.name,
        format=side.format,
        **columns,
        special=(
            *[
                (row, segment)
                for row, segment in side.special.items()
                if not (row < len(spoken) and spoken[row] == segment)
            ],
        ),
        segments=tuple(side.segments),
        definitions=side.definitions,
        columns={name: tuple(_of_utterances(side, side.columns[name])) for name in side.columns},
        **{name: getattr(side, name) for name in _FLAGS},
    )


def _of_utterances(side: Corpus, column: Sequence[str | None]) -> Sequence[str | None]:
    """Return the values of a column of rows for the utterances of a side."""
    if not isinstance(side.identifiers, RowNumbers) or side.rows is None:
        return column
    return [column[row - side.begin] for row in side.identifiers.rows]


def corpus_of(record: SideRecord) -> Corpus:
    """Return the side of a record; ValueError if its columns have different lengths."""
    segments = list(map(_checked, record.segments))
    spoken = [segment for segment in segments if segment.kind != "ignored"]
    rows = [segment.words for segment in spoken] if record.words is None else record.words
    names = RowNumbers(range(len(rows))) if record.numbered else record.identifiers
    is_unnamed = bool(segments) and not names
    if is_unnamed:
        rows = []
    special = {
        row: segment
        for row, segment in enumerate(() if is_unnamed else spoken)
        if segment.alternations or segment.optional is not None
    }
    special.update((row, _checked(segment)) for row, segment in record.special)
    speakers = record.speakers or [None] * len(rows)
    if not len(names) == len(rows) == len(speakers):
        raise ValueError("expected as many identifiers as utterances and speakers")
    return Corpus(
        name=record.name,
        format=record.format,
        identifiers=names,
        speakers=speakers,
        words=rows,
        lines=[segment.line for segment in spoken] if rows and spoken else [None] * len(rows),
        special=special,
        segments=segments,
        definitions=record.definitions,
        columns=record.columns,
        **{name: getattr(record, name) for name in _FLAGS},
    )


def _checked(segment: Segment) -> Segment:
    """Return the segment unchanged; ValueError if its columns have different lengths."""
    return segment.replace(words=segment.words)
