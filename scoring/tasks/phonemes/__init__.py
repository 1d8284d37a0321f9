"""Phoneme error rates with several pronunciations per word.

- `PhonemeErrorRate` scores words against phonemes with a lexicon,
- `read_lexicon` reads the lexicon: Kaldi's, CMU's or JSON,
- `PronunciationLexicon` is the lexicon in memory.

`docs/phonemes.md` explains how it works, and how it differs from scoring by columns.
"""

from __future__ import annotations

from formats.schema import lazy_names

# what type checkers look for, without the cost of importing `typing`
TYPE_CHECKING = False

if TYPE_CHECKING:
    from scoring.tasks.phonemes.lexicon import PronunciationLexicon as PronunciationLexicon
    from scoring.tasks.phonemes.lexicon_files import read_lexicon as read_lexicon
    from scoring.tasks.phonemes.phoneme_scores import PhonemeScore as PhonemeScore
    from scoring.tasks.phonemes.phoneme_scores import PhonemeScores as PhonemeScores
    from scoring.tasks.phonemes.rate import PhonemeErrorRate as PhonemeErrorRate

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        ".lexicon": "PronunciationLexicon",
        ".lexicon_files": "read_lexicon",
        ".rate": "PhonemeErrorRate",
        ".phoneme_scores": "PhonemeScore PhonemeScores",
    },
)
