"""Command lines of Kaldi's programs: options, tables, messages, exit statuses."""

import subprocess
from pathlib import Path

import pytest

from scoring.peers.kaldi.options import message
from tests.programs import forked
from tests.tables import table_of

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ref").write_text("u1 a b\nu2 c\n", "utf-8")
    (tmp_path / "hyp").write_text("u1 a\nu2 c\n", "utf-8")
    return tmp_path


def run(folder: Path, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return forked(folder, "scoring.cli.peers.kaldi", *words, stdin=stdin)


def error(program: str, text: str) -> bytes:
    return message("ERROR", program, text).encode()


def warning(program: str, text: str) -> bytes:
    return message("WARNING", program, text).encode()


WER = b"%WER 33.33 [ 1 / 3, 0 ins, 1 del, 0 sub ]\n%SER 50.00 [ 1 / 2 ]\nScored 2 sentences, 0 not present in hyp.\n"


@pytest.mark.parametrize(
    ("words", "echo"),
    table_of(__file__, "the_command_line_is_repeated"),
)  # fmt: skip
def test_the_command_line_is_repeated(folder: Path, words: list[str], echo: bytes) -> None:
    (folder / "conf").write_text("# how to score\n\n--mode=all  # or else\n", "utf-8")
    done = run(folder, "compute-wer", *words, stdin=b"u1 a\nu2 c\n")
    assert (done.stdout, done.stderr, done.returncode) == (WER, echo, 0)


@pytest.mark.parametrize(
    ("words", "text"),
    table_of(__file__, "options_that_make_no_sense"),
)  # fmt: skip
def test_options_that_make_no_sense(folder: Path, words: list[str], text: str) -> None:
    done = run(folder, "compute-wer", *words)
    assert (done.stdout, done.returncode) == (b"", 255)
    assert done.stderr == error("compute-wer", text)


@pytest.mark.parametrize("words", [["ark:ref"], ["ark:ref", "ark:hyp", "--text"], []])
def test_a_wrong_number_of_arguments(folder: Path, words: list[str]) -> None:
    done = run(folder, "compute-wer", *words)
    assert (done.stdout, done.returncode) == (b"", 1)
    assert b"\nUsage: compute-wer [options] <ref-rspecifier> <hyp-rspecifier>\n" in done.stderr
    assert run(folder, "compute-wer", "--help").returncode == 0


REFERENCE = "Error constructing TableReader: rspecifier is "
HYPOTHESIS = "Error opening RandomAccessTableReader object  (rspecifier is: "


@pytest.mark.parametrize(
    ("program", "words", "warnings", "text"),
    [
        ("compute-wer", ["--mode=some", "ark:ref", "ark:hyp"], [], '--mode option invalid: expected "present"|"all"|"strict", got some'),
        ("compute-wer", ["ark:three", "ark:hyp"], [], "No hypothesis for key u3 and strict mode specifier."),
        ("compute-wer-bootci", ["ark:three", "ark:hyp"], [], "No hypothesis for key u3 and strict mode specifier."),
        ("compute-wer-bootci", ["ark:three", "ark:hyp", "ark:three"], [], "No hypothesis for key u3 in both transcripts comparison is not possible."),
        ("compute-wer-bootci", ["--replications=0", "ark:ref", "ark:hyp"], [], "--replications: expected a number from 1, found 0"),
        ("compute-wer", ["ark:nix", "ark:hyp"], ["nix: cannot be opened: No such file or directory"], f"{REFERENCE}ark:nix"),
        ("compute-wer", ["ref", "ark:hyp"], ["Invalid rspecifier ref: expected ark:LOCATION or scp:LOCATION"], f"{REFERENCE}ref"),
        ("compute-wer", ["ark:ref", "ark,p:nix"], ["nix: cannot be opened: No such file or directory"], f"{HYPOTHESIS}ark,p:nix)"),
        ("compute-wer", ["ark:ref", "ark,q:hyp"], ["Invalid rspecifier ark,q:hyp: expected ark:LOCATION or scp:LOCATION"], f"{HYPOTHESIS}ark,q:hyp)"),
        ("compute-wer", ["ark:ref", "scp:script"], ["nix: cannot be opened: No such file or directory"], f"scp:script: key u1 cannot be read; {HYPOTHESIS}scp:script)"),
        ("compute-wer", ["ark:swapped", "ark,s,cs:hyp"], [], "ark,s,cs:hyp: key u1 is asked for after u2, though option cs promises sorted keys on the other side"),
        ("align-text", ["--special-symbol=a", "ark:ref", "ark:hyp", "ark:-"], [], "In text1, the utterance u1 contains the special symbol 'a'. This is not allowed."),
        ("compute-wer", ["ark:ref", "ark:twice"], [], "Error in RandomAccessTableReader: duplicate key u1 in archive twice (line 2)"),
        ("compute-wer-bootci", ["ark:ref", "ark:twice"], [], "Error in RandomAccessTableReader: duplicate key u1 in archive twice (line 2)"),
        ("compute-wer", ["ark:ref", "scp:twice"], ["Error in RandomAccessTableReader: duplicate key u1 in script twice (line 2)"], f"{HYPOTHESIS}scp:twice)"),
        ("compute-wer", ["ark:bare_return", "ark:hyp"], [r"Invalid archive file format: expected space after key u1 (line 1), got character '\r', reading bare_return", "TableReader: error beginning to read table (wrong filename?): bare_return"], f"{REFERENCE}ark:bare_return"),
        ("compute-wer", ["ark:late_return", "ark:hyp"], [r"Invalid archive file format: expected space after key u2 (line 2), got character '\r', reading late_return"], "TableReader: reading archive failed: late_return"),
        ("compute-wer", ["--mode=all", "ark:ref", "ark:late_return"], [r"Invalid archive file format: expected space after key u2 (line 2), got character '\r', reading late_return"], "Error closing RandomAccessTableReader: reading ark:late_return failed"),
        ("compute-wer", ["ark:cut", "ark:hyp"], ["Object read failed after key u2 (line 2), reading cut"], "TableReader: reading archive failed: cut"),
        ("align-text", ["ark:ref", "ark:control", "ark:-"], [], "In text2, the utterance u1 contains unprintable characters. Found the byte 0x01 in word 2."),
        ("align-text", ["ark:ref", "ark:hyp", "out"], [], "Invalid wspecifier out: expected ark:LOCATION"),
        ("align-text", ["ark:ref", "ark:hyp", "scp:out"], [], "wspecifier scp:out: a script alone cannot be written, use ark,scp:ARCHIVE,SCRIPT"),
        ("align-text", ["ark:ref", "ark:hyp", "ark:nowhere/out"], [], "nowhere/out: cannot be opened for writing: No such file or directory"),
    ],
)  # fmt: skip
def test_errors(
    folder: Path, program: str, words: list[str], warnings: list[str], text: str
) -> None:
    (folder / "three").write_text("u1 a\nu2 c\nu3 d\n", "utf-8")
    (folder / "swapped").write_text("u2 c\nu1 a\n", "utf-8")
    (folder / "twice").write_text("u1 a\nu1 b\nu2 c\n", "utf-8")
    (folder / "bare_return").write_bytes(b"u1\r\nu2 c\r\n")
    (folder / "late_return").write_bytes(b"u1 a\r\nu2\r\n")
    (folder / "cut").write_text("u1 a\nu2 ", "utf-8")
    (folder / "script").write_text("u1 nix\n", "utf-8")
    (folder / "control").write_bytes(b"u1 a\xff b\x01\n".replace(b"\xff", b"\xe9"))
    done = run(folder, program, *words)
    said = b"".join(warning(program, one) for one in warnings) + error(program, text)
    assert done.stderr.split(b"\n", 1)[1] == said
    assert (done.stdout, done.returncode) == (b"", 255)


def test_what_the_original_leaves_unsaid(folder: Path) -> None:
    (folder / "ref").write_text("u1 a\nu1 a\nu2 b\n", "utf-8")
    (folder / "hyp").write_text("u2 b\nu1 a\nu1 x\nu3 c\n", "utf-8")
    done = run(folder, "compute-wer", "ark:ref", "ark,s:hyp")
    assert done.stdout.startswith(b"%WER 0.00 [ 0 / 3,")
    assert done.stderr.split(b"\n", 1)[1] == b"".join(
        warning("compute-wer", text)
        for text in (
            "ark:ref: u1 (line 2): repeated, each one counts",
            "ark,s:hyp: u1 (line 3): repeated, the first one counts",
            "ark,s:hyp: u1 (line 2): not sorted, though its options promise it",
            "ark,s:hyp: u3: not in the reference, ignored",
        )
    )


@pytest.mark.parametrize(
    ("reference", "hypotheses", "expected"),
    table_of(__file__, "rates_that_are_no_numbers_are_printed_as_kaldi_prints_them"),
)
def test_rates_that_are_no_numbers_are_printed_as_kaldi_prints_them(
    folder: Path, reference: str, hypotheses: list[str], expected: bytes
) -> None:
    (folder / "ref").write_text(reference, "utf-8")
    names = [f"hyp{number}" for number in range(len(hypotheses))]
    for name, text in zip(names, hypotheses, strict=True):
        (folder / name).write_text(text, "utf-8")
    done = run(folder, "compute-wer-bootci", "ark:ref", *(f"ark:{name}" for name in names))
    assert (done.stdout, done.returncode) == (expected, 0)
    assert b"RuntimeWarning" not in done.stderr


@pytest.mark.parametrize("specifier", ["scp:script", "scp,p:script", "scp:cat script |"])
@pytest.mark.parametrize("is_reference", [True, False])
@pytest.mark.parametrize("program", ["compute-wer", "compute-wer-bootci", "align-text"])
@pytest.mark.share(2)
def test_a_script_runs_no_command(
    folder: Path, program: str, specifier: str, is_reference: bool
) -> None:
    (folder / "script").write_text("u1 hyp:3\nu2  touch ran; echo c |\n", "utf-8")
    (folder / "config").write_text("--run-commands=true\n", "utf-8")
    tables = [specifier, "ark:hyp"] if is_reference else ["ark:hyp", specifier]
    words = [*tables, *["ark:-"] * (program == "align-text")]
    done = run(folder, program, *words)
    location = specifier.partition(":")[2]
    expected = f"{location}:2:5: expected a file, found the command 'touch ran; echo c |'"
    assert expected.encode() in done.stderr
    assert (done.stdout, done.returncode) == (b"", 255)
    # an option in a file is not enough
    done = run(folder, program, "--config=config", *words)
    assert b"config:1:1: expected --run-commands on the command line" in done.stderr
    assert (done.stdout, done.returncode) == (b"", 255)
    assert not (folder / "ran").exists()
    done = run(folder, program, "--run-commands", *words)
    assert (done.returncode, (folder / "ran").exists()) == (0, True)


PARTIAL = WER.replace(b"sub ]\n", b"sub ] [PARTIAL]\n").replace(b"0 not", b"1 not")
HALF = b"%WER 50.00 [ 1 / 2, 0 ins, 1 del, 0 sub ] [PARTIAL]\n"


@pytest.mark.parametrize(
    ("files", "words", "output", "text"),
    [
        # Kaldi reads a table as far as it takes to find a key
        ({"hyp": b"u2 c\nu1 a\nu1 x\nu1\r\n"}, ["ark:ref", "ark:hyp"], WER, b"ark:hyp: u1 (line 3): repeated, the first one counts"),
        # called sorted says nothing without sorted
        ({"ref": b"u2 c\nu1 a b\n"}, ["ark:ref", "ark,cs:hyp"], WER, b""),
        ({"ref": b"u2 c\nu1 a b\n", "script": b"u1 sed -n s/u1//p hyp |\nu2 sed -n s/u2//p hyp |\n"}, ["--run-commands", "ark:ref", "scp,s,cs:script"], WER, b""),
        # a bare key at the end without newline is no entry
        ({"hyp": b"u1 a\nu2 c\nu3", "three": b"u1 a b\nu2 c\nu3 d\n"}, ["ark:three", "ark:hyp"], PARTIAL, b"ark:hyp: key u3 (line 3) has no newline after it and is not read"),
        # what is permissive is read up to what cannot be read, scripts beyond it
        ({"hyp": b"u1 a\nu3\r\nu2 c\n"}, ["ark:ref", "ark,p:hyp"], HALF, b"reading ark,p:hyp failed, the rest of it is not read"),
        ({"script": b"u1 nix\nu2 cat hyp | tail -n 1 |\n"}, ["--run-commands=true", "ark:ref", "scp,p:script"], b"%WER 100.00 [ 1 / 1, 1 ins, 0 del, 0 sub ] [PARTIAL]\n", b""),
        # scripts point into archives
        ({"script": b"u1 hyp:3\nu2 hyp:99\n"}, ["ark:ref", "scp,p:script"], HALF, warning("compute-wer", "hyp:99: expected an offset within the file")),
        ({}, ["ark:ref", "ark:cat hyp; exit 3|"], WER, warning("compute-wer", "Pipe cat hyp; exit 3 had nonzero return status 3")),
    ],
)  # fmt: skip
def test_tables_with_oddities(
    folder: Path, files: dict[str, bytes], words: list[str], output: bytes, text: bytes
) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)
    mode = ["--mode=present"] if b"PARTIAL" in output else []
    done = run(folder, "compute-wer", *mode, *words)
    assert done.stdout.startswith(output)
    assert (done.returncode, text in done.stderr) == (0, True), done.stderr


