"""Flags as tables, and those that say how files are read in every command that reads files."""

import argparse
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any

import pytest

import scoring
from formats.io.messages import UNCERTAIN
from scoring.cli.flags import add_flags, whole_number
from scoring.cli.formats import main as formats_main
from scoring.cli.scoring import main
from scoring.sides.messages import BY_RECORDING, ONLY_CHANNEL, OWN_UNIT
from scoring.tasks.messages import SEVERAL_TIERS
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.remarks import says
from tests.scoring.cli.test_no_abbreviations import every_parser, value_of
from tests.tables import table_of

GRID = """\
File type = "ooTextFile"
Object class = "TextGrid"

0 1 <exists> 2
"IntervalTier" "words" 0 1 1
0 1 "hi"
"IntervalTier" "phones" 0 1 2
0 0.5 "hh"
0.5 1 "ay"
"""
SRT = "1\n00:00:00,000 --> 00:00:01,000\nhi\n"


TABLE = """
name NAME  what it
  is called
-n --number N  a number (default: 3)
--only FILE/CHANNEL[,FILE/CHANNEL] ...  patterns
--sort {rate,name}  the order
--unit  of what
--quick
"""


@pytest.mark.parametrize(("words", "values"), table_of(__file__, "arguments_of_a_table"))
def test_arguments_of_a_table(
    words: str, values: dict[str, Any] | str, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = argparse.ArgumentParser()
    add_flags(parser, TABLE, unit=("w", "c"), N={"type": whole_number(1), "default": 3})
    if isinstance(values, dict):
        assert values.items() <= vars(parser.parse_args(words.split())).items()
        text = " ".join(parser.format_help().split())
        assert "name what it is called" in text.replace("NAME", "name")
        assert "--only FILE/CHANNEL[,FILE/CHANNEL] patterns --sort {rate,name} the order" in text
        return
    with pytest.raises(SystemExit):
        parser.parse_args(words.split())
    assert values in capsys.readouterr().err


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("talk.stm", "talk A anne 0 1 hi\n"),
        ("talk.ctm", "talk 0 0 1 hi\n"),
        ("talk.srt", SRT),
        ("talk.TextGrid", GRID),
        ("lexicon.txt", "hi hh ay\n"),
        ("entities.json", '{"a b": 1, "é": 1}'),
    ):
        Path(name).write_text(text, "utf-8")


def test_per_reads_phones_of_a_tier(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["per", "talk.stm", "talk.TextGrid", "--lexicon", "lexicon.txt"]
    assert main([*arguments, "--hypothesis-option", "tier_map=phones=word,words=skip"]) == 0
    assert "%PER 0.00 [ 0 / 2, 0 ins, 0 del, 0 sub ]" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["wer", "diff"])
