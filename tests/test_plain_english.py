"""Texts are in plain English: messages, pages, docstrings and comments hold no banned phrase."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import scoring.cli.scoring
from scoring.cli.formats import main as formats_main
from scoring.cli.scoring import COMMANDS
from tests.syntax import nodes_of_kind

ROOT = Path(__file__).resolve().parents[1]
VERBS = ["convert", "detect", "diff", "info", "lint", "list", "show", "validate"]
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


def sources(*suffixes: str) -> Iterator[Path]:
    """The sources of ours with these suffixes."""
    for room in ("formats", "scoring"):
        yield from (path for path in sorted((ROOT / room).rglob("*")) if path.suffix in suffixes)


def strings_of(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the text of each string: messages and docstrings."""
    for node in nodes_of_kind(path, ast.Constant):
        if isinstance(node.value, str):
            yield node.lineno, node.value


def comments_of(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the text of each comment, if a line with its sign has a banned phrase."""
    text = path.read_text("utf-8")
    # tokens take much longer than lines
    if any("#" in line and banned_phrases(line) for line in text.splitlines()):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


def cpp_comments_of(path: Path) -> Iterator[tuple[int, str]]:
    """The line of each block of `//` comments that stands alone, and its text."""
    block: list[str] = []
    for number, line in enumerate([*path.read_text("utf-8").splitlines(), ""], 1):
        if line.lstrip().startswith("//"):
            block.append(line.strip().lstrip("/ "))
        elif block:
            yield number - len(block), " ".join(block)
            block = []


def test_strings_and_comments() -> None:
    texts = [(path, [*strings_of(path), *comments_of(path)]) for path in sources(".py")]
    texts += [(path, [*cpp_comments_of(path)]) for path in sources(".cpp", ".hpp")]
    hits = [
        f"{path.relative_to(ROOT)}:{line}: {hit}"
        for path, lines in texts
        for line, text in lines
        for hit in banned_phrases(text)
    ]
    assert hits == []


def test_comments_are_read(tmp_path: Path) -> None:
    source = tmp_path / "a.py"
    source.write_text('"""As ever."""\nx = 1  # it  is told\ny = "# as ever"\n', "utf-8")
    assert [*comments_of(source)] == [(2, "# it  is told")]
    assert [*strings_of(source)] == [(1, "As ever."), (3, "# as ever")]


# Words that begin no sentence that says what a function does; properties say what they are.
NO_VERBS = """
    a all an another any as at besides both each either every everything for from how if in its
    like many most neither no none nothing of one our several some sure that the their these this
    those to true two what where whether which who whose why with within without
"""


def begins_without_verb(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """True if the docstring of a function, which is no property, begins as a noun phrase does."""
    words = re.split(r"\W+", ast.get_docstring(node) or "", maxsplit=1)
    is_property = any("property" in ast.unparse(item) for item in node.decorator_list)
    return words[0].lower() in NO_VERBS.split() and not is_property


def test_functions_say_what_they_do_by_a_verb() -> None:
    hits = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}"
        for path in sources(".py")
        for node in nodes_of_kind(path, ast.FunctionDef, ast.AsyncFunctionDef)
        if begins_without_verb(node)
    ]
    assert hits == []
