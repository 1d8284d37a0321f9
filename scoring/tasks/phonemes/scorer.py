"""Scorer of predicted phonemes against reference words, with a lexicon.

For each reference word, the best-matching pronunciation is chosen. The phonemes are then scored,
reported and tested like words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, product
from typing import Any, NamedTuple

from formats.schema import VERSION
from formats.schema.messages import Message
from formats.schema.words import Alternation, Token
from scoring.alignment.results import Alignments
from scoring.model.counts import UNIT_COSTS
from scoring.model.errors import InputError
from scoring.options import Options, Rules
from scoring.results import Rates
from scoring.results.groups import groups_with_metadata
from scoring.results.sources import with_segments
from scoring.sides.corpus import NO_PARTNER, Corpus, InputFile, ListedNames, with_speakers
from scoring.sides.given import keeps_segments
from scoring.sides.matching.in_common import account_of, in_common, partners_of
from scoring.tasks.phonemes.lexicon import PronunciationLexicon, without_stress
from scoring.tasks.phonemes.messages import NOT_IN_LEXICON
from scoring.tasks.phonemes.network import Alternatives, Pronunciation
from scoring.tasks.phonemes.rate import PhonemeErrorRate, SearchMethod

UNKNOWN = ("error", "skip")
# An alternation of long branches has as many pronunciations as there are ways through them.
MOST_PRONUNCIATIONS = 10_000


class PhonemeRules(NamedTuple):
    """The rules that determine the numbers; their signature is printed with each result."""

    method: SearchMethod = "exact"  # `exact` or `columns`
    stress: str = "keep"
    dropped: tuple[str, ...] = ()  # phonemes that are dropped on both sides
    ignore_case: bool = False  # words are looked up in Unicode's full case folding
    forgive_optional: bool = False  # leaving out a word the reference marks as optional is no error
    unknown: str = "error"  # policies for a reference with words that the lexicon does not have
    missing: str = "delete"  # policies for a reference without hypothesis

    def signature(self, matched_by: str) -> str:
        """Return a line with all choices of the rules."""
        norm = "casefold" if self.ignore_case else "none"
        drop = f"|drop:{','.join(self.dropped)}" if self.dropped else ""
        optional = "|optional:forgiven" if self.forgive_optional else ""
        return (
            f"per|method:{self.method}|norm:{norm}|stress:{self.stress}{drop}{optional}"
            f"|unknown:{self.unknown}|missing:{self.missing}|match:{matched_by}|v:{VERSION}"
        )


class WordSlot(NamedTuple):
    """A position of a reference: its pronunciations, and the words of each pronunciation."""

    words: tuple[str, ...]
    paths: Alternatives

    def said(self, pronunciation: Pronunciation) -> str:
        """Return the words with this pronunciation; for a padded pronunciation, the first words."""
        is_path = pronunciation in self.paths
        return self.words[self.paths.index(pronunciation) if is_path else 0]


class Occurrences(NamedTuple):
    """Names that occur: how often in total, how many distinct names, and the names met first."""

    number: int = 0
    different: int = 0
    first: tuple[str, ...] = ()

    @classmethod
    def of(cls, names: Iterable[str]) -> Occurrences:
        """Count the names and their occurrences."""
        every = list(names)
        return cls(len(every), *ListedNames.of(dict.fromkeys(every))._astuple())

    def record(self) -> dict[str, Any]:
        """Return the counts and names for JSON."""
        return {"count": self.number, "distinct": self.different, "names": self.first}

    @property
    def fields(self) -> dict[str, Any]:
        """The numbers and names as fields of a message."""
        more = ["…"] if self.different > len(self.first) else []
        return {"number": self.number, "different": self.different, "names": [*self.first, *more]}

    def __str__(self) -> str:
        more = ", …" if self.different > len(self.first) else ""
        return f"{self.number}, {self.different} different: {', '.join(self.first)}{more}"


class PhonemeAccount(NamedTuple):
    """Counts of words that the lexicon lacks, of foreign phonemes and of dropped phonemes."""

    unknown: ListedNames = ListedNames()
    unknown_words: Occurrences = Occurrences()  # those words
    foreign: Occurrences = Occurrences()
    dropped: int = 0  # how many predicted phonemes were dropped


class PhonemeRates(NamedTuple):
    """The scores of one hypothesis."""

    rates: Rates  # of the phonemes, as of any words; utterances in the order of the reference
    rules: PhonemeRules  # everything that decides about the numbers
    found: PhonemeAccount  # what became of words and phonemes, beside the utterances
    words: Sequence[Sequence[str]]  # what was taken to be said in each utterance
    pronunciations: Sequence[Sequence[Pronunciation]]

    @property
    def signature(self) -> str:
        """A line with every choice that determines the numbers."""
        return self.rules.signature(self.rates.matching_summary.matched_by)


class Scorer:
    """Scores hypotheses with one lexicon and the same rules."""

    def __init__(
        self,
        lexicon: PronunciationLexicon,
        rules: PhonemeRules,
        options: Options | None = None,
    ) -> None:
        if rules.stress == "strip":
            lexicon = lexicon.without_stress()
        if rules.dropped:
            lexicon = lexicon.without_phonemes(rules.dropped)
        self._fold: Callable[[str], str] = str
        if rules.ignore_case:
            lexicon, self._fold = lexicon.folded(), str.casefold
        self._lexicon = lexicon
        self._phonemes = lexicon.phonemes
        self._rules = rules
        self._options = options or Options()
        self._rate = PhonemeErrorRate({}, method=rules.method)

    def score(self, reference: Corpus, hypothesis: Corpus) -> PhonemeRates:
        """Return the phoneme error rate of a hypothesis."""
        rules, options = self._rules, self._options
        keeps = keeps_segments(options)
        reference, hypothesis, matched_by, ignored, *_ = in_common(
            reference, hypothesis, keeps, options.missing, match=options.match
        )
        pairs = partners_of(
            reference, hypothesis, matched_by, options.missing, options.allow_unmatched
        )
        if keeps:
            reference = with_segments(reference)
        if options.speakers is not None:
            reference = with_speakers(reference, options.speakers)
        left_out = set(pairs.reference_only if rules.missing == "skip" else ())
        scored = [index for index in range(len(reference.identifiers)) if index not in left_out]
        unknown = self._unknown(reference, scored)
        scored = [index for index in scored if index not in unknown]
        account = account_of(reference, hypothesis, pairs, matched_by, rules.missing, ignored)
        lacking = [
            reference.identifiers[index] for index in pairs.reference_only if index not in unknown
        ]
        slots = [self._slots(reference, index) for index in scored]
        predictions, dropped = self._said(hypothesis, [pairs.partners[index] for index in scored])
        scores = self._rate.score_alternatives(
            [[slot.paths for slot in row] for row in slots], predictions
        )
        pronunciations = [score.pronunciations for score in scores]
        speakers = [reference.speakers[index] for index in scored]
        segments = [reference.spoken[index] for index in scored] if reference.spoken else []
        identifiers = [reference.identifiers[index] for index in scored]
        aligned = Alignments.of([score.alignment for score in scores], UNIT_COSTS)
        sizes = [counts.reference_tokens for counts in aligned.counts]
        columns = identifiers, speakers, segments, reference.name, sizes
        groups, notes = groups_with_metadata(options, *columns)
        return PhonemeRates(
            Rates(
                InputFile(reference.name, reference.format),
                InputFile(hypothesis.name, hypothesis.format),
                Rules("levenshtein", rules.missing, unit="phoneme"),
                account._replace(reference_only=ListedNames.of(lacking)),
                identifiers,
                speakers,
                aligned,
                (*hypothesis.remarks, *notes),
                groups=groups,
            ),
            rules,
            PhonemeAccount(
                ListedNames.of([reference.identifiers[index] for index in unknown]),
                Occurrences.of(chain.from_iterable(unknown.values())),
                Occurrences.of(x for row in predictions for x in row if x not in self._phonemes),
                dropped,
            ),
            [
                [slot.said(path) for slot, path in zip(row, paths, strict=True)]
                for row, paths in zip(slots, pronunciations, strict=True)
            ],
            pronunciations,
        )

    def _unknown(self, reference: Corpus, positions: Iterable[int]) -> dict[int, list[str]]:
        """Return the words that the lexicon lacks, by utterance."""
        unknown_words = {}
        for index in positions:
            words = _every_word(reference, index)
            if unknown := [word for word in words if self._fold(word) not in self._lexicon]:
                unknown_words[index] = unknown
        if unknown_words and self._rules.unknown == "error":
            counted = Occurrences.of(chain.from_iterable(unknown_words.values()))
            numbers = {"utterances": len(unknown_words), "total": len(reference.identifiers)}
            value = Message(NOT_IN_LEXICON, {**counted.fields, **numbers})
            raise _error(reference, next(iter(unknown_words)), value)
        return unknown_words

    def _said(
        self, hypothesis: Corpus, positions: Iterable[int]
    ) -> tuple[list[Pronunciation], int]:
        """Return the predicted phonemes of each utterance, and how many phonemes were dropped."""
        predictions: list[Pronunciation] = []
        left_out = 0
        for index in positions:
            if index == NO_PARTNER:
                predictions.append(())
                continue
            special = hypothesis.special.get(index)
            if special is not None and special.alternations:
                identifier = hypothesis.identifiers[index]
                problem = f"expected plain phonemes, found alternatives in {identifier!r}"
                raise _error(hypothesis, index, problem)
            phonemes: Sequence[str] = hypothesis.words[index]
            if self._rules.stress == "strip":
                phonemes = [without_stress(phoneme) for phoneme in phonemes]
            kept = tuple(phoneme for phoneme in phonemes if phoneme not in self._rules.dropped)
            left_out += len(phonemes) - len(kept)
            predictions.append(kept)
        return predictions, left_out

    def _slots(self, reference: Corpus, index: int) -> list[WordSlot]:
        special = reference.special.get(index)
        if special is None:
            return [self._slot(word) for word in reference.words[index]]
        if self._rules.method != "exact" and (special.alternations or self._rules.forgive_optional):
            raise _error(
                reference,
                index,
                f"expected plain words with method {self._rules.method}, found alternatives or "
                f"optional words in {reference.identifiers[index]!r}: they need method exact",
            )
        slots = []
        for item in special.items():
            ways = dict(self._ways((item,), reference, index))
            slots.append(WordSlot(tuple(ways.values()), tuple(ways)))
        return slots

    def _slot(self, word: str) -> WordSlot:
        paths = self._lexicon[self._fold(word)]
        return WordSlot((word,) * len(paths), paths)

    def _ways(
        self, items: Sequence[Token | Alternation], reference: Corpus, index: int
    ) -> Iterator[tuple[Pronunciation, str]]:
        """Yield each pronunciation of a sequence of words and alternatives, with its words."""
        choices: list[list[tuple[Pronunciation, str]]] = []
        number = 1
        for item in items:
            ways: dict[Pronunciation, str] = {}
            if isinstance(item, Token):
                slot = self._slot(item.text)
                ways = dict(zip(slot.paths, slot.words, strict=True))
                if item.optional and self._rules.forgive_optional:
                    ways.setdefault((), "")
            else:
                for branch in item.branches:
                    for path, words in self._ways(branch, reference, index):
                        ways.setdefault(path, words)
            choices.append(list(ways.items()))
            number *= len(ways)
            if number > MOST_PRONUNCIATIONS:
                raise _error(
                    reference,
                    index,
                    f"expected alternatives of at most {MOST_PRONUNCIATIONS} pronunciations, "
                    f"found more in {reference.identifiers[index]!r}",
                )
        for combination in product(*choices):
            phonemes = tuple(chain.from_iterable(path for path, _ in combination))
            yield phonemes, " ".join(words for _, words in combination if words)


def _error(corpus: Corpus, index: int, problem: str | Message) -> InputError:
    return InputError(corpus.name, corpus.lines[index], None, problem)


def _every_word(corpus: Corpus, index: int) -> Iterator[str]:
    special = corpus.special.get(index)
    if special is None:
        yield from corpus.words[index]
    else:
        yield from (token.text for token in special.all_tokens())
