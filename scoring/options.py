"""What people choose before two sides are scored: each choice is a field of `Options`, stated once.

Flags of commands, parameters of the service, the keywords of `scoring.wer` and the line printed
with a score all come from these fields.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    TypedDict,
    Union,
    cast,
    get_args,
)

from formats.schema import VERSION
from scoring.model.counts import (
    CHARACTER_UNITS,
    CHARACTERS_AND_BLANKS,
    SCLITE_COSTS,
    SCRIPTS,
    UNIT_COSTS,
    Costs,
    Ties,
    checked_unit,
)
from scoring.model.counts import UNITS as UNITS
from scoring.model.counts import CharacterUnit as CharacterUnit
from scoring.model.counts import Unit as Unit

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from scoring.text.pipeline_files import Rule

# What `scoring.text.pipeline_files.as_pipeline` takes.
Normalization: TypeAlias = Union["Rule", Sequence["Rule"], None]


# A file with columns about utterances, recordings or speakers, or these columns by identifier.
MetadataGiven: TypeAlias = Union[str, "os.PathLike[str]", Mapping[str, Mapping[str, object]]]

# The words that choices may be; commands check them, and those who check types.
ProfileName: TypeAlias = Literal[
    "sclite",
    "levenshtein",
    "jiwer",
    "kaldi",
    "align-text",
    "bias-fbai",
    "keywords-nemo",
    "mr-wer",
]
Missing: TypeAlias = Literal["error", "delete", "skip"]
Interpolation: TypeAlias = Literal["none", "uniform", "chars"]
TextView: TypeAlias = Literal["lexical", "display"]
Measure: TypeAlias = Literal["auto", "cp", "tcp", "orc", "tcorc", "mimo", "tcmimo", "dicp", "ditcp"]
WordTimes: TypeAlias = Literal[
    "characters", "characters-points", "equal", "equal-points", "segment", "words"
]
SeriesMatch: TypeAlias = Literal["index", "position"]
CutMode: TypeAlias = Literal["suber", "time", "hypothesis"]
Search: TypeAlias = Literal["exact", "greedy"]
# What `merge_compounds` may be beside False and True, which is `words`.
Compounds: TypeAlias = Literal["words", "any", "regions"]
ReferenceChoice: TypeAlias = Literal["network", "each", "lowest-errors", "mr-wer"]
VariantsLength: TypeAlias = Literal["chosen", "written", "shortest"]


class Profile(NamedTuple):
    """A way to align.

    Attributes
    ----------
    name
        As people type it.
    costs, ties
        As of `scoring.align`.
    title
        One line for people.
    """

    name: ProfileName
    costs: Costs
    ties: Ties
    title: str


_ALL = (
    Profile("sclite", SCLITE_COSTS, "sclite", "costs 4, 3, 3 and ties of NIST's sclite"),
    Profile("levenshtein", UNIT_COSTS, "sclite", "unit costs, ties of sclite"),
    Profile("jiwer", UNIT_COSTS, "rapidfuzz", "unit costs, ties of jiwer 4: its MER and WIL"),
    Profile("kaldi", UNIT_COSTS, "compute-wer", "Kaldi's compute-wer: its %WER line"),
    Profile("align-text", UNIT_COSTS, "align-text", "Kaldi's align-text: its per_utt, ops"),
    Profile("bias-fbai", SCLITE_COSTS, "sclite", "biasing lists as fbai's score.py counts them"),
    Profile("keywords-nemo", UNIT_COSTS, "sclite", "keywords as NeMo's compute_fscore counts them"),
    Profile("mr-wer", Costs(2, 1, 1), "align-text", "costs 2, 1, 1 of multi-reference WER"),
)
PROFILES: dict[ProfileName, Profile] = {profile.name: profile for profile in _ALL}


def profile_named(name: str) -> Profile:
    """The profile of this name.

    Raises
    ------
    ValueError
        If there is none.

    Examples
    --------
    >>> profile_named("kaldi").costs
    Costs(substitution=1, deletion=1, insertion=1)
    """
    try:
        return PROFILES[cast("ProfileName", name)]
    except KeyError:
        names = ", ".join(PROFILES)
        raise ValueError(f"profile: expected one of {names}, found {name!r}") from None


class Rules(NamedTuple):
    """Everything that decides about the numbers; printed with them as their signature.

    Attributes
    ----------
    profile
        Name of the profile.
    missing
        What to do with a reference without hypothesis: `error`, `delete` (count its words as
        deletions) or `skip`.
    ignore_case
        Words that differ only in case are equal (Unicode's full case folding).
    forgive_optional
        Leaving out a word the reference marks as optional is no error.
    unit
        `word`, `char`, `char+space`, `grapheme` or `mixed`: see `scoring.text.units`.
    normalization
        Signature of the pipeline both sides went through; `none` without.
    measure
        Of many speakers, with what it depends on; empty: words of matched utterances.
    like
        Full name of the recipe, such as `jiwer@4`; empty without.
    verdicts
        Start of the hash of the decisions on differing spans; empty: none.
    compounds
        Which compounds are merged: `words`, `any` or `regions`; empty: none.
    references
        How the best of several references is chosen, and their number; empty: there is one.
    variants
        Where references have alternatives: `notation`, a file and its hash, or both.
    variants_length
        Whose words errors are divided by, if not those of the chosen path.
    """

    profile: str = "sclite"
    missing: str = "delete"
    ignore_case: bool = False
    forgive_optional: bool = False
    unit: str = "word"
    normalization: str = "none"
    measure: str = ""
    like: str = ""
    verdicts: str = ""
    compounds: str = ""
    references: str = ""
    variants: str = ""
    variants_length: str = ""

    @property
    def noun(self) -> str:
        """What is counted, for tables and sentences: `word` or `phoneme`."""
        return "phoneme" if self.unit == "phoneme" else "word"

    def signature(self, matched_by: str) -> str:
        """One line that names every choice.

        Examples
        --------
        >>> Rules("kaldi").signature("identifier").rpartition("|")[0]
        'wer|unit:word|norm:none|align:kaldi(1,1,1)|ties:compute-wer|missing:delete|match:identifier'
        """
        profile = profile_named(self.profile)
        parts = [
            "wer",
            f"unit:{self.unit}",
            f"norm:{self._normalization()}",
            f"align:{profile.name}({','.join(map(str, profile.costs))})",
            f"ties:{profile.ties}",
            f"missing:{self.missing}",
            f"match:{matched_by}",
        ]
        if self.measure:
            parts[3:5] = ["align:levenshtein(1,1,1)", "ties:compute-wer"]
            parts.insert(1, f"measure:{self.measure}")
        if self.like:
            parts.insert(1, f"like:{self.like}")
        if self.forgive_optional:
            parts.append("optional:forgiven")
        for name in ("verdicts", "compounds", "references", "variants", "variants_length"):
            if getattr(self, name):
                parts.append(f"{name.replace('_', '-')}:{getattr(self, name)}")
        return "|".join([*parts, f"v:{VERSION}"])

    def _normalization(self) -> str:
        if not self.ignore_case:
            return self.normalization
        return "casefold" if self.normalization == "none" else f"{self.normalization}+casefold"


def differing_rules(left: Rules, right: Rules, apart: Sequence[str] = ()) -> str:
    """The rules that differ, with both values; empty if none does."""
    return ", ".join(
        f"{name}={one!r} and {other!r}"
        for name, one, other in zip(Rules._fields, left, right, strict=True)
        if one != other and name not in apart
    )


MISSING: tuple[Missing, ...] = get_args(Missing)
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
MEASURES: tuple[Measure, ...] = get_args(Measure)
# When words are said in a segment that says only when it begins and ends.
WORD_TIMES: tuple[WordTimes, ...] = get_args(WordTimes)
COMPOUNDS: tuple[Compounds, ...] = get_args(Compounds)
# Options that recipes leave to the caller: they name what is read, or change no number.
FREE = frozenset(
    (
        *("reference_format", "hypothesis_format", "reference_options", "hypothesis_options"),
        *("encoding", "reference_encoding", "hypothesis_encoding", "channel_aliases", "text_view"),
        *("speakers", "allow_unmatched", "match", "interpolate", "by", "search", "like"),
        *("explain", "keep_sources", "jobs", "measures", "measure_options"),
        *("metadata", "metadata_key", "bins"),
    )
)
# What identifiers of metadata name.
LEVELS = ("utterance", "recording", "speaker")
# Flags of commands for the fields, as of `formats.console.command_line.add_flags`; without the
# choices.
FLAGS = f"""
* --reference-format FORMAT  default: detected
* --hypothesis-format FORMAT  default: detected
* --encoding NAME  encoding of both sides, or auto (default: utf-8)
--reference-encoding NAME  encoding of the reference, or auto (default: --encoding)
--hypothesis-encoding NAME  encoding of the hypothesis, or auto (default: --encoding)
--reference-option NAME=VALUE ...  option of the format's reader, for example field=pred_text
  (repeatable)
--hypothesis-option NAME=VALUE ...  option of the format's reader, for example field=pred_text
  (repeatable)
--interpolate  derive word times from segment times, to match files by time
--channel-alias HYP=REF ...  match a channel of the hypothesis with one of the reference, for
  example 0=A (repeatable)
--text-view  spoken words (default), or words as written, if the format has both
--utt2spk FILE  map of utterances to speakers, as in Kaldi
--profile  {"; ".join(f"{profile.name}: {profile.title}" for profile in _ALL)}
--match  pair utterances in their order, whatever their identifiers
* --missing  references without hypothesis (default: delete)
--allow-unmatched  do not score extra lines of the hypothesis; without it, they are an error if
  lines are matched by position
--cut  cut recordings at the reference's segments as SubER does, or by word times with words in no
  segment listed as (gap), or at the hypothesis's segments (default: by word times, if there are
  some)