@pytest.mark.parametrize("target", ["ark,t:out", "ark,t:-"])
def test_alignments_before_a_text_that_is_refused_are_left_behind(
    folder: Path, target: str
) -> None:
    (folder / "hyp").write_text("u1 a\nu2 <eps>\n", "utf-8")
    done = run(folder, "align-text", "ark:ref", "ark:hyp", target)
    written = (folder / "out").read_bytes() if target.endswith("out") else done.stdout
    assert (written, done.returncode) == (b"u1 a a ; b <eps> \n", 255)
    assert b"In text2, the utterance u2 contains the special symbol" in done.stderr


def test_alignments_go_where_they_are_told(folder: Path) -> None:
    expected = b"u1 a a ; b <eps> \nu2 c c \n"
    done = run(folder, "align-text", "ark:ref", "ark:hyp", "ark,scp,t:out.ark,out.scp")
    assert (done.stdout, done.returncode) == (b"", 0)
    assert done.stderr.endswith(b":main():align-text.cc:0) Done 2 sentences, failed for 0\n")
    assert (folder / "out.ark").read_bytes() == expected
    assert (folder / "out.scp").read_bytes() == b"u1 out.ark:3\nu2 out.ark:21\n"
    assert expected[21:].startswith(b"c c ")
    run(folder, "align-text", "ark:ref", "ark:hyp", "ark:| gzip -c > out.gz")
    done = run(
        folder, "align-text", "ark:gunzip -c out.gz |", "ark:gunzip -c out.gz|", "ark:|exit 4"
    )
    assert done.returncode == 255
    assert b"the utterance u1 contains the special symbol '<eps>'" in done.stderr
    done = run(folder, "align-text", "ark:ref", "ark:hyp", "ark:|exit 4")
    assert error("align-text", "Pipe |exit 4 had nonzero return status 4") in done.stderr


