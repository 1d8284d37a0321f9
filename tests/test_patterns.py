"""Regular expressions take time that grows as their text does, whatever the text is."""

import fnmatch
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from formats.annotation import tiers
from scoring.cli.flags import _reading_names
from scoring.peers.benchmarkstt.docblock import _LINE, _NAMED
from scoring.peers.conformance import programs
from scoring.text import csv_dialects
from scoring.text.glm.matching import GlmRule, RuleIndex
from scoring.text.language_tables import languages
from scoring.text.punctuation import KEEP, Brackets, Punctuation
from scoring.text.replacing import ReplaceWords
from scoring.text.spoken.alike import ALIKE, AlikeDigits
from scoring.text.spoken.amounts import SpokenAmounts
from scoring.text.spoken.table import table_of
from tests import pattern_runs
from tests.made_once import made_once
from tests.pattern_runs import steep_run

pytestmark = pytest.mark.release
OF_A_USER = (
    "formats.meetings.described: beginning_of(rule.lines[0].pattern).replace('.*)', '.*?)')",
    "formats.meetings.described: expression",
    "formats.meetings.described: re.escape(rule)",
    "scoring.peers.benchmarkstt.segmentation: pattern",
    "scoring.peers.jiwer.transforms: f'\\\\b{re.escape(word)}\\\\b'",
    "scoring.peers.jiwer.transforms: pattern",
    "scoring.peers.meeteval.given: regex",
    "scoring.tasks.kws.audio: pattern",
    'scoring.measures.punctuation: f"[\\\\w\']+|[{re.escape(marks)}]"',
    "scoring.nist.hub.csrfilt: text",
    "scoring.text.english_rules: '|'.join(compounds)",
    "scoring.text.english_rules: f\"\\\\b(?:{'|'.join(fillers.split())})\\\\b\"",
    "scoring.text.english_rules: key",
    "scoring.text.replacing: pattern",
    "scoring.tasks.speakers.metadata.words: piece",  # a word of the file, as in md-eval.pl
)
"""Expressions that a user writes or that another package has, whose time is theirs."""
HELD_BY_A_CLASS = (
    "formats.reading.patterns: text",
    "formats.schema: self._text",  # of those that are compiled at their first use
    "scoring.text.english_rules: f'{before}{ending}\\\\b'",
    "scoring.nist.transcripts.encodings: byte_text(character.pattern)",
    "scoring.regression.toolkit_results: pattern.replace('#', _NUMBER)",
    "scoring.regression.sums: f'^{title}.*\\\\( *(\\\\d{{1,15}})\\\\)'",
    "scoring.regression.sums: pattern",
)
"""Those that a table or a class holds, where they are tried."""
MADE_WHEN_CALLED = (
    "formats.annotation.tiers: f'{re.escape(before)}(.+){re.escape(after)}'",
    "formats.annotation.tiers: fnmatch.translate(pattern)",
    "scoring.cli.docs: f'\\\\[`{re.escape(wanted)}`\\\\]\\\\(([^)\\\\[]*)\\\\)'",
    "scoring.cli.flags: f\":(?=(?:{'|'.join(map(re.escape, sorted(names)))})=)\"",
    "scoring.peers.conformance.programs: f'{x} =\\\\s*([\\\\d.]+)'",
    "scoring.peers.benchmarkstt.docblock: pattern",
    "scoring.text.csv_dialects: (f'[{left}]*' if left else '') + "
    "(f'(?:[{comment}][^\\r\\n]*)?' if comment else '')",
    "scoring.text.csv_dialects: f'[^{re.escape(grammar.delimiter)}{quote}\\r\\n]*'",
    "scoring.text.csv_dialects: f'{quote}([^{quote}]*(?:{2 * quote}[^{quote}]*)*){quote}(?!{quote})'"
    " + (f'([{right}]*)' if right else '()')",
    "scoring.text.glm.matching: _any_of({*sources})",
    "scoring.text.punctuation: '|'.join((_PAIRS[kind] for kind in self.kinds))",
    "scoring.text.punctuation: f'[{characters}]'",
    "scoring.text.spoken.alike: f\"({'|'.join(longest_first)})\"",
    "scoring.text.spoken.amounts: endings[0]",
    "scoring.text.spoken.amounts: f'([{points}])(\\\\d+)'",
    "scoring.text.spoken.amounts: f'{thousands}|{lakhs}|\\\\d+'",
    "scoring.text.spoken.amounts: pattern",
    "scoring.text.spoken.calendar: date.ending",
    "scoring.text.spoken.calendar: pattern",
    "scoring.text.spoken.table: pattern",
    "scoring.text.replacing: f'(?<!\\\\w)({first}){re.escape(search[1:])}(?!\\\\w)'",
)  # fmt: skip
"""Those that `made_when_called` makes."""


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What one run over the packages prints."""
    return made_once(tmp_path_factory, "patterns", try_patterns).read_text("utf-8").splitlines()


def try_patterns(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.pattern_runs", "formats", "scoring"],
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[-1].split()[0]) == (0, "done"), (lines[-1], done.stderr[-500:])
    path.write_text(done.stdout, "utf-8")


def test_repeats_that_can_share_a_run_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    # what is steep here is so at the first try; only what is not steep may need more of them
    monkeypatch.setattr(pattern_runs, "ROUNDS", 1)
    steep = (r"[0-9]+\.?[0-9]*\Z", r"a*a*b", r"(?:<!--.*?-->\s*)*x", r"(a+)+\Z")
    assert steep_run(re.compile(r"(a{0,9}){0,20}b"), "match") is not None
    # what doubles its time without end gets to any limit
    monkeypatch.setattr(pattern_runs, "LIMIT", 0.05)
    for text in steep:
        assert steep_run(re.compile(text, re.DOTALL), "match") is not None, text
    assert steep_run(re.compile(r"<[^>]*>"), "finditer") is not None
    monkeypatch.undo()
    for text in (r"[0-9]+(?:\.[0-9]*)?\Z", r"a*b", r"(.*)\Z", r"(?:<[^<>]*>)*\Z"):
        assert steep_run(re.compile(text), "match") is None, text


def test_no_pattern_of_the_packages_takes_more_than_its_share_for_a_long_run(
    lines: list[str],
) -> None:
    assert [line for line in lines if line.startswith("steep ")] == []
    assert int(lines[-1].split()[1]) > 150


def made_when_called() -> Iterator[tuple[re.Pattern[Any], str]]:
    yield tiers._speaker_pattern("words - *_x"), "fullmatch"
    yield re.compile(fnmatch.translate("a*b?c*[d-f]*")), "match"
    yield Brackets(tuple(filter(None, Brackets.choices["kinds"])))._pattern, "finditer"
    kept = Punctuation(keep=tuple(KEEP))._kept
    assert kept is not None
    yield kept, "finditer"
    yield re.compile(rf"{next(iter(programs._FIGURES.values()))} =\s*([\d.]+)"), "search"
    yield from ((pattern, "match") for pattern in csv_dialects._patterns(csv_dialects.COMMAS))
    yield from ((re.compile(text.format("param"), re.M), "finditer") for text in (_LINE, _NAMED))
    letters = RuleIndex([GlmRule("aab", "b", "", ""), GlmRule("aa", "b", "", "")], str)._letters
    assert letters is not None
    yield letters, "finditer"
    yield ReplaceWords("aaa aaa", "b")._pattern, "finditer"
    yield re.compile(rf":(?=(?:{'|'.join(sorted(_reading_names()))})=)"), "finditer"
    yield re.compile(r"\[`srt`\]\(([^)\[]*)\)"), "search"
    yield from dict.fromkeys(of_spoken_forms())


def of_spoken_forms() -> Iterator[tuple[re.Pattern[str], str]]:
    for language in languages("spoken"):
        table, amounts = table_of(language), SpokenAmounts(language)
        yield from ((amounts._whole, "match"), (amounts._decimals, "match"))
        if digits := ALIKE.get(language):
            yield AlikeDigits(amounts.names, digits)._own_words, "finditer"
        yield from ((respelling.pattern, "finditer") for respelling in table.respellings)
        if table.pieces is not None:
            yield table.pieces, "finditer"
        for key in ("denominator", "decade", "hourordinal"):
            yield from ((re.compile(row[0]), "finditer") for row in table.rows(key))
        yield from ((re.compile(kinds[0]), "search") for kinds in table.suffixes.values() if kinds)
    for table in map(table_of, languages("cldr")):
        yield from ((respelling.pattern, "finditer") for respelling in table.respellings)
        if table.pieces is not None:
            yield table.pieces, "finditer"


def test_nor_does_a_pattern_that_is_made_when_it_is_needed(lines: list[str]) -> None:
    unknown = [line.removeprefix("unknown ") for line in lines if line.startswith("unknown ")]
    assert unknown == sorted((*OF_A_USER, *HELD_BY_A_CLASS, *MADE_WHEN_CALLED))
    found = list(made_when_called())
    assert len(found) > len(MADE_WHEN_CALLED)
    assert [steep_run(pattern, way) for pattern, way in found] == [None] * len(found)
