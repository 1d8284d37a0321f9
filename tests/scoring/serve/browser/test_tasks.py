"""The tasks of the page: requests and answers, what is refused, and which packages they need."""

import io
import json
import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

from formats.cli.messages import KIND_BY_RULE
from formats.detection import names
from formats.io.errors import EncodingFormatError
from formats.io.messages import OTHER_ENCODING
from formats.schema.messages import Advice, Message
from scoring.cli.messages import IDLE_WITHOUT, NO_RANKING, NOTHING_SCORED
from scoring.cli.scoring import main
from scoring.options import FIELDS, is_switch
from scoring.pages.messages import CASE, SPEAKER_NAMES, UNSEEN
from scoring.serve.browser import page
from scoring.serve.browser.digest import MOST_WORDS
from scoring.serve.browser.page import page_of_export
from scoring.serve.browser.plain_words import format_titles, labels, plain_messages
from scoring.serve.browser.tasks import OPTIONS, answer, archive, packed, unpacked
from scoring.sides.messages import UNEQUAL_MISSING
from tests.each_case import each_case
from tests.formats.checks import message_text

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

CUE = "{}\n00:00:0{},000 --> 00:00:0{},000\na\n\n"


def ask(files: dict[str, bytes], **record: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The answer to a request, and its files."""
    return unpacked(answer(packed(record, files)))


def demo(*names: str) -> dict[str, bytes]:
    return {name: (DEMO / name).read_bytes() for name in names}


@each_case(
    ("reference", "hypothesis", "message"),
    [
        ("ann: good day", "good day", ["SPEAKER-NAMES", {"number": 8, "errors": 8}]),
        ("i have twenty one cats", "i have 21 cats", ["NUMBERS", {"number": 16, "errors": 16}]),
        ("my favourite colour", "my favorite color", ["SPELLING", {"number": 16, "errors": 16}]),
        ("große Straßen", "grosse Strassen", ["SHARP-S", {"number": 16, "errors": 16}]),
        ("我 喜欢 你", "我喜 欢你", ["BLANKS", {"number": 24, "errors": 24}]),
        ("ca\u200bfe noir", "cafe noir", ["UNSEEN", {"number": 8, "errors": 8}]),
        ("a b", "", ["EMPTY", {"path": "h.trn"}]),
        ("我喜欢你" * 4, "我喜欢" * 4, ["NO-BLANKS", {"path": "r.trn"}]),
        (
            "der hund ist nicht da und das ist auch gut",
            "the dog is not here and that is good with you",
            ["UNRELATED", {"path": "h.trn", "reference": "r.trn", "correct": 0, "words": 80}],
        ),
    ],
)
def test_messages_that_the_page_has_in_its_languages(
    reference: str, hypothesis: str, message: list[Any]
) -> None:
    """The page hears them as values."""
    files = {
        name: "".join(f"{text} (x-{number})\n" for number in range(8) if text).encode()
        for name, text in (("r.trn", reference), ("h.trn", hypothesis))
    }
    record, _ = ask(files, task="score", reference="r.trn", hypotheses=["h.trn"])
    assert message in [said["message"] for said in record["said"]]
    english = labels()["en"]
    codes = [said["message"][0] for said in record["said"] if said["message"]]
    assert all(f"said.{code}" in english for code in codes)


@each_case(
    ("name", "text", "code", "fields"),
    [
        ("h.srt", "1\n00:00:01,000->00:00:02,500\na\n\n2\n00:00:03,000->00:00:04,500\nb\n",
         "SRT-LOOSE", {"path": "h.srt:2", "times": 2}),
        ("h.srt", "1\n00:00:01,000->00:00:02,500\na\n", "SRT-LOOSE", {"path": "h.srt:2", "times": 1}),
        ("h.srt", CUE.format(1, 1, 2) + "2\nb\n\n" + CUE.format(3, 5, 6),
         "SRT-NO-TIMES", {"path": "h.srt:5", "times": 1}),
        ("h.srt", "a text\n\n" + CUE.format(1, 1, 2), "SRT-TEXT", {"path": "h.srt:1", "times": 1}),
        ("h.srt", CUE.format(1, 5, 6) + CUE.format(2, 1, 2), "CUE-ORDER", {"path": "h.srt:6", "times": 1}),
        ("h.srt", CUE.format(1, 5, 4), "CUE-END", {"path": "h.srt:2", "times": 1}),
        ("h.vtt", "00:01.000 --> 00:02.000\na\n", "VTT-HEAD", {"path": "h.vtt:1:1"}),
        ("h.vtt", "WEBVTT\n\n00:01,000 --> 00:02,000\na\n", "VTT-COMMA", {"path": "h.vtt:3", "times": 2}),
        ("h.vtt", "WEBVTT\n\na\n\n00:01.000 --> 00:02.000\na\n", "VTT-BLOCK", {"path": "h.vtt:3", "times": 1}),
        ("h.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n<x>a\n", "VTT-TAG", {"path": "h.vtt:3", "times": 1}),
        ("h.srt", "", "CUT.captions", {"path": "r.srt"}),
    ],
)  # fmt: skip
def test_messages_of_ordinary_subtitles_are_in_all_languages(
    name: str, text: str, code: str, fields: dict[str, Any]
) -> None:
    files = {"r.srt": (CUE.format(1, 1, 2) + CUE.format(2, 3, 4)).encode(), name: text.encode()}
    record, _ = ask(files, task="score", reference="r.srt", hypotheses=[name])
    said = [message["message"] for message in record["said"] if not message["share"]]
    assert [code, fields] in said
    assert all(said), record["said"]
    assert not any("verbose" in message["text"] for message in record["said"])


def test_messages_of_many_utterances_and_of_encodings() -> None:
    hint = Message(SPEAKER_NAMES[1], {"number": 9, "errors": 9, "seen": 500})
    [said] = plain_messages([(hint, "")])
    fields = {"number": 9, "errors": 9}
    assert (said["message"], said["first"]) == (["SPEAKER-NAMES", fields], 500)
    files = {"r.txt": b"a\n", "b.txt": b"caf\xe9\x81\n"}
    record, _ = ask(files, task="score", reference="r.txt", hypotheses=["b.txt"])
    [said] = record["said"]
    choice = ["encodingOf", "hypothesis"]
    assert said["message"] == ["EncodingFormatError", {"path": "b.txt:1:4", "choice": choice}]


def test_files_of_another_kind_and_errors_of_readers_are_said_in_all_languages() -> None:
    turns = b"SPEAKER a 1 0 1 <NA> <NA> ann <NA> <NA>\n"
    picture = b"\x89PNG\r\n\x1a\n" + bytes(range(32)) * 40
    files = {
        "r.txt": b"a\n",
        "t.rttm": turns,
        "p.png": picture,
        "d.pdf": b"%PDF-1.4\n",
        "s.stm": b"a 1 x zero 2 word\n",
    }
    for name, choices, message in (
        ("t.rttm", [], ["NO-WORDS", {"path": "t.rttm", "format": "rttm"}]),
        ("p.png", [], ["NOT-TEXT.picture", {"path": "p.png"}]),
        ("d.pdf", [], ["NOT-TEXT.pdf", {"path": "d.pdf"}]),
        ("s.stm", [("hypothesis_format", "stm")], ["FormatError", {"text": ANY}]),
    ):
        request = {"reference": "r.txt", "hypotheses": [name], "choices": choices}
        record, _ = ask(files, task="score", **request)
        [said] = record["said"]
        assert (said["message"], said["is_note"]) == (message, False), said
    search = b'<kwlist ecf_filename="e" language="english" encoding="UTF-8" compareNormalize="" version="1"/>'
    record, _ = ask({"k.xml": search}, task="lint", input="k.xml")
    assert record["status"] == 2
    [said] = record["said"]
    assert said["message"] == ["NO-SUBTITLES", {"path": "k.xml", "format": "kwlist"}]


def test_names_that_differ_and_empty_references_are_said_in_all_languages() -> None:
    files = {"r.trn": b"a (x-1)\n", "h.trn": b"a (y-1)\n", "e.trn": b" (y-1)\n"}
    for reference, code, settings in (
        ("r.trn", "OTHER-NAMES", [["match", "position"]]),
        ("e.trn", "NOTHING-SCORED", []),
    ):
        record, _ = ask(files, task="score", reference=reference, hypotheses=["h.trn"])
        assert record["status"] == 2
        said = record["said"][-1]
        assert (said["message"][0], said["set"]) == (code, settings)


@each_case(
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


def test_characters_are_counted_beside_words() -> None:
    record, _ = ask(
        {"r.txt": b"the cat sat\n", "h.txt": b"the hat sat\n"},
        task="score",
        reference="r.txt",
        hypotheses=["h.txt"],
        choices=[("with_cer", "true")],
    )
    [system] = record["systems"]
    assert (record["status"], system["rate"], "--with-cer" in record["command"]) == (0, 1 / 3, True)
    assert system["characters"] == {"unit": "char", "errors": 1, "of": 11, "rate": 1 / 11}


def test_systems_have_names_groups_and_measures(current_folder: Path) -> None:
    """In the command, too, which gives the same report."""
    names = {CTM: "old one", "improved.ctm": "new"}
    request: dict[str, Any] = {"task": "score", "reference": STM, "hypotheses": [*names]}
    choices = [("by", "speaker"), ("measures", "loops"), ("measures", "runs")]
    files = demo(STM, *names)
    record, outputs = ask(files, **request, names=names, choices=choices, report="json")
    old, new = record["systems"]
    assert (old["name"], new["name"]) == ("old one", "new")
    assert [name for name, *_ in old["groups"]] == ["anna", "ben", "carla", "dan"]
    assert sum(errors for _, errors, _ in old["groups"]) == old["errors"] == 116
    assert sum(words for *_, words in old["groups"]) == old["of"]
    titles = [measure["title"] for measure in old["measures"]]
    assert titles == ["Loops", "Runs of insertions and deletions"]
    for name, content in files.items():
        (current_folder / name).write_bytes(content)
    assert main(shlex.split(record["command"])[1:]) == 0
    assert outputs["report.json"] == (current_folder / "report.json").read_bytes()
    record, _ = ask(files, **request, names={CTM: "a=b"})
    assert (record["status"], "without '='" in record["messages"]) == (2, True)


@pytest.mark.parametrize(
    ("report", "written", "names"),
    [
        ("html", "report.html", ["report.html"]),
        ("json", "report.json", ["report.json"]),
        ("txt", "kws.zip", ["keywords.bsum.txt", "keywords.sum.txt"]),
        ("csv", "kws.zip", ["keywords.alignment.csv", "keywords.bsum.csv", "keywords.sum.csv"]),
    ],
)
def test_reports_of_a_keyword_search_are_those_of_the_command(
    current_folder: Path, report: str, written: str, names: list[str]
) -> None:
    files = {path.name: path.read_bytes() for path in (DEMO / "keyword_search").glob("demo*")}
    inputs = sorted(files, reverse=True)
    record, outputs = ask(files, task="kws", inputs=inputs, report=report)
    assert (record["status"], list(outputs)) == (0, [written]), record
    assert ("summary" in record) is (report == "html")
    for name, content in files.items():
        (current_folder / name).write_bytes(content)
    assert main(record["command"].split()[1:]) == 0
    content = outputs[written]
    with zipfile.ZipFile(
        io.BytesIO(content if written == "kws.zip" else archive({written: content}))
    ) as reports:
        assert reports.namelist() == names
        for name in names:
            assert reports.read(name) == (current_folder / name).read_bytes()


def test_turns_are_scored_with_their_choices(current_folder: Path) -> None:
    turn = "SPEAKER m 1 {} {} <NA> <NA> {} <NA> <NA>\n"
    files = {
        "r.rttm": (turn.format(0, 4, "ann") + turn.format(4, 4, "bob")).encode(),
        "h.rttm": (turn.format(0, 4.5, "x") + turn.format(4.5, 3.5, "y")).encode(),
    }
    choices = [("boundary_collar", "0.25"), ("skip_overlap", "true"), ("like", "pyannote")]
    request: dict[str, Any] = {"task": "der", "inputs": ["r.rttm", "h.rttm"], "choices": choices}
    record, outputs = ask(files, **request)
    assert record["status"] == 0, record
    assert record["summary"]["overall"]["confusion_seconds"] == pytest.approx(0.375)
    assert record["command"].endswith(
        "--boundary-collar=0.25 --skip-overlap --like=pyannote --html report.html"
    )
    for name, content in files.items():
        (current_folder / name).write_bytes(content)
    assert main(record["command"].split()[1:]) == 0
    assert outputs["report.html"] == (current_folder / "report.html").read_bytes()
    record, _ = ask(files, **{**request, "choices": [("unit", "word")]})
    assert (record["status"], "choice: expected one of" in record["messages"]) == (2, True)


def test_late_subtitles_are_reported_and_moved() -> None:
    """In all languages, with the choice that removes the shift."""
    cues = "{}\n00:00:{:02},{}00 --> 00:00:{:02},{}00\n{}\n"
    files = {
        f"{name}.srt": "\n".join(
            cues.format(n, 2 * n, tenths, 2 * n + 1, tenths, f"word{n} and more{n}")
            for n in range(1, 20)
        ).encode()
        for name, tenths in (("film", 0), ("live", 7))
    }
    request = {"task": "score", "reference": "film.srt", "hypotheses": ["live.srt"]}
    record, _ = ask(files, **request)
    [said] = [said for said in record["said"] if "CLOCK" in str(said["message"])]
    fields = {"path": "live.srt", "seconds": 0.7, "segments": 19, "inside": 0, "fitting": 19}
    assert said["message"] == ["CLOCK.later-captions", fields]
    assert said["set"] == [["shift", "auto"]]
    moving = [("to", "srt"), ("offset", "-0.700")]
    _, moved = ask(files, task="convert", input="live.srt", choices=moving)
    assert [*moved.values()] == [files["film.srt"] + b"\n"]
    choices = [*said["set"], ["measures", "subtitles"]]
    record, _ = ask(files, **request, choices=choices)
    assert ["coverage: F1 %", "100.00"] in record["systems"][0]["measures"][0]["figures"]
    assert "CLOCK.shifted" in [code for said in record["said"] for code in said["message"][:1]]


def test_captions_of_another_frame_rate_are_corrected() -> None:
    cue = "{}\n00:{:02}:{:06.3f} --> 00:{:02}:{:06.3f}\nword{} and more{}\n"
    files = {}
    for name, factor in (("film", 1.0), ("pal", 25 / 24)):
        times = [(factor * 10 * n, factor * (10 * n + 2)) for n in range(1, 40)]
        cues = [
            cue.format(n, int(a // 60), a % 60, int(b // 60), b % 60, n, n).replace(".", ",")
            for n, (a, b) in enumerate(times, 1)
        ]
        files[f"{name}.srt"] = "\n".join(cues).encode()
    record, _ = ask(files, task="score", reference="film.srt", hypotheses=["pal.srt"])
    [said] = [said for said in record["said"] if "CLOCK" in str(said["message"])]
    key, fields = said["message"]
    assert key == "CLOCK.frame-rates"
    assert (fields["made"], fields["shown"]) == ("25", "24")
    # the first caption is hardly moved
    assert (fields["segments"], fields["inside"], fields["fitting"]) == (39, 1, 39)
    choices = [("to", "srt"), ("stretch", f"{fields['shown']}/{fields['made']}")]
    _, corrected = ask(files, task="convert", input="pal.srt", choices=choices)
    assert [*corrected.values()] == [files["film.srt"] + b"\n"]


def test_a_loss_names_the_file_and_no_command_line() -> None:
    """In the words of the page, without the folder of results."""
    srt = b"1\n00:00:01,001 --> 00:00:02,002\none two\n"
    record, files = ask({"a.srt": srt}, task="convert", input="a.srt", choices=[("to", "stl")])
    assert [*files] == ["a.stl"]
    [said] = [said for said in record["said"] if said["message"][:1] == ["NOT-PRESERVED"]]
    assert said["message"][1]["path"] == "a.stl"
    assert said["message"][1]["format"] == "stl"
    assert "decimals of times: 2" in said["message"][1]["losses"]
    assert said["text"].startswith("a.stl: ")
    assert "command line" not in said["text"]


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
    lost = message_text(KIND_BY_RULE, what="speakers", count=10, rule="|").partition("|")[0]
    assert lost in record["messages"]
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


def test_an_entry_describes_its_text() -> None:
    record, _ = ask({}, task="describe", entry="<0:12> Ann = so it was")
    assert (record["status"], record["text"]) == (0, "<{start}> {text}")
    assert ask({}, task="describe", entry="so it was")[0]["status"] == 2
    files = {"r.txt": b"<0:12> Ann = so\n<0:14> Bob = it was\n", "h.txt": b"<0:12> Ann = so\n"}
    choices = [("reference_pattern", "<{start}> {speaker} = {text}"),
               ("hypothesis_pattern", "<{start}> {speaker} = {text}")]  # fmt: skip
    record, _ = ask(files, task="score", reference="r.txt", hypotheses=["h.txt"], choices=choices)
    assert record["systems"][0]["of"] == 3
    files = {"r.txt": b"/0:12/ so\n"}
    choices = [("pattern", "/{start}/ {text}"), ("to", "jsonl")]
    _, outputs = ask(files, task="convert", input="r.txt", choices=choices)
    assert b'"start": 12.0, "text": "so"' in outputs["r.jsonl"]


def test_the_page_learns_what_there_is() -> None:
    text = page_of_export({})
    for value in ("lowercase", "plain", "whisper-basic-safe", "meeteval/chime-8@0.4"):
        assert f'<option value="{value}">' in text
    assert '<option value="regex">' not in text  # needs arguments
    assert '<option value="grapheme">' not in text
    assert text.count('<option value="srt" data-title="SubRip') == 7
    assert text.count('<option value="salt" ') == 6  # it is read, not written
    _, files = ask({}, task="demo")
    assert list(files) == [STM, CTM, "improved.ctm"]


@each_case("name", ["/etc/passwd", "../r.stm", "a/../../b", "", "a//b", "sclite-kit/x", "a\0b"])
def test_names_stay_below_the_folder_of_the_request(name: str) -> None:
    for files, reference in (({name: b"a\n"}, "r.txt"), ({"r.txt": b"a\n"}, name)):
        record, _ = ask(files, task="score", reference=reference, hypotheses=["r.txt"])
        assert record["status"] == 2
        assert "expected the name of a file" in record["messages"]


@each_case(
    ("choice", "problem"),
    [
        (("normalize", "/etc/passwd"), "--normalize: expected a name"),
        (("speakers", "x"), "choice: expected one of"),
        (("unit", "--html=/tmp/x"), "--unit: expected a name"),
        (("unit", "line"), "unit"),
        (("like", "../x"), "expected the name of a recipe"),
        (("reference_pattern", "@r.txt"), "--reference-pattern: expected a layout"),
    ],
)
def test_choices_are_those_of_the_page(choice: tuple[str, str], problem: str) -> None:
    files = {"r.txt": b"a\n", "h.txt": b"a\n"}
    record, outputs = ask(
        files, task="score", reference="r.txt", hypotheses=["h.txt"], choices=[choice]
    )
    assert (record["status"], outputs) == (2, {})
    assert problem in record["messages"]


@each_case(
    "body",
    [b"", b"{}", b"[]\n", b"null\n", b'{"files": [["a", 3]]}\nab', b'{"files": [["a", -1]]}\n',
     b'{"files": [["a", 1], ["a", 1]]}\nab',
     b'{"files": [[]]}\n', b'{"task": "format", "files": []}\n', b"\xff\n", b"[" * 100_000],
)  # fmt: skip
def test_other_bodies_are_refused(body: bytes) -> None:
    record, outputs = unpacked(answer(body))
    assert (record["status"], outputs) == (2, {})
    assert "expected" in record["messages"]


def test_the_page_has_its_labels_in_six_languages() -> None:
    assert list(labels()) == ["en", "de", "fr", "es", "zh", "ja"]
    english = labels()["en"]
    for language, words in labels().items():
        assert words.keys() == english.keys(), language
        for name, text in words.items():
            places = re.findall(r"\{\w+\}", text)
            assert sorted(places) == sorted(re.findall(r"\{\w+\}", english[name])), (language, name)
            assert not re.search(r"--|scoring|sclite|numpy|`", text), (language, name)
    shown = re.findall(r'data-t(?:-label|-of)?="([\w.]+)"', page_of_export({}))
    assert set(shown) <= english.keys()
    called = Path(page.__file__).parent.joinpath("assets/ui.js").read_text()
    assert set(re.findall(r'\bt\("([\w.]+)"', called)) <= english.keys()


def test_titles_of_measures_are_in_all_languages() -> None:
    titles = re.findall(r'data-figure="([^"]+)"', page.page_of_service("/"))
    assert len(titles) > 30
    for language, words in labels().items():
        same = [title for title in titles if title == words[f"figure.{title}"]]
        assert same == (titles if language == "en" else []), language


def test_titles_of_formats_are_in_all_languages() -> None:
    titles = format_titles()
    assert ["en", *titles] == list(labels())
    for language, known in titles.items():
        assert known.keys() == titles["de"].keys(), language
    assert titles["de"].keys() <= set(names())
    # what people without a command line have
    assert {"srt", "vtt", "ttml", "stl", "docx", "txt", "csv", "xlsx"} <= titles["de"].keys()


@each_case(
    ("message", "name", "text", "settings"),
    [
        (Message(CASE[0], {"number": 3, "errors": 8}), "b.ctm",
         "b.ctm: 3 of 8 errors are case or punctuation only; see “Normalisation: plain”",
         [["normalize", "plain"]]),
        (Message(UNSEEN["controls", "unicode"][0], {"number": 3, "errors": 8}), "",
         "3 of 8 errors are only invisible characters or differences in Unicode form (NFC, NFD); "
         "see “Normalisation: controls”, “Normalisation: unicode”", [["normalize", "controls"], ["normalize", "unicode"]]),
        (Message(IDLE_WITHOUT, {"option": Advice("collar", ""), "needed": [Advice("meeting", "")]}), "",
         "the option “collar” of the installed program has no effect without “Speakers”", []),
        (EncodingFormatError(value=Message(OTHER_ENCODING, {"encoding": "UTF-8", "found": "byte 0x89"}, "hypothesis"),
         path="pic.png", line=1, column=1), "",
         "pic.png:1:1: expected UTF-8 text, found byte 0x89 (name another encoding, or auto, with "
         "“Encoding of the hypothesis”)", []),
        (Message(NOTHING_SCORED, {"path": "r.stm"}), "",
         "r.stm: expected words to score in the reference, found none (the option “allow empty” of the installed "
         "program accepts an empty reference)", []),
        (Message(UNEQUAL_MISSING, {"path": "h", "reference": "r", "wanted": 2, "number": 1}), "",
         "h: for matching by position, expected 2 utterances as in r, found 1 (“If a hypothesis is "
         "missing: delete” or “If a hypothesis is missing: skip” scores the files anyway)", [["missing", "delete"]]),
    ],
)  # fmt: skip
def test_messages_name_boxes_instead_of_options(
    message: Message, name: str, text: str, settings: list[list[str]]
) -> None:
    [said] = plain_messages([(message, name)])
    assert (said["text"], said["set"]) == (text, settings)


@each_case("option", OPTIONS)
def test_messages_about_values_name_boxes(option: str) -> None:
    choice = [option, "nonsense"]
    record, _ = ask(demo(STM, CTM), task="score", reference=STM, hypotheses=[CTM], choices=[choice])
    for said in record["said"]:
        assert "--" not in said["text"]
    assert record["said"] or (option in FIELDS and is_switch(option))


def test_the_page_by_itself_cannot_install_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """It hears of the package as a value."""
    files = {"r.txt": b"a b\n", "h.txt": b"a c\n"}
    choices = {"reference": "r.txt", "hypotheses": ["h.txt"], "choices": [["unit", "grapheme"]]}

    def missing(*_: object) -> None:
        raise ModuleNotFoundError("No module named 'regex'", name="regex")

    monkeypatch.setattr("scoring.cli.scoring.command_named", lambda _: missing)
    record, _ = ask(files, task="score", **choices)
    assert record["status"] == 2
    assert "regex" in record["said"][0]["text"]
    monkeypatch.setattr(sys, "platform", "emscripten")
    record, _ = ask(files, task="score", **choices)
    said = "the page that works by itself cannot do this; the installed program can"
    assert [said["text"] for said in record["said"]] == [said]


def test_messages_about_packages_are_not_for_people_without_a_command_line() -> None:
    assert plain_messages([(Message(NO_RANKING, {"package": "numpy"}), "")]) == []


def test_the_result_opens_with_words() -> None:
    files = {"r.txt": b"the cat sat on the mat\n", "h.txt": b"The cat sat at mat now\n"}
    request = {"task": "score", "reference": "r.txt", "hypotheses": ["h.txt"]}
    record, _ = ask(files, **request)
    [system] = record["systems"]
    assert (system["errors"], system["of"], system["unit"]) == (4, 6, "word")
    [utterance] = system["text"]
    assert (utterance["start"], utterance["cue"]) == (None, None)
    assert utterance["pieces"] == [
        ["S", "the", "The"], ["", "cat sat"], ["D", "on", ""], ["S", "the", "at"], ["", "mat"],
        ["I", "", "now"],
    ]  # fmt: skip
    assert sorted(system["frequent"])[0] == ["", "now", 1]
    [said] = record["said"]
    assert (said["share"], said["set"]) == ([1, 4], [["normalize", "plain"]])
    record, _ = ask(files, **request, choices=[("unit", "char"), ("normalize", "plain")])
    assert record["systems"][0]["unit"] == "char"
    assert record["said"] == []


def test_long_texts_are_cut_in_the_page() -> None:
    words = " ".join(f"w{number}" for number in range(3_000)).encode()
    record, _ = ask(
        {"r.txt": words, "h.txt": words}, task="score", reference="r.txt", hypotheses=["h.txt"]
    )
    [system] = record["systems"]
    assert not system["is_whole"]
    assert len(system["text"][0]["pieces"][0][1].split()) == MOST_WORDS


def test_texts_have_their_times_and_the_numbers_of_their_cues() -> None:
    cues = b"1\n00:00:01,000 --> 00:00:03,000\nhello there\n\n2\n00:00:04,500 --> 00:00:06,000\nyou all\n"
    stm = b"s 1 ann 1.0 3.0 hello there\ns 1 ann 4.5 6.0 you all\n"
    for name, content, numbers in (("r.srt", cues, [1, 2]), ("r.stm", stm, [None, None])):
        files = {name: content, "h.srt": cues}
        request = {"reference": name, "hypotheses": ["h.srt"], "report": "html"}
        record, _ = ask(files, task="score", **request)
        [system] = record["systems"]
        assert [part["start"] for part in system["text"]] == [1.0, 4.5]
        assert [part["cue"] for part in system["text"]] == numbers


def test_a_table_with_both_columns_needs_no_second_file(current_folder: Path) -> None:
    table = b"id,reference,hypothesis\n1,the cat sat,the bat sat\n2,on the mat,on the mat\n"
    record, _ = ask({"both.csv": table}, task="score", reference="both.csv", hypotheses=[])
    assert (record["status"], record["systems"][0]["errors"]) == (0, 1), record
    (current_folder / "both.csv").write_bytes(table)
    assert main(record["command"].split()[1:]) == 0
    assert (current_folder / "report.html").exists()


def test_the_command_of_the_demo_works_in_an_empty_folder(current_folder: Path) -> None:
    record, _ = ask(demo(STM, CTM), task="score", reference=STM, hypotheses=[CTM], is_demo=True)
    for command in record["command"].split(" && "):
        assert main(command.split()[1:]) == 0
    assert (current_folder / "report.html").exists()


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
    files["both.csv"] = b"id,reference,hypothesis\n1,the cat sat,the bat sat\n"
    files["a.vtt"] = b"WEBVTT\n\n00:01.000 --> 00:02.000\nHello you\n"
    score = {"task": "score", "reference": STM, "hypotheses": [CTM]}
    of_cues = {"task": "score", "reference": "a.srt", "hypotheses": ["a.json", "a.vtt"]}
    turn = {"session_id": "m", "speaker": "ann", "words": "hi", "start_time": 0, "end_time": 1}
    files |= {"ref.json": json.dumps([turn]).encode(), "hyp.json": json.dumps([turn]).encode()}
    of_speakers = {**score, "reference": "ref.json", "hypotheses": ["hyp.json"]}
    files["a.rttm"] = b"SPEAKER m 1 0 2 <NA> <NA> ann <NA> <NA>\n"
    of_turns = {"task": "der", "inputs": ["ref.json", "a.rttm"]}
    of_streams = {**score, "reference": "interview.TextGrid", "hypotheses": ["interview.json"]}
    steps = ["whisper-basic-safe", "plain", "contractions", "numbers", "fillers", "transliterate"]
    requests: list[dict[str, Any]] = [
        *({**score, "report": report} for report in ("html", "json", "csv", "sys", "pra")),
        {**score, "hypotheses": [CTM, "improved.ctm"]},
        {**score, "reference": "both.csv", "hypotheses": []},
        *({**of_cues, "choices": [("normalize", step)]} for step in steps),
        *({**of_cues, "choices": [("unit", unit)]} for unit in ("char", "char+space")),
        *({**of_speakers, "choices": [("meeting", measure)]} for measure in ("cp", "tcp")),
        *({**of_streams, "choices": [("meeting", measure)]} for measure in ("orc", "auto")),
        *(
            {"task": "convert", "input": "interview.json", "choices": [("to", form)]}
            for form in ("srt", "ttml", "eaf", "ass", "stm", "rttm", "whisper", "csv", "textgrid")
        ),
        *({"task": verb, "input": "a.srt"} for verb in ("lint", "validate", "detect")),
        *({**of_turns, "report": report} for report in ("html", "json", "csv")),
        {**of_turns, "choices": [("like", "dscore"), ("skip_overlap", "true")]},
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


def test_subtitles_are_checked_by_a_chosen_guide() -> None:
    cue = b"1\n00:00:00,000 --> 00:00:02,000\n" + b"a" * 40 + b"\n"
    numbers = {}
    for guide, status in (("netflix", 0), ("bbc", 3)):
        choices = [["rules", guide], ["rules_language", "en"]]
        record, files = ask({"a.srt": cue}, task="lint", input="a.srt", choices=choices)
        assert record["status"] == status
        assert record["command"] == (
            f"formats lint --rules={guide} --rules-language=en a.srt --json findings.json"
        )
        [report] = json.loads(files["findings.json"])["files"]
        assert report["rule_set"].startswith(f"{guide}@")
        numbers[guide] = len(report["findings"])
    assert numbers == {"netflix": 0, "bbc": 1}


def test_a_guide_of_one_s_own_is_a_file_of_the_request() -> None:
    files = {
        "a.srt": b"1\n00:00:00,000 --> 00:00:02,000\n" + b"a" * 20 + b"\n",
        "house.toml": b'name = "house"\nmost-cps = 9\n',
    }
    choices = [["rules", "@house.toml"]]
    record, outputs = ask(files, task="lint", input="a.srt", choices=choices)
    assert record["status"] == 3, record
    [report] = json.loads(outputs["findings.json"])["files"]
    assert [finding["code"] for finding in report["findings"]] == ["HOUSE-CPS"]
    shown = {"start": 0, "end": 2, "character_count": 20, "word_count": 1, "text": "a" * 20}
    assert report["shown"] == [{"cue": 1, "line": 2, **shown}]
    for other in ("@/etc/passwd", "@../house.toml"):
        record, _ = ask(files, task="lint", input="a.srt", choices=[["rules", other]])
        assert (record["status"], "expected a name" in record["messages"]) == (2, True)


def test_a_variant_with_other_fields_keeps_its_text() -> None:
    """A meeting has another note on its only recording than subtitles have."""
    files = {
        "m.stm": b"a 1 ann 0 5 one two three\na 1 ben 3 8 four five six\n",
        "h.txt": b"The cat sat at mat\n",
    }
    request = {"task": "score", "reference": "m.stm", "hypotheses": ["h.txt"]}
    record, _ = ask(files, **request, choices=[("meeting", "auto")])
    [said] = [said for said in record["said"] if "recording" in said["text"]][:1]
    assert said["message"] == []


def test_a_measure_that_needs_speakers_names_boxes() -> None:
    choices = [["meeting", "cp"]]
    record, _ = ask(demo(STM, CTM), task="score", reference=STM, hypotheses=[CTM], choices=choices)
    [said] = record["said"]
    assert said["set"] == [["meeting", "auto"]]
    assert "--" not in said["text"]
