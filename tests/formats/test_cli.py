"""The command, run in this process: arguments → status, output, error text."""

import contextlib
import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

import formats.cli
from formats.cli.messages import IDLE_OPTION, LOST, LOST_BY_RULE, NOT_PRESERVED, STDOUT_FORMAT
from formats.io.messages import COMMENT, NO_SUFFIX, OTHER_ENCODING, POSSIBLE, UNKNOWN
from formats.nist.messages import TRN_SPEAKER, TRN_TRAILING
from formats.schema.diagnostics import MANY_BAD, MORE, gathered
from formats.schema.messages import Message
from tests.each_case import each_case
from tests.formats.checks import lost, message_text, remark_line
from tests.remarks import printed
from tests.tables import table_of

WriteFile = Callable[[str, "str | bytes"], str]
RunCommand = Callable[..., "tuple[int, str, str]"]

TRN = "hello world (anne-1)\n(bob-1)\n"
STM = "f 1 anne 0 1 hello world\n"
REPOSITORY = str(Path(formats.cli.__file__).parents[2])


def test_convert(write_file: WriteFile, run_command: RunCommand) -> None:
    assert run_command("convert", write_file("a.stm", STM), "b.trn") == (
        0,
        "",
        (
            "formats: loss: "
            + remark_line(
                NOT_PRESERVED,
                format="trn",
                file="b.trn",
                losses=[
                    *(lost(what, 1) for what in ("recordings", "channels", "segment times")),
                    lost("utterance ids invented", 1, "written as numbers"),
                ],
            )
            + "\n"
        ),
    )
    assert Path("b.trn").read_text() == "hello world (anne-000)\n"


