"""The English normaliser of the Open ASR Leaderboard as of 2026-08-21, by its published rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from scoring.text.english_rules import EnglishRules
from scoring.text.leaderboard_tables import DATE, DIGEST, read_tables, table_file
from scoring.text.step import Step, put

_FILLERS = "hmm mm mhm mmm uh um ah aha ahh ahm eh ehehe em hm huh hum mhum uhm umm uhuh"


@dataclass(frozen=True, slots=True, repr=False)
class LeaderboardEnglish(Step):
    """The Open ASR Leaderboard's normaliser for English, as of 2026-08-21.

    Brackets, fillers and accents are removed. Contractions and titles are written out. Number words
    become digits (`one two three` becomes the word `123`). Spelling becomes American, variants of
    names become equal, and adjacent single letters become one word.

    Parameters
    ----------
    tables
        The leaderboard's file `normalizer/english_abbreviations.py`. None: the file of the clone in
        the folder that the environment variable `OPEN_ASR_LEADERBOARD` names, or the file that
        `scoring recipes install open-asr` stored.
    """

    name = f"leaderboard-english@{DATE}"
    removes = True
    tables: str | None = None

    def __post_init__(self) -> None:
        put(self, tables=self.tables or table_file())
        _english(self.tables)

    def arguments(self) -> dict[str, object]:
        """Return the arguments without the path, because only the content of the tables matters."""
        return {}

    def table(self) -> str:
        """Return a hash of the leaderboard's tables."""
        return DIGEST

    def __call__(self, text: str) -> str:
        """Return the text as the leaderboard normalises it."""
        try:
            return _english(self.tables).normalize(text)
        except ValueError as problem:
            raise ValueError(f"{self.name}: {problem} in {text[:80]!r}") from None


@lru_cache(maxsize=2)
def _english(path: str) -> EnglishRules:
    """Return the rules with the tables of a file."""
    tables = read_tables(path)
    # of spellings first, then of names
    get_name = tables.names.get
    spellings = tables.names | {
        word: get_name(spelling, spelling) for word, spelling in tables.spellings.items()
    }
    return EnglishRules(_FILLERS, spellings, tables.compounds, is_leaderboard=True)
