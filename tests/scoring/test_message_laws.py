"""Laws of the catalogues of scoring: fields fit the templates, keys are unique, options exist."""

import ast
import importlib
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import formats
import scoring
from formats.schema.messages import SEVERITIES, Entry, Message, fields_of
from formats.schema.remarks import Remark
from formats.schema.value_records import convert, to_builtins
from scoring.cli.scoring import command_named
from scoring.options import FIELDS, Options, flag_name
from scoring.pages import messages as of_pages
from scoring.regression import messages as of_regression
from scoring.sides import messages as of_sides
from scoring.tasks import messages as of_tasks
from scoring.tasks.phonemes import messages as of_phonemes
from scoring.text import messages as of_text
from tests.each_case import each_case
from tests.formats.test_message_laws import OPTIONS, _Resolver, entries_in, fields_needed, has_name
from tests.syntax import callee, children_of, nodes_of_kind, tree_of

ROOT = Path(scoring.__file__).parent
OF_FORMATS = Path(formats.__file__).parent
CATALOGUES = sorted(ROOT.rglob("messages.py"))
COMMANDS = ("wer", "cer", "diff", "compare", "oracle", "verdicts")
"""Commands that print hints and warnings of results."""
OF_WER = {of_pages.INVENTED, of_sides.OVERLAP, of_sides.OVERLAPS}
"""Entries that name the command, or that one command prints."""
OF_TASKS = {
    of_tasks.SEVERAL_TIERS: ("events", "segments"),
    of_tasks.MIXED_TIMES: ("events", "segments"),
    of_tasks.NOT_IN_BOTH: ("der",),
    of_tasks.CONTRADICTING_DECISIONS: ("kws",),
    of_phonemes.NOT_IN_LEXICON: ("per",),
    of_regression.RUNS_BY_OTHER_RULES: ("history compare",),
    of_regression.NOTHING_ACCEPTED: ("gate accept",),
    of_regression.TAGS_OF_RUNS: ("history import",),
    of_regression.OTHER_LENGTHS: ("wer",),
    of_regression.INCREASE: ("compare",),
    of_regression.NEEDS_ALL: ("wer", "compare"),
    of_regression.NOT_EXCUSED: ("compare",),
    of_text.NOT_FETCHED: ("recipes",),
    of_pages.FORGIVEN: ("wer", "cer"),
}
"""Entries of tasks and of commands by themselves, with the commands that print them."""
CREATORS = ("Message", "with_remark")
"""Functions that create a message."""
CREATES = re.compile(rf"\b(?:{'|'.join(CREATORS)})\s*\(")
PASSED_ON = {"nist", "peers"}  # rooms without catalogues


def values_of(path: Path) -> dict[str, Any]:
    """The names of a catalogue."""
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return vars(importlib.import_module(".".join(parts)))


ENTRIES = [
    entry
    for path in CATALOGUES
    for entry in dict.fromkeys(e for value in values_of(path).values() for e in entries_in(value))
]


@each_case("entry", ENTRIES)
def test_an_entry_is_well_formed(entry: Entry) -> None:
    assert entry.severity in SEVERITIES
    assert "--" not in entry.text, "an option is advice"
    assert not entry.text.startswith((*(f"{severity}:" for severity in SEVERITIES), " "))
    assert bool(entry.advice) == ("{advice" in entry.text)


def test_keys_of_entries_are_unique() -> None:
    keys: dict[str, Entry] = {}
    for entry in ENTRIES:
        assert keys.setdefault(entry.key, entry) == entry
    assert len(keys) > 100


@cache
def help_of(command: str) -> str:
    """All options of a command."""
    from contextlib import redirect_stdout
    from io import StringIO

    output = StringIO()
    name, *actions = command.split()
    with redirect_stdout(output), pytest.raises(SystemExit):
        command_named(name)([*actions, "--help-all"])
    return output.getvalue()


@each_case("entry", [entry for entry in ENTRIES if entry.advice])
def test_advised_options_exist_in_every_command_and_take_the_value(entry: Entry) -> None:
    commands: tuple[str, ...] = ("wer",)
    if entry in [each for value in vars(of_pages).values() for each in entries_in(value)]:
        commands = ("wer",) if entry in OF_WER else COMMANDS
    if entry in [each for value in vars(of_regression).values() for each in entries_in(value)]:
        commands = ("compare",)
    commands = OF_TASKS.get(entry, commands)
    for advice in entry.advice:
        if "{option}" in advice.option:
            continue  # an option of the command line, in its own name
        if advice.option in OPTIONS and advice.option not in FIELDS:
            continue  # of `formats convert`, which the text names
        options = [advice.option]
        if "{side}" in advice.option:
            options = [advice.option.format(side=side) for side in ("reference", "hypothesis")]
        for option in options:
            for command in commands:
                assert flag_name(option) in help_of(command), (command, option)
            if entry in OF_TASKS or not isinstance(advice.value, str):
                continue
            is_fixed = advice.value and "{" not in advice.value and not advice.value.isupper()
            if option in FIELDS and is_fixed and option != "metadata_key":
                value: Any = advice.value.split(",") if option == "measures" else advice.value
                assert Options(**{option: value}).value(option)


