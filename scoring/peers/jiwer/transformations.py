"""The compositions of transforms that jiwer predefines, for example `wer_default`."""

from __future__ import annotations

from scoring.peers.jiwer import transforms as tr

__all__ = [
    "cer_contiguous",
    "cer_default",
    "wer_contiguous",
    "wer_default",
    "wer_standardize",
    "wer_standardize_contiguous",
]

_blanks = [tr.RemoveMultipleSpaces(), tr.Strip()]
_standard = [
    tr.ToLowerCase(),
    tr.ExpandCommonEnglishContractions(),
    tr.RemoveKaldiNonWords(),
    tr.RemoveWhiteSpace(replace_by_space=True),
]
_words, _characters = tr.ReduceToListOfListOfWords(), tr.ReduceToListOfListOfChars()
_joined = tr.ReduceToSingleSentence()

wer_default = tr.Compose([*_blanks, _words])
wer_contiguous = tr.Compose([*_blanks, _joined, _words])
wer_standardize = tr.Compose([*_standard, *_blanks, _words])
wer_standardize_contiguous = tr.Compose([*_standard, *_blanks, _joined, _words])
cer_default = tr.Compose([tr.Strip(), _characters])
cer_contiguous = tr.Compose([tr.Strip(), _joined, _characters])
