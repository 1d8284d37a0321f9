"""The pages of the documentation, by name; search them for words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from scoring.model.data_files import names_in, path_of, text_of

# Words for the subject of a page that its title lacks; the search of the site has them, too.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "differences": ("diff", "show differences", "side by side"),
    "first-conversion": ("convert srt", "convert vtt"),
    "first-score": ("word error rate formula", "WER formula"),
    "formats": ("contribute format", "add a format", "new format"),
    "from-sctk": ("replace sclite", "sclite", "SCTK"),
    "keyword-search": ("ATWV", "MTWV", "TWV", "keyword spotting"),
    "plugins": ("plug-in", "plugin", "entry point"),
    "reference/exit-statuses": ("exit status", "exit code", "return code"),
    "signature": (
        *("signature", "cite", "citation", "paper", "reproduce", "LaTeX"),
        "table for a paper",
    ),
    "subtitle-rules": ("reading speed", "characters per second"),
    "browser": ("drag and drop", "web page", "without command line"),
    "continuous-integration": ("GitHub Actions", "pipeline", "GitLab CI"),
    "diarisation": ("diarization", "speaker diarization", "DER", "who spoke when"),
    "html-report": ("visualize", "HTML page"),
    "in-place-of": (
        *("drop-in", "replacement", "migrate", "evalmate", "evaluate", "Hugging Face", "fstalign"),
        *("Rev", "pyannote", "pyannote.metrics", "speechline", "torchmetrics"),
    ),
    "install": ("pip", "wheel", "compiler"),
    "many-speakers": ("many speakers", "speaker labels", "meeting", "overlapping speech", "cpWER"),
    "measures": ("hallucination", "loops", "repetitions", "inserted text"),
    "normalization": (
        *("normalization", "normalisation", "ignore case", "lower case", "punctuation"),
        *("capitals", "ignore punctuation"),
    ),
    "regression": ("significance test", "compare two systems", "p-value"),
    "score-subtitles": ("subtitles", "captions", "SRT", "WebVTT"),
    "tables": ("Excel", "spreadsheet", "CSV", "pandas", "data frame"),
    "timing": ("timestamps", "latency", "word times"),
    "two-numbers": ("different WER", "why different WER", "other number"),
    "wer": (
        *("WER", "confidence interval", "character error rate", "CER", "word error rate"),
        "options",
    ),
    "whisper": ("OpenAI", "faster-whisper", "WhisperX"),
    "words-of-interest": ("names", "keywords", "terms", "entities", "bias list"),
}  # fmt: skip
UNSEARCHED = ("changelog", "index")
MOST = 8  # pages in an answer
WORD = re.compile(r"[^\W_]+")
# A match in the title of a page or in its synonyms, and in a heading; matches in the text count up
# to 4, and their share of all words counts, too.
IN_TITLE, IN_HEADING, IN_TEXT = 12, 5, 4
FENCE = "```"


class PagePart(NamedTuple):
    """A heading of a page, with the text up to the next heading."""

    heading: str
    words: list[str]


class FoundPage(NamedTuple):
    """A page with its score, and its best heading.

    The best heading is the first one whose text has the most searched words.
    """

    score: float
    page: str
    title: str
    heading: str


class DocPage(NamedTuple):
    """A page of the documentation: its name, the file that holds it, and its text."""

    name: str
    path: Path
    text: str


def pages_in(folder: Path) -> dict[str, DocPage]:
    """Return all pages by name."""
    home = str(folder)
    files = [file for file in names_in(home) if file.endswith(".md")]
    pages = (
        DocPage(file.removesuffix(".md"), Path(path_of(home, file)), text_of(home, file))
        for file in files
    )
    return {page.name: page for page in pages}


def hits(folder: Path, words: Sequence[str]) -> list[FoundPage]:
    """Return at most `MOST` pages that contain all searched words, best first.

    A searched word also matches longer words that begin with it. Case and endings such as -ing and
    -ed are ignored. The index of all pages and the changelog are not searched.
    """
    stems = [stem(word) for text in words for word in WORD.findall(text.lower())]
    if not stems:
        return []
    pages = pages_in(folder)
    candidates = [_hit(page, stems) for page in pages.values() if page.name not in UNSEARCHED]
    return sorted(filter(None, candidates), key=lambda hit: (-hit.score, hit.page))[:MOST]


def stem(word: str) -> str:
    """Return a word without common endings, so that the search also finds its other forms."""
    return re.sub(r"(?:ation|ations|ing|ed|es|s|e)$", "", word) if len(word) > 4 else word


def sections(text: str) -> Iterator[PagePart]:
    """Yield the headings of a page with the words below them; code blocks have no headings."""
    code, heading, lines = False, "", list[str]()
    for line in text.splitlines():
        code ^= line.lstrip().startswith(FENCE)
        if line.startswith("#") and not code:
            if heading:
                yield PagePart(heading, _words(lines))
            heading, lines = line.lstrip("# "), []
        lines.append(line)
    yield PagePart(heading, _words(lines))


def _words(lines: Sequence[str]) -> list[str]:
    return WORD.findall(" ".join(lines).lower())


def _hit(page: DocPage, stems: Sequence[str]) -> FoundPage | None:
    parts = list(sections(page.text))
    size = sum(len(part.words) for part in parts)
    title_words = _words([parts[0].heading, page.name, *SYNONYMS.get(page.name, ())])
    headings = _words([part.heading for part in parts])
    present, score = [0] * len(parts), 0.0
    for word in stems:
        counts = [_matches(word, part.words) for part in parts]
        if not sum(counts) and not _matches(word, title_words):
            return None
        present = [before + (count > 0) for before, count in zip(present, counts, strict=True)]
        score += IN_TITLE * (_matches(word, title_words) > 0) + IN_HEADING * (
            _matches(word, headings) > 0
        )
        score += min(sum(counts), IN_TEXT) + IN_TEXT * sum(counts) / (20 + size)
    if " ".join(stems) in " ".join(map(stem, title_words)):
        score += IN_TITLE
    place = present.index(max(present))
    return FoundPage(score, page.name, parts[0].heading, parts[place].heading if place else "")


def _matches(word: str, words: Sequence[str]) -> int:
    return sum(each.startswith(word) for each in words)
