import dataclasses
import os
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.text.config_file import (
    Config,
    ConfigSectionNotFoundError,
    RuleFile,
    UnknownStepError,
    parse_config,
    read_rules,
)
from scoring.text.csv_dialects import UnclosedQuoteError, read_rows
from scoring.text.registry import STEPS, build, build_from_row, spec_named
from scoring.text.replacing import Regex, Replace, ReplaceWords
from tests.each_case import each_case
from tests.tables import table_of


def config(text: str, section: str | None = "normalization", folder: str = "") -> Config:
    return parse_config(
        read_rows(text, spaced=True), build_from_row, section, os.path.join(folder, "a.conf")
    )


@each_case(("search", "replace", "text", "expected"), table_of(__file__, "replacewords"))
def test_replacewords(search: str, replace: str, text: str, expected: str) -> None:
    assert ReplaceWords(search, replace)(text) == expected


def test_nothing_to_search_for() -> None:
    for kind in (Replace, ReplaceWords):
        with pytest.raises(ValueError, match="search: expected"):
            kind("", "x")
    with pytest.raises(ValueError, match="search: expected a word"):
        ReplaceWords("  ", "x")


def test_regex() -> None:
    assert Regex("A", "b")("aA") == "ab"
    with pytest.raises(re.error):
        Regex("(", "")
    with pytest.raises(re.error):
        Regex("a", r"\1")


def test_rules_from_a_file(tmp_path: Path) -> None:
    rules = tmp_path / "rules.csv"
    rules.write_text('# comment\n"(ex)[- ]?parakeet",parrot\n\n(?i)ex,EX\n', "utf-8")
    step = build("file", {"normalizer": "regex", "file": "rules.csv"}, str(tmp_path))
    assert isinstance(step, RuleFile)
    assert step("an exparakeet, Ex") == "an parrot, EX"
    assert [str(rule.name) for rule in step.steps] == ["regex", "regex"]
    assert build("file", {"normalizer": "REGEX", "file": str(rules)}) == step


def test_rules_in_another_encoding(tmp_path: Path) -> None:
    rules = tmp_path / "rules.csv"
    rules.write_bytes("é,e".encode("latin-1"))
    assert read_rules(Replace, "replace", rules, "latin-1")("été") == "ete"
    with pytest.raises(UnicodeDecodeError):
        read_rules(Replace, "replace", rules)


def test_bad_rule_files(tmp_path: Path) -> None:
    rules = tmp_path / "rules.csv"
    rules.write_text('a,b\n\n"x\ny",b,c\n', "utf-8")
    with pytest.raises(ValueError, match=rf"{re.escape(str(rules))}:3: expected .*found 3 fields"):
        read_rules(Replace, "replace", rules)
    rules.write_text("a,b\n(,b\n", "utf-8")
    with pytest.raises(ValueError, match=rf"{re.escape(str(rules))}:2: "):
        read_rules(Regex, "regex", rules)
    rules.write_text('"a', "utf-8")
    with pytest.raises(UnclosedQuoteError):
        read_rules(Replace, "replace", rules)
    with pytest.raises(FileNotFoundError):
        read_rules(Replace, "replace", tmp_path / "none.csv")


CONFIG = """\
lowercase
# comment
[normalization]
Replace replaces.csv
lowercase
REGEX rules.csv "utf 8"
[empty]
[other]
config more.conf two
"""


def write_config(folder: Path) -> None:
    (folder / "replaces.csv").write_text('"Old ",""\n', "utf-8")
    (folder / "rules.csv").write_text("[.!], \n", "utf-8")
    (folder / "more.conf").write_text("[one]\nlowercase\n[two]\nreplace sub/r.csv\n", "utf-8")
    (folder / "sub").mkdir()
    (folder / "sub" / "r.csv").write_text("a,b", "utf-8")


