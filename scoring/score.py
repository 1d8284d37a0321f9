"""From two sides to their error rates: read, match, align."""

from __future__ import annotations

import os
import warnings
from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from scoring.alignment.corpora import Sides, align_corpora
from scoring.errors import UnscoredHypothesisWarning
from scoring.matching.identifier import NO_PARTNER, Matching, account_of, partners_of
from scoring.matching.in_common import in_common
from scoring.normalize.units import in_units
from scoring.options import Rules, checked_rules
from scoring.scored.rates import ErrorRates
from scoring.scored.sources import sources_of, with_segments
from scoring.sides.account import Input
from scoring.sides.corpus import Corpus, with_speakers
from scoring.sides.files import Reading
from scoring.sides.given import Given, as_corpus

if TYPE_CHECKING:
    from scoring.normalize.pipeline import Pipeline
    from scoring.normalize.pipeline_files import Rule

# What `scoring.normalize.pipeline_files.as_pipeline` takes.
Normalization: TypeAlias = Union["Rule", Sequence["Rule"], None]
NO_OPTIONS: Mapping[str, object] = {}
NO_ALIASES: Mapping[str, str] = {}


def wer(
    reference: Given,
    hypothesis: Given,
    *,
    reference_format: str | None = None,
    hypothesis_format: str | None = None,
    reference_options: Mapping[str, object] = NO_OPTIONS,
    hypothesis_options: Mapping[str, object] = NO_OPTIONS,
    encoding: str = "utf-8",
    reference_encoding: str | None = None,
    hypothesis_encoding: str | None = None,
    interpolate: str = "none",
    channel_aliases: Mapping[str, str] = NO_ALIASES,
    text_view: str = "lexical",
    profile: str = "sclite",
    missing: str | None = None,
    allow_unmatched: bool = False,
    ignore_case: bool = False,
    forgive_optional: bool = False,
    unit: str = "word",
    normalize: Normalization = None,
    speakers: Mapping[str, str] | None = None,
    keep_sources: bool = False,
    jobs: int = 1,
) -> ErrorRates:
    """The word error rate of a hypothesis, with everything it is made of.

    Parameters
    ----------
    reference, hypothesis
        A path (`pathlib.Path`) of any format; a `str`: the text of one utterance; a list of texts
        or of token lists: utterances in order; a mapping from identifiers to these.
    reference_format, hypothesis_format
        Names of formats; None: detected.
    reference_options, hypothesis_options
        Of the formats' readers, as of `formats.read`: `{"field": "pred_text"}`. Of a manifest that
        holds both, the hypothesis is what was recognised.
    encoding
        Of files, as of `formats.read`.
    reference_encoding, hypothesis_encoding
        Of one side's file; None: as `encoding`.
    interpolate
        How to work out the times of the hypothesis's words where only its segments have some, to
        match by time: `none` (refuse), `uniform` or `chars` (by length).
    channel_aliases
        From channels of the hypothesis to those of the reference, as in `{"0": "A"}`.
    text_view
        Which words where a format gives two forms, on both sides: `lexical`, as they are spoken,
        or `display`, with case, digits and punctuation as people read them.
    profile
        `sclite` (costs 4, 3, 3), `levenshtein`, `kaldi` (the counts of compute-wer) or
        `align-text` (those of Kaldi's per_utt).
    missing
        What becomes of a reference without hypothesis: `error`, `delete` or `skip`. None: as
        `delete`, but an error where utterances are matched by position, as those of lists are.
    allow_unmatched
        Hypotheses without reference, which are not scored, are as they should be: no warning, and
        no error where utterances are matched by position.
    ignore_case
        Compare words in Unicode's full case folding.
    forgive_optional
        Leaving out a word that the reference marks as optional is no error.
    unit
        `word`; `char`: the code points of words, without the blanks between them; `grapheme`: what
        users see as characters; `mixed`: characters in Han and Kana, words elsewhere (`mixed+thai`
        cuts Thai too; so with hangul, lao, khmer, myanmar). Words in square or angle brackets stay
        whole, as in Kaldi's recipes.
    normalize
        What both sides go through before they are compared: the name of a step or a pipeline, a
        path, a step, a pipeline or a function, or a list of these, see
        `scoring.normalize.pipeline_files.as_pipeline`. None: nothing.
    speakers
        From identifiers to speakers, where the reference does not say.
    keep_sources
        Keep what was read beside the words, for `scoring.html_report`: times, confidences, labels,
        the words before normalisation.
    jobs
        Processes that read and threads that align; the result does not depend on it.

    Raises
    ------
    formats.FormatError, InputError
        If a file cannot be read or scored, or an identifier stands twice.
    MatchingError
        If references lack a hypothesis and `missing` is `error`, or nothing matches.
    DifferentLengthsError
        A `MatchingError` and `ValueError`: sides matched by position are not equally long.
    TypeError, ValueError
        If an argument is of another kind, or means nothing.

    Warns
    -----
    UnscoredHypothesisWarning
        If there are hypotheses without reference.

    Examples
    --------
    >>> rates = wer(reference={"u1": "a b", "u2": ""}, hypothesis={"u2": "c", "u1": "a b"})
    >>> rates.corpus
    0.5
    >>> wer("the cat", "the hat").counts.substitutions
    1
    >>> wer("It's 50.", "it is fifty", normalize=["plain", "contractions", "numbers"]).corpus
    0.0
    """
    pipeline = _pipeline(normalize)
    rules = checked_rules(Rules(profile, missing or "delete", ignore_case, forgive_optional, unit))
    if pipeline is not None:
        rules = _with_pipeline(rules, pipeline)
    if jobs < 1:
        raise ValueError(f"jobs: expected at least 1, found {jobs}")
    if interpolate not in ("none", "uniform", "chars"):
        raise ValueError(f"interpolate: expected none, uniform or chars, found {interpolate!r}")
    if text_view not in ("lexical", "display"):
        raise ValueError(f"text_view: expected lexical or display, found {text_view!r}")
    readings = (
        Reading(
            reference_format,
            reference_encoding or encoding,
            tuple(reference_options.items()),
            text_view=text_view,
            side="reference",
        ),
        Reading(
            hypothesis_format,
            hypothesis_encoding or encoding,
            tuple(hypothesis_options.items()),
            interpolate,
            channel_aliases=tuple(channel_aliases.items()),
            text_view=text_view,
            predicted="yes" if _is_the_same(reference, hypothesis) else "maybe",
            side="hypothesis",
        ),
    )
    if keep_sources:
        readings = (readings[0]._replace(keep=True), readings[1]._replace(keep=True))
    counts = pipeline is not None and pipeline.counts
    sides: Sides | None = None
    can_be_cut = jobs > 1 and not counts and not keep_sources
    if can_be_cut and isinstance(reference, os.PathLike) and isinstance(hypothesis, os.PathLike):
        from scoring.alignment.processes import score_in_chunks

        sides = score_in_chunks((reference, hypothesis), readings, rules, jobs, pipeline)
        if sides is not None:
            pipeline = None  # which it has gone through
    if sides is None:
        sides = Sides(
            as_corpus(reference, "reference", readings[0]),
            as_corpus(hypothesis, "hypothesis", readings[1]),
        )
    partners = partial(partners_of, missing=missing, allow_unmatched=allow_unmatched)
    rates = _finished(sides, rules, pipeline, speakers, jobs, partners, keep_sources)
    if rates.unscored is not None and not allow_unmatched:
        warnings.warn(rates.unscored, UnscoredHypothesisWarning, stacklevel=2)
    return rates


