"""Nothing in the packages reads our own English back: no pattern on texts of errors and messages.

Programs ask the entry, the code and the fields of a message, and the option of an error of values.
A field is a number, a name of a closed list, a piece of the user's file, an option (`Advice`),
another message, or a list of these; so no field takes a sentence.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

import formats
import scoring
from tests.each_case import each_case
from tests.syntax import callee, nodes_of, nodes_of_kind, walk

ROOTS = [Path(str(package.__file__)).parent for package in (formats, scoring)]
NAMES = {"diagnostic", "error", "hint", "loss", "message", "note", "problem", "refused", "remark"}
"""Names of variables that hold an error or a message, besides those of `except … as`."""
TEXTS = {"message", "problem", "expected", "found"}
"""Attributes of these that are texts."""
CUTS = {
    *("startswith", "endswith", "partition", "rpartition", "split", "rsplit", "splitlines"),
    *("replace", "removeprefix", "removesuffix", "find", "index", "rfind", "count", "translate"),
}
PATTERNS = {"search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split"}
OF_LIBRARIES = {
    "formats/detection/json_beginnings.py": (1, "msgspec: an input that breaks off"),
    "formats/schema/value_records.py": (1, "msgspec: the path of a wrong value"),
    "formats/tables/csv_file.py": (2, "csv: the limit of a field"),
    "scoring/alignment/plain_arrow.py": (1, "pyarrow: the row of invalid UTF-8"),
    "scoring/nist/report/registry.py": (1, "texts of the original with a place for a name"),
    "scoring/regression/bench/plan.py": (
        3,
        "msgspec: the place of a wrong value, and a text without quotation marks",
    ),
    "scoring/regression/history.py": (1, "sqlite3: a locked file"),
    "scoring/results/verdicts.py": (1, "msgspec: the path of a wrong value"),
    "scoring/score/engines/plan.py": (1, "Spark and Ray: colours of a terminal"),
    "scoring/score/record_reader.py": (2, "msgspec: the path of a wrong value"),
    "scoring/score/score_columns.py": (2, "pyarrow: the details of an exception"),
}
"""Modules that read errors of libraries, which have no other sign: how often, and what."""


def _holders(nodes: Iterable[ast.AST]) -> set[str]:
    """Names of errors and messages in a module."""
    caught = {node.name for node in nodes if isinstance(node, ast.ExceptHandler)}
    return NAMES | {name for name in caught if name}


def _is_text(node: ast.AST, holders: set[str]) -> bool:
    """True for `str(error)`, `f"{error}"`, `error.message`, and texts joined with them."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "str" and node.args:
        return isinstance(node.args[0], ast.Name) and node.args[0].id in holders
    if isinstance(node, ast.Attribute) and node.attr in TEXTS:
        return isinstance(node.value, ast.Name) and node.value.id in holders
    if isinstance(node, ast.JoinedStr):
        return any(
            isinstance(part, ast.FormattedValue)
            and isinstance(part.value, ast.Name)
            and part.value.id in holders
            for part in node.values
        )
    if isinstance(node, ast.BoolOp):
        return any(_is_text(value, holders) for value in node.values)
    return isinstance(node, ast.BinOp) and (
        _is_text(node.left, holders) or _is_text(node.right, holders)
    )


def readings(nodes: Sequence[ast.AST]) -> Iterator[int]:
    """Lines that look for something in the text of an error or a message."""
    holders = _holders(nodes)
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            is_bare = isinstance(node.func.value, ast.Name) and node.func.value.id in NAMES
            is_cut = node.func.attr in CUTS and (is_bare or _is_text(node.func.value, holders))
            if node.func.attr == "split" and not node.args:
                continue  # blanks and line ends of a library's text become single
            is_pattern = node.func.attr in PATTERNS and any(
                _is_text(argument, holders) for argument in node.args
            )
            if is_cut or is_pattern:
                yield node.lineno
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            is_looked_up = any(
                isinstance(way, (ast.In, ast.NotIn)) and _is_text(side, holders)
                for way, side in zip(node.ops, node.comparators, strict=True)
            )
            has_text = any(isinstance(side, ast.Constant) and side.value for side in sides)
            is_equal = any(isinstance(way, (ast.Eq, ast.NotEq)) for way in node.ops) and has_text
            if is_looked_up or (is_equal and any(_is_text(side, holders) for side in sides)):
                yield node.lineno


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: root.name)
def test_no_code_looks_for_anything_in_texts_of_errors_and_messages(root: Path) -> None:
    found = {
        str(path.relative_to(root.parent)): lines
        for path in sorted(root.rglob("*.py"))
        if (lines := [*readings(nodes_of(path))])
    }
    counts = {path: len(lines) for path, lines in found.items()}
    allowed = {path: number for path, (number, _) in OF_LIBRARIES.items() if path in counts}
    assert counts == allowed, found