def test_keys_without_a_partner_are_told(folder: Path) -> None:
    done = run(folder, "align-text", "ark:ref", "ark:-", "ark:-", stdin=b"u2 c\n")
    assert done.stdout == b"u2 c c \n"
    assert warning("align-text", "Key u1 is in ark:ref, but not in ark:-") in done.stderr
    assert b"Done 1 sentences, failed for 1\n" in done.stderr


@pytest.mark.parametrize(
    ("words", "status", "text"),
    table_of(__file__, "command_lines_of_the_scripts"),
)  # fmt: skip
def test_command_lines_of_the_scripts(
    folder: Path, words: list[str], status: int, text: bytes
) -> None:
    done = run(folder, *words)
    assert done.returncode == status
    assert text in done.stderr
    assert b"Traceback" not in done.stderr


def test_widths_of_columns_can_be_told(folder: Path) -> None:
    words = ["per-spk", "--spk-field-width=3", "-field", "6", "--", "spk"]
    (folder / "spk").write_text("u1 A\n", "utf-8")
    done = run(folder, *words, stdin=b"u1 #csid 3 1 1 1\n")
    assert done.stdout.splitlines()[2] == (
        b"A   sys      1      5  60.00  20.00  20.00  20.00  60.00 100.00"
    )


def test_bytes_and_characters(folder: Path) -> None:
    done = run(folder, "per-utt", "--special-symbol", "é", stdin="u1 字 é ; ü ü\n".encode())
    assert done.stdout.decode() == "u1 ref  字  ü\nu1 hyp  é  ü\nu1 op   D  C\nu1 #csid 1 0 0 1\n"
    assert done.stderr == b"wer_per_utt_details.pl: Note: handling as utf-8 text\n"
    done = run(folder, "per-utt", "--special-symbol", "é", stdin="u1 é é\n".encode() + b"u2 \xe9 x")
    assert done.stdout.splitlines()[2] == b"u1 op    D"  # two bytes wide
    assert done.stderr == b"wer_per_utt_details.pl: Note: handling as byte stream\n"
    done = run(folder, "per-utt", stdin="u1 é é x".encode())
    assert b"Detected incorrect separator x" in done.stderr
