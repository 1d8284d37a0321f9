"""Laws of catalogues: fields fit their templates at every call, keys are unique, options exist."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import formats
from formats.cli.arguments import parser
from formats.detection import all_formats
from formats.detection.spec import Option
from formats.reading import checked_option
from formats.schema.messages import SEVERITIES, Advice, Entry, fields_of
from scoring.cli.scoring import command_named
from tests.each_case import each_case
from tests.syntax import children_of, nodes_of_kind, tree_of

ROOT = Path(formats.__file__).parent
TESTS = Path(__file__).parent
CATALOGUES = sorted(path for path in ROOT.glob("*/messages.py") if path.parent.name != "schema")
UNRESOLVED = {
    # an entry that a caller passes on
    "detection/content.py": 1,
    "nist/markup_writer.py": 1,
    "reading/lines.py": 2,
    "reading/xml_document.py": 1,
    "json/words_to_segments.py": 1,
    "manifests/role_columns.py": 2,
    "subtitles/vtt.py": 1,
    "subtitles/stl.py": 1,
}
"""Calls whose entry or fields are only known at run time."""


QUOTING = {
    "test_messages.py test_advice_is_rendered_with_its_fields": "what a template becomes",
    "test_messages.py test_records_are_json": "what a template becomes",
    "test_diagnostics.py test_text_and_repr": "how a line is built around a message",
    "test_diagnostics.py test_messages_of_a_kind_are_gathered": "what stands for many messages",
    "test_manual.py test_a_page_runs": "pages with console sessions, one case each",
}
"""All tests of formats that quote texts of catalogues, with the reason: they are marked `quotes`.

Others compare entries and fields, so that wording is free.
"""


def values_of(path: Path) -> dict[str, Any]:
    """The names of a catalogue."""
    return vars(importlib.import_module(f"formats.{path.parent.name}.messages"))


def entries_in(value: object) -> Iterator[Entry]:
    """The entries in a value of a catalogue."""
    if isinstance(value, Entry):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from entries_in(each)
    elif isinstance(value, tuple):
        for each in value:
            yield from entries_in(each)


ENTRIES = [
    entry
    for path in CATALOGUES
    for entry in dict.fromkeys(e for value in values_of(path).values() for e in entries_in(value))
]


def fields_needed(entry: Entry) -> set[str]:
    """The fields of all templates of an entry."""
    templates = [entry.text, entry.several]
    for advice in entry.advice:
        templates += [text for text in advice if isinstance(text, str)]
    return {name for text in templates for name in fields_of(text)} - {"times"}


@each_case("entry", ENTRIES)
def test_an_entry_is_well_formed(entry: Entry) -> None:
    assert entry.severity in SEVERITIES
    assert "times" not in fields_of(entry.text)
    assert not entry.advice or "{advice" in entry.text
    assert entry.advice or "{advice" not in entry.text + entry.several
    assert not entry.several or "{times" in entry.several or "{advice" in entry.several


def test_keys_of_entries_are_unique() -> None:
    keys: dict[str, Entry] = {}
    for entry in ENTRIES:
        assert keys.setdefault(entry.key, entry) == entry
    assert len(keys) > 250


def _options() -> dict[str, Option]:
    """The options of all readers and writers, and those of `formats convert`, by name."""
    options = {
        option.name: option
        for spec in all_formats()
        for option in (*spec.read_options, *spec.write_options)
    }
    for command in ("convert", "lint"):
        for action in parser({}).commands[command].arguments:
            for name in action.option_strings:
                key = name.removeprefix("--").replace("-", "_")
                default: object = "" if action.nargs != 0 else False
                options.setdefault(key, Option(key, default, "", tuple(action.choices or ())))
    return options


OPTIONS = _options()


@each_case("entry", [entry for entry in ENTRIES if entry.advice])
def test_advised_options_exist_and_take_the_value(entry: Entry) -> None:
    for advice in entry.advice:
        option = OPTIONS[advice.option]
        is_fixed = not isinstance(advice.value, str) or not (
            "{" in advice.value or advice.value.isupper() or not advice.value
        )
        if is_fixed:
            checked_option(option, advice.value)
        assert isinstance(advice.value, str) == (type(option.default) is not bool)


@each_case("side", ["reference", "hypothesis"])
@each_case("command", ["wer", "cer", "der", "events", "segments"])
def test_commands_with_two_sides_take_what_their_readers_advise(
    command: str, side: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Readers advise these options where they know the side; each command has them."""
    with pytest.raises(SystemExit):
        command_named(command)(["--help-all"])
    text = capsys.readouterr().out
    for advice in (Advice("from", "trn"), Advice("encoding", "cp1252"), Advice("rttm_merge")):
        assert advice.of_side(side).flag.split()[0] in text


