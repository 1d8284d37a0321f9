"""Formats that a person describes in TOML: read, written, and refused at the place of the fault."""

from pathlib import Path

import pytest

import formats
import scoring
from formats.schema.errors import FormatError
from scoring.serve.errors import InvalidFieldError
from scoring.serve.methods import Methods
from tests.each_case import each_case
from tests.formats.conftest import RunCommand

DESK = """\
title = "the log of the desk"
pattern = ["<{start s}> {speaker} = {text}", '''
== {speaker}
{text}''']
skip = "Date: {_}"
clock = false
"""
TALK = "Date: today\n<1.5> Ann = hello world\n== Bob\ngood morning\nto all\n"
TURNS = [("Ann", 1_500_000_000, "hello world"), ("Bob", None, "good morning to all")]


def turns(transcript: formats.Transcript) -> list[tuple[str | None, int | None, str]]:
    return [(each.speaker, each.start_ns, " ".join(each.words)) for each in transcript]


def test_a_text_is_read_and_written(tmp_path: Path) -> None:
    description, path, written = (tmp_path / x for x in ("desk.toml", "talk.desk", "again.desk"))
    description.write_text(DESK)
    path.write_text(TALK)
    transcript = formats.read(path, f"@{description}")
    assert (turns(transcript), transcript.format) == (TURNS, "speaker-text")
    only = 'pattern = "<{start s}> {speaker} = {text}"'
    formats.write(formats.read(path, only), written, only)
    assert written.read_text() == "<1.500> Ann = hello world == Bob good morning to all\n"
    name = f"@{description}"
    rates = scoring.wer(path, path, reference_format=name, hypothesis_format=name)
    assert rates.corpus_rate == 0


def test_tables_and_json_have_tables_of_names(tmp_path: Path) -> None:
    table = tmp_path / "rows.csv"
    table.write_text("Begin,Stop,Line\n0.5,1,hello there\n")
    (tmp_path / "rows.toml").write_text('from = "CSV"\n[columns]\nstart = "Begin"\ntext = "Line"\n')
    assert turns(formats.read(table, f"@{tmp_path}/rows.toml")) == [
        (None, 500_000_000, "hello there")
    ]
    record = tmp_path / "rows.json"
    record.write_text(
        '[{"at": 1.0, "to": 2.0, "line": "a b"}, {"at": 3.0, "to": 4.0, "line": "c"}]'
    )
    members = 'from = "json"\nmember = {start = "at", end = "to", text = "line"}'
    assert [text for *_, text in turns(formats.read(record, members))] == ["a b", "c"]
    assert [text for *_, text in turns(formats.read(record, members, member="text=line"))]


def test_the_service_takes_descriptions_and_no_files(tmp_path: Path) -> None:
    answer = Methods()("convert", {"content": TALK, "format": DESK, "to": "speaker-text"})
    assert "Ann: hello world" in answer["content"]
    (tmp_path / "desk.toml").write_text(DESK)
    for name in (f"@{tmp_path}/desk.toml", 'from = "kaldi"\nsegments = "/etc/passwd"'):
        with pytest.raises(InvalidFieldError, match="expected"):
            Methods()("convert", {"content": TALK, "format": name, "to": "stm"})


@each_case(
    ("text", "place", "found"),
    [
        ('pattern = "a\n', (1, 13), "Illegal"),
        ('\npattern = "{text}"\npatern = 1\n', (3, 1), "patern"),
        ('pattern = ["{text}",\n  "{speker}: {text}"]\n', (2, 4), "{speker}"),
        ('from = "cvs"\n', (1, 1), "csv"),
        ("from = 3\n", (1, 1), "a number"),
        ('title = "x"\n', (1, 1), "neither"),
        ('pattern = "{text}"\ntitle = 3\n', (2, 1), "a number"),
        ('skip = "x"\n', (1, 1), "none"),
        ('from = "csv"\ntime-unit = "parsec"\n', (2, 1), "parsec"),
        ('from = "csv"\npattern = "{text}"\n', (1, 9), "csv"),
        ('pattern = "{text}"\nskip = 3\n', (2, 1), "a number"),
        ('pattern = "{text}"\nskip = "a⏎b"\n', (2, 9), "2 lines"),
        ('pattern = "{text}"\nclock = "yes"\n', (2, 1), "a text"),
    ],
)
def test_faults_have_places(tmp_path: Path, text: str, place: tuple[int, int], found: str) -> None:
    path = tmp_path / "my.toml"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        formats.read(path, f"@{path}")
    error = caught.value
    assert (error.path, error.line, error.column) == (str(path), *place)
    assert found in str(error)


def test_commands_end_with_the_place(current_folder: Path, run_command: RunCommand) -> None:
    (current_folder / "my.toml").write_text('pattern = "{text}"\npatern = 1\n')
    (current_folder / "a.txt").write_text("hello\n")
    status, out, err = run_command("convert", "a.txt", "-", "--to", "stm", "--from", "@my.toml")
    assert (status, out) == (2, "")
    assert err.startswith("formats: error: my.toml:2:1: expected ")