def test_times_and_channels(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    by_recording = message_text(BY_RECORDING, path="talk.srt")
    names = {"channel": "0", "target": "A", "recording": "talk", "reference": "talk.stm"}
    by_channel = message_text(ONLY_CHANNEL, path="talk.ctm", **names)
    for hypothesis, note, flags in (
        ("talk.srt", by_recording, ["--interpolate", "chars"]),
        ("talk.ctm", by_channel, ["--channel-alias", "0=A"]),
    ):
        assert main([command, "talk.stm", hypothesis]) == 0
        assert note in capsys.readouterr().err
        assert main([command, "talk.stm", hypothesis, *flags]) == 0
        output, errors = capsys.readouterr()
        assert ("|match:time|" in output, note in errors) == (True, False)


@pytest.mark.parametrize("command", ["events", "segments"])
def test_options_of_readers(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [command, "talk.TextGrid", "talk.TextGrid"]
    assert main(arguments) == 2
    tiers = message_text(SEVERAL_TIERS, names=["words", "phones"])
    assert tiers in capsys.readouterr().err
    options = []
    for side in ("reference", "hypothesis"):
        options += [f"--{side}-option", "tier_map=words=skip,phones=event"]
    assert main([*arguments, *options]) == 0
    found = capsys.readouterr()
    # what an event is called is its label, though nobody said it
    assert "100.00 %" in found.out
    assert found.err == ""
    assert main([*arguments, "--reference-option", "tier"]) == 2
    assert "expected NAME=VALUE, found 'tier'" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["events", "segments"])
def test_times_in_another_unit_are_told(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("slow.stm").write_text("talk A anne 0 1000 hi\n", "utf-8")
    assert main([command, "talk.stm", "slow.stm"]) == 0
    fields = {"latest": 1000, "reference": 1, "factor": 1000, "unit": "milliseconds"}
    warning = message_text(OWN_UNIT, path="slow.stm", **fields)
    assert capsys.readouterr().err == f"scoring: warning: {warning} [UNIT-OF-TIMES]\n"


ENTITIES = ["--entity-weights", "entities.json"]
TWO_SIDES = {
    "wer": ["wer"],
    "diff": ["diff"],
    "beer": ["beer", *ENTITIES],
    "compare": ["compare", "--reference", "talk.stm"],
    "events": ["events"],
    "segments": ["segments"],
    "per": ["per", "--lexicon", "lexicon.txt"],
}


@each_case("command", TWO_SIDES)
@each_case("side", ["reference", "hypothesis"])
@each_case(
    ("option", "status", "said"),
    [
        ("encoding=latin-1", 2, '"encoding"; use --{side}-encoding'),
        ("format=trn", 2, '"format"; use --{side}-format'),
        ("target=x", 2, 'found "target"'),
        ("max_bytes=abc", 2, "expected max_bytes as a whole number, found"),
        ("max_bytes=" + "9" * 5000, 2, "expected max_bytes as a whole number, found"),
        ("max_bytes=1_0", 2, "expected max_bytes as a whole number, found"),
        ("max-bytes=5", 2, "larger than 5 bytes"),
        ("tolerance=kind", 2, "expected tolerance out of strict, default, limited, lenient"),
        ("nothing=1", 2, 'found "nothing"'),
    ],
    ids=lambda value: str(value)[:20],
)
def test_options_that_no_reader_has_are_refused_by_name(
    command: str, side: str, option: str, status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [*TWO_SIDES[command], "talk.stm", "talk.stm", f"--{side}-option", option]
    assert main(arguments) == status
    assert said.format(side=side) in capsys.readouterr().err


def test_a_value_is_taken_as_the_option_wants_it() -> None:
    """A tier called 007 is not tier 7, and one called true is a tier."""
    for name in ("007", "true"):
        Path("named.TextGrid").write_text(GRID.replace("words", name), "utf-8")
        arguments = ["events", "named.TextGrid", "named.TextGrid"]
        for side in ("reference", "hypothesis"):
            arguments += [f"--{side}-option", f"tier_map={name}=event,phones=skip"]
            arguments += [f"--{side}-tier", name]
        assert main(arguments) == 0


def test_options_of_a_reader_without_any_are_not_passed_over(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("text").write_text("u1 a\n", "utf-8")
    formats = ["--reference-format", "kaldi-text", "--hypothesis-format", "kaldi-text"]
    assert main(["wer", "text", "text", *formats, "--hypothesis-option", "field=x"]) == 2
    assert "options to read kaldi: expected segments, utt2spk" in capsys.readouterr().err


@pytest.mark.parametrize("command", [*TWO_SIDES, "normalize"])
def test_each_side_has_its_encoding(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """--encoding latin-1 for one bad side decodes the good one wrongly, with status 0."""
    Path("lexicon.txt").write_text("é e\n", "utf-8")
    text = "talk A 0 1 é\n" if command in ("events", "segments") else "é (a-1)\n"
    Path("bad").write_bytes(text.encode("latin-1"))
    Path("good").write_text(text, "utf-8")
    if command == "compare":
        arguments = ["compare", "--reference", "good", "bad", "bad"]
        sides = ["hypothesis"]
    elif command == "normalize":
        arguments = ["normalize", "--normalize", "plain", "--show-steps"]
        arguments += ["--reference", "bad", "--hypothesis", "bad"]
        sides = ["reference", "hypothesis"]
    else:
        arguments = [*TWO_SIDES[command], "bad", "good"]
        sides = ["reference"]
    for side in sides:
        assert main(arguments) == 2
        said = capsys.readouterr().err
        assert says(said, UNCERTAIN, side)
        assert "bad:1:" in said
        arguments += [f"--{side}-encoding", "latin-1"]
    assert main(arguments) == 0


def test_an_encoding_of_one_side_from_python() -> None:
    Path("bad.trn").write_bytes("é (a-1)\n".encode("latin-1"))
    Path("good.trn").write_text("é (a-1)\n", "utf-8")
    paths = Path("bad.trn"), Path("good.trn")
    assert scoring.wer(*paths, reference_encoding="latin-1").corpus_rate == 0.0
    assert scoring.wer(*reversed(paths), hypothesis_encoding="latin-1").corpus_rate == 0.0
    both = Path("bad.trn")
    assert scoring.wer(both, both, encoding="latin-1").corpus_rate == 0.0


@pytest.mark.parametrize("command", ["wer", "diff", "beer", "compare"])
def test_sides_by_the_letters_of_sclite(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("r.trn").write_text("a b (a-1)\n", "utf-8")
    Path("h.trn").write_text("a c (a-1)\n", "utf-8")
    first = [command, *(ENTITIES if command == "beer" else [])]
    if command == "compare":
        places = [*first, "--reference", "r.trn", "r.trn", "h.trn"]
        letters = [[*first, "-r", "r.trn", "-h", "r.trn", "-h", "h.trn"]]
        letters += [[*first, "r.trn", "-h", "h.trn", "-r", "r.trn"]]
    else:
        places = [*first, "r.trn", "h.trn"]
        letters = [[*first, "-r", "r.trn", "-h", "h.trn"]]
        letters += [[*first, "-h", "h.trn", "r.trn"], [*first, "h.trn", "-r", "r.trn"]]
    assert main(places) == 0
    expected = capsys.readouterr().out
    for arguments in letters:
        assert main(arguments) == 0
        assert capsys.readouterr().out == expected
    for arguments in ([*places, "-h"], [*first, "-h", "-r", "r.trn"], [*first, "-r", "r.trn"]):
        assert main(arguments) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.endswith(f"\nsee scoring {command} --help\n")
    assert main([command, "-h"]) == 0


def test_a_gate_with_letters_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    """It printed help, with status 0."""
    Path("r.trn").write_text("a b (a-1)\n", "utf-8")
    Path("h.trn").write_text("a c (a-1)\n", "utf-8")
    assert main(["wer", "--fail-above", "1", "-r", "r.trn", "-h", "h.trn"]) == 3
    assert "h.trn: error rate 50.00 % is above 1 %" in capsys.readouterr().err


ODD_NUMBERS = ("nan", "inf", "-inf", "1e400", "9" * 20, "9" * 5000)
# The library rejects them, with a message of its own.
LEFT_TO_THE_LIBRARY = {"begin", "end", "pause", "cue_longest", "cue_shortest"}


def numbers_in(value: object) -> Iterator[float]:
    """The numbers of a value of an option."""
    for part in value if isinstance(value, (list, tuple)) else (value,):
        if isinstance(part, float):
            yield part


def test_no_option_takes_a_number_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    checked = 0
    for parser in every_parser():
        if parser.prog.partition(" ")[0] not in ("formats", "scoring"):
            continue  # programs of others
        for action in parser.arguments:
            if action.nargs == 0:
                continue
            for text in ODD_NUMBERS:
                try:
                    value = value_of(action, text)
                except (argparse.ArgumentTypeError, TypeError, ValueError):
                    checked += 1
                    continue
                name = f"{parser.prog} {action.option_strings}"
                if not all(map(isfinite, numbers_in(value))):
                    assert action.dest in LEFT_TO_THE_LIBRARY, (name, text)
    assert checked > 100
    capsys.readouterr()


@each_case("text", ODD_NUMBERS)
@each_case(
    "arguments",
    [
        "formats convert a.ctm b.stm --begin",
        "formats convert a.ctm b.stm --end",
        "formats convert a.ctm b.stm --pause",
        "formats convert a.stm b.srt --cues fitted --cue-longest",
        "formats convert a.stm b.srt --cues fitted --cue-shortest",
        "scoring wer a.stm a.ctm --bins",
        "scoring wer a.stm a.stm --meeting cp --collar",
        "scoring wer a.stm a.ctm --meeting tcp --collar",
        "scoring der a.stm a.stm --boundary-collar",
        "scoring events a.ctm a.ctm --start-tolerance",
        "scoring events a.ctm a.ctm --end-tolerance",
        "scoring events a.ctm a.ctm --min-overlap",
        "scoring events a.ctm a.ctm --duration",
        "scoring segments a.ctm a.ctm --time-threshold",
    ],
)
def test_odd_numbers_are_usage_errors(
    arguments: str,
    text: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("a.ctm").write_text("r 1 0 1 a\n")
    Path("a.stm").write_text("r 1 A 0 1 a\n")
    files = set(Path().iterdir())
    program, *rest = arguments.split(" ")
    if text == "9" * 20 and "--bins" in rest:
        return  # a border that no column reaches
    run = main if program == "scoring" else formats_main
    assert run([*rest[:-1], f"{rest[-1]}={text}"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "expected" in printed.err
    assert set(Path().iterdir()) == files


def test_borders_from_python_are_numbers() -> None:
    for bins in ((float("nan"),), (0.0, float("inf")), (2.0, 1.0)):
        with pytest.raises(ValueError, match="bins: expected ascending numbers"):
            scoring.Options(bins=bins)


@pytest.mark.parametrize("name", ["cpwer", "cpWER", "CP-WER", "cp"])
def test_a_measure_of_meetings_may_have_the_name_of_its_rate(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.stm").write_text("r 1 A 0 1 a\n")
    assert main(["wer", "a.stm", "a.stm", "--meeting", name]) == 0
    assert "|meeting:cp|" in capsys.readouterr().out
    assert main(["wer", "a.stm", "a.stm", "--meeting", f"x{name}"]) == 2
    assert f"found 'x{name}'" in capsys.readouterr().err


def test_several_values_of_an_option_that_takes_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wer", "a.stm", "a.stm", "--meeting", "cp,orc"]) == 2
    assert "found several: 'cp,orc'; choose one a run" in capsys.readouterr().err


WORDS_OF_OTHERS = {
    "wer --lmwt 7": "--best",
    "wer --lang de": "--normalize numbers:lang=LANG",
    "wer --style openasr": "--like",
    "wer --hyp file": "-h",
    "wer --ref file": "--reference",
    "compare --hypotheses file": "-h",
    "wer --lowercase": "--ignore-case",
    "compare --lmwt 7": "",
    "wer --guide bbc": "",
    "wer --spk file": "",
    "formats lint --lang de": "--rules-language",
    "formats lint --guide bbc": "--rules",
    "formats lint --style bbc": "--rules",
    "formats lint --fromat srt": "--from",
    "formats convert --guide bbc": "",
}


@pytest.mark.parametrize("words", WORDS_OF_OTHERS)
def test_words_of_other_tools_are_those_of_the_command(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command, name, *rest = words.split()
    sides = ["r.trn", "h.trn"]
    if command == "formats":
        verb, name, *rest = [name, *rest]
        assert formats_main([verb, *sides[: 1 + (verb == "convert")], name, *rest]) == 2
        command = f"formats {verb}"
    else:
        assert main([command, *sides, name, *rest]) == 2
        command = f"scoring {command}"
    problem, help_line = capsys.readouterr().err.splitlines()
    meant = f"(did you mean {WORDS_OF_OTHERS[words]}?)" if WORDS_OF_OTHERS[words] else ""
    assert problem.endswith(f" {meant}" if meant else " ".join([name, *rest]))
    assert problem.startswith(f"{command}: error: unrecognized arguments: {name}")
    assert help_line == f"see {command} --help"


def test_groups_by_speaker_name_the_file_of_speakers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = [tmp_path / "ref.txt", tmp_path / "hyp.txt"]
    for side in sides:
        side.write_text("u1 a b c\nu2 d e f\n")
    words = ["wer", *map(str, sides), "--by"]
    for name in ("spk", "spkr", "speaker_id"):
        assert main([*words, name]) == 2
        assert "--utt2spk FILE" in capsys.readouterr().err
    speakers = tmp_path / "utt2spk"
    speakers.write_text("u1 anna\nu2 ben\n")
    assert main([*words, "speaker", "--utt2spk", str(speakers)]) == 0
    assert main([*words, "spkr", "--utt2spk", str(speakers)]) == 2
    assert "did you mean speaker?" in capsys.readouterr().err