@each_case(
    ("code", "is_reading"),
    [
        ("try: f()\nexcept ValueError as bad:\n    if 'NUL' in str(bad): raise", True),
        ("FLAG.sub(name, str(message))", True),
        ("problem.message.partition(': ')", True),
        ("f'{error}'.startswith('expected')", True),
        ("if (error.found or '') == 'none': pass", True),
        ("if error.value.code == 'ENCODING': pass", False),
        ("say(str(error))", False),
    ],
)
def test_readings_are_seen(code: str, is_reading: bool) -> None:
    assert bool([*readings(walk(ast.parse(code)))]) == is_reading


OF_OTHERS = {
    "formats/console/telling.py": "an error without a message, of a command",
    "formats/schema/diagnostics.py": "a record that is skipped, whose error is a free text",
    "formats/schema/messages.py": "`message_of`: an error of a library",
    "formats/subtitles/ass_writer.py": "warnings of pysubs2",
    "scoring/cli/gates.py": "reasons of failed conditions, which a report has in full",
    "scoring/serve/browser/tasks.py": "an error without a message, of the page",
}
"""Modules that create a message of a whole text (`TEXT`), and whose text it is."""
VALUES = ("comparison.reason", "remark.message", "session.reason.message")
"""Attributes that are messages."""
WORD = re.compile("[A-Za-z]{2,}")


def _is_sentence(node: ast.AST) -> bool:
    """True for the text of an error, and for a literal of several words."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return len(WORD.findall(node.value)) > 2
    if isinstance(node, ast.JoinedStr):
        parts = [part.value for part in node.values if isinstance(part, ast.Constant)]
        return len(WORD.findall(" ".join(map(str, parts)))) > 1
    if isinstance(node, ast.Attribute):
        is_text = node.attr in {"message", "problem", "reason", "remark"}
        return is_text and not ast.unparse(node).endswith(VALUES)
    return _is_text(node, NAMES)


def sentences(nodes: Iterable[ast.AST]) -> Iterator[int]:
    """Lines that give a sentence to a field of a message."""
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        if callee(node) not in {"Message", "say", "error_of", "with_remark", "refused", "advise"}:
            continue
        given: list[ast.AST] = [keyword.value for keyword in node.keywords]
        for argument in node.args[1:]:
            given += argument.values if isinstance(argument, ast.Dict) else []
        if any(map(_is_sentence, given)) and ast.unparse(node.args[0]) != "TEXT":
            yield node.lineno


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: root.name)
def test_no_field_takes_a_sentence(root: Path) -> None:
    found = {
        str(path.relative_to(root.parent)): lines
        for path in sorted(root.rglob("*.py"))
        if (lines := [*sentences(nodes_of_kind(path, ast.Call))])
    }
    assert found == {}


def test_only_texts_of_others_are_messages_by_themselves() -> None:
    found = {
        str(path.relative_to(root.parent))
        for root in ROOTS
        for path in root.rglob("*.py")
        for node in nodes_of_kind(path, ast.Call)
        if callee(node).endswith("Message")
        if node.args and ast.unparse(node.args[0]) == "TEXT"
    }
    assert found == OF_OTHERS.keys()


@each_case(
    ("code", "is_sentence"),
    [
        ("Message(A, {'reason': str(error)})", True),
        ("log.say(A, 1, where=f'of the first {number} utterances')", True),
        ("source.error_of(A, 1, kind='invisible characters in names')", True),
        ("Message(TEXT, {'text': str(error)})", False),
        ("log.say(A, 1, name=name, words=3, kind='segment')", False),
        ("Message(A, {'reason': error.value})", False),
    ],
)
def test_sentences_are_seen(code: str, is_sentence: bool) -> None:
    assert bool([*sentences(walk(ast.parse(code)))]) == is_sentence
