"""What may be chosen is stated once; keywords, flags and the road follow."""

import argparse
import ast
import pickle
from enum import EnumMeta
from functools import partial
from inspect import isfunction, signature
from pathlib import Path
from typing import Any, get_args

import pytest

import scoring
import scoring.options
from scoring import wer
from scoring.cli.flags import add_choices, named_choices, options_of
from scoring.model.aliases import ReportName
from scoring.model.errors import problem_of
from scoring.nist.report.registry import REPORTS
from scoring.options import CHOICES, FIELDS, Options
from tests.each_case import each_case
from tests.syntax import tree_of

FLAGS = named_choices(
    "reading match matching cut shift aligning verdicts choosing normalize jobs meetings"
)


def keywords_in_source() -> dict[str, str]:
    """The keywords that `Options` has for type checkers, with their types."""
    classes = [
        node
        for node in ast.walk(tree_of(Path(scoring.options.__file__)))
        if isinstance(node, ast.ClassDef) and node.name.startswith("ChoicesOf")
    ]
    return {
        ast.unparse(field.target): ast.unparse(field.annotation)
        for node in classes
        for field in node.body
        if isinstance(field, ast.AnnAssign)
    }


def test_keywords_for_those_who_check_types_are_the_fields() -> None:
    keywords = keywords_in_source()
    for item in FIELDS.values():
        assert item.name in keywords, (
            f"{item.name}: add `{item.name}: {item.type}` to ChoicesOfReading in scoring/options.py"
        )
    assert keywords.keys() == FIELDS.keys()


def test_words_that_choices_may_be_are_literal_types() -> None:
    types = {name: item.type for name, item in FIELDS.items()}
    for name, choices in CHOICES.items():
        named = [kind for kind in types[name].split(" | ") if kind not in ("None", "bool")]
        assert [vars(scoring.options)[kind] for kind in named] == [choices], name
    stated = keywords_in_source()
    for one in FIELDS.values():
        assert stated[one.name] == one.type, one.name


def test_names_of_reports_are_a_literal_type() -> None:
    names = {name for spec in REPORTS for name in spec.names}
    assert set(get_args(ReportName)) == {*names, "all"}


def test_no_public_function_takes_just_anything() -> None:
    for name in dir(scoring):
        found = getattr(scoring, name)
        if name.startswith("_") or not callable(found) or isinstance(found, EnumMeta):
            continue
        is_error = isinstance(found, type) and issubclass(found, BaseException)
        if is_error or not (isfunction(found) or isinstance(found, type)):
            continue
        for own in (
            found,
            *(one for key, one in vars(found).items() if key[0] != "_" and isfunction(one)),
        ):
            for parameter in signature(own).parameters.values():
                anything = parameter.kind is parameter.VAR_KEYWORD
                taken = str(parameter.annotation).strip("'")
                assert not anything or taken.startswith("Unpack["), (name, own, parameter)


def test_every_field_but_what_reports_ask_for_has_a_flag() -> None:
    assert FIELDS.keys() - set(FLAGS) == {
        "keep_sources",
        "by",
        "where",
        "metadata",
        "metadata_key",
        "bins",
        "measures",
        "measure_options",
        "search",
    }


def test_without_flags_everything_is_as_usual() -> None:
    parser = argparse.ArgumentParser()
    add_choices(parser, FLAGS)
    assert options_of(parser.parse_args([])) == Options()


def test_flags_say_what_fields_are() -> None:
    parser = argparse.ArgumentParser()
    add_choices(parser, FLAGS)
    given = "--unit mixed+thai --missing skip --channel-alias 0=A --hypothesis-option max-bytes=5"
    found = options_of(parser.parse_args([*given.split(), "--ignore-case", "--jobs", "2"]))
    assert found == Options(
        unit="mixed+thai",
        missing="skip",
        channel_aliases={"0": "A"},
        hypothesis_options={"max_bytes": "5"},
        ignore_case=True,
        jobs=2,
    )


@each_case(
    ("choice", "message"),
    [
        ({"unit": "x"}, r"unit: expected word, char, char\+space, grapheme, mixed, found 'x'"),
        (
            {"profile": "x"},
            "profile: expected one of sclite, levenshtein, jiwer, kaldi, align-text",
        ),
        ({"missing": "x"}, "missing: expected error, delete, skip, found 'x'"),
        ({"interpolate": "x"}, "interpolate: expected none, uniform or chars, found 'x'"),
        ({"text_view": "x"}, "text_view: expected lexical or display, found 'x'"),
        ({"jobs": 0}, "jobs: expected at least 1, found 0"),
        ({"meeting": "x"}, "meeting: expected auto, cp, tcp, .* or ditcp, found 'x'"),
        ({"interpolate": None}, "interpolate: expected none, uniform or chars, found None"),
        ({"collar": -1}, "collar: expected seconds such as 5s, found -1"),
    ],
)
def test_a_choice_that_means_nothing_is_refused_before_anything_is_read(
    choice: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Options(**choice)


@each_case(
    ("values", "option"),
    [
        ({"unit": "x"}, "unit"),
        ({"profile": "x"}, "profile"),
        ({"like": "kaldy"}, "like"),
        ({"like": "kaldi", "unit": "x"}, "unit"),
        ({"jobs": 0}, "jobs"),
        ({"by": 5}, "by"),
        ({"speakers": ["a"]}, "speakers"),
    ],
)
def test_errors_of_values_name_their_option_in_another_process_too(
    values: dict[str, Any], option: str
) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        Options(**values)
    raised: Any = caught.value
    sent = pickle.loads(pickle.dumps(raised))
    for error in (raised, sent):
        assert error.option == option
        assert str(error) == f"{option}: {error.problem}"
        assert problem_of(error, option) == error.problem
        assert problem_of(error, "another") == str(error)
    assert (sent.args, sent.expected, sent.found) == (raised.args, raised.expected, raised.found)


def test_keywords_go_before_options() -> None:
    options = Options(unit="char", ignore_case=True)
    assert wer("A b", "a c", options=options).rules.unit == "char"
    found = wer("A b", "a c", options=options, unit="word")
    assert (found.rules.unit, found.rules.ignore_case, found.counts.errors) == ("word", True, 1)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("profil", "unexpected keyword argument 'profil'; did you mean 'profile'?"),
        ("normalise", "unexpected keyword argument 'normalise'; did you mean 'normalize'?"),
        ("zzz", "unexpected keyword argument 'zzz'"),
    ],
)
def test_an_unknown_keyword_is_answered_with_the_likeliest(name: str, message: str) -> None:
    calls: list[Any] = [Options, partial(scoring.wer, "a", "a"), Options().changed]
    for call in calls:
        with pytest.raises(TypeError) as caught:
            call(**{name: "kaldi"})
        assert str(caught.value) == message
