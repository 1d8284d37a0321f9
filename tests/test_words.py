"""Texts that users read are in plain English: none contains a phrase of the banned list."""

import ast
import re
from pathlib import Path

import pytest

import scoring.cli.scoring
from scoring.cli.formats import main as formats_main
from scoring.cli.scoring import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
VERBS = ["convert", "detect", "diff", "info", "lint", "list", "show", "validate"]
# their texts are those of the programs that they replace
DROP_IN = ("scoring/nist", "scoring/peers")
BANNED = re.compile(
    r"""\b(?:
      (?:is|are|be)\ told(?!\ apart) | told\ by\ (?:its|their|the)\ content | whoever
    | pass(?:ed|es)?\ over | stands?\ in\ the\ signature | costs\ itself | if\ need\ be
    | as\ (?:it|they)\ (?:is|are)\ called | (?:is|are)\ called\ as | as\ ever | one\ by\ one
    | (?:is|are)\ taken\ for | (?:say|says|said)\ otherwise | what\ becomes\ of
    | which\ it\ is\ not | knows?\ nothing\ of | not\ kept\ as\ it\ was | left\ out | explain-loss\ says
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)


def banned_phrases(text: str) -> list[str]:
    """The banned phrases of a text, each with the words around it."""
    line = " ".join(text.split())
    return [line[max(0, hit.start() - 40) : hit.end() + 40] for hit in BANNED.finditer(line)]


def test_pages() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    hits = {str(page): banned_phrases(page.read_text("utf-8")) for page in pages}
    assert {page: phrases for page, phrases in hits.items() if phrases} == {}


def test_helps(capsys: pytest.CaptureFixture[str]) -> None:
    for command in VERBS:
        assert formats_main([command, "--help-all"]) == 0, command
    for command in COMMANDS:
        assert scoring.cli.scoring.main([command, "--help-all"]) == 0, command
    assert banned_phrases(capsys.readouterr().out) == []


def test_messages() -> None:
    hits = []
    for path in (*(ROOT / "formats").rglob("*.py"), *(ROOT / "scoring").rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        texts = [
            node for node in nodes if isinstance(node, ast.Constant) and id(node) not in docstrings
        ]
        if not path.relative_to(ROOT).as_posix().startswith(DROP_IN):
            hits += [(path, phrase) for text in texts for phrase in banned_phrases(str(text.value))]
    assert hits == []
