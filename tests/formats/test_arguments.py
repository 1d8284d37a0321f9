"""Flags follow the formats' own lists of options."""

from __future__ import annotations

from formats.cli.arguments import parser, read_options, unused_options, write_options
from formats.registry import all_formats, by_name


def test_every_option_has_a_flag() -> None:
    arguments = parser().parse_args(["convert", "a", "b"])
    for spec in all_formats():
        for option in spec.read_options + spec.write_options:
            assert getattr(arguments, option.name) is None


def test_only_what_was_given_is_passed_on() -> None:
    arguments = parser().parse_args(
        ["convert", "a", "b", "--id-type", "wsj", "--no-alternations", "--precision", "2"]
    )
    trn, stm, ctm = (by_name(name) for name in ("trn", "stm", "ctm"))
    assert read_options(arguments, trn) == {"id_type": "wsj", "alternations": False}
    assert read_options(arguments, ctm) == {}
    assert write_options(arguments, stm) == {"precision": 2, "alternations": False}
    assert unused_options(arguments, ctm.read_options, ctm.write_options) == [
        "--alternations",
        "--id-type",
    ]


def test_validate_has_no_flags_of_writers() -> None:
    arguments = parser().parse_args(["validate", "a", "--label-field", "never"])
    assert read_options(arguments, by_name("stm")) == {"label_field": "never"}
    assert not hasattr(arguments, "precision")