def _calls(tree: ast.AST) -> list[tuple[ast.Call, list[ast.AST]]]:
    """Calls that create a message, with the functions that they are in."""
    calls: list[tuple[ast.Call, list[ast.AST]]] = []

    def visit(node: ast.AST, scopes: list[ast.AST]) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            scopes = [*scopes, node]
        if isinstance(node, ast.Call) and callee(node) in CREATORS and node.args:
            calls.append((node, scopes))
        for child in children_of(node):
            visit(child, scopes)

    visit(tree, [])
    return calls


class _Names(_Resolver):
    """Finds entries by the name of their module, too; fields as they were assigned last."""

    line = 0

    def assigned(self, name: str) -> Iterator[ast.expr]:
        """The last value before the call; all of a name that stands for entries."""
        values = [value for value in super().assigned(name) if not has_name(value, name)]
        before = [value for value in values if value.lineno < self.line]
        is_entry = any(self.entries(value) is not None for value in values)
        yield from values if is_entry else before[-1:]

    def entries(self, node: ast.expr) -> list[Entry] | None:
        """The entries that an expression may be; None if unknown."""
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "messages":
            return list(entries_in(self.names["messages"][node.attr]))
        if isinstance(node, ast.Name) and isinstance(self.names.get(node.id), dict):
            return list(entries_in(self.names[node.id])) or None
        return super().entries(node)


def _names_of(path: Path) -> dict[str, Any]:
    """What a module imports of catalogues."""
    names: dict[str, Any] = {}
    for node in nodes_of_kind(path, ast.ImportFrom):
        for alias in node.names:
            module = f"{node.module}.{alias.name}"
            if alias.name == "messages":
                names["messages"] = vars(importlib.import_module(module))
            elif str(node.module).endswith(".messages"):
                found = getattr(importlib.import_module(str(node.module)), alias.name)
                if [*entries_in(found)]:
                    names[alias.asname or alias.name] = found
    return names


def test_fields_fit_the_templates_at_every_call() -> None:
    wrong: list[str] = []
    known = 0
    for path in sorted([*ROOT.rglob("*.py"), *OF_FORMATS.rglob("*.py")]):
        text = path.read_text("utf-8")
        if "messages" not in text or not CREATES.search(text):
            continue  # it imports no catalogue, or creates no message
        names = _names_of(path)
        for call, scopes in _calls(tree_of(path)) if names else ():
            resolver = _Names(names, scopes)
            resolver.line = call.lineno
            entries = resolver.entries(call.args[0])
            if entries is None:
                continue
            parts: list[tuple[str | None, ast.expr]] = [(None, part) for part in call.args[1:]]
            parts += [(keyword.arg, keyword.value) for keyword in call.keywords]
            given: set[str] = set()
            is_whole = True
            for name, value in parts:
                more = resolver.fields(value) if name is None else {name}
                # what is not written out is a property `fields` of a value
                is_whole = is_whole and more is not None and ".fields" not in ast.unparse(call)
                given |= more or set()
            for entry in entries:
                needed = fields_needed(entry)
                about = f"{path.relative_to(ROOT.parent)}:{call.lineno}: {entry.key}"
                if is_whole and needed - given and not _is_open(call, scopes):
                    wrong.append(f"{about} lacks {needed - given}")
            if entries and (spare := given - set().union(*map(fields_needed, entries))):
                wrong.append(
                    f"{path.relative_to(ROOT.parent)}:{call.lineno}: no template has {spare}"
                )
            known += 1
    assert wrong == []
    assert known > 70


def _is_open(call: ast.Call, scopes: list[ast.AST]) -> bool:
    """True if fields come from a value that another function gives."""
    text = ast.unparse(scopes[-1]) if scopes else ast.unparse(call)
    return ".fields" in text


@pytest.mark.parametrize(
    "message",
    [
        Message(of_pages.CASE[0], {"number": 3, "errors": 4}),
        Message(of_pages.UNSEEN["controls", "unicode"][1], {"number": 1, "errors": 2, "seen": 5}),
        Message(of_sides.NOT_WORDS, {"path": "{a}.srt", "segments": 2}),
    ],
    ids=lambda message: message.entry.key,
)
def test_remarks_survive_a_record(message: Message) -> None:
    """As JSON, with the text as it was written and the fields and advice as values."""
    text = json.loads(json.dumps(to_builtins(Remark.of(message))))
    again = convert(text, Remark).message
    assert isinstance(again, Message)
    assert (str(again), again.fields, again.advice) == (
        str(message),
        message.fields,
        message.advice,
    )
    assert again.entry.key == message.entry.key


def test_python_shows_keywords_in_place_of_options() -> None:
    hint = Message(of_pages.CASE_OR_DISPLAY[0], {"number": 1, "errors": 1})
    assert hint.in_python.endswith("see normalize='plain' or text_view='display'")
    unseen = Message(of_pages.UNSEEN["controls", "unicode"][0], {"number": 1, "errors": 1})
    assert unseen.in_python.endswith("see normalize=['controls', 'unicode']")
    assert fields_of(hint.entry.text) == {"number", "errors"}


def test_no_test_quotes_texts() -> None:
    """Tests compare entries and fields; console sessions run in processes with unchanged texts."""
    quoting = [
        path.name
        for path in sorted(Path(__file__).parent.rglob("test_*.py"))
        if "pytest.mark.quotes" in path.read_text("utf-8")
        for node in nodes_of_kind(path, ast.FunctionDef, ast.ClassDef)
        if any(ast.unparse(mark) == "pytest.mark.quotes" for mark in node.decorator_list)
    ]
    assert quoting == []
