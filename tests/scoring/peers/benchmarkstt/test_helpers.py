"""Factories, registries, docstrings, rule files and dialects of a user's own."""

import json
import logging
from io import StringIO
from typing import Any

import pytest

from scoring.peers.benchmarkstt import config, csv, diff, docblock, metrics, modules, schema
from scoring.peers.benchmarkstt.decorators import log_call
from scoring.peers.benchmarkstt.deferred import DeferredCallback, DeferredList
from scoring.peers.benchmarkstt.factory import CoreFactory, Factory
from scoring.peers.benchmarkstt.input import PlainText


class Base:
    """A base."""


class Valid(Base):
    """A class of the kind."""

    def __init__(self, first: int, second: int = 2) -> None:
        self.sum = first + second


def test_a_factory_of_a_namespace() -> None:
    factory: Factory[Base] = Factory(Base)
    assert factory.namespaces == [__name__]
    assert (factory.names(), "VALID" in factory, Valid in factory) == (["valid"], True, True)
    assert factory.create("Valid", 1).sum == 3  # type: ignore[attr-defined]
    [entry] = factory
    assert (entry.required_args, entry.optional_args) == (["first"], ["second"])
    assert not factory.is_valid(Base)
    factory["alias"] = Valid
    with pytest.raises(ValueError, match="Conflict: alias 'valid' is already registered"):
        factory.register_namespace(__name__)
    del factory[Valid]
    with pytest.raises(ImportError, match="Could not find class 'valid'"):
        factory.create("valid", 1)
    factory.register_classname(f"{__name__}.Valid", "again")
    assert factory["again"] is Valid
    assert factory["alias"] is Valid
    for name in ("again", "alias"):
        factory.unregister(name)
    assert factory.names() == []