* --unit UNIT  word; char; char+space (as in jiwer); grapheme; mixed (characters in Han and Kana;
  mixed+thai: also in Thai; so for {", ".join(SCRIPTS)})
* --normalize NAME|FILE ...  step (lowercase, casefold:lang=tr), pipeline, or file with one, for
  both sides (repeatable; see `scoring normalize --list`)
* --ignore-case  compare words without case
--forgive-optional  do not count missing optional words as errors
--verdicts FILE  count differing spans apart that FILE says are the same or minor (JSON lines; see
  `scoring verdicts`)
--merge-compounds  match words that together spell a word of the other side, as kaldialign does
  (words); any: also several for several; regions: join equal regions first
* --by NAME ...  group by speaker, recording, channel, label or property; speaker,channel nests two
* --measures NAME ...  also count these (`scoring measures`)
--measure-option NAME=VALUE ...  setting of a measure (repeatable)
--metadata FILE  columns for --by: a table (CSV, TSV, Parquet) or Kaldi's utt2lang, spk2gender
--metadata-key LEVEL[=COLUMN]  utterance, recording or speaker: what the identifiers of --metadata
  name, and their column (default: detected, the first column)
--bins NUMBERS  borders to cut numbers of --by at, as in 0,2,5,10 (default: more than 20 numbers of
  --metadata are cut into four ranges)
