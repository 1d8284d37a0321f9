"""Options for scoring two sides; each option is a field of `Options`.

The flags of commands, the parameters of the service, the keywords of `scoring.wer` and the
signature of a score derive from these fields.
"""

from __future__ import annotations

import os

from formats.schema import VERSION, Literal, Mapping, NamedTuple, cache, words_of
from formats.schema.values import NamedFields
from scoring.model.counts import (
    CHARACTER_UNITS,
    CHARACTERS_AND_BLANKS,
    SCLITE_COSTS,
    SCRIPTS,
    UNIT_COSTS,
    Costs,
    checked_unit,
)
from scoring.model.counts import UNITS as UNITS
from scoring.model.errors import OptionTypeError, OptionValueError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from inspect import Parameter, Signature
    from typing import Any, NoReturn, TypeAlias, TypedDict, TypeVar

    from typing_extensions import Unpack

    from formats.schema.messages import Advice
    from scoring.model.aliases import CharacterUnit as CharacterUnit
    from scoring.model.aliases import Ties
    from scoring.model.aliases import Unit as Unit
    from scoring.text.pipeline_files import PipelineStep

    T = TypeVar("T")
# What `scoring.text.pipeline_files.as_pipeline` takes.
Normalization: TypeAlias = "PipelineStep | Sequence[PipelineStep] | None"
# A file with columns about utterances, recordings or speakers, or these columns by identifier.
MetadataGiven: TypeAlias = "str | os.PathLike[str] | Mapping[str, Mapping[str, object]]"

# The words that choices may be; commands check them, and those who check types.
ProfileName: TypeAlias = Literal[
    "sclite",
    "levenshtein",
    "jiwer",
    "kaldi",
    "align-text",
    "bias-fbai",
    "bias-fbai@43cdb3c",
    "keywords-nemo",
    "keywords-nemo@2",
    "keywords-nemo@3",
    "mr-wer",
    "mr-wer@d03c6c6",
    "fstalign",
    "fstalign@1.13",
]
Missing: TypeAlias = Literal["error", "delete", "skip"]
Interpolation: TypeAlias = Literal["none", "uniform", "chars"]
TextView: TypeAlias = Literal["lexical", "display"]
Measure: TypeAlias = Literal["auto", "cp", "tcp", "orc", "tcorc", "mimo", "tcmimo", "dicp", "ditcp"]
WordTimes: TypeAlias = Literal[
    "characters", "characters-points", "equal", "equal-points", "segment", "words"
]
SeriesMatch: TypeAlias = Literal["index", "position"]
CutMode: TypeAlias = Literal["plain-alignment", "time", "hypothesis", "alignment"]
Search: TypeAlias = Literal["exact", "greedy"]
# What `merge_compounds` may be beside False and True, which is `words`.
Compounds: TypeAlias = Literal["words", "any", "regions"]
ReferenceChoice: TypeAlias = Literal["network", "each", "lowest-errors", "mr-wer"]
VariantsLength: TypeAlias = Literal["chosen", "written", "shortest", "places"]
# Those that take words from the references as they are before a path is chosen.
OTHER_LENGTHS = ("written", "shortest")
PLACES: Literal["places"] = "places"


class Profile(NamedFields):
    """An alignment profile: a named set of costs and a tie rule.

    Attributes
    ----------
    name
        Name on the command line.
    costs, ties
        As in `scoring.align`.
    title
        One-line description.
    path_costs
        Costs for choosing a path through alternatives; None: `costs`.
    """

    name: ProfileName
    costs: Costs
    ties: Ties
    title: str
    path_costs: Costs | None = None


_ALL = (
    Profile("sclite", SCLITE_COSTS, "sclite", "costs 4, 3, 3 and ties of NIST's sclite"),
    Profile("levenshtein", UNIT_COSTS, "sclite", "unit costs, ties of sclite"),
    Profile("jiwer", UNIT_COSTS, "rapidfuzz", "unit costs, ties of jiwer 4 (for MER and WIL)"),
    Profile("kaldi", UNIT_COSTS, "compute-wer", "the %WER line of Kaldi's compute-wer"),
    Profile(
        "align-text", UNIT_COSTS, "align-text", "the lines per_utt and ops of Kaldi's align-text"
    ),
    Profile("bias-fbai@43cdb3c", SCLITE_COSTS, "sclite", "biasing lists as in score.py of fbai"),
    Profile("keywords-nemo@2", UNIT_COSTS, "sclite", "keywords by compute_fscore of NeMo 1 and 2"),
    Profile("keywords-nemo@3", UNIT_COSTS, "compute-wer", "keywords by compute_fscore of NeMo 3"),
    Profile("mr-wer@d03c6c6", Costs(2, 1, 1), "align-text", "costs 2, 1, 1 of multi-reference WER"),
    Profile(
        *("fstalign@1.13", UNIT_COSTS, "sclite", "unit costs, alternatives as in fstalign"),
        Costs(1001, 1000, 1000),
    ),
)
PROFILES: dict[ProfileName, Profile] = {profile.name: profile for profile in _ALL}
# Profiles by name; a name without a version means the first that there was.
_NAMED: dict[str, Profile] = {profile.name: profile for profile in _ALL}
for _profile in _ALL:
    _NAMED.setdefault(_profile.name.partition("@")[0], _profile)


def profile_named(name: str) -> Profile:
    """Return the profile of this name; without a version in the name, the newest version.

    Raises
    ------
    ValueError
        If no profile has the name.

    Examples
    --------
    >>> profile_named("kaldi").costs
    Costs(substitution=1, deletion=1, insertion=1)
    """
    try:
        return _NAMED[name]
    except KeyError:
        names = ", ".join(PROFILES)
        raise OptionValueError("profile", expected=f"one of {names}", found=repr(name)) from None


