"""Word weight files (option `-w`): one word and its weight per line."""

from __future__ import annotations

import re

from scoring.model.errors import OriginalError
from scoring.nist.transcripts.characters import byte_text
from scoring.nist.transcripts.input_files import line_at
from scoring.nist.transcripts.lexicon import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.alignment.numbered import WordType
    from scoring.model.aliases import Say

UNITY = "unity"
QUOTED = re.compile("'([^']*)'")
HEADINGS = re.compile("'headings'(?:(?!'headings').)*?'word spelling'", re.IGNORECASE)
HEADINGS_ONLY = re.compile("'headings'", re.IGNORECASE)
DEFAULT = re.compile("default missing weight", re.IGNORECASE)


class WordWeights:
    """The weights of words, by text."""

    def __init__(self, name: str, words: list[tuple[str, float]], missing: float) -> None:
        self.name = name  # description for reports: file and column
        words.sort(key=lambda entry: entry[0])  # stable, as the original's
        self._words = [word for word, _ in words]
        self._weights = [weight for _, weight in words]
        self._missing = missing

    @classmethod
    def unity(cls) -> WordWeights:
        """Return an object that gives every word the weight 1."""
        return cls('unity Column "Unity Weighting"', [], 1.0)

    @classmethod
    def read(cls, path: str, warn: Say) -> WordWeights:
        """Read a file of word weights."""
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError:
            raise OriginalError(
                f"Warning: Could not open Word-weight file: {path} No words loaded ! ! ! !\n"
                f"Error: Unable to read WWL file '{path}'\n"
            ) from None
        description = f"{path} Col 1"
        missing = 0.0
        words: list[tuple[str, float]] = []
        position = 0
        for raw in data.split(b"\n"):
            line = byte_text(raw.split(b"\0")[0]) + "\n"
            if not line.strip(" \t\n\v\f\r"):
                pass
            elif line.startswith(";;"):
                if HEADINGS_ONLY.search(line):
                    match = HEADINGS.search(line)
                    if match is None:
                        warn(f"Warning: Unable to parse label line {line}")
                    else:
                        description = (QUOTED.findall(line[match.end() :]) or [description])[0]
                if DEFAULT.search(line):
                    quoted = QUOTED.search(line)
                    if quoted is None:
                        warn(f"Warning: Failure to parse 'Default missing weight' {line}")
                    else:
                        missing = number(quoted[1].encode("latin-1"))
            else:
                fields = [field for field in re.split("[ \t\n\v\f\r]+", line) if field]
                if len(fields) < 2:
                    end = "" if position + len(raw) < len(data) else "\n"
                    raise OriginalError(
                        f"Error: Unable to parse line {line_at(data, position)} of WWF file "
                        f"'{line.removesuffix(end)}'\nError: Unable to read WWL file '{path}'\n"
                    )
                words.append((fields[0], number(fields[1].encode("latin-1"))))
            position += len(raw) + 1
        return cls(f'{path} Column "{description}"', words, missing)

    def of(self, word: WordType) -> float:
        """Return the weight of a word.

        If `=` separates parts of a word, its weight is the sum of their weights. Null words and
        optional words weigh 0.
        """
        if word.null or word.optional:
            return 0.0
        if "=" not in word.text:
            return self._look_up(word.text)
        return sum((self._look_up(part) for part in word.text.split("=") if part), 0.0)

    def _look_up(self, text: str) -> float:
        """Return the weight of a word, found by sclite's binary search.

        If the list has a word several times, the search may find any of its weights.
        """
        low, high = 0, len(self._words) - 1
        while low <= high:
            middle = (low + high) // 2
            if self._words[middle] == text:
                return self._weights[middle]
            if self._words[middle] < text:
                low = middle + 1
            else:
                high = middle - 1
        return self._missing
