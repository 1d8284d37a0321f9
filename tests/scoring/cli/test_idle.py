"""An option without effect says so: every option of every scoring door, beside no other option.

The verbs of `formats` are doors, too. Each is given where it can change nothing. Either something that the command writes is another, or
a message names the option. `scoring compare` has its own law: `test_options_of_kinds`.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from formats.cli.arguments import parser as formats_parser
from formats.console.command_line import OutputPath
from formats.console.command_parser import CommandParser
from formats.detection import by_name
from scoring.cli.flags import NEEDS, SYSTEMS
from scoring.cli.formats import VERBS as FURTHER_VERBS
from scoring.cli.formats import main as of_formats
from scoring.cli.scoring import main
from tests.each_case import each_case
from tests.programs import parser_of
from tests.scoring.cli.test_no_abbreviations import with_verbs

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo" / "keyword_search"
FILES = {
    "ref.trn": "the cat sat (anne-1)\non the mat (ben-1)\n",
    "hyp.trn": "the hat sat (anne-1)\non a mat (ben-1)\n",
    "said.trn": "dh ah k ae t s ae t (anne-1)\naa n dh ah m ae (ben-1)\n",
    "lexicon.txt": "the dh ah\ncat k ae t\nsat s ae t\non aa n\nmat m ae t\n",
    "a.rttm": "SPEAKER a 1 0 5 <NA> <NA> x <NA> <NA>\n",
    "weights.json": '{"cat": 1, "mat": 0.5}\n',
    "a.stm": "m 1 x 0 2 hello here\nm 1 y 2 4 good bye\n",
    "a.srt": "1\n00:00:01,000 --> 00:00:03,000\nGood evening.\n",
    "a.txt": "u1 the cat sat\nu2 on the mat\n",
    "nbest.txt": "u1-1 the hat sat\nu1-2 the cat sat\nu2-1 on the mat\n",
    "table.csv": "id,x\nanne-1,1\nben-1,2\n",
    "speakers": "anne-1 anne\nben-1 ben\n",
}
DOORS: dict[str, list[str]] = {
    "wer": ["ref.trn", "hyp.trn"],
    "diff": ["ref.trn", "hyp.trn"],
    "beer": ["ref.trn", "hyp.trn", "--entity-weights=weights.json"],
    "der": ["a.rttm", "a.rttm"],
    "per": ["ref.trn", "said.trn", "--lexicon=lexicon.txt"],
    "events": ["a.stm", "a.stm"],
    "segments": ["a.stm", "a.stm"],
    "oracle": ["a.txt", "nbest.txt"],
    "merge": ["1.json", "2.json"],
    "verdicts todo": ["ref.trn", "hyp.trn"],
    "normalize": ["--normalize=lowercase", "a.txt"],
    "kws": [str(DEMO / f"demo.{end}") for end in ("ecf.xml", "kwlist.xml", "rttm", "kwslist.xml")],
}
# They concern messages, speed and looks, or end the command.
OF_ALL = {"help", "help-all", "version", "quiet", "verbose", "remarks", "color", "jobs", "width"}
# They state what the files are, which is as stated.
FACTS = {
    *("reference-format", "hypothesis-format", "encoding", "reference-encoding"),
    *("hypothesis-encoding", "reference", "utt2spk", "duration"),
}
# What to do in a case that does not occur, and limits that are kept.
CASES = {
    *("allow-empty", "allow-unmatched", "unpaired", "inconsistent-decisions", "fail-above"),
    *("missing", "unknown"),
}
# Rules whose effect depends on the words and times; signatures have those of a number.
RULES = {
    "diff": {"context", "all"},
    "beer": {"match", "normalize"},
    "segments": {"time-threshold"},
    "events": {"time-threshold", "align", "min-overlap", "start-tolerance", "as-keywords"},
    "oracle": {"text-view"},  # of the reference
    "verdicts todo": {
        *("match", "normalize", "profile", "ignore-case", "forgive-optional", "merge-compounds"),
    },
    "normalize": {"side", "normalize", "show-steps"},
}
VALUES = {
    "meeting": "cp",
    "utt2spk": "speakers",
    "profile": "kaldi",
    "measures": "loops",
    "normalize": "lowercase",
    "by": "speaker",
    "reference-format": "trn",
    "hypothesis-format": "trn",
    "change-tolerance": "0.7",
    "fail-above": "90",
    "tag": "a=b",
}
OF_METAVAR = {"FILE": "table.csv", "NAME": "speaker", "PERCENT": "50", "SECONDS": "0.5"}


def value_of(name: str, action: argparse.Action) -> list[str]:
    """A value of an option that differs from its default; none of a switch."""
    if action.nargs == 0:
        return []
    if name in VALUES:
        return [VALUES[name]]
    if action.type is OutputPath:
        return ["output"]
    if action.choices:
        return [str([choice for choice in action.choices if choice != action.default][-1])]
    if action.nargs == "?":
        return []
    return [OF_METAVAR.get(str(action.metavar), "3")]


def options_of(parser: CommandParser) -> dict[str, argparse.Action]:
    """Each option by the last of its names."""
    return {
        action.option_strings[-1].lstrip("-"): action
        for action in parser.arguments
        if action.option_strings[-1:] and action.option_strings[-1].startswith("--")
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def parser_of_door(door: str) -> CommandParser:
    """The parser of a door."""
    command, *rest = door.split()
    parsers = list(with_verbs(parser_of(lambda: main([command, *rest]))))
    return parsers[0]


# What each verb of `formats` is run on, and the formats whose options may have an effect there.
VERBS_OF_FORMATS: dict[str, tuple[str, str]] = {
    "info": ("a.stm", "stm"),
    "detect": ("a.stm", ""),
    "validate": ("a.stm", "stm"),
    "lint": ("a.srt", "srt"),
    "diff": ("a.stm a.stm", "stm"),
    "show": ("a.stm --html=output", "stm"),
    "convert": ("a.stm output.stl", "stm stl"),
}
# What the files are, how bad records are treated, limits, and what to do in cases that do not
# occur: notes, words in segments with times and without blanks or differences.
OF_READING = {
    *("from", "from-b", "encoding", "recording", "max-bytes", "strict", "lenient", "html"),
    *("notes", "no-clobber", "explain-loss", "text-view", "interpolate", "group", "pause"),
    *("inner-space", "tolerance", "context", "video-fps"),
}
OF_FILES = {"tier-map": "a=b", "member": "a", "columns": "text=1"}


@pytest.mark.release
@pytest.mark.parametrize("verb", VERBS_OF_FORMATS)
def test_an_option_without_effect_on_formats_says_so(
    verb: str, files: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: Any
) -> None:
    monkeypatch.chdir(files)
    words, in_use = VERBS_OF_FORMATS[verb]
    parser = formats_parser(FURTHER_VERBS, [verb]).commands[verb]
    with pytest.raises(SystemExit):  # options of all formats are added
        parser.parse_args(["--no-such-flag"])
    options = options_of(parser)
    specs = list(map(by_name, in_use.split()))
    used = {option.name for spec in specs for option in (*spec.read_options, *spec.write_options)}

    def outcome(*flags: str) -> tuple[int, bytes, bytes, list[bytes]]:
        outputs = [Path("output"), Path("output.stl")]
        for path in outputs:
            path.unlink(missing_ok=True)
        status = of_formats([verb, *words.split(), *flags])
        written = [path.read_bytes() for path in outputs if path.is_file()]
        return (status, *capfdbinary.readouterr(), written)

    capfdbinary.readouterr()
    plain = outcome()
    assert plain[0] == 0, plain[2]
    silent = []
    for name, action in options.items():
        if name in OF_ALL | OF_READING or action.dest in used or action.help == argparse.SUPPRESS:
            continue
        value = [OF_FILES[name]] if name in OF_FILES else value_of(name, action)
        if outcome("=".join((f"--{name}", *value))) == plain:
            silent.append(f"--{name}")
    assert silent == []


@each_case(
    ("command", "options"),
    [
        ("info a.stm a.srt --no-speaker-names", []),
        ("info a.stm --fps 3", ["--fps"]),
        ("info a.stm a.srt --only-speaker x", []),
        ("info a.stm a.srt --begin 0", ["--begin"]),
        ("info a.stm --jobs 2", ["--jobs"]),
        ("validate a.stm --notes --json -", ["--notes"]),
        ("detect a.stm --explain --show-pattern --json -", ["--explain", "--show-pattern"]),
        ("diff a.stm a.stm --context 5 --json -", ["--context"]),
        ("lint a.srt --rules bbc --video-fps 30", ["--video-fps"]),
        ("lint a.srt --video-fps 30", []),
        ("convert a.stm output.trn --pause 3 --group speaker", ["--pause"]),
        ("convert a.srt output.stl --bom --newline crlf", ["--bom", "--newline"]),
    ],
)
def test_options_of_formats_that_exclude_each_other(
    command: str, options: list[str], files: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(files)
    of_formats([*command.split(), "--remarks", "json"])
    told = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line[:1] == "{"]
    idle = [
        each["fields"] | {"jobs": each.get("advice")}
        for each in told
        if each["code"] == "IDLE-OPTION"
    ]
    assert len(idle) == len(options)
    for each, option in zip(idle, options, strict=True):
        assert option[2:].replace("-", "_") in str(each).replace("-", "_")


def test_a_binary_file_has_no_byte_order_mark(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    outputs = ["plain.stl", "marked.stl"]
    for output, flags in zip(outputs, ([], ["--bom"]), strict=True):
        assert of_formats(["convert", "a.srt", output, *flags]) == 0
    assert Path(outputs[0]).read_bytes() == Path(outputs[1]).read_bytes()


@pytest.mark.release
@pytest.mark.parametrize("door", DOORS)
def test_an_option_without_effect_says_so(
    door: str, files: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: Any
) -> None:
    monkeypatch.chdir(files)
    for part in ("1", "2"):
        shard = [f"--shard={part}/2", f"--shard-output={part}.json"]
        assert main(["wer", "ref.trn", "hyp.trn", *shard]) == 0

    def outcome(*flags: str) -> tuple[int, bytes, bytes, bytes | None]:
        status = main([*door.split(), *DOORS[door], *flags])
        output = Path("output")
        written = output.read_bytes() if output.is_file() else None
        output.unlink(missing_ok=True)
        return (status, *capfdbinary.readouterr(), written)

    capfdbinary.readouterr()
    plain = outcome()
    assert plain[0] == 0, plain[2]
    exempt = OF_ALL | FACTS | CASES | RULES.get(door, set())
    silent = []
    for name, action in options_of(parser_of_door(door)).items():
        if name in exempt or action.help == argparse.SUPPRESS:
            continue
        if outcome("=".join((f"--{name}", *value_of(name, action)))) == plain:
            silent.append(f"--{name}")
    assert silent == []


def test_the_table_of_needs_names_attributes_of_options() -> None:
    """A row that no command has would be checked never."""
    known = {action.dest for door in DOORS for action in parser_of_door(door).arguments} | {SYSTEMS}
    assert {*NEEDS}.union(*NEEDS.values()) <= known
