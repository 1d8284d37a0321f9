"""Options `-d` and `-L` and txt hypotheses where there is no golden: odd input, odd surroundings."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.each_case import each_case
from tests.judges.sclite.case import Case
from tests.judges.sclite.programs import Ours, run_case, shared_ours
from tests.programs import forked

ROOT = Path(__file__).resolve().parents[3]
MODELS = ROOT / "tests" / "golden" / "lm" / "models"
TRN = ["-r", "ref", "-h", "hyp", "-i", "spu_id"]
CTM = ["-r", "ref", "stm", "-h", "hyp", "ctm"]
TXT = ["-r", "ref", "stm", "-h", "hyp", "txt"]
FAILED = "sclite: Alignment failed.  Exiting.\n"


def sclite(
    folder: Path, reference: bytes, hypothesis: bytes, *arguments: str, path: str | None = None
) -> subprocess.CompletedProcess[bytes]:
    (folder / "ref").write_bytes(reference)
    (folder / "hyp").write_bytes(hypothesis)
    environment = {**os.environ, "PATH": path or os.environ["PATH"]}
    return forked(folder, "scoring.cli.nist.sclite", *arguments, environment=environment)


def slots(folder: Path) -> list[str]:
    lines = (folder / "hyp.sgml").read_text("latin-1").splitlines()
    return [lines[at + 1] for at, line in enumerate(lines) if line.startswith("<PATH")]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (TRN, "    Loading transcripts\n    Executing diff\n"),
        (CTM, "    Performing alignments for file 'f'.\n"),
        (TXT, ""),
    ],
)
def test_without_diff_there_is_an_error(files: list[str], said: str, tmp_path: Path) -> None:
    reference = b"a b (s-1)\n" if files is TRN else b"f a s 0 1 a b\n"
    hypothesis = b"a (s-1)\n" if files is TRN else b"f a 0 1 a\n"
    done = sclite(tmp_path, reference, hypothesis, "-d", *files, path=str(tmp_path / "none"))
    assert done.returncode == 1
    assert done.stderr.startswith(b"sclite: alignment by diff needs the program diff, which cannot")
    assert done.stderr.count(b"\n") == 1
    assert done.stdout.decode().endswith(f"Hyp File: 'hyp'\n{said}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hyp", "ref"]


def test_a_trn_error_comes_after_loading(tmp_path: Path) -> None:
    done = sclite(tmp_path, b"a (s-1)\n", b"a (s-2)\n", "-d", *TRN)
    assert done.returncode == 1
    assert done.stdout.endswith(b"    Loading transcripts\n")
    assert done.stderr.endswith(b"Error: Not enough Reference files loaded\nMissing:\n")


@each_case(
    ("arguments", "error"),
    [
        ([*CTM, "-d", "-m"], "-m flag can not be used with -d flag"),
        ([*TXT, "-m"], "-m flag requires ctm format hypothesis file"),
        ([*TXT, "-c"], "Unable to do character alignments using diff\n"),
        ([*TRN, "-d", "-c", "-w", "x"], "Unable to do character alignments using diff\n"),
        ([*TRN, "-d", "-L", "x", "-w", "x"], "Flags '-L' and '-w' are mutually exclusive\n"),
        ([*TRN, "-d", "-w", "x"], "Flags '-d' and '-w' are mutually exclusive\n"),
        ([*TRN, "-d", "-L", "x"], "Flags '-d' and '-L' are mutually exclusive\n"),
        ([*TRN, "-c", "-L", "x"], "Flags '-c' and '-L' are mutually exclusive\n"),
        ([*TRN, "-S", "algo1", "ref", "-L", "x"], "Flags '-S' and '-L' are mutually exclusive\n"),
        ([*TRN, "-L"], "Not enough Language Model arguments"),
    ],
)
def test_refusals(arguments: list[str], error: str, tmp_path: Path) -> None:
    done = sclite(tmp_path, b"a (s-1)\n", b"a (s-1)\n", *arguments)
    assert done.returncode == 1
    assert not done.stdout
    assert done.stderr.decode().endswith(f"\nsclite: Error, {error}\n\n")


def test_words_that_are_lost_are_remarked(tmp_path: Path) -> None:
    for arguments in (["-d", *TRN], TXT):
        trn = arguments is not TXT
        reference = b"a (s-1)\n (s-2)\n" if trn else b"f a s 0 1 a\nf a s 1 2 \n"
        hypothesis = b"a (s-1)\nb c (s-2)\n" if trn else b"a b c\n"
        done = sclite(tmp_path, reference, hypothesis, *arguments, "-o", "sgml")
        assert slots(tmp_path) == ['C,"a","a"', ""]
        assert done.stderr == (
            b"sclite: warning: hyp: 2 words after the last one of the reference are not scored\n"
        )


SEGMENT = b"f a s 0 1 a b\n"


@each_case(
    ("reference", "hypothesis", "error"),
    [
        (SEGMENT, b"f b 0 1 a\nf b 0 1 a\n", "align_ctm_to_stm: channel identifiers do not match, hyp file 'f' and ref file 'f' " f"not synchronized\n{FAILED}"),
        (SEGMENT, b"f a 0 1 a\nf b 0 1 a\nf b 0 1 a\n", f"align_ctm_to_stm: Channel Mis-match, 2 in Hyp, 1 in Ref\n{FAILED}"),
        # sclite crashes at the following ones
        (SEGMENT, b"f a 0 1 a\ng a 0 1 a\n", "align_ctm_to_stm: File identifiers do not match,\nhyp file 'g' and ref file '(null)' " f"not synchronized\n{FAILED}"),
        (b";;\n", b"f a 0 1 a\n", "align_ctm_to_stm: File identifiers do not match,\nhyp file 'f' and ref file '(null)' " f"not synchronized\n{FAILED}"),
        (SEGMENT, b"f a 0 1 a\nf b 0 1 a\n", "align_ctm_to_stm: File identifiers do not match,\nhyp file 'f' and ref file '(null)' " f"not synchronized\n{FAILED}"),
    ],
)  # fmt: skip
def test_files_that_do_not_fit(
    reference: bytes, hypothesis: bytes, error: str, tmp_path: Path
) -> None:
    done = sclite(tmp_path, reference, hypothesis, "-d", *CTM, "-o", "sgml")
    assert done.returncode == 1
    assert done.stderr.decode() == error
    assert not (tmp_path / "hyp.sgml").exists()


def test_without_a_hypothesis_everything_is_deleted(tmp_path: Path) -> None:
    done = sclite(tmp_path, SEGMENT + b"g b t 0 1 c\n", b";;\n", "-d", *CTM, "-o", "sgml")
    assert done.returncode == 0
    assert slots(tmp_path) == ['D,"a",:D,"b",', 'D,"c",']


def test_a_third_channel_is_a_recording_of_its_own(tmp_path: Path) -> None:
    reference = b"f a s 0 1 a\nf b s 0 1 b\nf c s 0 1 c\ng a s 0 1 d\n"
    hypothesis = b"f a 0 1 a\nf a 0 1 x\nf b 0 1 b\nf b 0 1 y\nf c 0 1 c\ng a 0 1 d\ng a 0 1 z\n"
    done = sclite(tmp_path, reference, hypothesis, "-d", *CTM, "-o", "sgml")
    assert done.returncode == 0
    assert slots(tmp_path) == ['C,"a","a":I,,"x"', 'C,"b","b":I,,"y"', 'C,"c","c"', 'C,"d","d"']
    # what the last channel loses is not lost in silence
    assert done.stderr == (
        b"sclite: warning: hyp: 1 words after the last one of the reference are not scored\n"
    )


def test_recordings_beyond_the_hypothesis_are_remarked(tmp_path: Path) -> None:
    done = sclite(tmp_path, SEGMENT + b"g a s 0 1 c\n", b"f a 0 1 a\n", "-d", *CTM, "-o", "sgml")
    assert done.returncode == 0
    assert slots(tmp_path) == ['C,"a","a":D,"b",']
    assert done.stderr == (
        b"sclite: warning: ref: 1 segments after the last recording of the hypothesis are not "
        b"scored\n"
    )


@pytest.mark.parametrize("arguments", [["-d", *TRN], TXT])
def test_bytes_that_are_no_characters(arguments: list[str], tmp_path: Path) -> None:
    trn = arguments is not TXT
    reference = b"a (s-1)\n" if trn else SEGMENT
    hypothesis = b"a \xff b (s-1)\n" if trn else b"a \xff b\n"
    for sensitive in ([], ["-s"]):
        done = sclite(tmp_path, reference, hypothesis, "-e", "utf-8", *sensitive, *arguments)
        assert done.returncode == 1
        assert done.stderr.startswith(
            b"Error: UTF-8 parsing of character size failed. first char ff \xff b"
        )


def test_the_second_byte_of_a_character_separates_nothing(tmp_path: Path) -> None:
    done = sclite(
        tmp_path, b"a\xb0 b (s-1)\n", b"a b (s-1)\n", "-d", *TRN, "-e", "gb", "-o", "sgml"
    )
    assert done.returncode == 0
    # one word, until the output of diff is cut into fields
    assert slots(tmp_path)[0].startswith('S,"a\xb0",')


def test_an_arpa_model_is_read_when_it_is_called_so(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes((MODELS / "bi.arpa").read_bytes())
    done = sclite(tmp_path, b"a dog (s-1)\n", b"a cat (s-1)\n", *TRN, "-L", "arpa:m", "-o", "sgml")
    assert done.returncode == 0
    assert 'weight_filename="arpa:m"' in (tmp_path / "hyp.sgml").read_text()
    [text] = slots(tmp_path)
    # log10 P(a) is -1.0675 in the model
    assert text.startswith('C,"a","a",3.546158,3.546158:S,"dog","cat",')


def test_malformed_models_end_in_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes((MODELS / "bi.arpa").read_bytes()[:200])
    text = (b"a (s-1)\n", b"a (s-1)\n")
    done = sclite(tmp_path, *text, *TRN, "-L", "arpa:m", "-f", "0")
    assert done.returncode == 1
    assert done.stderr.startswith(b"sclite: m:13:1: expected ")
    (tmp_path / "b").write_bytes((MODELS / "bi.blm").read_bytes()[:200])
    done = sclite(tmp_path, *text, *TRN, "-L", "b", "-f", "0")
    assert done.returncode == 255
    original, ours = done.stderr.decode().splitlines()
    assert original.startswith("rr_fread: problems reading ")
    assert ours.startswith("sclite: b: at byte ")
    assert "found the end of the file" in ours


@pytest.fixture(scope="module")
def ours() -> Ours:
    return shared_ours()


MARKS = [";", "@", "{", "/", "}", "{a", "b}", ">", "<", "|", "\v", "-"]
LONG = "w" * 61
TEXT = st.lists(
    st.sampled_from(
        [
            *MARKS, "a", "the", "dog", "a*", "x;1", "(uh)", "yacht", LONG, LONG + "w", "é", "a\r",
            "c-",
        ]
    ),
    max_size=7,
).map(" ".join)  # fmt: skip
OPTIONS = st.lists(st.sampled_from(["-s", "-F", "-D"]), unique=True)


@settings(max_examples=30, deadline=None)
@given(
    kind=st.sampled_from(["trn", "ctm", "txt"]),
    texts=st.lists(st.tuples(TEXT, TEXT), max_size=4),
    options=OPTIONS,
)
def test_every_text_can_be_aligned_by_diff(
    ours: Ours, kind: str, texts: list[tuple[str, str]], options: list[str]
) -> None:
    numbered = list(enumerate(texts))
    reference = "".join(f"f{n // 2} a s 0 1 {text}\n" for n, (text, _) in numbered)
    hypothesis = "".join(f"{text}\n" for _, (_, text) in numbered)
    if kind == "trn":
        reference = "".join(f"{text} (s-{n})\n" for n, (text, _) in numbered)
        hypothesis = "".join(f"{text} (s-{n})\n" for n, (_, text) in numbered)
    elif kind == "ctm":
        hypothesis = "".join(
            f"f{n // 2} a 0 1 {word}\n" for n, (_, text) in numbered for word in text.split()
        )
    files = {"trn": TRN, "ctm": CTM, "txt": TXT}[kind]
    check(ours, reference, hypothesis, [*options, "-d", *files])


@settings(max_examples=30, deadline=None)
@given(
    texts=st.lists(st.tuples(TEXT, TEXT), max_size=4),
    model=st.sampled_from(["uni", "bi", "tri", "abs", "wb", "tb", "ctx"]),
    options=OPTIONS,
)
def test_every_text_can_be_weighed(
    ours: Ours, texts: list[tuple[str, str]], model: str, options: list[str]
) -> None:
    reference = "".join(f"{text} (s-{n})\n" for n, (text, _) in enumerate(texts))
    hypothesis = "".join(f"{text} (s-{n})\n" for n, (_, text) in enumerate(texts))
    check(ours, reference, hypothesis, [*options, *TRN, "-L", str(MODELS / f"{model}.blm")])


def check(ours: Ours, reference: str, hypothesis: str, arguments: list[str]) -> None:
    """It runs to its end, or ends in an error that says what is wrong."""
    files = {"ref": reference.encode(), "hyp": hypothesis.encode()}
    reports = ("-o", "sum", "prf", "sgml", "wws") if "-L" in arguments else ("-o", "sum", "prf")
    outcome = run_case(ours, Case("random", "trn", (tuple(arguments), reports), files))
    assert b"Traceback" not in outcome.stderr, outcome.stderr.decode("latin-1")
    assert outcome.status in (0, 1, 255)
    assert outcome.status == 0 or outcome.stderr
    assert outcome.status != 0 or any(name.startswith("hyp.") for name in outcome.files)