def test_an_advised_option_mends_what_it_is_advised_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What `scoring der` prints of overlapping turns can be pasted into the command."""
    path = tmp_path / "a.rttm"
    turn = "SPEAKER a 1 {} 2 <NA> <NA> x <NA> <NA>\n"
    path.write_text(turn.format(0) + turn.format(1))
    command_named("der")([str(path), str(path)])
    flags = re.findall(r"(--\S+) (rttm_merge=\S+)", capsys.readouterr().err)
    assert flags == [
        ("--reference-option", "rttm_merge=true"),
        ("--hypothesis-option", "rttm_merge=true"),
    ]
    command_named("der")([str(path), str(path), *[word for pair in flags for word in pair]])
    assert "rttm_merge" not in capsys.readouterr().err
    path.write_text("".join(map(turn.format, range(4))))
    command_named("der")([str(path), str(path)])
    errors = capsys.readouterr().err.splitlines()
    found = [re.findall(r"\d+", line.partition("a.rttm:")[2]) for line in errors]
    assert found == [["3", "2"], ["3", "2"]]


class _Calls:
    """Collects the calls that log an entry, with the function that each is in."""

    def __init__(self) -> None:
        self.scopes: list[ast.AST] = []
        self.calls: list[tuple[ast.Call, list[ast.AST]]] = []

    def visit(self, node: ast.AST) -> None:
        is_scope = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        if is_scope:
            self.scopes.append(node)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("say", "_say", "_say_once", "error_of", "count")
        ):
            owner = ast.unparse(node.func.value)
            is_log = owner.endswith(("log", "line")) and node.func.attr == "say"
            if (
                is_log
                or node.func.attr in ("_say", "_say_once")
                or node.func.attr == "error_of"
                or (node.func.attr == "count" and owner.endswith(("answer", "reading")))
            ):
                self.calls.append((node, list(self.scopes)))
        for child in children_of(node):
            self.visit(child)
        if is_scope:
            self.scopes.pop()


def has_name(node: ast.AST, name: str) -> bool:
    """True if a name occurs in an expression."""
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))


class _Resolver:
    """Finds the entries and the fields of a call by the syntax of its function."""

    def __init__(self, names: dict[str, Any], scopes: list[ast.AST]) -> None:
        self.names, self.scopes = names, scopes

    def assigned(self, name: str) -> Iterator[ast.expr]:
        for scope in self.scopes[-1:]:
            for node in ast.walk(scope):
                if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                    if any(isinstance(t, ast.Name) and t.id == name for t in targets):
                        yield node.value

    def entries(self, node: ast.expr) -> list[Entry] | None:
        """The entries that an expression may be; None if unknown."""
        if isinstance(node, ast.Name) and node.id in self.names:
            return list(entries_in(self.names[node.id]))
        if isinstance(node, ast.Subscript):
            return self.entries(node.value)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return self.entries(node.func.value) if node.func.attr == "_replace" else None
        parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else []
        if isinstance(node, ast.Name):
            # a name that is assigned from itself is that of a parameter
            parts = [part for part in self.assigned(node.id) if not has_name(part, node.id)]
        found = [self.entries(part) for part in parts]
        if not found or None in found:
            return None
        return [entry for each in found if each for entry in each]

    def fields(self, node: ast.expr) -> set[str] | None:
        """The names of the fields of a mapping; None if unknown."""
        if isinstance(node, ast.Dict):
            names: set[str] = set()
            for key, value in zip(node.keys, node.values, strict=True):
                if key is None:
                    names |= self.fields(value) or set()
                elif isinstance(key, ast.Constant):
                    names.add(str(key.value))
            return names
        parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else []
        extra: set[str] = set()
        if isinstance(node, ast.Name):
            parts = list(self.assigned(node.id))
            for scope in self.scopes[-1:]:
                for each in ast.walk(scope):
                    if not isinstance(each, ast.Subscript) or not isinstance(each.ctx, ast.Store):
                        continue
                    if ast.unparse(each.value) == node.id:
                        extra.add(ast.literal_eval(each.slice))
        found = [self.fields(part) for part in parts]
        if not found or None in found:
            return None
        return {name for each in found if each for name in each} | extra


def misfits(path: Path) -> tuple[list[str], int]:
    """Calls of a module whose fields do not fit, and the number that is unresolved."""
    names: dict[str, Any] = {}
    tree = tree_of(path)
    for node in nodes_of_kind(path, ast.ImportFrom):
        if str(node.module).endswith(".messages"):
            module = importlib.import_module(str(node.module))
            names.update({a.asname or a.name: getattr(module, a.name) for a in node.names})
    names = {name: value for name, value in names.items() if [*entries_in(value)]}
    visitor = _Calls()
    visitor.visit(tree)
    wrong, unresolved = [], 0
    for call, scopes in visitor.calls:
        resolver = _Resolver(names, scopes)
        entries = resolver.entries(call.args[0])
        given: set[str] = {"count"} if ast.unparse(call.func).endswith("count") else set()
        is_known = entries is not None
        for keyword in call.keywords:
            more = resolver.fields(keyword.value) if keyword.arg is None else {keyword.arg}
            is_known = is_known and more is not None
            given |= more or set()
        if not is_known:
            unresolved += 1
            continue
        for entry in entries or ():
            needed = fields_needed(entry)
            if ast.unparse(call.func).endswith(".count"):
                needed -= {"word"}
            if needed - given:
                wrong.append(f"{path}:{call.lineno}: {entry.key} lacks {needed - given}")
        if spare := given - {name for entry in entries or () for name in fields_needed(entry)}:
            wrong.append(f"{path}:{call.lineno}: no template has {spare}")
    return wrong, unresolved


def test_fields_fit_the_templates_at_every_call() -> None:
    wrong: list[str] = []
    unresolved: dict[str, int] = {}
    for path in sorted(ROOT.glob("*/*.py")):
        misfit, count = misfits(path)
        wrong += misfit
        if count:
            unresolved[str(path.relative_to(ROOT))] = count
    assert wrong == []
    assert unresolved == {name: count for name, count in UNRESOLVED.items() if count}


def test_only_tests_of_texts_quote_them() -> None:
    marked = [
        f"{path.relative_to(TESTS)} {node.name}"
        for path in sorted(TESTS.rglob("test_*.py"))
        if "pytest.mark.quotes" in path.read_text("utf-8")
        for node in nodes_of_kind(path, ast.FunctionDef, ast.ClassDef)
        if any(ast.unparse(mark) == "pytest.mark.quotes" for mark in node.decorator_list)
    ]
    assert sorted(marked) == sorted(QUOTING)