def _pipeline(given: Normalization) -> Pipeline | None:
    """The pipeline; None if it has no steps, so that nothing of it need be loaded."""
    if given is None:
        return None
    from scoring.normalize.pipeline_files import as_pipeline

    pipeline = as_pipeline(given)
    return pipeline if pipeline.placed else None


def _with_pipeline(rules: Rules, pipeline: Pipeline) -> Rules:
    plain = rules.profile == "sclite" and rules.unit == "word"
    if pipeline.has_readings and not plain:
        raise ValueError(
            f"normalize: expected profile sclite and unit word, where {pipeline.title} may leave "
            f"alternatives, found {rules.profile} and {rules.unit}"
        )
    return rules._replace(normalization=pipeline.signature)


def _is_the_same(reference: Given, hypothesis: Given) -> bool:
    """Whether one file is given for both sides, which may be a manifest with the words of both."""
    return (
        isinstance(reference, os.PathLike)
        and isinstance(hypothesis, os.PathLike)
        and os.fspath(reference) == os.fspath(hypothesis) != "-"
    )


def _finished(
    sides: Sides,
    rules: Rules,
    pipeline: Pipeline | None,
    speakers: Mapping[str, str] | None,
    jobs: int,
    partners_of: Callable[[Corpus, Corpus, str], Matching],
    keep: bool,
) -> ErrorRates:
    reference, hypothesis, aligned = sides
    reference, hypothesis, matched_by, ignored = in_common(reference, hypothesis, keep)
    if keep:
        reference, hypothesis = with_segments(reference), with_segments(hypothesis)
    if speakers is not None:
        reference = with_speakers(reference, speakers)
    if pipeline is not None:
        from scoring.sides.normalized import normalized

        reference = normalized(reference, pipeline, "reference")
        hypothesis = normalized(hypothesis, pipeline, "hypothesis")
    if aligned is None:
        reference, hypothesis = (
            side._replace(words=in_units(side.words, rules.unit))
            for side in (reference, hypothesis)
        )
    found = partners_of(reference, hypothesis, matched_by)
    account = account_of(reference, hypothesis, found, matched_by, rules.missing, ignored)
    partners: Sequence[int] = found.partners
    if aligned is None:
        if rules.missing == "skip" and found.reference_only:
            reference, partners = _without_missing(reference, found)
        if not found.reference_only and partners == array("q", range(len(hypothesis.words))):
            partners = range(len(hypothesis.words))
        aligned = align_corpora(reference, hypothesis, partners, rules, jobs)
    return ErrorRates(
        Input(reference.name, reference.format),
        Input(hypothesis.name, hypothesis.format),
        rules,
        account,
        reference.identifiers,
        reference.speakers,
        aligned,
        (*reference.remarks, *hypothesis.remarks, *_swapped(reference, hypothesis)),
        sources_of(reference, hypothesis, partners, pipeline),
    )