class Rules(NamedFields, forbid_unknown_fields=True):
    """The options that determine a score; the signature prints them.

    Attributes
    ----------
    profile
        Name of the profile.
    missing
        The treatment of a reference without hypothesis: `error`, `delete` (count its words as
        deletions) or `skip`.
    ignore_case
        Words that differ only in case are equal (Unicode's full case folding).
    forgive_optional
        A missing word is no error if the reference marks it as optional.
    unit
        `word`, `char`, `char+space`, `grapheme` or `mixed`: see `scoring.text.units`.
    normalization
        Signature of the pipeline that normalised both sides; `none` without a pipeline.
    meeting
        Measure for meetings, with its settings; empty: utterances are matched without it.
    like
        Full name of the recipe, such as `jiwer@4`; empty without a recipe.
    verdicts
        Start of the hash of the decisions on differing spans; empty: none.
    compounds
        Which compounds are merged: `words`, `any` or `regions`; empty: none.
    references
        How the best of several references is chosen, and their number; empty: there is one.
    variants
        The source of alternatives in references: `notation`, a file and its hash, or both.
    variants_length
        The path whose number of words is the denominator of the rate, if it is not the chosen path.
    clip_rate
        Limit the rate of each utterance to 1, also in the mean of utterances.
    shift
        Seconds that were added to the times of the hypothesis, or `auto`; empty: none.
    where
        The conditions of the scored utterances, joined by `&`; empty: all utterances are scored.
    matched_by
        How utterances were matched, and how recordings were cut: `identifier`, `position`, `time`,
        `time(time)`.
    """

    profile: str = "sclite"
    missing: str = "delete"
    ignore_case: bool = False
    forgive_optional: bool = False
    unit: str = "word"
    normalization: str = "none"
    meeting: str = ""
    like: str = ""
    verdicts: str = ""
    compounds: str = ""
    references: str = ""
    variants: str = ""
    variants_length: str = ""
    clip_rate: bool = False
    shift: str = ""
    where: str = ""
    matched_by: str = ""

    @property
    def noun(self) -> str:
        """The unit as a noun for tables and sentences: `word` or `phoneme`."""
        return "phoneme" if self.unit == "phoneme" else "word"

    @property
    def is_by_places(self) -> bool:
        """True if a place with several readings has as many words as its written form."""
        return self.variants_length == PLACES

    def signature(self, matched_by: str = "") -> str:
        """Return the signature, one line that names every choice.

        `matched_by` is how utterances were matched. It is used if the rules have no such value.

        Examples
        --------
        >>> Rules("kaldi").signature("identifier").rpartition("|")[0]
        'wer|unit:word|norm:none|align:kaldi(1,1,1)|ties:compute-wer|missing:delete|match:identifier'
        """
        profile = profile_named(self.profile)
        align = f"align:{profile.name}({','.join(map(str, profile.costs))})"
        ties: str = profile.ties
        if self.meeting:
            align, ties = "align:levenshtein(1,1,1)", "compute-wer"
        rare = {
            member: text.format(getattr(self, member))
            for member, text in _SIGNATURE.items()
            if getattr(self, member)
        }
        first = [rare.pop(member) for member in ("like", "meeting") if member in rare]
        return "|".join(
            (
                "wer",
                *first,
                f"unit:{self.unit}",
                f"norm:{self._normalization()}",
                align,
                f"ties:{ties}",
                f"missing:{self.missing}",
                f"match:{self.matched_by or matched_by}",
                *rare.values(),
                f"v:{VERSION}",
            )
        )

    def _normalization(self) -> str:
        if not self.ignore_case:
            return self.normalization
        return "casefold" if self.normalization == "none" else f"{self.normalization}+casefold"


def differing_rules(left: Rules, right: Rules, apart: Sequence[str] = ()) -> str:
    """Return the fields in which two sets of rules differ, with the values of both sets.

    Fields in `apart` are ignored.
    """
    others = right._asdict()
    return ", ".join(
        f"{name}={value!r} and {others[name]!r}"
        for name, value in left._asdict().items()
        if value != others[name] and name not in apart and not _same_way(name, value, others[name])
    )


# Ways of matching that lead to the same alignment of the same utterances.
_SAME_WAYS = {"audio": "identifier", "position": "identifier", "file": "recording"}


def _same_way(name: str, one: Any, other: Any) -> bool:
    """Return True if both values name the same way of matching, or one value is unknown."""
    if name != "matched_by":
        return False
    ways = {_SAME_WAYS.get(way, way) for way in (one, other)}
    return len(ways) == 1 or "" in ways


AUTO_SHIFT = "auto"
# What joins conditions in signatures.
CONDITIONS = "&"
MISSING: tuple[Missing, ...] = words_of(Missing)
# Measures of many speakers, and what they are called.
TITLES = {
    "cp": "cpWER",
    "tcp": "tcpWER",
    "orc": "ORC-WER",
    "tcorc": "tcORC-WER",
    "mimo": "MIMO-WER",
    "tcmimo": "tcMIMO-WER",
    "dicp": "DI-cpWER",
    "ditcp": "DI-tcpWER",
}
MEASURES: tuple[Measure, ...] = words_of(Measure)
COMPOUNDS: tuple[Compounds, ...] = words_of(Compounds)
# What identifiers of metadata name.
LEVELS = ("utterance", "recording", "speaker")