def test_convert_to_standard_output(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", TRN)
    assert run_command("convert", "a.trn", "-", "--to", "trn") == (0, TRN, "")


def test_convert_from_standard_input(
    run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Input:
        buffer = BytesIO(TRN.encode())

    monkeypatch.setattr("sys.stdin", Input())
    assert run_command("convert", "-", "-", "--to", "trn") == (0, TRN, "")


def test_explain_loss(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.stm", f";; a comment\n{STM}f 1 bob 1 2 {{ a / b }}\n")
    status, output, errors = run_command("convert", "a.stm", "-", "--to", "txt", "--explain-loss")
    assert (status, output) == (0, "hello world\na\n")
    assert errors.splitlines() == [
        ("formats: " + printed(remark_line(COMMENT, 1, file="a.stm"))),
        (
            "formats: loss: "
            + remark_line(LOST, 2, file="a.stm", format="txt", what="recordings", count=1)
        ),
        (
            "formats: loss: "
            + remark_line(LOST, 2, file="a.stm", format="txt", what="channels", count=2)
        ),
        (
            "formats: loss: "
            + remark_line(LOST, 2, file="a.stm", format="txt", what="speakers", count=2)
        ),
        (
            "formats: loss: "
            + remark_line(LOST, 2, file="a.stm", format="txt", what="segment times", count=2)
        ),
        (
            "formats: loss: "
            + remark_line(
                LOST_BY_RULE,
                3,
                file="a.stm",
                format="txt",
                what="alternations",
                count=1,
                rule="only the first branch is written",
            )
        ),
        (
            "formats: loss: "
            + remark_line(LOST, 3, file="a.stm", format="txt", what="segment boundaries", count=1)
        ),
    ]


def test_interpolate_and_precision(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.stm", STM)
    status, output, _ = run_command(
        "convert", "a.stm", "-", "--to", "ctm", "--interpolate", "uniform", "--precision", "1",
        "--all-columns",
    )  # fmt: skip
    assert status == 0
    assert output == "f 1 0.0 0.5 hello NA lex anne\nf 1 0.5 0.5 world NA lex anne\n"


def test_id_type(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", "a (4k0c0301)\n")
    assert run_command("validate", "a.trn", "--id-type", "wsj") == (
        0, "a.trn: trn, 1 segment, 1 word\n", "",
    )  # fmt: skip
    assert run_command("convert", "a.trn", "-", "--to", "trn", "--id-type", "wsj")[2] == ""


def test_switches(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", "{ktb (s-1)\n")
    arguments = ("convert", "a.trn", "-", "--to", "trn")
    status, output, errors = run_command(*arguments)
    assert (status, output) == (2, "")
    assert errors == (
        'formats: error: a.trn:1:1: expected "}" to close this "{", found the end of the text\n'
    )
    assert run_command(*arguments, "--no-alternations") == (0, "{ktb (s-1)\n", "")


def test_a_flag_without_meaning_is_told(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", TRN)
    assert run_command("convert", "a.trn", "-", "--to", "trn", "--precision", "2") == (
        0, TRN, ("formats: note: " + message_text(IDLE_OPTION, option='--precision', formats=['trn']) + ' [IDLE-OPTION]\n'),
    )  # fmt: skip


def test_encodings(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", "é (a-1)\n".encode("latin-1"))
    assert run_command("validate", "a.trn", "--encoding", "utf-8") == (
        2,
        "",
        f"formats: error: a.trn:1:1: {message_text(OTHER_ENCODING, encoding='UTF-8', found='byte 0xE9')} [ENCODING]\n",
    )
    status, _, errors = run_command("convert", "a.trn", "b.trn", "--encoding", "latin-1")
    assert (status, Path("b.trn").read_text(encoding="utf-8")) == (0, "é (a-1)\n")
    assert (
        errors.splitlines()
        == [
            (
                "formats: loss: "
                + remark_line(NOT_PRESERVED, file="b.trn", format="trn", losses=[])
                + "recordings: 1"
            )
        ]
        or not errors
    )
    run_command("convert", "b.trn", "c.trn", "--output-encoding", "utf-16")
    assert Path("c.trn").read_bytes().decode("utf-16") == "é (a-1)\n"


def test_strict_and_lenient(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", "a (s-1) junk\nb\nc (s-2)\n")
    assert run_command("validate", "--strict", "a.trn") == (
        2, "", ("formats: error: a.trn:1:8: " + message_text(TRN_TRAILING, text='junk') + ' [TRN-TRAILING]\n'),
    )  # fmt: skip
    status, output, errors = run_command("validate", "a.trn")
    assert (status, output) == (2, "a.trn: trn, 2 segments, 2 words, 1 record skipped\n")
    assert errors.splitlines() == [
        ("formats: " + printed(remark_line(TRN_TRAILING, 1, 8, file="a.trn", text="junk"))),
        'formats: error: a.trn:2:2: record skipped: expected "(id)" at the end of the line, '
        "found no parentheses [TRN-SYNTAX]",
    ]


def test_strict_conversion_refuses_loss(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.stm", STM)
    status, output, errors = run_command("convert", "a.stm", "b.trn", "--strict")
    assert (status, output) == (2, "")
    assert "formats: error: a.stm:1: trn cannot hold recordings: 1; channels: 1;" in errors
    assert not Path("b.trn").exists()


def test_at_most_twenty_of_a_kind_are_printed(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    write_file("a.trn", "".join(f"a (x{n})\n" for n in range(25)))
    errors = run_command("validate", "a.trn", "--verbose")[2].splitlines()
    assert len(errors) == 21
    more = remark_line(TRN_SPEAKER._replace(text=MORE), file="a.trn", times=5)
    assert errors[-1] == f"formats: {printed(more)}"
    [remark] = gathered(formats.read("a.trn").diagnostics)
    assert (remark.times, remark.value.fields["first"]) == (25, 1)
    assert run_command("validate", "a.trn")[2] == f"formats: {printed(str(remark))}\n"


def test_remarks_are_printed_as_json(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", "a (x1)\nb (x2)\n")
    status, output, errors = run_command("validate", "a.trn", "--remarks", "json")
    assert (status, output) == (3, "a.trn: trn, 2 segments, 2 words\n")
    (record,) = map(json.loads, errors.splitlines())
    assert record.pop("text").startswith("2 ")
    assert record == {
        "program": "formats", "severity": "warning", "code": "TRN-SPEAKER",
        "fields": {"utterance": "x1", "times": 2, "first": 1},
        "advice": [{"option": "verbose", "value": True}],
        "path": "a.trn", "line": None, "column": None, "times": 2,
    }  # fmt: skip
    status, _, errors = run_command("validate", "a.trn", "--remarks", "json", "--verbose")
    assert [json.loads(line)["line"] for line in errors.splitlines()] == [1, 2]
    write_file("b.stm", "a 1\n")
    status, _, errors = run_command("validate", "b.stm", "--remarks", "json", "--strict")
    record = json.loads(errors)
    assert (record["severity"], record["code"], record["line"]) == ("error", "SyntaxFormatError", 1)
    assert record["fields"]["found"] == "2 fields"
    assert run_command("validate", "a.trn", "--remarks", "json", "--quiet")[2] == ""


def test_detect(write_file: WriteFile, run_command: RunCommand) -> None:
    for name, content in (("a", TRN), ("b", STM), ("c", "?"), ("d.ctm", "")):
        write_file(name, content)
    likely = [Message(POSSIBLE, {"name": name}) for name in ("txt", "txt-lines", "kaldi")]
    assert run_command("detect", "a", "b", "c", "d.ctm", "none") == (
        2,
        "a: trn\nb: stm\nd.ctm: ctm\n",
        f"formats: error: c: {message_text(UNKNOWN, likely=likely)} [FORMAT-UNKNOWN]\n"
        "formats: error: none: expected a readable file, found no such file\n",
    )


def test_validate_goes_on_after_a_bad_file(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", TRN)
    write_file("b.ctm", "f 1 0 1\n")
    status, output, errors = run_command("validate", "b.ctm", "a.trn", "--from", "trn")
    assert status == 2
    assert output == (
        "b.ctm: trn, 0 segments, 0 words, 1 record skipped\na.trn: trn, 2 segments, 2 words\n"
    )
    assert errors.startswith("formats: error: b.ctm:1:8: record skipped: expected")


NAMED = {"STDOUT_FORMAT": message_text(STDOUT_FORMAT), "NO_SUFFIX": message_text(NO_SUFFIX)}


@each_case(("arguments", "message"), table_of(__file__, "usage_errors"))
def test_usage_errors(
    write_file: WriteFile, run_command: RunCommand, arguments: list[str], message: str
) -> None:
    write_file("a.trn", TRN)
    status, output, errors = run_command(*arguments)
    assert (status, output) == (2, "")
    assert NAMED.get(message, message) in errors
    assert sorted(os.listdir()) == ["a.trn"]


def test_help(run_command: RunCommand) -> None:
    assert run_command()[0] == 2
    assert run_command()[1].startswith("usage: formats ")
    assert run_command("help", "list")[:2] == run_command("list", "--help")[:2]
    status, output, _ = run_command("convert", "--help-all")
    assert status == 0
    for flag in ("--from", "--to", "--id-type", "--precision", "--explain-loss", "--strict"):
        assert flag in output


TWICE = "twice.trn:2: " + message_text(
    MANY_BAD,
    reason='expected a unique id, found "s-1", which line 1 has with other words',
    bad=2,
    records=3,
)


@each_case(
    ("name", "content", "message"),
    [
        *table_of(__file__, "bad_input_is_one_clear_line_and_no_output"),
        ("twice.trn", b"a (s-1)\nb (s-1)\nc (s-1)\n", f"{TWICE} [MANY-BAD]"),
    ],
)
def test_bad_input_is_one_clear_line_and_no_output(
    write_file: WriteFile, run_command: RunCommand, name: str, content: bytes, message: str
) -> None:
    write_file(name, content)
    form = name.removesuffix(".gz").rpartition(".")[2]
    arguments = ("convert", name, "out.txt", "--from", form)
    assert run_command(*arguments) == (2, "", f"formats: error: {message}\n")
    assert os.listdir() == [name]


def test_directories_and_missing_files(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", TRN)
    os.mkdir("folder")
    assert run_command("convert", "folder", "b.trn") == (
        2, "", "formats: error: folder: expected files of transcripts, found none\n",
    )  # fmt: skip
    assert run_command("convert", "a.trn", "folder", "--to", "trn") == (0, "", "")
    assert os.listdir("folder") == ["a.trn"]
    os.mkdir("b.trn")
    assert run_command("convert", "a.trn", "b.trn") == (0, "", "")
    assert Path("b.trn/a.trn").read_text() == TRN
    os.unlink("folder/a.trn")
    os.mkdir("folder/a.trn")
    assert run_command("convert", "a.trn", "folder", "--to", "trn") == (
        2, "", "formats: error: folder/a.trn: cannot be written: is a directory\n",
    )  # fmt: skip
    assert run_command("convert", "a.trn", "no/b.trn") == (
        2, "", "formats: error: no/b.trn: cannot be written: its folder does not exist\n",
    )  # fmt: skip


def test_a_full_disk(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", TRN)
    if os.path.exists("/dev/full"):
        assert run_command("convert", "a.trn", "/dev/full", "--to", "trn") == (
            2, "", "formats: error: /dev/full: cannot be written: no space left on device\n",
        )  # fmt: skip
    assert os.listdir() == ["a.trn"]


@pytest.mark.parametrize(
    ("trouble", "status", "message"),
    [
        (KeyboardInterrupt(), 130, "formats: error: interrupted\n"),
        (BrokenPipeError(), 141, ""),
        (MemoryError(), 2, "formats: error: not enough memory\n"),
        (
            OSError(errno.EIO, "Input/output error", "x"),
            2,
            "formats: error: x: Input/output error\n",
        ),
    ],
)
def test_trouble_leaves_no_file_and_no_traceback(
    write_file: WriteFile,
    run_command: RunCommand,
    monkeypatch: pytest.MonkeyPatch,
    trouble: BaseException,
    status: int,
    message: str,
) -> None:
    def fail(*_: object) -> None:
        raise trouble

    write_file("a.trn", TRN)
    monkeypatch.setattr("formats.io.sink.Sink.write", fail)
    monkeypatch.setattr("formats.cli.abandon_output", lambda: None)
    assert run_command("convert", "a.trn", "b.trn") == (status, "", message)
    assert os.listdir() == ["a.trn"]


def spawn(*arguments: str, **options: object) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": REPOSITORY, "PYTHONUNBUFFERED": ""}
    process: subprocess.Popen[bytes] = subprocess.Popen(
        [sys.executable, "-m", "formats", *arguments],
        env=environment,
        stderr=subprocess.PIPE,
        **options,  # type: ignore[call-overload]
    )
    return process


def test_a_reader_that_leaves(write_file: WriteFile) -> None:
    write_file("a.trn", "".join(f"{'x ' * 50}(s-{n})\n" for n in range(5000)))
    process = spawn("convert", "a.trn", "-", "--to", "trn", stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr is not None
    assert (process.stderr.read(), process.wait()) == (b"", 141)
    process.stderr.close()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments", [("convert", "a.trn", "-", "--to", "trn"), ("validate", "a.trn"), ("--help",)]
)
def test_standard_output_on_a_full_disk(write_file: WriteFile, arguments: tuple[str, ...]) -> None:
    write_file("a.trn", TRN)
    with open("/dev/full", "wb") as full:
        _, errors = (process := spawn(*arguments, stdout=full)).communicate()
    assert (process.returncode, errors) == (
        2, b"formats: error: <stdout>: cannot be written: no space left on device\n",
    )  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_leave_no_file(write_file: WriteFile, number: signal.Signals, status: int) -> None:
    write_file("old.trn", "old")
    process = spawn("convert", "-", "old.trn", "--from", "trn", stdin=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write(b"".join(b"x (s-%d)\n" % n for n in range(20_000)))
    process.stdin.flush()
    while len(os.listdir()) == 1 and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(number)
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()  # a signal just before the wait for more is seen when the wait ends
    assert process.wait(300) == status
    errors = process.stderr.read()
    process.stderr.close()
    assert b"Traceback" not in errors
    assert os.listdir() == ["old.trn"]
    assert Path("old.trn").read_text() == "old"


def test_python_m_formats(write_file: WriteFile) -> None:
    write_file("a.trn", TRN)
    output, errors = (process := spawn("detect", "a.trn", stdout=subprocess.PIPE)).communicate()
    assert (process.returncode, output, errors) == (0, b"a.trn: trn\n", b"")


def test_run_exits_with_the_status(monkeypatch: pytest.MonkeyPatch) -> None:
    handlers = {n: signal.getsignal(n) for n in (signal.SIGTERM, signal.SIGHUP)}
    monkeypatch.setattr("sys.argv", ["formats", "detect", "none"])
    with pytest.raises(SystemExit) as caught:
        formats.cli.run()
    for number, handler in handlers.items():
        signal.signal(number, handler)
    assert caught.value.code == 2


def test_a_file_name_that_is_not_text(write_file: WriteFile) -> None:
    write_file("a.trn", TRN)
    os.rename(b"a.trn", b"a\xff.trn")
    process = spawn("validate", "a\udcff.trn", stdout=subprocess.PIPE)
    output, errors = process.communicate()
    assert (process.returncode, errors) == (0, b"")
    assert output == b"a\\udcff.trn: trn, 2 segments, 2 words\n"


def test_closed_standard_streams(
    write_file: WriteFile, run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_file("a.trn", TRN)
    monkeypatch.setattr("sys.stdin", None)
    assert run_command("convert", "-", "b.trn") == (
        2, "", "formats: error: <stdin>: cannot be read: it is closed\n",
    )  # fmt: skip
    monkeypatch.setattr("sys.stdout", None)
    for arguments in (("convert", "a.trn", "-", "--to", "trn"), ("detect", "a.trn")):
        assert run_command(*arguments) == (
            2, "", "formats: error: <stdout>: cannot be written: it is closed\n",
        )  # fmt: skip
    assert run_command("convert", "a.trn", "b.trn") == (0, "", "")
    monkeypatch.setattr("sys.stderr", None)
    assert run_command("detect", "none") == (2, "", "")


def test_notes(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", f";; a comment\n{TRN}")
    assert run_command("validate", "a.trn")[2] == ""
    assert run_command("validate", "a.trn", "--notes")[2] == (
        "formats: " + printed(remark_line(COMMENT, 1, file="a.trn")) + "\n"
    )


NASTY = "a\nb\x1b[2J\udcff" + "x" * 500


@each_case(
    "arguments",
    [
        ("detect", NASTY),
        ("convert", NASTY, "out.trn"),
        ("convert", "--from", NASTY, "a.trn", "out.trn"),
        ("convert", "a.trn", "out.trn", "--recording", "r", "--" + NASTY),
        ("info", "a.trn", "--report-format", NASTY),
        ("validate", "bad.trn"),
    ],
)
def test_messages_are_short_lines_without_commands_for_terminals(
    write_file: WriteFile, run_command: RunCommand, arguments: tuple[str, ...]
) -> None:
    write_file("a.trn", TRN)
    write_file("bad.trn", "no id \x1b[2J " + "y" * 1000 + "\n")
    status, _, errors = run_command(*arguments)
    assert status in (1, 2)
    last = errors.splitlines()[-1]
    assert errors.endswith(last + "\n")
    assert len(last) <= 430
    assert not any(sign in errors for sign in "\x1b\udcff")


def test_losses_that_make_a_long_line_are_told_one_by_one(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    name = "x" * 200
    write_file(f"{name}.stm", STM + "f 1 bob 1 2 <F> { a / b } (c)\n")
    errors = run_command("convert", f"{name}.stm", f"{name}.txt")[2].splitlines()
    assert "STM-LABEL?" in errors[0]
    assert any(
        line.startswith(f"formats: loss: {name}.stm:1: ") and lost("segment times", 2) in line
        for line in errors
    )
    assert len(errors) > 5
