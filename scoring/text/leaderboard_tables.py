"""The Open ASR Leaderboard's lists of spellings, names and compounds.

They are read from its file `normalizer/english_abbreviations.py`, which must be that of 2026-08-21.
"""

from __future__ import annotations

import json
import os
import re
from hashlib import sha256
from typing import NamedTuple

from scoring.text.downloads import LEADERBOARD_LISTS, DownloadError

DATE = "2026-08-21"
VARIABLE = "OPEN_ASR_LEADERBOARD"  # names the folder of a clone
FILE = LEADERBOARD_LISTS.path
DIGEST = "fb01df69c6ecafb9f3c1389016adf428f3eb5e379c6d2e0fc83ea5755feadaa6"
_LISTS = ("english_spelling_normalizer", "english_name_normalizer", "english_compound_normalizer")
_LIST = re.compile(r"^(\w+) = \{([^}]*)\}", re.MULTILINE)
_ENTRY = re.compile(r'"([^"\n]*)": "([^"\n]*)"')


class LeaderboardTables(NamedTuple):
    """The lists of the leaderboard, which map words or patterns to their replacements."""

    spellings: dict[str, str]
    names: dict[str, str]
    compounds: dict[str, str]

    @property
    def digest(self) -> str:
        """A hash of the lists' content, in hexadecimal."""
        return sha256(json.dumps(self, sort_keys=True).encode("ascii")).hexdigest()


def read_tables(path: str) -> LeaderboardTables:
    """Read the lists from the leaderboard's Python file without executing it.

    Raises
    ------
    ValueError
        If the file cannot be read, lacks the lists, or has lists that differ from the leaderboard's
        lists of 2026-08-21.
    """
    try:
        with open(path, encoding="utf-8") as file:
            lists = {name: dict(_ENTRY.findall(text)) for name, text in _LIST.findall(file.read())}
        tables = LeaderboardTables(*(lists[name] for name in _LISTS))
    except (OSError, ValueError, KeyError) as problem:
        raise ValueError(
            f"{path}: expected the leaderboard's {FILE}, found none "
            f"({type(problem).__name__}: {problem}): {LEADERBOARD_LISTS.command}"
        ) from None
    if tables.digest != DIGEST:
        raise ValueError(
            f"{path}: expected the lists of {DATE}, found others: {LEADERBOARD_LISTS.command}"
        )
    return tables


def table_file() -> str:
    """Return the path of the leaderboard's file in the clone or in the cache.

    Raises DownloadError (a ValueError) if the file is not installed.
    """
    clone = os.environ.get(VARIABLE)
    if clone:
        return os.path.join(clone, FILE)
    if not LEADERBOARD_LISTS.is_installed:
        raise DownloadError(
            f"expected the leaderboard's {FILE} of {DATE}, found none: {LEADERBOARD_LISTS.command}"
        )
    return LEADERBOARD_LISTS.place