def option(
    default: T,
    flag: str = "",
    *,
    rule: str = "",
    group: str = "",
    free: bool = False,
    recorded: bool = True,
    usual: object = None,
    of: str = "score",
    moves: bool | None = None,
    beside_record: bool | None = None,
) -> T:
    """Return the row of an option in the body of `Options`, as an `OptionField`.

    Parameters
    ----------
    default
        NamedFields if the option is not given; `{}` for mappings.
    flag
        The row of the flag, as of `formats.console.command_line.add_flags`. Choices follow from
        the `Literal` in the field's type. Empty: no flag.
    rule
        How the signature shows a value that differs from the default and can change the score:
        `optional:forgiven` for a switch, `compounds:{}` with the value, or a name alone if the
        score supplies the value. `Rules` has a member for it.
    group
        The group of the flag in help texts: `files`, `reading`, `matching`, `aligning`, `choosing`
        or `meetings`. Options of `aligning` are parameters of the service; the switches and choices
        of `aligning` and `matching` are controls of the page. Empty: only commands that name the
        option have it.
    free
        True if recipes do not fix the option, because it changes no score. Recipes never fix
        options of the groups `files` and `reading`.
    recorded
        True if records store the option, because scoring another hypothesis needs it.
    usual
        The value if neither the user nor a recipe nor an input chooses one (see
        `scoring.score.plan`). `default` is then None, which means "not chosen".
    of
        What the option describes: the `hypothesis` file, the `reference` file or the `score`.
    moves
        True if the option can change a score. None: true unless `free`.
    beside_record
        True if the option may be given together with a record. None: true unless `moves`.
    """
    is_moving = not free if moves is None else moves
    is_beside = not is_moving if beside_record is None else beside_record
    # instances have the value under the same name
    row: Any = OptionField(
        "", "", default, flag, rule, group, free, recorded, usual, of, is_moving, is_beside
    )
    value: T = row
    return value


class OptionField(NamedTuple):
    """A field of `Options`: its name, the text of its type, and the arguments of `option`."""

    name: str
    type: str
    default: Any
    flag: str
    rule: str
    group: str
    free: bool
    recorded: bool
    usual: object
    of: str
    moves: bool
    beside_record: bool


class _Keywords:
    """The signature of `Options`, whose source has `**choices`."""

    def __get__(self, _instance: object, _owner: type) -> Signature:
        from inspect import Signature

        return Signature(list(keyword_parameters().values()))


def keyword_parameters() -> dict[str, Parameter]:
    """Return the fields as parameters of a function, by name."""
    from inspect import Parameter

    return {
        name: Parameter(name, Parameter.KEYWORD_ONLY, default=item.default, annotation=item.type)
        for name, item in FIELDS.items()
    }


def _check_choices(choices: Choices) -> None:
    """Check the chosen options against the recipe, before defaults are filled in."""
    unknown = [name for name in choices if name not in FIELDS]
    if unknown:
        from formats.schema.errors import close_names

        near = close_names(unknown[0], list(FIELDS))
        meant = f"; did you mean {near[0]!r}?" if near else ""
        raise TypeError(f"unexpected keyword argument {unknown[0]!r}{meant}")
    if choices.get("like") is not None:
        from scoring.text.recipes import recipe_named

        made = {name: value for name, value in choices.items() if is_chosen(name, value)}
        recipe_named(choices["like"] or "").check(made, fixable())


def _names(option: str, value: object) -> tuple[str, ...]:
    """Return the names in an option's value; a single text is one name."""
    names = (value,) if isinstance(value, str) else value
    if not hasattr(names, "__iter__"):
        raise OptionTypeError(option, expected="a list of names", found=type(value).__name__)
    names = tuple(names)
    for name in names:
        if not isinstance(name, str):
            raise OptionTypeError(option, expected="a list of names", found=f"{name!r} in it")
    return names


