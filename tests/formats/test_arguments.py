"""Flags follow the formats' own lists of options."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from formats.cli.arguments import arguments_of, given_options, unused_options
from formats.detection import FORMATS, all_formats, by_name
from formats.detection.spec import Option
from scoring.cli.formats import VERBS
from tests.each_case import each_case

RunCommand = Callable[..., "tuple[int, str, str]"]


OPTIONS = tuple(
    dict.fromkeys(o for spec in all_formats() for o in spec.read_options + spec.write_options)
)


@each_case("option", OPTIONS)
def test_every_option_has_a_flag_that_takes_what_any_format_does(option: Option) -> None:
    name = option.name
    flag = ("--no-" if option.default is True else "--") + name.replace("_", "-")
    # an empty name of a file, and an empty pattern, are refused
    given = "a" if option.is_path or option.is_repeatable else option.default
    value = [] if option.is_switch else [str(given)]
    arguments = arguments_of(["convert", "a", "b", flag, *value], VERBS)
    expected = not option.default if option.is_switch else given
    assert getattr(arguments, name) == expected


def formats_loaded(*arguments: str) -> set[str]:
    code = "import sys; from formats.cli import main; main(sys.argv[1:]); print(*sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    homes = {entry.home.partition(":")[0]: entry.name for entry in FORMATS}
    return {homes[name] for name in found.stdout.split() if name in homes}


def test_a_conversion_loads_the_two_formats_of_its_files_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "a.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nhello\n")
    files = str(tmp_path / "a.srt"), str(tmp_path / "b.vtt")
    assert formats_loaded("convert", *files) == {"srt", "vtt"}
    assert formats_loaded("convert", *files, "--speaker-prefix", "--word-times") == {"srt", "vtt"}


def test_help_of_named_formats_shows_their_flags_alone(run_command: RunCommand) -> None:
    for arguments in (["a.srt", "b.sub"], ["--from", "srt", "--to=microdvd"]):
        status, output, _ = run_command("convert", *arguments, "--help-all")
        assert status == 0
        assert "--fps" in output
        assert "--entities" in output
        assert "--id-type" not in output


def test_only_what_was_given_is_passed_on() -> None:
    arguments = arguments_of(
        ["convert", "a", "b", "--id-type", "wsj", "--no-alternations", "--precision", "2"], VERBS
    )
    trn, stm, ctm = (by_name(name) for name in ("trn", "stm", "ctm"))
    assert given_options(arguments, trn.read_options) == {"id_type": "wsj", "alternations": False}
    assert given_options(arguments, ctm.read_options) == {}
    assert given_options(arguments, stm.write_options) == {"precision": 2, "alternations": False}
    assert unused_options(arguments, ctm.read_options, ctm.write_options) == [
        "--id-type",
        "--no-alternations",
    ]


def test_validate_has_no_flags_of_writers() -> None:
    arguments = arguments_of(["validate", "a", "--label-field", "never"], VERBS)
    assert given_options(arguments, by_name("stm").read_options) == {"label_field": "never"}
    assert not hasattr(arguments, "precision")


def test_members_named_one_by_one_are_all_taken() -> None:
    arguments = arguments_of(
        ["convert", "a", "b", "--member", "start=b", "--member", "end=e"], VERBS
    )
    assert arguments.member == "start=b,end=e"
