"""One bad record costs itself, not the file: what the commands skip, and what they reject."""

import os
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

import formats
from formats import FormatError, Segment
from formats.schema.diagnostics import MANY_BAD, DiagnosticLog
from formats.schema.errors import SyntaxFormatError
from tests.each_case import each_case
from tests.formats.case import Case
from tests.formats.checks import message_text
from tests.formats.test_contract import LONG

WriteFile = Callable[[str, "str | bytes"], str]
RunCommand = Callable[..., "tuple[int, str, str]"]


def junk(record: str) -> str:
    return "junk" + "\n" * record.endswith("\n")


def cut(record: str) -> str:
    return record[: len(record) // 2] + "\n" * record.endswith("\n")


def without_digits(record: str) -> str:
    return re.sub(r"\d", "x", record)


def texts_for_numbers(record: str) -> str:
    return re.sub(r":\s*-?[\d.]+", ': "x"', record)


def lists_for_texts(record: str) -> str:
    return re.sub(r'"hello[^"]*"', "[[7]]", record)


def wrong_end(record: str) -> str:
    return re.sub(r"--> ", "--> x", record)


def negative(record: str) -> str:
    return re.sub(r"(?<![\w.])(\d)", r"-\1", record)


DAMAGES: dict[Callable[[str], str], str] = {
    junk: "trn commonvoice librispeech ljspeech dialogue-acts nxt-query sphinx-hyp",
    cut: "htk",
    wrong_end: "srt vtt",
    lists_for_texts: "seglst threeplay",
    without_digits: "stm ctm rttm uem kaldi-segments chat speech-activity ina-segments audacity mlf "
    "timit aeneas its partitur mfa esps salt nlp lhotse nemo jsonl csv tsv must-c mrk isip tdf nxt "
    "mrt mgb elan-tab ass microdvd spruce lambda-cap ttml mpl2 qrc usf ttxt ultrastar readalong scc sami srv ecf kwslist aws google trs",
    texts_for_numbers: "json3 bbc-kaldi vosk kaldi-gstreamer offline-transcriber whisper whisperx "
    "whispercpp gentle label-studio via azure deepgram assemblyai speechmatics revai "
    "autoedit digital-paper-edit transcribee gladia podcast voxtral funasr "
    "vibevoice notsofar pyannote-json aws-call",
    negative: "parquet arrow chime whisper-hf watson emu json stl",
}
DAMAGED = [
    pytest.param(case, damage, id=case.name)
    for damage, names in DAMAGES.items()
    for case in LONG
    if case.name in names.split()
]


def file_of(case: Case, damage: Callable[[str], str], records: int, bad: range) -> bytes:
    """A file of the format with damage in some of its records."""
    assert case.line is not None
    lines = [case.line(number) for number in range(records)]
    text = "".join(damage(line) if n in bad else line for n, line in enumerate(lines))
    return case.pack(f"{case.before}{text}{case.after}")


@pytest.mark.share(4)
@pytest.mark.parametrize(("case", "damage"), DAMAGED)
def test_a_bad_record_costs_itself_and_too_many_cost_the_file(
    case: Case, damage: Callable[[str], str], write_file: WriteFile, run_command: RunCommand
) -> None:
    options = dict(case.read_options)
    if case.beside is not None:
        option, line = case.beside
    for records, bad, status in (
        (40, range(20, 21), 3),
        (5, range(3, 4), 3),
        (40, range(0, 40, 5), 2),
    ):
        data = file_of(case, damage, records, bad)
        if case.beside is not None:
            options[option] = write_file(option, "".join(map(line, range(records))))
        with pytest.raises(FormatError):
            formats.read(BytesIO(data), case.name, recording="rec", **options)
        skipped: list[str] = []
        refused: FormatError | None = None
        try:
            limited = formats.read(
                BytesIO(data), case.name, recording="rec", tolerance="limited", **options
            )
            skipped = [d.message for d in limited.diagnostics if d.severity == "error"]
        except FormatError as error:
            refused = error
        rest = formats.read(
            BytesIO(data), case.name, recording="rec", tolerance="lenient", **options
        )
        flags = [
            f"--{name.replace('_', '-')}" + f"={value}" * (value is not True)
            for name, value in options.items()
        ]
        name = write_file("a.input", data)
        command = ("convert", name, "out.jsonl", "--from", case.name, *flags)
        found, output, errors = run_command(*command)
        assert (found, output) == (status, ""), errors
        if status == 3:
            assert skipped
            for message in skipped:
                assert re.search(rf"error: a.input[:0-9]*: {re.escape(message)}", errors)
                assert re.search("expected .*,.* found ", message)
            assert f": {name}" in errors
            written = formats.read("out.jsonl")
            words = [sorted(word for s in side for word in s.words) for side in (written, rest)]
            assert words[0] == words[1]
            os.unlink("out.jsonl")
        else:
            assert refused is not None
            assert refused.value is not None
            assert refused.value.entry == MANY_BAD
            assert refused.message in errors
            assert "record skipped" not in errors
            assert not os.path.exists("out.jsonl")
            assert run_command(*command, "--lenient")[0] == 0
            os.unlink("out.jsonl")
            assert run_command(*command, "--strict")[0] == 2


CTM = "".join(f"f 1 {n}.0 0.5 word\n" for n in range(30))


def test_every_command_says_so(write_file: WriteFile, run_command: RunCommand) -> None:
    name = write_file("a.ctm", CTM.replace(" 7.0 ", " x ", 1))
    remark = (
        'formats: error: a.ctm:8:5: record skipped: expected begin time in seconds, found "x" '
        "[CTM-SYNTAX]\n"
    )
    status, output, errors = run_command("info", name)
    assert (status, errors) == (3, remark)
    assert "  words      29, 1 distinct, 29 with times\n" in output
    # equal words on both sides are no proof that the files are equal
    status, output, errors = run_command("diff", name, name)
    assert (status, errors) == (3, remark * 2)
    assert output.startswith("words: 29 equal, 0 substituted")
    status, output, errors = run_command("convert", name, "-", "--to", "ctm")
    assert (status, errors, output.count("\n")) == (3, remark, 29)
    # validating reports everything, drawing shows it in the page, as before
    assert run_command("validate", name)[0] == 2
    assert run_command("show", name, "--html", "a.html")[0] == 0
    assert run_command("validate", name, "--strict")[2] == (
        'formats: error: a.ctm:8:5: expected begin time in seconds, found "x"\n'
    )


def test_a_rejected_file_among_others_costs_itself_alone(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    write_file("a.ctm", CTM)
    write_file("b.ctm", CTM.replace(".0 0.5", ".0 x", 5))
    write_file("c.ctm", CTM.replace(".0 0.5", ".0 x", 3))
    status, _, errors = run_command("convert", "a.ctm", "b.ctm", "c.ctm", "out/", "--to", "ctm")
    assert status == 2
    assert sorted(os.listdir("out")) == ["a.ctm", "c.ctm"]
    assert Path("out/c.ctm").read_text().count("\n") == 27
    reason = 'expected duration in seconds, found "x"'
    refused = message_text(MANY_BAD, reason=reason, bad=5, records=30)
    assert errors.startswith(f"formats: error: b.ctm:1:9: {refused} [MANY-BAD]\n")
    write_file("old.ctm", "an old file\n")
    assert run_command("convert", "a.ctm", "b.ctm", "old.ctm")[0] == 2
    assert Path("old.ctm").read_text() == "an old file\n"
    assert not list(Path().glob(".sclite-kit*"))


def bad_of(error: SyntaxFormatError) -> tuple[int, int]:
    """The numbers of bad records and of all, in the error about too many."""
    assert error.value is not None
    assert error.value.entry == MANY_BAD
    return error.value.fields["bad"], error.value.fields["records"]


def test_python_is_strict_unless_asked(read_text: Callable[..., formats.Transcript]) -> None:
    text = CTM.replace(" 7.0 ", " x ", 1)
    with pytest.raises(SyntaxFormatError):
        read_text(text, "ctm")
    transcript = read_text(text, "ctm", tolerance="limited")
    assert transcript.segments == read_text(text, "ctm", tolerance="lenient").segments
    assert [remark.severity for remark in transcript.diagnostics] == ["error"]
    with pytest.raises(SyntaxFormatError) as caught:
        read_text(CTM.replace(".0 0.5", ".0 x", 6), "ctm", tolerance="limited")
    assert bad_of(caught.value) == (6, 30)
    assert (caught.value.line, caught.value.column) == (1, 9)
    with pytest.raises(SyntaxFormatError, match=r'found "x"$'):
        read_text("f 1 x 1 word\n", "ctm", tolerance="limited")


@each_case(
    ("good", "bad", "is_rejected"),
    [(1, 1, False), (0, 1, True), (9, 1, False), (8, 2, True), (18, 2, False), (17, 2, True)],
)
def test_the_limit(good: int, bad: int, is_rejected: bool) -> None:
    log = DiagnosticLog("f", "limited")
    log.accept("A", good)
    for _ in range(bad):
        log.reject("A", SyntaxFormatError("wrong", path="f"))
    if is_rejected:
        with pytest.raises(SyntaxFormatError):
            log.check_limit(good)
    else:
        log.check_limit(good)
    assert is_rejected or log.errors == bad


def test_words_do_not_outweigh_the_turns_around_them() -> None:
    """Four bad turns of twenty are too many, however many words the others have."""
    log = DiagnosticLog("f", "limited")

    def read_turn(number: int) -> list[Segment]:
        words = list(log.accepted("A", lambda word: [word], range(50)))
        if number % 5 == 0:
            raise SyntaxFormatError("wrong", path="f")
        return [Segment.of("f", map(str, words))]

    turns = list(log.accepted("A", read_turn, range(20)))
    with pytest.raises(SyntaxFormatError) as caught:
        log.check_limit(len(turns))
    assert bad_of(caught.value) == (4, 20)
