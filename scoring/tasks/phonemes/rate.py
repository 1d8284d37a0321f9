"""The phoneme error rate of predicted phonemes against words, with a lexicon."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from itertools import chain
from operator import getitem
from typing import Literal, TypeAlias, get_args

from formats.io.progress import told
from scoring.alignment.sequences import align_batch
from scoring.model.counts import UNIT_COSTS
from scoring.model.errors import OptionValueError
from scoring.tasks.phonemes.columns import EPSILON, SymbolColumns, columns_of, score_by_columns
from scoring.tasks.phonemes.lexicon import PronunciationLexicon
from scoring.tasks.phonemes.network import Alternatives, Pronunciation, choose
from scoring.tasks.phonemes.phoneme_scores import PhonemeScore, PhonemeScores

SearchMethod: TypeAlias = Literal["exact", "columns"]
METHODS: tuple[SearchMethod, ...] = get_args(SearchMethod)


class PhonemeErrorRate:
    """Scores predicted phonemes against words with several pronunciations.

    Takes the arguments of speechline's class of this name and has its methods.

    Parameters
    ----------
    lexicon
        A mapping from words to pronunciations; each pronunciation is a sequence of phonemes. The
        lexicon is copied and never changed; unlike in the original, scores do not depend on earlier
        calls.
    epsilon_token
        Token with which the method `columns` pads pronunciations; `exact` does not use it.
    method
        `exact`: chooses the pronunciations with the fewest errors in the utterance; of equally good
        choices, it takes one with the most phonemes. `columns`: the approximation of the original,
        see `scoring.tasks.phonemes.columns`: its rates can be too low (it mixes pronunciations) or
        too high (an exact pronunciation counts as wrong), and its total counts epsilons.

    Raises
    ------
    TypeError
        If a pronunciation is not a sequence of strings.
    ValueError
        If there is no such method.

    Examples
    --------
    >>> lexicon = {"hello": [list("hello"), list("hallo")], "guy": [list("gai")]}
    >>> rate = PhonemeErrorRate(lexicon)
    >>> rate([["hello", "guy"]], [list("hallogai")])
    0.0
    >>> rate.compute_measures(["hello", "guy"], list("halai"))
    {'errors': 3, 'total': 8}
    >>> score = rate.score(["hello", "guy"], list("halai"))
    >>> score.counts, score.pronunciations[0]
    (Counts(correct=5, substitutions=0, deletions=3, insertions=0), ('h', 'a', 'l', 'l', 'o'))
    """

    def __init__(
        self,
        lexicon: Mapping[str, Iterable[Iterable[str]]],
        epsilon_token: str = EPSILON,
        *,
        method: SearchMethod = "exact",
    ) -> None:
        if method not in METHODS:
            raise OptionValueError(
                "method", expected=f"one of {', '.join(METHODS)}", found=repr(method)
            )
        if not isinstance(lexicon, PronunciationLexicon):
            lexicon = PronunciationLexicon(lexicon)
        self._lexicon = lexicon
        self._epsilon_token = epsilon_token
        self._method = method
        self._columns: dict[Alternatives, SymbolColumns] = {}

    @property
    def lexicon(self) -> PronunciationLexicon:
        """The lexicon that the caller passed, unchanged."""
        return self._lexicon

    @property
    def epsilon_token(self) -> str:
        """The token with which the method `columns` pads pronunciations."""
        return self._epsilon_token

    @property
    def method(self) -> str:
        """The method of alignment: `exact` or `columns`."""
        return self._method

    def __repr__(self) -> str:
        return f"<PhonemeErrorRate by {self._method}, {self._lexicon!r}>"

    def __call__(
        self, sequences: Sequence[Sequence[str]], predictions: Sequence[Sequence[str]]
    ) -> float | None:
        """Return the errors per reference phoneme over all utterances, as a ratio.

        The result is None without reference phonemes; the original divides by zero.

        Parameters
        ----------
        sequences
            The words of each utterance.
        predictions
            The predicted phonemes of each utterance.

        Raises
        ------
        KeyError, TypeError, ValueError
            As in `score_batch`.
        """
        return self.score_batch(sequences, predictions).rate

    def compute_measures(self, words: Sequence[str], prediction: Sequence[str]) -> dict[str, int]:
        """Return a dictionary with `errors` and `total` (reference phonemes) of an utterance.

        Raises the errors of `score_batch`.
        """
        score = self.score(words, prediction)
        return {"errors": score.errors, "total": score.total}

    def score(self, words: Sequence[str], prediction: Sequence[str]) -> PhonemeScore:
        """Score one utterance; return its alignment and the chosen pronunciations.

        Raises the errors of `score_batch`.
        """
        return self.score_batch([words], [prediction])[0]

    def score_batch(
        self, sequences: Sequence[Sequence[str]], predictions: Sequence[Sequence[str]]
    ) -> PhonemeScores:
        """Score many utterances; much faster than one call per utterance.

        Raises
        ------
        ValueError
            If there are not as many predictions as sequences, or a word has no pronunciation.
        KeyError
            If words are not in the lexicon; the error lists every occurrence, in order.
        TypeError
            If an utterance is a string.
        """
        _check_sizes(sequences, predictions)
        for noun, utterances in (("words", sequences), ("phonemes", predictions)):
            for utterance in utterances:
                if isinstance(utterance, str | bytes):
                    kind = type(utterance).__name__
                    raise TypeError(f"expected a list of {noun} for each utterance, found {kind}")
        unknown = self.unknown_words(sequences)
        if unknown:
            raise KeyError(f"Words not found in the lexicon: {unknown}")
        paths = [[self._pronunciations(word) for word in words] for words in sequences]
        return self.score_alternatives(paths, predictions)

    def unknown_words(self, sequences: Iterable[Sequence[str]]) -> list[str]:
        """Return every occurrence of a word that the lexicon lacks, in order."""
        return [word for words in sequences for word in words if word not in self._lexicon]

    def score_alternatives(
        self, sequences: Sequence[Sequence[Alternatives]], predictions: Sequence[Sequence[str]]
    ) -> PhonemeScores:
        """Score utterances with given pronunciations like `score_batch`.

        Parameters
        ----------
        sequences
            For each utterance and each of its words, the possible pronunciations: those in the
            lexicon, or those of all words of an alternation.

        Raises
        ------
        ValueError
            If there are not as many predictions as sequences, or a word has no pronunciation.

        Examples
        --------
        >>> rate = PhonemeErrorRate({})
        >>> rate.score_alternatives([[(("a",), ("b", "c"))]], [["b"]])[0].pronunciations
        (('b', 'c'),)
        """
        _check_sizes(sequences, predictions)
        phonemes = [tuple(prediction) for prediction in predictions]
        if self._method == "columns":
            return PhonemeScores(map(self._by_columns, sequences, phonemes))
        pronunciations = [
            tuple(map(getitem, words, choose(words, prediction)))
            for words, prediction in zip(told(sequences, "utterances"), phonemes, strict=True)
        ]
        references = [tuple(chain.from_iterable(paths)) for paths in pronunciations]
        alignments = align_batch(references, phonemes, costs=UNIT_COSTS)
        return PhonemeScores(map(PhonemeScore, pronunciations, alignments))

    def _pronunciations(self, word: str) -> Alternatives:
        paths = self._lexicon[word]
        if not paths:
            raise ValueError(f"expected at least one pronunciation of {word!r}, found none")
        return paths

    def _by_columns(self, words: Sequence[Alternatives], prediction: Pronunciation) -> PhonemeScore:
        columns = []
        for paths in words:
            if paths not in self._columns:
                self._columns[paths] = columns_of(paths, self._epsilon_token)
            columns.append(self._columns[paths])
        return score_by_columns(columns, prediction, self._epsilon_token)

    def build_pronunciation_stack(self, words: Iterable[str]) -> list[set[str]]:
        """Return the symbols that the method `columns` accepts at each position of an utterance.

        Raises
        ------
        KeyError, ValueError
            If a word is not in the lexicon, or has no pronunciation.

        Examples
        --------
        >>> rate = PhonemeErrorRate({"guy": [["g", "a", "i"], ["g", "o", "i"]]})
        >>> [sorted(symbols) for symbols in rate.build_pronunciation_stack(["guy"])]
        [['g'], ['a', 'o'], ['i']]
        """
        return [
            set(symbols)
            for word in words
            for symbols in columns_of(self._pronunciations(word), self._epsilon_token).symbols
        ]

    # the name it has in the original
    _build_pronunciation_stack = build_pronunciation_stack


def _check_sizes(sequences: Sized, predictions: Sized) -> None:
    if len(sequences) != len(predictions):
        raise ValueError(
            f"Mismatch in the number of predictions ({len(predictions)}) and sequences "
            f"({len(sequences)})"
        )