class Options:
    """Options for reading, matching and aligning two sides.

    Attributes
    ----------
    reference_format, hypothesis_format
        Names of formats; None: detected.
    reference_options, hypothesis_options
        Options of the formats' readers, as in `formats.read`: `{"field": "pred_text"}`. If a
        manifest has both texts, the hypothesis is the recognised one.
    encoding
        Encoding of the files, as in `formats.read`: a name, or `auto` to detect it.
    reference_encoding, hypothesis_encoding
        Encoding of the file of one side; None: `encoding`.
    interpolate
        How to compute missing word times of the hypothesis from segment times, to match by time:
        `none` (whole recordings are aligned), `uniform` or `chars` (by length).
    channel_aliases
        Maps channels of the hypothesis to those of the reference: `{"0": "A"}`.
    text_view
        Which words to use on both sides if a format has two forms: `lexical`, as spoken, or
        `display`, with case, digits and punctuation.
    profile
        `sclite` (costs 4, 3, 3), `levenshtein`, `kaldi` (the counts of compute-wer) or
        `align-text` (those of Kaldi's per_utt).
    missing
        The treatment of a reference without hypothesis (unknown identifier, or a null in a column):
        `error`, `delete` or `skip`. None: `delete`, or an error if sides of different length are
        matched by position, like lists.
    allow_unmatched
        Accept hypotheses without reference. They are not scored and cause no warning, nor an error
        if utterances are matched by position.
    cut
        How a recording is cut into the reference's segments. `plain-alignment`: along an alignment
        of all words without case and punctuation, as in SubER's AS-WER, even if words have times.
        `time`: by word times; words in no segment are an utterance `(gap)` and count as insertions.
        `hypothesis`: along the alignment of the score, at the segments of the hypothesis.
        `alignment`: along the alignment of the score, even if words have times. None: by word times
        if all words have some (the last segment takes the rest) and the reference is not captions,
        otherwise as `alignment`; systems that are ranked or compared are all cut in the same way.
    shift
        What is added to the times of the hypothesis before words are matched by time: seconds such
        as `-1.5`, or `auto`. With `auto`, the shift is measured from words that occur once on each
        side (if there are fewer than ten, from aligned words), and its opposite is added. If whole
        recordings are aligned, as for subtitles, the shift affects only measures of times. A file
        without times is an error.
    match
        `position`: match utterances in their order, without regard to identifiers, and plain text
        files line by line. `index`: match the rows of two pandas Series by label. None: by
        identifier, and an error if both sides have identifiers and none match, or if the indexes of
        two Series differ.
    ignore_case
        Compare words after Unicode's full case folding.
    clip_rate
        The rate of an utterance is at most 100 %, in reports and in the mean of utterances; counts
        and the corpus rate do not change.
    forgive_optional
        A missing word is no error if the reference marks it as optional.
    merge_compounds
        True or `words`: adjacent words that together spell one word of the other side match this
        word at no cost, as in kaldialign (`white paper`, `whitepaper`). `any`: several words may
        also match several words (`ab cd ef`, `abc def`). The number of reference words does not
        change. `regions`: if the words of a differing region spell the same on both sides, they are
        first joined into one word on each side, as the Open ASR Leaderboard does for languages
        other than English. This lowers the number of reference words.
    where
        Conditions of the utterances that are scored; all must hold: `["device=phone",
        "duration>6"]`. A condition names a property of the reference as `by` does, or `duration` in
        seconds; the signs are `=`, `!=`, `<`, `<=`, `>`, `>=`; `=` and `!=` take several values
        (`region=north,south`). See `scoring.model.row_conditions`.
    unit
        `word`; `char`: code points of words, without spaces; `char+space`: with one space between
        two words, as in jiwer; `grapheme`: user-perceived characters; `mixed`: characters for
        Chinese and Japanese, words for other scripts. More scripts can be divided into characters
        (`mixed+thai`, `mixed+hangul`, also lao, khmer, myanmar). Words in square or angle brackets
        stay whole, as in Kaldi's recipes, except in `char+space`.
    normalize
        Steps applied to both sides before comparison: the name of a step or a pipeline, a path, a
        step, a pipeline or a function, or a list of these (see
        `scoring.text.pipeline_files.as_pipeline`). None: the words are not changed.
    speakers
        Maps identifiers to speakers, if the reference has none.
    verdicts
        A file of decisions, which mark differences as equal or as minor errors (see
        `scoring.results.verdicts`). Counts and rates do not change; `adjudication` has the counts
        and rates without the marked differences.
    by
        Properties of the reference by which utterances are grouped: `speaker`, `recording`,
        `channel`, `label` or a property of the format. With several properties, a group is a
        combination of values.
    measures
        Measures beyond the error rate, counted on the same alignment: names of `scoring measures`.
    measure_options
        Settings of these measures: `{"limits": "4,3,24"}`.
    metadata
        Columns for `by`: a table with a header (CSV, TSV, Parquet), a file of Kaldi such as
        utt2lang, or a mapping from identifiers to values by name of column. Identifiers are of
        utterances, recordings or speakers. A column of more than 20 numbers is cut into four
        ranges.
    metadata_key
        What the identifiers in `metadata` name: `utterance`, `recording` or `speaker`. After it,
        `=` may name the column with the identifiers (`speaker=client_id`); by default, it is the
        first column. None: the kind of identifiers with the most matches.
    bins
        Borders that cut columns of numbers into ranges: `[18, 65]`.
    meeting
        Measure for meetings, which assigns speakers: `cp`, `tcp`, `orc`, `tcorc`, `mimo`, `tcmimo`,
        `dicp`, `ditcp`, or `auto`, which uses tcp if segments have speakers and times; see
        `docs/many-speakers.md`. These measures have fixed costs and ties, whatever `profile` is.
        The words of a session without hypothesis count as deletions, and commands end with status 3
        unless `missing` is set. None: utterances are matched without regard to speakers.
    collar
        Tolerance around words of the hypothesis, for measures with times: seconds, or a text such
        as `5s`.
    reference_times, hypothesis_times
        Times of words if only segments have times: `characters` (parts of the segment in proportion
        to the lengths of its words), `equal` (equal parts), the middles of these parts (`-points`),
        `segment` (the whole segment), or `words` (the words' own times).
    search
        `exact`: find the fewest errors; a session that is too large is an error. `greedy`: search
        faster, and possibly find more errors. None: exact if possible, otherwise greedy.
    like
        Recipe to score by: `jiwer@4`, or `jiwer` if there is one version; see `docs/recipes.md`. It
        fixes every option that changes the number; an option that contradicts it is an error.
    references
        With several references (`sclite_kit.References`): `network` merges them into one, in which
        paths switch at shared words, and takes the path with the fewest errors, then the longest;
        `each` takes the reference with the lowest rate; `lowest-errors` takes the reference with
        the fewest errors; `mr-wer` aligns with each reference and merges the alignments
        (`docs/several-references.md`).
    variants
        Read `{a|b|}` as alternatives, `(x)` as an optional word and `<*>` as any words in the texts
        of references.
    variants_file
        File of equivalent words and phrases, also `LANGUAGE=FILE` (`docs/several-references.md`).
    variants_length
        The path whose number of words divides the errors: the `chosen` path, the first reference as
        `written` (first alternatives), or the `shortest` path. `places`: the chosen path, but a
        place for which a step gave several readings has the errors and words of its written form
        (`scoring.results.places`). `places` is the default if a step gives readings and there is no
        recipe.
    explain
        Count the errors that speaker labels and times cause.
    keep_sources
        Keep content besides words for `scoring.html_report`: times, confidences, labels, the words
        before normalisation.
    jobs
        Number of threads that read tables and align. The result does not depend on it.

    Raises
    ------
    TypeError, ValueError
        If a value has the wrong type or is invalid.
    """

    reference_format: str | None = option(
        None,
        "* --reference-format FORMAT  format of the reference (default: detected)",
        group="files",
        of="reference",
    )
    hypothesis_format: str | None = option(
        None,
        "* --hypothesis-format FORMAT  format of the hypothesis (default: detected)",
        group="files",
        of="hypothesis",
        beside_record=True,
    )
    encoding: str = option(
        "auto",
        "* --encoding",
        group="files",
        beside_record=True,
    )
    reference_encoding: str | None = option(
        None,
        "--reference-encoding NAME  encoding of the reference (default: as --encoding)",
        group="files",
        of="reference",
    )
    hypothesis_encoding: str | None = option(
        None,
        "--hypothesis-encoding NAME  encoding of the hypothesis (default: as --encoding)",
        group="files",
        of="hypothesis",
        beside_record=True,
    )
    reference_options: Mapping[str, object] = option(
        {},
        "--reference-option NAME=VALUE ...  option for reading the reference's format, for "
        "example field=text (repeatable)",
        group="files",
        of="reference",
    )
    hypothesis_options: Mapping[str, object] = option(
        {},
        "--hypothesis-option NAME=VALUE ...  option for reading the hypothesis's format, for "
        "example field=pred_text (repeatable)",
        group="files",
        of="hypothesis",
        beside_record=True,
    )
    interpolate: Interpolation = option(
        "none",
        "--interpolate",
        group="reading",
    )
    channel_aliases: Mapping[str, str] = option(
        {},
        "--channel-alias HYP=REF ...  channel HYP of the hypothesis is channel REF of the "
        "reference, for example 0=A (repeatable)",
        group="reading",
        of="hypothesis",
        beside_record=True,
    )
    text_view: TextView = option(
        "lexical",
        "--text-view",
        group="reading",
    )
    speakers: Mapping[str, str] | None = option(
        None,
        "--utt2spk",
        group="reading",
    )
    profile: ProfileName | None = option(
        None,
        "--profile  program whose costs and ties the alignment uses (ties: the choice among "
        "alignments of equal cost); default: sclite, in compare the profile of the baseline. "
        + "; ".join(f"{profile.name}: {profile.title}" for profile in _ALL)
        + ". A name without @VERSION means its first version",
        group="aligning",
        usual="sclite",
    )
    missing: Missing | None = option(
        None,
        "* --missing  what to do with a reference that has no hypothesis: stop with an "
        "error, count its words as deleted (default), or skip it",
        group="matching",
    )
    allow_unmatched: bool = option(
        False,
        "--allow-unmatched  skip hypotheses that have no reference, and do not warn (default: skip "
        "them with a warning; if lines are matched by position, stop with an "
        "error)",
        group="matching",
        free=True,
    )
    cut: CutMode | None = option(
        None,
        "--cut  how to cut recordings at the reference's segments; time: by word times "
        "(words outside all segments are listed as (gap)); alignment: along the "
        "alignment of the words; plain-alignment: the same, but the alignment "
        "ignores case and punctuation, as in SubER; hypothesis: as alignment, "
        "but at the hypothesis's segments (default: time if all words have "
        "times and the reference is not captions, otherwise alignment)",
    )
    shift: float | str | None = option(
        None,
        "--shift SECONDS|auto  add SECONDS to the times of the hypothesis; auto: estimate the "
        "shift from words that occur once on each side, and remove it",
        rule="shift:{}",
    )
    match: SeriesMatch | None = option(
        None,
        # `index` is for Series
        "--match {position}  pair utterances in their order and ignore their identifiers",
        group="matching",
        free=True,
        recorded=False,
        moves=True,
        beside_record=True,
    )
    where: Sequence[str] = option(
        (),
        "--where CONDITION ...  score only the utterances that meet CONDITION, for example "
        "device=phone, region=north,south, device!=phone or 'duration>6' in seconds, with a "
        "property as in --by (repeatable: all conditions must hold)",
        rule="where:{}",
        free=True,
        moves=True,
    )
    unit: Unit | None = option(
        None,
        "* --unit UNIT  unit of errors: word (default), char (default of cer), char+space (spaces "
        "count, too), grapheme, or mixed (characters in Chinese and Japanese, otherwise words; "
        f"more scripts: {', '.join(f'+{name}' for name in SCRIPTS)})",
        group="aligning",
        usual="word",
    )
    normalize: Normalization = option(
        None,
        "* --normalize NAME|FILE ...  apply a step or pipeline to both sides, by name or file, for "
        "example casefold:lang=tr (repeatable; see `scoring normalize --list`)",
    )
    ignore_case: bool | None = option(
        None, "* --ignore-case  compare words without case", group="aligning", usual=False
    )
    clip_rate: bool = option(
        False,
        "--clip-rate  limit the rate of each utterance to 100 % where it is shown and in the mean "
        "of utterances; the rate of all words is unchanged",
        rule="rate:clipped",
        group="aligning",
    )
    forgive_optional: bool = option(
        False,
        "--forgive-optional  do not count a missing word as an error if the reference marks it "
        "as optional",
        rule="optional:forgiven",
        group="aligning",
    )
    verdicts: str | os.PathLike[str] | None = option(
        None,
        "--verdicts <FILE  also report the rate without the differences that FILE marks as the "
        "same or as minor errors (JSON lines; see `scoring verdicts`)",
        rule="verdicts",
        recorded=False,  # decisions on spans are recorded by themselves
        moves=False,
    )
    merge_compounds: bool | Compounds = option(
        False,
        "--merge-compounds  words: several words match one word with the same letters (white "
        "paper, whitepaper), as in kaldialign; any: several words may also match several words "
        "with the same letters; regions: where the sides differ, compare the letters of both "
        "sides without spaces",
        rule="compounds:{}",
        group="aligning",
    )
    by: Sequence[str] = option(
        (),
        "* --by",
        free=True,
    )
    measures: Sequence[str] = option(
        (),
        "* --measures NAME ...  count further measures (see `scoring measures`)",
        free=True,
    )
    measure_options: Mapping[str, object] = option(
        {},
        "--measure-option NAME=VALUE ...  setting of a measure, for example ece-bins=20 "
        "(repeatable)",
        free=True,
    )
    metadata: MetadataGiven | None = option(
        None,
        "--metadata <FILE  file with columns for --by: a table (CSV, TSV, Parquet), or utt2lang "
        "or spk2gender of Kaldi",
        free=True,
    )
    metadata_key: str | None = option(
        None,
        "--metadata-key LEVEL[=COLUMN]  what --metadata describes (utterance, recording or "
        "speaker), and the column with the identifiers (default: detect LEVEL, read the first "
        "column)",
        free=True,
    )
    bins: Sequence[float] = option(
        (),
        "--bins NUMBERS  borders of ranges for a column of numbers, for example 0,2,5,10 "
        "(default: four ranges if a column has more than 20 different numbers)",
        free=True,
    )
    meeting: Measure | None = option(
        None,
        "--meeting  score with an error rate for several speakers: cp is cpWER, tcp is "
        "tcpWER, and so on; auto: choose a rate that suits the speakers and "
        "times in the files",
        rule="meeting",
        group="meetings",
    )
    collar: float | str = option(
        "5s",
        "--collar SECONDS  with a --meeting rate that uses times (tcp and others), match words "
        "only if they are at most SECONDS apart (default: 5s)",
        group="meetings",
    )
    reference_times: WordTimes = option(
        "characters",
        "--reference-times  how to set word times if only segments have times; characters: divide "
        "the segment in proportion to the characters of the words (default); equal: in equal "
        "parts; -points: only the middle of each part; segment: the times of the whole segment; "
        "words: the word times in the file",
        group="meetings",
    )
    hypothesis_times: WordTimes = option(
        "characters-points",
        "--hypothesis-times  how to set word times of the hypothesis; values as in "
        "--reference-times (default: characters-points)",
        group="meetings",
    )
    # commands have --exact and --greedy
    search: Search | None = option(None, free=True, moves=True)
    like: str | None = option(
        None,
        "--like",
        rule="like:{}",
        group="aligning",
        free=True,
        moves=True,
    )
    references: ReferenceChoice = option(
        "network",
        "--references  how to use several references of an utterance: merge them into a network "
        "(default), take the one with the lowest rate (each) or with the fewest errors "
        "(lowest-errors), or align with each one and merge the alignments (mr-wer)",
        rule="references",
        group="choosing",
    )
    variants: bool = option(
        False,
        "--variants  in references, read {a|b|} as alternatives, (x) as an optional word, and "
        "<*> as any words",
        rule="variants",
        group="choosing",
    )
    variants_file: str | os.PathLike[str] | None = option(
        None,
        "--variants-file [LANG=]FILE  file of words and phrases that count as equal in "
        "references; LANG selects a language of FILE",
        group="choosing",
    )
    variants_length: VariantsLength | None = option(
        None,
        "--variants-length  words by which errors are divided; chosen: the words of the chosen "
        "path (default); written: of the first reference as written; shortest: of the shortest "
        "path; places: as chosen, but as written wherever a normalisation step added "
        "alternatives (default with such steps)",
        rule="length:{0}",
        group="choosing",
        usual="chosen",
    )
    explain: bool = option(
        False,
        "--speaker-errors  with --meeting, also report how many errors come from wrong speaker "
        "labels and times",
        group="meetings",
        free=True,
    )
    keep_sources: bool = option(False, free=True, recorded=False)
    jobs: int = option(1, "--jobs", free=True, recorded=False)

    __signature__ = _Keywords()

    def __init__(self, **choices: Unpack[Choices]) -> None:
        _check_choices(choices)
        values = vars(self)
        values.update(_DEFAULTS)
        for name in _MAPPINGS:
            values[name] = {}
        values.update(choices)
        if self.like is not None:
            self._apply_recipe(self.like)
        self._check(values)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if isinstance(other, Options) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Options({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    def _check(self, values: dict[str, Any]) -> None:
        """Raise an error for the first wrong value; put values into canonical spelling."""
        if self.where:
            from scoring.model.row_conditions import conditions_of

            values["where"] = tuple(map(str, conditions_of(self.where)))
        else:
            values["where"] = ()
        if self.shift not in (None, AUTO_SHIFT):
            if not _is_shift(self.shift):
                raise self._unexpected("shift", "seconds such as -1.5, or auto")
            values["shift"] = f"{float(self.shift):g}"
        profile = checked_rules(self.rules()).profile
        if self.profile is not None:
            values["profile"] = profile
        for name in ("speakers", *_MAPPINGS):
            value = getattr(self, name)
            if not isinstance(value, Mapping) and (value is not None or name != "speakers"):
                example = " from utterances to speakers" if name == "speakers" else ""
                expected, found = f"a mapping{example}", type(value).__name__
                raise OptionTypeError(name, expected=expected, found=found)
        for name in ("by", "measures"):
            value = getattr(self, name)
            values[name] = _names(name, value)
        for name, choices in _CHECKED.items():
            if getattr(self, name) not in choices:
                raise self._unexpected(name, _listed(choices))
        level = (self.metadata_key or LEVELS[0]).partition("=")[0]
        for name, is_wrong, expected in (
            ("metadata_key", level not in LEVELS, _listed(LEVELS)),
            ("bins", not _are_borders(self.bins), "ascending numbers"),
            # a range looks through all its numbers for a text
            ("jobs", not _is_whole(self.jobs) or not 0 < self.jobs < 1 << 31, "at least 1"),
            ("collar", not _is_duration(self.collar), "seconds such as 5s"),
        ):
            if is_wrong:
                raise self._unexpected(name, expected)
        if self.meeting is not None or self.chooses:
            from scoring.model.combinations import check

            check(self.features())

    def _unexpected(self, name: str, expected: str) -> ValueError:
        return OptionValueError(name, expected=expected, found=repr(getattr(self, name)))

    def _apply_recipe(self, like: str) -> None:
        from scoring.text.recipes import RecipeError, recipe_named

        recipe, values = recipe_named(like), vars(self)
        for name, value in recipe.fixed(fixable(), self.unit).items():
            if recipe.states(name):
                values[name] = value
        for name, value in recipe.usual.items():
            if getattr(self, name) == FIELDS[name].default:
                values[name] = value
        values["like"] = recipe.name
        if recipe.arithmetic == "meeteval" and self.meeting is None:
            raise RecipeError(
                "like", f"{recipe.name} needs a measure of many speakers (--meeting tcp)"
            )

    def changed(self, **changes: Unpack[Choices]) -> Options:
        """Return a copy with the given fields changed.

        If a field names a new recipe, the options that the old recipe fixed are reset.
        """
        if self.like is None and changes.get("like") is None:
            return Options(**{**vars(self), **changes})
        from scoring.text.recipes import recipe_named

        values = vars(self)
        if self.like is None:
            defaults = Options()
            kept = {name for name, value in values.items() if value != getattr(defaults, name)}
        else:
            recipe = recipe_named(self.like)
            kept = {name for name in values if name in FREE or not recipe.states(name)}
            kept = kept - {"like"} if "like" in changes else kept | {"unit"}
        return Options(**{**{name: values[name] for name in kept}, **changes})

    def value(self, name: str) -> Any:
        """Return the value of a field, or its default if it was not chosen.

        >>> Options().profile, Options().value("profile")
        (None, 'sclite')
        """
        value = getattr(self, name)
        return USUAL[name] if value is None else value

    @property
    def chooses(self) -> bool:
        """True if an option for several references or for variants is set."""
        names = "references", "variants", "variants_file"
        return self.variants_length in OTHER_LENGTHS or any(
            self.value(name) != USUAL[name] for name in names
        )

    def features(self, references: int = 1) -> dict[str, Advice | str]:
        """Return the chosen features by name, for `scoring.model.combinations`."""
        from formats.schema.messages import Advice
        from scoring.model.combinations import SEVERAL, TIMED

        names = (
            "merge_compounds",
            "cut",
            "shift",
            "variants",
            "variants_file",
            "verdicts",
            "where",
            "meeting",
        )
        found: dict[str, Advice | str] = {}
        for name in (*names, "references", "variants_length"):
            value = self.value(name)
            if value not in (None, False, USUAL.get(name), PLACES):
                text = value if isinstance(value, str) else True
                text = "" if name in ("variants_file", "verdicts") else text
                found[name] = Advice(name, text)
        for feature, name, has_feature in (
            ("timed", "meeting", self.meeting in TIMED),
            ("regions", "merge_compounds", self.merge_compounds == "regions"),
            ("mr_wer", "references", str(self.references).startswith("mr-wer")),
            ("one_reference", "references", references > 1),
            ("other_cut", "cut", self.cut not in ("time", "alignment")),
        ):
            if has_feature and name in found:
                found[feature] = found[name]
        if references > 1:
            found.setdefault("references", SEVERAL)
        return found

    @property
    def beside_recipe(self) -> tuple[str, ...]:
        """The options that differ from the recipe.

        If there are any, the score is not the recipe's.
        """
        if self.like is None:
            return ()
        from scoring.text.recipes import recipe_named

        recipe = recipe_named(self.like)
        return tuple(
            [
                name
                for name, default in fixable().items()
                if recipe.fixes(name)
                and not recipe.states(name)
                and self.value(name) != default
                # one of the ways that recordings are cut in if nobody chooses
                and (name, self.value(name)) != ("cut", "alignment")
            ]
        )

    def rules(self, normalization: str = "none") -> Rules:
        """Return the options that determine the score, in canonical spelling.

        Parameters
        ----------
        normalization
            Signature of the pipeline.
        """
        rare: dict[str, Any] = {
            member: choices[0]
            if value is True and choices
            else CONDITIONS.join(value)
            if isinstance(value, tuple)
            else value
            for name, member, default, choices in RULE_OPTIONS
            if (value := getattr(self, name)) not in (default, USUAL[name])
        }
        if self.beside_recipe:
            del rare["like"]
        return Rules(
            self.value("profile"),
            self.missing or "delete",
            self.value("ignore_case"),
            self.forgive_optional,
            checked_unit(self.value("unit")),
            normalization,
            **rare,
        )


@cache
def _choices(type_of_field: str) -> tuple[str, ...]:
    """Return the words of the `Literal` in the type of a field; empty without one."""
    choices = (words_of(globals().get(name)) for name in type_of_field.split(" | "))
    return next(filter(None, choices), ())


FIELDS: dict[str, OptionField] = {
    name: OptionField(name, text, *vars(Options)[name][2:])
    for name, text in Options.__annotations__.items()
}
_DEFAULTS: dict[str, Any] = {name: item.default for name, item in FIELDS.items()}
_MAPPINGS = tuple(name for name, default in _DEFAULTS.items() if default == {})
# What fields may be, besides None where that is the default.
CHOICES: dict[str, tuple[str, ...]] = {
    name: choices for name, item in FIELDS.items() if (choices := _choices(item.type))
}
# By field what applies if nobody chooses: its default, unless that is None for "not chosen".
USUAL: dict[str, Any] = {
    name: item.default if item.usual is None else item.usual for name, item in FIELDS.items()
}
# By field the row of its flag.
FLAGS = {name: row for name, item in FIELDS.items() if (row := item.flag)}
# Options that recipes leave to the caller.
FREE = frozenset(
    name for name, item in FIELDS.items() if item.free or item.group in ("files", "reading")
)
# Rules that most results do not have; records and signatures name them only if they are set.
_RULES = Rules._fields
RARE_RULES = _RULES[_RULES.index("normalization") + 1 :]


def options_in(*groups: str) -> tuple[str, ...]:
    """Return the names of the option fields in the given groups.

    >>> options_in("matching")
    ('missing', 'allow_unmatched', 'match')
    """
    return tuple(name for name, item in FIELDS.items() if item.group in groups)


def _signature_parts() -> Iterator[tuple[str, str, str]]:
    """Yield each field that a signature can show, with its member of `Rules` and the text to show.

    Raises
    ------
    TypeError
        If `Rules` lacks the member.
    """
    for name, item in FIELDS.items():
        rule = item.rule
        if not rule:
            continue
        label, _, value = rule.partition(":")
        member = name if value not in ("", "{}") else label.replace("-", "_")
        if member not in _RULES:
            kind = 'str = ""' if value in ("", "{}") else "bool = False"
            raise TypeError(f"Rules: expected the member `{member}: {kind}` for {name}, found none")
        yield name, member, rule if value else f"{rule}:{{}}"


_SIGNATURE = {member: text for _, member, text in _signature_parts()}
# Options that are rare rules as they are, without those whose value the score supplies.
RULE_OPTIONS = [
    (name, member, FIELDS[name].default, CHOICES.get(name, ()))
    for name, member, text in _signature_parts()
    if member in RARE_RULES and text == FIELDS[name].rule
]
# Those of rules are checked with these.
_CHECKED = {
    name: (*choices, *([None] if FIELDS[name].default is None else ()))
    for name, choices in CHOICES.items()
    if name not in ("profile", "missing", "merge_compounds")
}


def flag_name(field_name: str) -> str:
    """Return the command-line flag of a field.

    >>> flag_name("speakers"), flag_name("ignore_case")
    ('--utt2spk', '--ignore-case')
    """
    row: str = FLAGS.get(field_name, f"--{field_name.replace('_', '-')}")
    return row.removeprefix("* ").partition(" ")[0]


def flag_choices(field_name: str) -> tuple[str, ...]:
    """Return the fixed values that the flag of a field accepts.

    >>> flag_choices("match"), flag_choices("search")
    (('position',), ('exact', 'greedy'))
    """
    values = FLAGS.get(field_name, "").partition(" ")[2]
    if values[:1] == "{":
        return tuple(values[1:].partition("}")[0].split(","))
    return CHOICES.get(field_name, ())


def _listed(names: Sequence[str | None]) -> str:
    """Join names to a text: `a, b or c`."""
    *first, last = filter(None, names)
    return f"{', '.join(first)} or {last}" if first else last


def _is_whole(value: object) -> bool:
    """Return True if a value is an integer, including numpy's integers."""
    return hasattr(value, "__index__")


def _are_borders(values: Sequence[float]) -> bool:
    is_finite = all(abs(value) < float("inf") for value in values)
    return is_finite and list(values) == sorted(set(values))


def _is_duration(value: float | str) -> bool:
    if isinstance(value, str):
        seconds = value.removesuffix("s")
        if not (seconds.isascii() and seconds.replace(".", "", 1).isdecimal()):
            return False
        value = float(seconds)
    return 0 <= value < 10**9


def _is_shift(value: object) -> bool:
    """Return True if a value is a finite number of seconds."""
    try:
        return not isinstance(value, bool) and abs(float(value)) < 10**9  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False


def unit_of_characters(like: str) -> Unit:
    """Return the character unit of a recipe that has a character error rate.

    Raises
    ------
    RecipeError
        If the recipe counts words only.
    """
    from scoring.text.recipes import RecipeError, recipe_named

    recipe = recipe_named(like)
    unit: Unit = (recipe.characters or recipe.options).get("unit", CHARACTERS_AND_BLANKS)
    if unit not in CHARACTER_UNITS:
        raise RecipeError(
            "like", f"{recipe.name} has no character error rate, only that of {unit}s"
        )
    return unit


def fixable() -> dict[str, object]:
    """Return the options that recipes may fix, with their values without a recipe."""
    defaults = Options()
    return {name: defaults.value(name) for name in FIELDS if name not in FREE}


def is_chosen(name: str, value: object) -> bool:
    """Return True if an option was chosen: its value is not None, or its default is not None."""
    return value is not None or FIELDS[name].usual is None


def is_switch(name: str) -> bool:
    """Return True if a field is an on/off switch."""
    return USUAL[name] is False and name not in CHOICES


def options_that(**properties: object) -> frozenset[str]:
    """Return the fields whose properties (arguments of `option`) have the given values.

    >>> sorted(options_that(of="reference"))
    ['reference_encoding', 'reference_format', 'reference_options']
    """
    wanted = properties.items()
    return frozenset(
        name
        for name, item in FIELDS.items()
        if all(getattr(item, key) == value for key, value in wanted)
    )


if TYPE_CHECKING:  # typed dictionaries take as long to create as the rest of this module

    class ChoicesOfReading(TypedDict, total=False):
        """All fields of `Options` except unit, profile and measures, as keywords for type checkers.

        Type checkers cannot derive the types, so that they are repeated here; a test compares them
        with those of `Options`.
        """

        reference_format: str | None
        hypothesis_format: str | None
        encoding: str
        reference_encoding: str | None
        hypothesis_encoding: str | None
        reference_options: Mapping[str, object]
        hypothesis_options: Mapping[str, object]
        interpolate: Interpolation
        channel_aliases: Mapping[str, str]
        text_view: TextView
        speakers: Mapping[str, str] | None
        missing: Missing | None
        allow_unmatched: bool
        cut: CutMode | None
        shift: float | str | None
        match: SeriesMatch | None
        where: Sequence[str]
        normalize: Normalization
        ignore_case: bool | None
        forgive_optional: bool
        clip_rate: bool
        verdicts: str | os.PathLike[str] | None
        merge_compounds: bool | Compounds
        by: Sequence[str]
        measure_options: Mapping[str, object]
        metadata: MetadataGiven | None
        metadata_key: str | None
        bins: Sequence[float]
        meeting: Measure | None
        collar: float | str
        reference_times: WordTimes
        hypothesis_times: WordTimes
        search: Search | None
        like: str | None
        references: ReferenceChoice
        variants: bool
        variants_file: str | os.PathLike[str] | None
        variants_length: VariantsLength | None
        explain: bool
        keep_sources: bool
        jobs: int

    class ChoicesOfCharacters(ChoicesOfReading, total=False):
        """All fields of `Options` except unit and profile, as keywords for type checkers."""

        measures: Sequence[str]

    class ChoicesOfTables(ChoicesOfReading, total=False):
        """All fields of `Options` except measures, as keywords for type checkers."""

        profile: ProfileName | None
        unit: Unit | None

    class Choices(ChoicesOfCharacters, ChoicesOfTables, total=False):
        """All fields of `Options` as keywords for type checkers."""


def checked_rules(rules: Rules) -> Rules:
    """Return the rules in canonical spelling.

    Raises
    ------
    ValueError
        If a name is unknown.
    """
    profile = profile_named(rules.profile).name
    if rules.missing not in MISSING:
        raise OptionValueError("missing", expected=", ".join(MISSING), found=repr(rules.missing))
    if rules.like:
        from scoring.text.recipes import recipe_named

        recipe_named(rules.like)
    if rules.compounds not in ("", *COMPOUNDS):
        raise OptionValueError(
            "merge_compounds", expected=", ".join(COMPOUNDS), found=repr(rules.compounds)
        )
    return rules._replace(profile=profile, unit=checked_unit(rules.unit))
