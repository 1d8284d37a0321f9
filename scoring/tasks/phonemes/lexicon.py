"""Pronunciation lexicons: an immutable mapping from words to pronunciations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from formats.schema.diagnostics import Diagnostic
from scoring.tasks.phonemes.network import Alternatives, Pronunciation

# The vowels of ARPAbet, which are what carries stress in the CMU dictionary.
_VOWELS = "AA AE AH AO AW AX AXR AY EH ER EY IH IX IY OW OY UH UW UX"
_STRESSED = re.compile(rf"({'|'.join(_VOWELS.split())})[0-2](_[BIES])?", re.IGNORECASE)


def without_stress(phoneme: str) -> str:
    """Remove the stress digit from an ARPAbet vowel; other symbols are returned unchanged.

    Kaldi's word-position markers are kept. Tones of other alphabets (`a1`) are not stress.

    >>> [without_stress(phoneme) for phoneme in ("AH0", "er1", "IY2_E", "K", "ma1")]
    ['AH', 'er', 'IY_E', 'K', 'ma1']
    """
    match = _STRESSED.fullmatch(phoneme)
    return phoneme if match is None else match[1] + (match[2] or "")


class PronunciationLexicon(Mapping[str, Alternatives]):
    """An immutable lexicon: a mapping from a word to its pronunciations.

    Parameters
    ----------
    entries
        A mapping from words to pronunciations; each pronunciation is a sequence of phonemes.
        Entries are copied, without duplicate pronunciations and in order of first appearance. A
        word with an empty pronunciation may be omitted without error; a word without any
        pronunciation is rejected during scoring.
    remarks
        The messages of the reader, one line each.

    Raises
    ------
    TypeError
        If a pronunciation is a string or contains anything but strings.

    Examples
    --------
    >>> lexicon = PronunciationLexicon({"hello": [["h", "e", "l", "o"], ["h", "a", "l", "o"]]})
    >>> lexicon["hello"][1]
    ('h', 'a', 'l', 'o')
    >>> lexicon
    <PronunciationLexicon of 1 word, 2 pronunciations, 5 phonemes>
    """

    __slots__ = ("_entries", "_remarks")

    def __init__(
        self,
        entries: Mapping[str, Iterable[Iterable[str]]],
        remarks: Iterable[Diagnostic] = (),
    ) -> None:
        self._entries = {word: _alternatives(word, paths) for word, paths in entries.items()}
        self._remarks = tuple(remarks)

    @property
    def remarks(self) -> tuple[Diagnostic, ...]:
        """The messages of the reader."""
        return self._remarks

    @property
    def phonemes(self) -> frozenset[str]:
        """The set of phonemes in the pronunciations."""
        return frozenset(
            phoneme for paths in self._entries.values() for path in paths for phoneme in path
        )

    def without_stress(self) -> PronunciationLexicon:
        """Return the lexicon without the stress digits of ARPAbet.

        Pronunciations that differ only in stress become one. The error rate cannot increase if the
        digits are also removed from the predictions (see `without_stress` of this module).
        """
        return self._with_paths(lambda path: tuple(map(without_stress, path)))

    def folded(self, fold: Callable[[str], str] = str.casefold) -> PronunciationLexicon:
        """Return the lexicon with folded words; words that become equal share pronunciations.

        >>> lexicon = PronunciationLexicon({"Polish": [["p"]], "polish": [["q"], ["p"]]})
        >>> lexicon.folded()["polish"]
        (('p',), ('q',))
        """
        entries: dict[str, list[Pronunciation]] = {}
        for word, paths in self._entries.items():
            entries.setdefault(fold(word), []).extend(paths)
        return PronunciationLexicon(entries, self._remarks)

    def without_phonemes(self, phonemes: Iterable[str]) -> PronunciationLexicon:
        """Return the lexicon after removing phonemes, such as silences, from all pronunciations."""
        dropped = frozenset(phonemes)
        return self._with_paths(
            lambda path: tuple(phoneme for phoneme in path if phoneme not in dropped)
        )

    def _with_paths(self, change: Callable[[Pronunciation], Pronunciation]) -> PronunciationLexicon:
        entries = {word: map(change, paths) for word, paths in self._entries.items()}
        return PronunciationLexicon(entries, self._remarks)

    def __getitem__(self, word: str) -> Alternatives:
        return self._entries[word]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, word: object) -> bool:
        return word in self._entries

    def __repr__(self) -> str:
        sizes = (
            (len(self), "word"),
            (sum(map(len, self._entries.values())), "pronunciation"),
            (len(self.phonemes), "phoneme"),
        )
        listed = ", ".join(f"{size} {name}{'' if size == 1 else 's'}" for size, name in sizes)
        return f"<PronunciationLexicon of {listed}>"


def _alternatives(word: str, paths: object) -> Alternatives:
    # what the types promise is checked all the same: notebooks do not read them
    if isinstance(paths, str) or not isinstance(paths, Iterable):
        raise TypeError(
            f"expected a list of pronunciations of {word!r}, found {type(paths).__name__}"
        )
    pronunciations: dict[Pronunciation, None] = {}
    for path in paths:
        if isinstance(path, str) or not isinstance(path, Iterable):
            raise TypeError(
                f"expected pronunciations of {word!r} as lists of phonemes, "
                f"found {type(path).__name__}"
            )
        phonemes = tuple(path)
        for phoneme in phonemes:
            if not isinstance(phoneme, str):
                raise TypeError(
                    f"expected phonemes of type str in {word!r}, found {type(phoneme).__name__}"
                )
        pronunciations[phonemes] = None
    return tuple(pronunciations)