--measure  measure for meetings (cpWER, tcpWER and so on); auto: chosen by what the files hold
--collar SECONDS  tolerance around word times, for measures with times (default: 5s)
--reference-times  how to derive word times from segment times
--hypothesis-times  how to derive word times from segment times
--like NAME[@DATE]  score by a frozen recipe, which fixes all choices (see `scoring recipes`)
--references  choose among several references: merge them into a network (default), take each as a
  whole, by lowest rate or lowest-errors, or merge alignments with each (mr-wer)
--variants  read {{a|b|}}, (x) and <*> in references as alternatives
--variants-file [LANG=]FILE  file of equivalent words and phrases for references
--variants-length  divide errors by the words of the chosen path (default), of the first reference
  as written, or of the shortest path
--explain  report how many errors speaker labels and times cause
--jobs N  number of threads (default: 1)
"""
_OTHER_NAMES = {
    "reference_option": "reference_options",
    "hypothesis_option": "hypothesis_options",
    "channel_alias": "channel_aliases",
    "utt2spk": "speakers",
    "measure_option": "measure_options",
}
# What fields may be, besides None where that is the default.
CHOICES: dict[str, tuple[str, ...]] = {
    "interpolate": get_args(Interpolation),
    "text_view": get_args(TextView),
    "profile": tuple(PROFILES),
    "missing": MISSING,
    "cut": get_args(CutMode),
    "match": get_args(SeriesMatch),
    "merge_compounds": COMPOUNDS,
    "measure": MEASURES,
    "reference_times": WORD_TIMES,
    "hypothesis_times": WORD_TIMES,
    "search": get_args(Search),
    "references": get_args(ReferenceChoice),
    "variants_length": get_args(VariantsLength),
}


def flag_rows() -> dict[str, str]:
    """By field its row of `FLAGS`."""
    rows = re.sub(r"\n +", " ", FLAGS).strip().split("\n")
    names = (row.partition("--")[2].split(" ")[0].replace("-", "_") for row in rows)
    return {_OTHER_NAMES.get(name, name): row for name, row in zip(names, rows, strict=True)}


def flag_name(field_name: str) -> str:
    """The flag of a field as people type it.

    >>> flag_name("speakers"), flag_name("ignore_case")
    ('--utt2spk', '--ignore-case')
    """
    row = flag_rows().get(field_name)
    name = field_name.replace("_", "-") if row is None else row.partition("--")[2].split(" ")[0]
    return f"--{name}"


class _CheckedByRecipe:
    """Checks what is chosen against the recipe before defaults apply, which contradict nothing."""

    __slots__ = ()

    def __new__(cls, **choices: Any) -> _CheckedByRecipe:
        if choices.get("like") is not None:
            from scoring.text.recipes import recipe_named

            recipe_named(choices["like"]).check(choices, fixable())
        return object.__new__(cls)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(_CheckedByRecipe):
    """All options of reading, matching and aligning two sides.

    Attributes
    ----------
    reference_format, hypothesis_format
        Names of formats; None: detected.
    reference_options, hypothesis_options
        Options of the formats' readers, as in `formats.read`: `{"field": "pred_text"}`. From a
        manifest with both, the hypothesis is the recognised text.
    encoding
        Of files, as of `formats.read`.
    reference_encoding, hypothesis_encoding
        Of one side's file; None: as `encoding`.
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
        What to do with a reference without hypothesis: `error`, `delete` or `skip`. None:
        `delete`, but an error if utterances are matched by position, as in lists.
    allow_unmatched
        Accept hypotheses without reference, which are not scored: no warning, and no error if
        utterances are matched by position.
    cut
        How a recording is cut at the reference's segments. `suber`: along an alignment of all
        words without case and punctuation, as SubER's AS-WER does, even if words have times.
        `time`: by word times; words in no segment are an utterance `(gap)` and count as insertions.
        `hypothesis`: along the alignment of the score, at the segments of the hypothesis.
        None: by word times if all words have some (the last segment takes the rest), otherwise
        along the alignment of the score.
    match
        `position`: match utterances in their order, whatever their identifiers, and plain text
        files line by line. `index`: match the rows of two pandas Series by label. None: by
        identifier, and an error if both sides have identifiers and none match, or if the indexes
        of two Series differ.
    ignore_case
        Compare words after Unicode's full case folding.
    forgive_optional
        Do not count the omission of words that the reference marks as optional as an error.
    merge_compounds
        True or `words`: words that together spell one word of the other side match it, at no cost,
        as in kaldialign (`white paper`, `whitepaper`). `any`: also several words for several others
        (`ab cd ef`, `abc def`). The number of reference words stays. `regions`: where the words
        of a differing region spell the same on both sides, each side becomes one word first, which
        makes the number of reference words smaller, as the Open ASR Leaderboard does for
        languages other than English.
    unit
        `word`; `char`: code points of words, without spaces; `char+space`: with one space between
        two words, as in jiwer; `grapheme`: user-perceived characters; `mixed`: characters in Han
        and Kana, words otherwise (`mixed+thai` also splits Thai; so with hangul, lao, khmer,
        myanmar). Words in square or angle brackets stay whole, as in Kaldi's recipes, except in
        `char+space`.
    normalize
        Steps applied to both sides before comparison: the name of a step or a pipeline, a path, a
        step, a pipeline or a function, or a list of these, see
        `scoring.text.pipeline_files.as_pipeline`. None: nothing.
    speakers
        Maps identifiers to speakers, if the reference has none.
    verdicts
        A file of decisions on differing spans, of which those that mean the same are forgiven and
        minor errors are counted apart: see `scoring.results.verdicts`. Counts and rates stay as
        they are; `adjudication` has the others.
    by
        Groups of utterances, from the reference: `speaker`, `recording`, `channel`, `label` or a
        property of the format; several are nested.
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
        `utterance`, `recording` or `speaker`: what the identifiers name; after `=` their column, as
        in `speaker=client_id`. None: the level with most matches, and the first column.
    bins
        Borders to cut columns of numbers at.
    measure
        Measure for meetings, which assigns speakers: `cp`, `tcp`, `orc`, `tcorc`, `mimo`, `tcmimo`,
        `dicp`, `ditcp`, or `auto`, which uses tcp if segments have speakers and times; see
        `docs/many-speakers.md`. These measures have fixed costs and ties, whatever `profile` is. A
        session without hypothesis is an error unless `missing` is set. None: utterances are matched
        without regard to speakers.
    collar
        Tolerance around words of the hypothesis, for measures with times: seconds, or a text such
        as `5s`.
    reference_times, hypothesis_times
        Word times if only segments have times: `characters` (in proportion to their lengths),
        `equal` parts, the middles of these (`-points`), the whole `segment`, or `words`, their own
        times.
    search
        `exact`: the minimum number of errors; sessions that are too large for it are an error.
        `greedy`: a low number. None: exact if affordable.
    like
        Recipe that fixes every other option that decides about the number: `jiwer@4`, or `jiwer` if
        there is one version; see `docs/recipes.md`. An option that contradicts it is an error.
    references
        With several references (`scoring.References`): `network` merges them into one, in which
        paths switch at shared words, and takes the path with the fewest errors, then the longest;
        `each` takes the reference with the lowest rate; `lowest-errors` that with the fewest; and
        `mr-wer` merges the alignments with each (`docs/several-references.md`).
    variants
        Read alternatives in the texts of references: `{a|b|}`, `(x)`, and `<*>` for any words.
    variants_file
        File of equivalent words and phrases, also `LANGUAGE=FILE` (`docs/several-references.md`).
    variants_length
        Errors are divided by the words of the `chosen` path, of the first reference as `written`
        (first alternatives), or of the `shortest` path.
    explain
        Count the errors that speaker labels and times cause.
    keep_sources
        Keep content besides words for `scoring.html_report`: times, confidences, labels, the words
        before normalisation.
    jobs
        Threads that read tables and align; the result does not depend on it.

    Raises
    ------
    TypeError, ValueError
        If a value has the wrong type or is invalid.
    """

    reference_format: str | None = None
    hypothesis_format: str | None = None
    encoding: str = "utf-8"
    reference_encoding: str | None = None
    hypothesis_encoding: str | None = None
    reference_options: Mapping[str, object] = field(default_factory=dict)
    hypothesis_options: Mapping[str, object] = field(default_factory=dict)
    interpolate: Interpolation = "none"
    channel_aliases: Mapping[str, str] = field(default_factory=dict)
    text_view: TextView = "lexical"
    speakers: Mapping[str, str] | None = None
    profile: ProfileName = "sclite"
    missing: Missing | None = None
    allow_unmatched: bool = False
    cut: CutMode | None = None
    match: SeriesMatch | None = None
    unit: Unit = "word"
    normalize: Normalization = None
    ignore_case: bool = False
    forgive_optional: bool = False
    verdicts: str | os.PathLike[str] | None = None
    merge_compounds: bool | Compounds = False
    by: Sequence[str] = ()
    measures: Sequence[str] = ()
    measure_options: Mapping[str, object] = field(default_factory=dict)
    metadata: MetadataGiven | None = None
    metadata_key: str | None = None
    bins: Sequence[float] = ()
    measure: Measure | None = None
    collar: float | str = "5s"
    reference_times: WordTimes = "characters"
    hypothesis_times: WordTimes = "characters-points"
    search: Search | None = None
    like: str | None = None
    references: ReferenceChoice = "network"
    variants: bool = False
    variants_file: str | os.PathLike[str] | None = None
    variants_length: VariantsLength = "chosen"
    explain: bool = False
    keep_sources: bool = False
    jobs: int = 1

    def __post_init__(self) -> None:
        if self.like is not None:
            self._apply_recipe(self.like)
        checked_rules(self.rules())
        for name in ("speakers", *_MAPPINGS):
            value = getattr(self, name)
            if not isinstance(value, Mapping) and (value is not None or name != "speakers"):
                raise TypeError(f"{name}: expected a mapping, found {type(value).__name__}")
        for name in ("by", "measures"):
            value = getattr(self, name)
            if isinstance(value, str):
                raise TypeError(f"{name}: expected a list of names, found the text {value!r}")
        for name, choices in _CHECKED.items():
            if getattr(self, name) not in choices:
                raise self._unexpected(name, _listed(choices))
        level = (self.metadata_key or LEVELS[0]).partition("=")[0]
        has_measure = self.measure is not None
        for name, is_wrong, expected in (
            ("metadata_key", level not in LEVELS, _listed(LEVELS)),
            ("bins", list(self.bins) != sorted(set(self.bins)), "ascending numbers"),
            ("cut", has_measure and self.cut, f"none with measure {self.measure}"),
            # a range looks through all its numbers for a text
            ("jobs", not _is_whole(self.jobs) or not 0 < self.jobs < 1 << 31, "at least 1"),
            ("collar", not _is_duration(self.collar), "seconds such as 5s"),
            (
                "unit",
                has_measure and self.unit == CHARACTERS_AND_BLANKS,
                f"one without blanks between words with measure {self.measure}",
            ),
        ):
            if is_wrong:
                raise self._unexpected(name, expected)
        if self.merge_compounds and (has_measure or self.unit != "word"):
            raise ValueError(
                f"merge_compounds: expected unit word without measure, found unit {self.unit!r} "
                f"and measure {self.measure!r}"
            )

    def _unexpected(self, name: str, expected: str) -> ValueError:
        return ValueError(f"{name}: expected {expected}, found {getattr(self, name)!r}")

    def _apply_recipe(self, like: str) -> None:
        from scoring.text.recipes import RecipeError, recipe_named

        recipe = recipe_named(like)
        for name, value in recipe.fixed(fixable(), self.unit).items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "like", recipe.name)
        if recipe.arithmetic == "meeteval" and self.measure is None:
            raise RecipeError(
                f"like: {recipe.name} needs a measure of many speakers (--measure tcp)"
            )

    def changed(self, **changes: Unpack[Choices]) -> Options:
        """A copy with these changes; what a recipe fixes here gives way to another recipe."""
        if self.like is None and changes.get("like") is None:
            return replace(self, **changes)
        from scoring.text.recipes import recipe_named

        values: dict[str, Any] = {item.name: getattr(self, item.name) for item in fields(self)}
        if self.like is None:
            defaults = Options()
            kept = {name for name, value in values.items() if value != getattr(defaults, name)}
        else:
            recipe = recipe_named(self.like)
            kept = {name for name in values if name in FREE or not recipe.fixes(name)}
            kept = kept - {"like"} if "like" in changes else kept | {"unit"}
        return Options(**{**{name: values[name] for name in kept}, **changes})

    @property
    def chooses(self) -> bool:
        """Whether an option on several references or variants is set."""
        choices = self.references, self.variants, self.variants_file, self.variants_length
        return choices != ("network", False, None, "chosen")

    def rules(self, normalization: str = "none") -> Rules:
        """The options that determine the numbers, each in its canonical spelling.

        Parameters
        ----------
        normalization
            Signature of the pipeline.
        """
        return Rules(
            self.profile,
            self.missing or "delete",
            self.ignore_case,
            self.forgive_optional,
            checked_unit(self.unit),
            normalization,
            like=self.like or "",
            compounds="words" if self.merge_compounds is True else self.merge_compounds or "",
        )


_MAPPINGS = tuple(item.name for item in fields(Options) if item.default_factory is dict)
# Those of rules are checked with these.
_CHECKED = {
    item.name: (*CHOICES[item.name], *([None] if item.default is None else ()))
    for item in fields(Options)
    if item.name in CHOICES.keys() - {"profile", "missing", "merge_compounds"}
}


def _listed(names: Sequence[str | None]) -> str:
    """Names as a list for people."""
    *first, last = filter(None, names)
    return f"{', '.join(first)} or {last}" if first else last


def _is_whole(value: object) -> bool:
    """Whether a value is a whole number, of numpy as well."""
    return hasattr(value, "__index__")


def _is_duration(value: float | str) -> bool:
    if isinstance(value, str):
        seconds = value.removesuffix("s")
        return seconds.isascii() and seconds.replace(".", "", 1).isdecimal()
    return 0 <= value < 10**9


def unit_of_characters(like: str) -> Unit:
    """What a recipe counts where characters are asked for.

    Raises
    ------
    RecipeError
        If it counts words only.
    """
    from scoring.text.recipes import RecipeError, recipe_named

    recipe = recipe_named(like)
    unit: Unit = (recipe.characters or recipe.options).get("unit", CHARACTERS_AND_BLANKS)
    if unit not in CHARACTER_UNITS:
        raise RecipeError(f"like: {recipe.name} has no character error rate, only that of {unit}s")
    return unit


def fixable() -> dict[str, object]:
    """The options that recipes may fix, with the values they have in no recipe."""
    defaults = Options()
    return {
        item.name: getattr(defaults, item.name) for item in fields(Options) if item.name not in FREE
    }


class ChoicesOfReading(TypedDict, total=False):
    """Fields of `Options` as keywords, for type checkers, without unit, profile and measures.

    Types cannot be derived where they are checked; a test compares both.
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
    match: SeriesMatch | None
    normalize: Normalization
    ignore_case: bool
    forgive_optional: bool
    verdicts: str | os.PathLike[str] | None
    merge_compounds: bool | Compounds
    by: Sequence[str]
    measure_options: Mapping[str, object]
    metadata: MetadataGiven | None
    metadata_key: str | None
    bins: Sequence[float]
    measure: Measure | None
    collar: float | str
    reference_times: WordTimes
    hypothesis_times: WordTimes
    search: Search | None
    like: str | None
    references: ReferenceChoice
    variants: bool
    variants_file: str | os.PathLike[str] | None
    variants_length: VariantsLength
    explain: bool
    keep_sources: bool
    jobs: int


class ChoicesOfCharacters(ChoicesOfReading, total=False):
    """The fields of `Options` as keywords, without unit and profile."""

    measures: Sequence[str]


class ChoicesOfTables(ChoicesOfReading, total=False):
    """The fields of `Options` as keywords, without the measures."""

    profile: ProfileName
    unit: Unit


class Choices(ChoicesOfCharacters, ChoicesOfTables, total=False):
    """The fields of `Options` as keywords."""


def checked_rules(rules: Rules) -> Rules:
    """The rules, each in its one spelling.

    Raises
    ------
    ValueError
        If a name in them means nothing.
    """
    profile_named(rules.profile)
    if rules.missing not in MISSING:
        raise ValueError(f"missing: expected {', '.join(MISSING)}, found {rules.missing!r}")
    if rules.like:
        from scoring.text.recipes import recipe_named

        recipe_named(rules.like)
    if rules.compounds not in ("", *COMPOUNDS):
        raise ValueError(
            f"merge_compounds: expected {', '.join(COMPOUNDS)}, found {rules.compounds!r}"
        )
    return rules._replace(unit=checked_unit(rules.unit))