def test_modules_of_a_user(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_own_metrics.py").write_text(
        "from scoring.peers.benchmarkstt.metrics import Metric, WER\n\n\n"
        "class Nothing(Metric):\n"
        "    def compare(self, ref, hyp):\n"
        "        return 0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    CoreFactory.add_supported_namespace("my_own_metrics")
    try:
        assert metrics.factory.create("nothing").compare([], []) == 0
        assert "nothing" not in diff.factory
    finally:
        del metrics.factory["nothing"]


class Brackets(diff.Dialect):
    """A dialect with formats, and one method."""

    delete_format = "[-%s-]"
    equal_format = "%s"

    @staticmethod
    def preprocessor(txt: str) -> str:
        return txt.upper()

    def insert_format(self, txt: str) -> None:
        self.stream.write(f"{{+{txt}+}}")

    def output(self) -> str:
        return f"<{super().output()}>"


def test_a_dialect_of_a_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(diff.DiffFormatter.diff_dialects, "brackets", Brackets)
    assert diff.format_diff("abcd", "axc", dialect="brackets") == "<A[-B-]{+X+}C[-D-]>"
    words = metrics.WordDiffs("brackets").compare(PlainText("a b"), PlainText("a c"))
    assert words == "< A[- B-]{+ C+}>"
    formatter = diff.DiffFormatter("brackets")
    assert formatter.diff("a", "a") == formatter.diff("a", "a") == "<A>"
    plain = type("Plain", (diff.Dialect,), {"replace_format": "(%s>%s)"})
    monkeypatch.setitem(diff.DiffFormatter.diff_dialects, "plain", plain)
    assert diff.format_diff("abc", "axc", dialect="plain") == "a(b>x)c"


def test_the_matcher_takes_the_arguments_of_difflib() -> None:
    sides = f"x{'a' * 250}", f"y{'a' * 250}"
    ours = diff.RatcliffObershelp(*sides).get_opcodes()
    assert [tuple(opcode) for opcode in ours] == [
        ("replace", 0, 1, 0, 1),
        ("equal", 1, 251, 1, 251),
    ]
    assert diff.RatcliffObershelp(*sides, autojunk=False).get_opcodes() == ours
    junk = diff.RatcliffObershelp(*sides, autojunk=True).get_opcodes()
    assert [tuple(opcode) for opcode in junk] == [("replace", 0, 251, 0, 251)]
    with pytest.raises(TypeError):
        diff.RatcliffObershelp("a", "b", nosuch=1).get_opcodes()
    items = PlainText("a b"), PlainText("a c")
    assert (
        metrics.get_differ(*items, None).get_opcodes()
        == metrics.get_differ(*items, diff.RatcliffObershelp).get_opcodes()
    )
    assert metrics.traversible(items[0], "type") == ["word", "word"]


def test_rule_files() -> None:
    text = "a; 'x;''y'|b\n% nothing\n\n c,d ;\n"

    class Own(csv.Dialect):
        delimiter = ";|"
        quotechar = "'"
        commentchar = "%"
        trimleft = " "

    rows = list(csv.reader(StringIO(text), Own))
    assert rows == [["a", "x;'y", "b"], ["c,d ", ""]]
    assert [row.lineno for row in rows] == [1, 4]
    assert list(csv.reader(StringIO('a "b c"'), "whitespace")) == [["a", "b c"]]
    with pytest.raises(csv.UnknownDialectError):
        csv.reader(StringIO(""), "nosuch")
    for wrong in (csv.Dialect, Base):
        with pytest.raises(csv.InvalidDialectError):
            csv.Reader(StringIO(""), wrong)  # type: ignore[arg-type]
    with pytest.raises(csv.UnclosedQuoteError) as caught:
        list(csv.reader(StringIO('a\n"b')))
    assert (caught.value.line, caught.value.char, caught.value.index) == (2, 1, 3)


def test_config_files() -> None:
    found = config.reader(StringIO("a 1\n[one]\nb 'x y'\n[two]\n[one]\nc\n"))
    assert found[None] == [["a", "1"]]
    assert found["one"] == [["b", "'x", "y'"], ["c"]]
    assert ("two" in found, "three" in found) == (True, False)
    assert [line.lineno for line in found] == [1, 2, 3, 4, 5, 6]
    with pytest.raises(KeyError):
        found["three"]


def test_docstrings() -> None:
    def sample(self: object, config: str, mode: int = 1) -> str:
        """Do something.

        :param list config: rules of it
        :param mode: how
        :example config:

            a b
              c

        :example mode: 3
        :example mode: 4
        :return str: a text
        """
        return f"{self}{config}{mode}"

    block = docblock.parse(sample)
    assert block.docs.split("\n")[0] == "Do something."
    assert ":param" not in block.docs
    rules, mode = block.params
    assert (rules.name, rules.type_doc, rules.is_required) == ("config", "list", True)
    assert rules.description == "rules of it"
    assert (mode.name, mode.type_doc, mode.is_required, mode.description) == (
        "mode",
        None,
        False,
        "how",
    )
    first, second = block.params[0].examples
    assert first["config"].value == "a b\n  c"
    assert (first["mode"].value, second["mode"].value) == (3, 4)
    assert (block.result, block.result_type) == ("a text", "str")
    assert docblock.decode_literal("'") == "'"


def test_objects_by_name() -> None:
    home = "scoring.peers.benchmarkstt.normalization"
    lower = modules.load_object(f"{home}.LOWERCASE")
    assert lower is modules.load_object(f"{home}.Lowercase", False)
    assert lower is modules.load_object(
        f"{home}.LOWER_case", lambda name: name.replace("_", "").upper()
    )
    for wrong in ("somemodule", f"{home}.nosuch"):
        with pytest.raises(ImportError, match="Could not find an object for"):
            modules.load_object(wrong)
    parts = modules.Modules("cli")
    assert {"normalization", "metrics"} <= set(parts.keys())
    assert parts["metrics"] is parts.metrics
    for name, reason in (("nosuch", "not found"), ("benchmark", "is hidden")):
        with pytest.raises(IndexError, match=f"Module {reason}"):
            parts[name]


def test_deferred_values_and_logged_calls(caplog: pytest.LogCaptureFixture) -> None:
    calls: list[int] = []

    def compute() -> list[int]:
        calls.append(1)
        return [1, 2]

    later = DeferredList(compute)
    assert calls == []
    assert (later[1], later.list, calls) == (2, [1, 2], [1])
    assert repr(DeferredCallback(lambda: 3)) == "<DeferredCallback:3>"
    logger = logging.getLogger("test.calls")
    caplog.set_level(logging.DEBUG, "test.calls")

    @log_call(logger, logging.WARNING, result=True)
    def double(number: int, by: int = 2) -> int:
        return number * by

    assert double(3, by=4) == 12
    assert [record.getMessage() for record in caplog.records] == [
        "double(3, by=4)",
        "double returned: 12",
    ]


def test_the_decoder_of_schemas() -> None:
    assert json.loads('[{"item": "a"}]', cls=schema.JSONDecoder) == schema.Schema([{"item": "a"}])
    assert schema.JSONDecoder.object_hook({"item": "a"}) == schema.Item(item="a")
    with pytest.raises(schema.SchemaJSONError):
        json.loads('{"item": "a"}', cls=schema.JSONDecoder)
