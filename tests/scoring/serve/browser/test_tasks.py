"""The tasks of the page: requests and answers, what is refused, and which packages they need."""

import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from scoring.cli.scoring import main
from scoring.serve.browser.page import page_of_export
from scoring.serve.browser.tasks import answer, archive, packed, unpacked

DEMO = Path(__file__).resolve().parents[4] / "resources" / "demo"
STM, CTM = "reference.stm", "baseline.ctm"
WITHOUT = """
import json, sys
sys.path[:0] = {path}
missing = ("numpy", "lxml", "regex", "formats._native", "scoring._native")
sys.modules.update(dict.fromkeys(missing))
from scoring.serve.browser.tasks import answer
for size in json.loads(sys.argv[1]):
    record, _, _ = answer(sys.stdin.buffer.read(size)).partition(b"\\n")
    sys.stdout.buffer.write(record + b"\\n")
"""


def ask(files: dict[str, bytes], **record: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The answer to a request, and its files."""
    return unpacked(answer(packed(record, files)))


def demo(*names: str) -> dict[str, bytes]:
    return {name: (DEMO / name).read_bytes() for name in names}


@pytest.mark.parametrize(
    ("report", "flags", "written"),
    [
        ("html", ["--html", "report.html"], "report.html"),
        ("json", ["--json", "report.json"], "report.json"),
        ("csv", ["--csv", "report.csv"], "report.csv"),
        ("sys", ["-O", ".", "-o", "sum"], "baseline.ctm.sys"),
        ("pra", ["-O", ".", "-o", "pralign"], "baseline.ctm.pra"),
    ],
)
def test_reports_are_those_of_the_command(
    current_folder: Path, report: str, flags: list[str], written: str
) -> None:
    files = demo(STM, CTM)
    choices = [("normalize", "lowercase"), ("ignore_case", "true"), ("unit", "word")]
    record, outputs = ask(
        files, task="score", reference=STM, hypotheses=[CTM], report=report, choices=choices
    )
    assert (record["status"], list(outputs)) == (0, [written])
    assert record["command"].startswith(f"scoring wer {STM} {CTM} --normalize=lowercase --ignore")
    for name, content in files.items():
        (current_folder / name).write_bytes(content)
    assert main(["wer", STM, CTM, "--normalize=lowercase", "--ignore-case", *flags]) == 0
    assert outputs[written] == (current_folder / written).read_bytes()


def test_a_recipe_fixes_all_choices() -> None:
    files = {"r.txt": b"It is so.\n", "h.txt": b"it is so\n"}
    record, _ = ask(
        files, task="score", reference="r.txt", hypotheses=["h.txt"], choices=[("like", "jiwer@4")]
    )
    assert (record["status"], "like:jiwer@4" in record["text"]) == (0, True), record


def test_reports_of_several_systems_come_in_an_archive() -> None:
    names = [CTM, "improved.ctm"]
    record, outputs = ask(
        demo(STM, *names), task="score", reference=STM, hypotheses=names, report="sys"
    )
    assert record["status"] == 0
    with zipfile.ZipFile(io.BytesIO(outputs["wer.zip"])) as reports:
        assert reports.namelist() == ["baseline.ctm.sys", "improved.ctm.sys"]


def test_archives_are_read_while_the_page_shows_progress() -> None:
    files = {
        f"{side}.zip": archive({f"{name}.txt": word for name in "ab"})
        for side, word in (("r", b"the wind drops\n"), ("h", b"the wind stops\n"))
    }
    request = {"task": "score", "reference": "r.zip", "hypotheses": ["h.zip"]}
    stages: set[str] = set()
    record, _ = unpacked(answer(packed(request, files), lambda stage, *_: stages.add(stage)))
    assert (record["status"], "%WER 33.33" in record["text"]) == (0, True), record
    assert "reading r.zip/a.txt" in stages


def test_folders_and_names_that_need_quotes() -> None:
    files = {"a b/one.txt": b"a b c\n", "a b/two.txt": b"d\n"}
    others = {"x'y/one.txt": b"a x c\n", "x'y/two.txt": b"d\n"}
    record, _ = ask(
        {**files, **others}, task="score", reference="a b", hypotheses=["x'y"], report="json"
    )
    assert record["status"] == 0, record
    assert "%WER 25.00 [ 1 / 4" in record["text"]
    assert record["command"].startswith("""scoring wer 'a b' 'x'"'"'y' """)
    record, _ = ask(
        {"-r": b"a b\n", "10:30\\.txt": b"a\n"},
        task="score", reference="-r", hypotheses=["10:30\\.txt"],
        choices=[("reference_format", "txt")],
    )  # fmt: skip
    assert (record["status"], "%WER 50.00" in record["text"]) == (0, True), record
    record, _ = ask({"a": b"a\n", "a/b": b"a\n"}, task="validate", input="a")
    assert record["status"] == 2


def test_a_transcript_is_converted_and_losses_are_listed() -> None:
    record, outputs = ask(
        demo("interview.TextGrid"),
        task="convert",
        input="interview.TextGrid",
        choices=[("to", "srt")],
    )
    assert (record["status"], list(outputs)) == (0, ["interview.srt"])
    assert "not preserved" in record["messages"]
    assert "speakers: 10" in record["messages"]
    assert outputs["interview.srt"].startswith(b"1\n00:00:00,")


def test_problems_have_file_line_and_column() -> None:
    files = {"r.stm": b"a 1 x 0 1 word\na 1 x zero 2 word\n"}
    for record in (
        ask(files, task="validate", input="r.stm", choices=[("format", "stm")])[0],
        ask({**files, "h.ctm": b"a 1 0 1 w\n"}, task="score", reference="r.stm", hypotheses=["h.ctm"],
            choices=[("reference_format", "stm")])[0],
    ):  # fmt: skip
        assert record["status"] == 2
        assert "r.stm:2:" in record["messages"] + record["text"]


def test_formats_are_detected() -> None:
    record, _ = ask(demo(STM), task="detect", input=STM)
    assert (record["status"], record["text"]) == (0, f"{STM}: stm\n")


def test_the_page_learns_what_there_is() -> None:
    text = page_of_export([])
    for value in ("lowercase", "plain", "whisper-basic-safe", "meeteval/chime-8@0.4", "srt"):
        assert f'<option value="{value}">' in text
    assert '<option value="regex">' not in text  # needs arguments
    assert '<option value="grapheme">' not in text
    assert "grapheme and mixed are in `scoring ui` only" in text
    assert text.count('<option value="salt">') == 4  # it is read, not written
    _, files = ask({}, task="demo")
    assert list(files) == [STM, CTM, "improved.ctm"]


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../r.stm", "a/../../b", "", "a//b", "sclite-kit/x", "a\0b"]
)
def test_names_stay_below_the_folder_of_the_request(name: str) -> None:
    for files, reference in (({name: b"a\n"}, "r.txt"), ({"r.txt": b"a\n"}, name)):
        record, _ = ask(files, task="score", reference=reference, hypotheses=["r.txt"])
        assert record["status"] == 2
        assert "expected the name of a file" in record["messages"]


@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        (("normalize", "/etc/passwd"), "--normalize: expected a name"),
        (("speakers", "x"), "choice: expected one of"),
        (("unit", "--html=/tmp/x"), "--unit: expected a name"),
        (("unit", "line"), "unit"),
        (("like", "../x"), "--like ../x: expected the name of a recipe"),
    ],
)
def test_choices_are_those_of_the_page(choice: tuple[str, str], problem: str) -> None:
    files = {"r.txt": b"a\n", "h.txt": b"a\n"}
    record, outputs = ask(
        files, task="score", reference="r.txt", hypotheses=["h.txt"], choices=[choice]
    )
    assert (record["status"], outputs) == (2, {})
    assert problem in record["messages"]


@pytest.mark.parametrize(
    "body",
    [b"", b"{}", b"[]\n", b"null\n", b'{"files": [["a", 3]]}\nab', b'{"files": [["a", -1]]}\n',
     b'{"files": [["a", 1], ["a", 1]]}\nab',
     b'{"files": [[]]}\n', b'{"task": "format", "files": []}\n', b"\xff\n", b"[" * 100_000],
)  # fmt: skip
def test_other_bodies_are_refused(body: bytes) -> None:
    record, outputs = unpacked(answer(body))
    assert (record["status"], outputs) == (2, {})
    assert "expected" in record["messages"]


def test_progress_is_heard() -> None:
    heard = []
    body = {"task": "score", "reference": STM, "hypotheses": [CTM]}
    answer(packed(body, demo(STM, CTM)), lambda *words: heard.append(words))
    assert heard


def test_the_path_of_the_page_needs_no_compiled_package() -> None:
    """Only the standard library, msgspec and pure packages: what there is in a browser."""
    interview = ("interview.TextGrid", "interview.json")
    cues = b"1\n00:00:01,000 --> 00:00:02,000\nHello there\n"
    segments = {
        "segments": [{"start": 1.0, "end": 2.0, "text": "hello hair"}],
        "text": "hello hair",
    }
    files = demo(STM, CTM, "improved.ctm", *interview)
    files |= {"a.srt": cues, "a.json": json.dumps(segments).encode()}
    files["a.vtt"] = b"WEBVTT\n\n00:01.000 --> 00:02.000\nHello you\n"
    score = {"task": "score", "reference": STM, "hypotheses": [CTM]}
    of_cues = {"task": "score", "reference": "a.srt", "hypotheses": ["a.json", "a.vtt"]}
    of_speakers = {**score, "reference": "interview.TextGrid", "hypotheses": ["interview.json"]}
    steps = ["whisper-basic-safe", "plain", "contractions", "numbers", "fillers", "transliterate"]
    requests: list[dict[str, Any]] = [
        *({**score, "report": report} for report in ("html", "json", "csv", "sys", "pra")),
        {**score, "hypotheses": [CTM, "improved.ctm"]},
        *({**of_cues, "choices": [("normalize", step)]} for step in steps),
        *({**of_cues, "choices": [("unit", unit)]} for unit in ("char", "char+space")),
        *({**of_speakers, "choices": [("measure", measure)]} for measure in ("cp", "tcp", "orc", "auto")),
        *(
            {"task": "convert", "input": "interview.json", "choices": [("to", form)]}
            for form in ("srt", "ttml", "eaf", "ass", "stm", "rttm", "whisper", "csv", "textgrid")
        ),
        *({"task": verb, "input": "a.srt"} for verb in ("lint", "validate", "detect")),
    ]  # fmt: skip
    bodies = [packed(request, files) for request in requests]
    sizes = json.dumps([len(body) for body in bodies])
    code = WITHOUT.format(path=repr([path for path in sys.path if path]))
    environment = {**os.environ, "SCORING_ALIGN": "plain"}
    done = subprocess.run(
        [sys.executable, "-c", code, sizes], input=b"".join(bodies), env=environment,
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    records = [json.loads(line) for line in done.stdout.splitlines()]
    failed = [
        (request, record["messages"], record["text"])
        for request, record in zip(requests, records, strict=True)
        if record["status"] not in (0, 3)
    ]
    assert failed == []