def test_config_sections(tmp_path: Path) -> None:
    write_config(tmp_path)
    folder = str(tmp_path)
    step = config(CONFIG, folder=folder)
    assert step("My Old Friend.") == "my friend"
    assert [one.name for one in step.steps] == ["file", "lowercase", "file"]
    for main in (None, ""):
        assert config(CONFIG, main)("ABC") == "abc"
    assert config("lowercase", None)("ABC") == "abc"
    assert config(CONFIG, "empty")("ABC") == "ABC"
    assert config(CONFIG, "other", folder)("aA") == "bA"
    with pytest.raises(ConfigSectionNotFoundError, match=r"expected a section \[Other\], found"):
        config(CONFIG, "Other")
    with pytest.raises(ConfigSectionNotFoundError, match="found none"):
        config("")
    assert config("", None)("A") == "A"


def test_headers_on_the_first_lines(tmp_path: Path) -> None:
    assert config("[normalization]\n[more]\nlowercase")("A") == "A"
    assert config("[normalization]\n[more]\nlowercase", "more")("A") == "a"
    assert config("[normalization]\n[more]\nlowercase", None)("A") == "A"


def test_config_of_a_file_is_relative_to_it(tmp_path: Path) -> None:
    write_config(tmp_path)
    (tmp_path / "main.conf").write_text(CONFIG, "utf-8")
    assert build("config", {"file": tmp_path / "main.conf", "section": "other"})("aA") == "bA"
    assert config(f'replace "{tmp_path / "sub" / "r.csv"}"', None)("a") == "b"


def test_config_refusals(tmp_path: Path) -> None:
    with pytest.raises(UnknownStepError, match=r"Unknown normalizer 'Nope' on line 2: 'Nope x'"):
        config("[normalization]\nNope x")
    with pytest.raises(FileNotFoundError):
        config('regex "a" "utf-8"', None)
    with pytest.raises(ValueError, match="FILE"):
        config("replace a b c", None)
    with pytest.raises(ValueError, match="at most 1 arguments"):
        config("lowercase tr x", None)
    circle = tmp_path / "circle.conf"
    circle.write_text("config circle.conf", "utf-8")
    with pytest.raises(ValueError, match="expected"):
        build("config", {"file": circle, "section": None})
    circle.write_text('config circle.conf ""', "utf-8")
    with pytest.raises(ValueError, match=r"expected at most .* config files"):
        build("config", {"file": circle, "section": None})


def test_arguments_are_checked() -> None:
    with pytest.raises(UnknownStepError, match="near: lowercase"):
        build("lowercas", {})
    with pytest.raises(ValueError, match="replace: expected search, replace, found 'find'"):
        build("replace", {"find": "a"})
    with pytest.raises(ValueError, match="replace: expected replace, found nothing"):
        build("replace", {"search": "a"})
    with pytest.raises(ValueError, match="lowercase: lang: expected tr, az, lt, ascii, found 'de'"):
        build("lowercase", {"lang": "de"})
    with pytest.raises(ValueError, match="expected a text, found 3"):
        build("replace", {"search": 3, "replace": ""})


def test_names_are_unique_and_described() -> None:
    names = [spec.name for spec in STEPS]
    assert len(set(names)) == len(names)
    assert all(spec.title and spec.name == spec.name.lower() for spec in STEPS)
    assert spec_named("LowerCase").name == "lowercase"


@given(st.text())
def test_steps_are_values(text: str) -> None:
    for step in (
        Replace("a", "b"),
        ReplaceWords("a", "b"),
        Regex("[a-c]", "x"),
        build("casefold", {}),
    ):
        copy = pickle.loads(pickle.dumps(step))
        assert copy == step
        assert hash(copy) == hash(step)
        assert copy(text) == step(text)
        for field in dataclasses.fields(step):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(step, field.name, "z")


@given(st.text())
def test_folding_is_idempotent(text: str) -> None:
    for name in ("lowercase", "casefold", "unidecode"):
        step = build(name, {})
        assert step(step(text)) == step(text)


@given(st.lists(st.text(), max_size=4))
def test_steps_by_word(words: list[str]) -> None:
    clean = ["".join(word.split()) for word in words]
    clean = [word for word in clean if word]
    for step in (build("lowercase", {}), build("casefold", {"lang": "tr"}), Replace("0", " ")):
        assert step.by_word
        together = step(" ".join(clean)).split(" ")
        assert together == " ".join(step(word) for word in clean).split(" ")
