"""Real sclite reads what we write as it reads what we read: same scores, same alignments."""

import re
import subprocess
from collections.abc import Callable

import pytest

import formats
from tests.formats.case import sample
from tests.judge import MISSING, judge

WriteFile = Callable[[str, "str | bytes"], str]

SCLITE = judge("sclite")

needs_sclite = pytest.mark.skipif(SCLITE is None, reason=MISSING)

STM = sample("sclite-stm.txt")

CTM = sample("sclite-ctm.txt")

TRN = """hello { um / uh / @ } brave world (anne-1)
{b/c}d (bob) x (bob-1)
(bob-2)
 ;; not a comment (carl-1)
"""


def sclite(*arguments: str) -> str:
    """What sclite says in SGML, without the lines that hold times of creation and file names."""
    assert SCLITE is not None
    command = [SCLITE, *arguments, "-o", "sgml", "stdout", "-f", "0"]
    found = subprocess.run(command, capture_output=True, check=True)
    assert found.stderr == b""
    return re.sub(r'(creation_date|title|ref_fname|hyp_fname)="[^"]*"', "", found.stdout.decode())


def rewrite(name: str, *, check_losses: bool = True) -> str:
    """Read a file and write it again; the name of the copy."""
    copy = f"copy-{name}"
    losses = formats.write(formats.read(name), copy)
    assert losses == () or not check_losses
    return copy


@needs_sclite
@pytest.mark.parametrize("options", [(), ("-D", "-F"), ("-s",)])
def test_stm_and_ctm(write_file: WriteFile, options: tuple[str, ...]) -> None:
    write_file("ref.stm", STM)
    write_file("hyp.ctm", CTM)
    copies = rewrite("ref.stm"), rewrite("hyp.ctm")
    expected = sclite("-r", "ref.stm", "stm", "-h", "hyp.ctm", "ctm", *options)
    assert expected.count("<PATH") == 4
    assert sclite("-r", copies[0], "stm", "-h", copies[1], "ctm", *options) == expected


@needs_sclite
@pytest.mark.parametrize("options", [(), ("-D", "-F"), ("-s",)])
def test_trn(write_file: WriteFile, options: tuple[str, ...]) -> None:
    write_file("ref.trn", TRN)
    write_file("hyp.trn", TRN.replace("brave", "new").replace("(bob) ", ""))
    copies = rewrite("ref.trn"), rewrite("hyp.trn", check_losses=False)
    expected = sclite("-i", "spu_id", "-r", "ref.trn", "-h", "hyp.trn", *options)
    assert expected.count("<PATH") == 4
    assert sclite("-i", "spu_id", "-r", copies[0], "-h", copies[1], *options) == expected


@needs_sclite
def test_an_empty_first_branch_loses_no_word(write_file: WriteFile) -> None:
    """`BEGIN ALT a END` makes sclite lose the a; what we write for it does not."""
    write_file("ref.stm", "rec1 1 anne 0 5 a b\n")
    write_file(
        "hyp.ctm",
        "rec1 1 * * <ALT_BEGIN>\nrec1 1 * * <ALT>\nrec1 1 1 1 a\nrec1 1 * * <ALT_END>\n"
        "rec1 1 2 1 b\n",
    )
    found = sclite("-r", "ref.stm", "stm", "-h", rewrite("hyp.ctm"), "ctm")
    assert 'C,"a","a"' in found
    assert 'C,"b","b"' in found


@needs_sclite
def test_a_first_word_in_angle_brackets_stays_a_word(write_file: WriteFile) -> None:
    write_file("a.trn", "<unk> b (x-1)\n")
    segment = formats.read("a.trn")[0].replace(channel="1", start_ns=0, end_ns=10**9)
    formats.write(formats.Transcript([segment]), "a.stm")
    write_file("a.ctm", "a 1 0 0.1 b\n")
    assert 'D,"<unk>"' in sclite("-r", "a.stm", "stm", "-h", "a.ctm", "ctm")


@needs_sclite
def test_speakers_are_those_of_sclite(write_file: WriteFile) -> None:
    ids = ["ab_c-9", "ab_c_d", "x-y_z", "a-1"]
    write_file("a.trn", "".join(f"w ({name})\n" for name in ids))
    found = sclite("-i", "spu_id", "-r", "a.trn", "-h", "a.trn")
    speakers = re.findall(r'<SPEAKER id="([^"]*)"', found)
    assert set(speakers) == {segment.speaker for segment in formats.read("a.trn")}