def _without_missing(reference: Corpus, found: Matching) -> tuple[Corpus, Sequence[int]]:
    kept = [at for at, partner in enumerate(found.partners) if partner != NO_PARTNER]
    special = {
        new: reference.special[old] for new, old in enumerate(kept) if old in reference.special
    }
    corpus = reference._replace(
        identifiers=[reference.identifiers[at] for at in kept],
        speakers=[reference.speakers[at] for at in kept],
        words=[reference.words[at] for at in kept],
        lines=[reference.lines[at] for at in kept],
        special=special,
        sources=None if reference.sources is None else [reference.sources[at] for at in kept],
    )
    return corpus, [found.partners[at] for at in kept]


def _swapped(reference: Corpus, hypothesis: Corpus) -> list[str]:
    """A note when the sides look exchanged; nothing is done about it."""
    one, other = (os.path.basename(side.name).lower() for side in (reference, hypothesis))
    named = ("hyp" in one and "hyp" not in other) or ("ref" in other and "ref" not in one)
    confident = reference.has_confidences and not hypothesis.has_confidences
    if not named and not confident:
        return []
    why = "are named the other way round" if named else "have confidences on the reference's side"
    return [f"note: {reference.name} is the reference, though the files {why}: exchanged?"]


def cer(reference: Given, hypothesis: Given, *, unit: str = "char", **options: Any) -> ErrorRates:
    """The character error rate: `scoring.wer` with the unit `char`.

    Blanks between words are no characters, as in Kaldi's recipes. jiwer counts them: they are in
    its denominator, and words wrongly joined or parted are errors of blanks.

    Parameters
    ----------
    unit
        `char` (code points) or `grapheme` (what users see as characters).
    **options
        As of `scoring.wer`.

    Examples
    --------
    >>> cer("the cat", "the hat").cer
    0.16666666666666666
    """
    if unit not in ("char", "grapheme"):
        raise ValueError(f"unit: expected char or grapheme, found {unit!r}")
    return wer(reference, hypothesis, unit=unit, **options)


def mer(reference: Given, hypothesis: Given, **options: Any) -> float | None:
    """The match error rate: errors per place of the alignment, from 0 to 1; None without any.

    >>> mer("a b", "a c d")
    0.6666666666666666
    """
    return wer(reference, hypothesis, **options).match_error_rate


def wil(reference: Given, hypothesis: Given, **options: Any) -> float | None:
    """The word information lost, from 0 to 1; None if a side has no words.

    >>> wil("a b", "a c")
    0.75
    """
    return wer(reference, hypothesis, **options).word_information_lost


def wip(reference: Given, hypothesis: Given, **options: Any) -> float | None:
    """The word information preserved, from 0 to 1; None if a side has no words.

    >>> wip("a b", "a c")
    0.25
    """
    return wer(reference, hypothesis, **options).word_information_preserved


def ser(reference: Given, hypothesis: Given, **options: Any) -> float | None:
    """The sentence error rate: the share of utterances with any error; None without utterances.

    >>> ser(["a b", "c"], ["a b", "d"])
    0.5
    """
    return wer(reference, hypothesis, **options).sentence_error_rate
