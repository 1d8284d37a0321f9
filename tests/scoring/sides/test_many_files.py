"""Folders, patterns and archives as sides: the files in them are one reference, one hypothesis."""

import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import scoring
from formats import FormatError
from formats.io.messages import FILES, FILES_SKIPPED, IN_COLLECTION
from scoring.cli.nist import sclite
from scoring.cli.scoring import main
from scoring.model.counts import Counts
from scoring.model.errors import InputError
from scoring.sides.matching import MatchingError
from scoring.sides.messages import CHANNELS_OF_HYPOTHESIS, OTHER_RECORDINGS
from tests.formats.checks import message_text, remark_line
from tests.remarks import pattern_of, says

Make = Callable[[dict[str, str]], None]


def cues(*texts: str) -> str:
    """An srt file with a cue a second."""
    each = (
        f"{at}\n00:00:0{at},000 --> 00:00:0{at},900\n{text}\n\n" for at, text in enumerate(texts, 1)
    )
    return "".join(each)


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """A function that writes files by their paths, below the folder to work in."""
    monkeypatch.chdir(tmp_path)

    def write(files: dict[str, str]) -> None:
        for name, text in files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(text, "utf-8")

    return write


def counts(reference: str, hypothesis: str, **choices: object) -> Counts:
    rates: scoring.ErrorRates = scoring.wer(
        Path(reference),
        Path(hypothesis),
        **choices,  # type: ignore[call-overload]
    )
    return rates.counts


def pack(folder: str, name: str) -> str:
    """A folder as an archive."""
    files = [path for path in sorted(Path(folder).rglob("*")) if path.is_file()]
    if name.endswith(".zip"):
        with zipfile.ZipFile(name, "w") as packed:
            for path in files:
                packed.write(path)
    else:
        with tarfile.open(name, "w:gz") as tar:
            for path in files:
                tar.add(path)
    return name


TIMED = {
    "refs/a.srt": cues("hello there", "my friend"),
    "refs/more/b.srt": cues("good day"),
    "refs/a.wav": "",
    "hyps/a.vtt": "WEBVTT\n\n00:01.000 --> 00:01.900\nhello where\n\n00:02.000 --> 00:02.900\nfriend\n",
    "hyps/b.vtt": "WEBVTT\n\n00:01.000 --> 00:01.900\ngood bad day\n",
}


@pytest.mark.parametrize("reference", ["refs", "refs/", "refs/**/*.srt", "r.zip", "r.tar.gz"])
@pytest.mark.parametrize("hypothesis", ["hyps", "hyps/[ab].vtt", "h.zip"])
def test_files_are_matched_by_their_names_and_times(
    make: Make, reference: str, hypothesis: str
) -> None:
    make(TIMED)
    pack("refs", "r.zip"), pack("refs", "r.tar.gz"), pack("hyps", "h.zip")
    rates = scoring.wer(Path(reference), scoring.File(hypothesis), interpolate="uniform")
    assert rates.counts == Counts(4, 1, 1, 1)
    assert rates.matching_summary.matched_by == "time"
    path, fields = reference.rstrip("/"), {"read": "2 .srt"}
    line = remark_line(FILES, file=path, **fields)
    if "*" not in reference:
        line = remark_line(FILES_SKIPPED, file=path, **fields, skipped="1 .wav")
    assert line in map(str, rates.remarks)
    assert rates.reference.path == reference.rstrip("/")


def test_texts_are_matched_by_their_names(make: Make) -> None:
    make({"r/a.txt": "one two\n", "r/b.txt": "three\n", "r/c.txt": "four\n", "r/d.txt": "five\n"})
    make({"h/b.txt": "three\n", "h/a.txt": "one too\n", "h/c.txt": "", "h/e.txt": "six\n"})
    rates = scoring.wer(Path("r"), Path("h"), allow_unmatched=True)
    assert rates.counts == Counts(2, 1, 2, 0)
    assert rates.matching_summary.matched_by == "recording"
    assert rates.matching_summary.matched == 3, "a text without words is a text"
    assert rates.matching_summary.reference_only.identifiers == ("d",)
    assert rates.matching_summary.hypothesis_only.identifiers == ("e",)
    make({"s/a.stm": "a 1 x 0 1 one two\na 2 x 0 1 one two\n", "s/b.stm": "b 1 x 0 1 three\n"})
    pattern = pattern_of(CHANNELS_OF_HYPOTHESIS, recording="a", partner="s")
    with pytest.raises(MatchingError, match=pattern):
        counts("s", "h")
    make({"s/a.stm": "a 1 x 3 4 two\na 1 x 0 1 one\n"})
    rates = scoring.wer(Path("s"), Path("r/[ab].txt"))
    assert rates.counts == Counts(3, 0, 0, 0)
    assert list(rates.identifiers) == ["a-1-0001", "a-1-0002", "b-1-0001"]
    with pytest.raises(
        MatchingError, match=pattern_of(OTHER_RECORDINGS, reference="r", ours=["a", "b"])
    ):
        counts("r", "h/e.txt")


def test_lines_are_numbered_in_their_files(make: Make) -> None:
    make({"r/a.txt": "one\ntwo\n", "r/b.txt": "three\n"})
    make({"h/a.txt": "one\n", "h/b.txt": "three\ntwo\n"})
    rates = scoring.wer(
        Path("r"), Path("h"), reference_format="txt-lines", hypothesis_format="txt-lines",
        allow_unmatched=True,
    )  # fmt: skip
    assert list(rates.identifiers) == ["a-000001", "a-000002", "b-000001"]
    assert rates.counts == Counts(2, 0, 1, 0)
    assert rates.matching_summary.hypothesis_only.identifiers == ("b-000002",)


def test_a_corpus_is_a_side(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    make({
        "LibriSpeech/dev-clean/17/22/17-22.trans.txt": "17-22-0000 A B C\n17-22-0001 D E\n",
        "LibriSpeech/dev-clean/18/5/18-5.trans.txt": "18-5-0000 F\n",
        "hyp.trn": "F (18-5-0000)\nA B C (17-22-0000)\nD F (17-22-0001)\n",
        "kaldi/text": "17-22-0000 A B C\n17-22-0001 D F\n18-5-0000 F\n",
    })  # fmt: skip
    assert counts("LibriSpeech/dev-clean", "hyp.trn") == Counts(5, 1, 0, 0)
    assert counts("LibriSpeech/dev-clean", "kaldi") == Counts(5, 1, 0, 0)
    arguments = [
        "-r",
        "LibriSpeech/dev-clean",
        "auto",
        "-h",
        "hyp.trn",
        "auto",
        "-o",
        "sum",
        "stdout",
    ]
    assert sclite.main(arguments) == 0
    [total] = [line for line in capsys.readouterr().out.splitlines() if "Sum/Avg" in line]
    assert total.split()[2:5] == ["3", "6", "|"]


def test_parts_of_one_decoding(make: Make) -> None:
    make({"ref.trn": "a b (u-1)\nc (u-2)\n"})
    make({"exp/1/hyp.trn": "a b (u-1)\n", "exp/2/hyp.trn": "d (u-2)\n"})
    assert counts("ref.trn", "exp") == Counts(2, 1, 0, 0)
    make({"exp/2/hyp.trn": "d (u-2)\nb (u-1)\n"})
    with pytest.raises(InputError) as caught:
        counts("ref.trn", "exp")
    assert str(caught.value) == (
        "exp/2/hyp.trn:2: expected an identifier not used before, found 'u-1', which is also at "
        "exp/1/hyp.trn:1"
    )
    make({"text/1.txt": "u-1 a b\n", "text/2.txt": "u-2 c\n"})
    assert counts("ref.trn", "text/*", hypothesis_format="kaldi-text") == Counts(3, 0, 0, 0)


def refusal(reference: str, hypothesis: str = "h") -> str:
    with pytest.raises(FormatError) as caught:
        counts(reference, hypothesis)
    return str(caught.value)


def test_what_is_no_side_is_told_with_what_lies_in_it(make: Make) -> None:
    make({"h/a.srt": cues("a"), "empty/a.wav": "", "empty/b.wav": "", "empty/c.png": ""})
    make({"bad/a.srt": cues("a"), "bad/b.json": '{"x": 1}', "bad/c.json": "{}", "bad/d.flac": ""})
    make({"mixed/a.srt": cues("a"), "mixed/b.stm": "b 1 x 0 1 c\n"})
    make({"twice/a.srt": cues("a"), "twice/x/a.srt": cues("a")})
    found = "found none, but 2 .wav, 1 .png"
    assert refusal("empty") == f"empty: expected files of transcripts, {found}"
    assert says(refusal("bad"), IN_COLLECTION, path="bad")
    read = message_text(FILES_SKIPPED, read="2 .json, 1 .srt", skipped="1 .flac")
    assert read in refusal("bad")
    assert refusal("mixed") == (
        "mixed: expected files of one format (select them with a pattern), found srt in "
        "mixed/a.srt, stm in mixed/b.stm"
    )
    assert refusal("twice") == (
        "twice/x/a.srt: expected another name: the recording is named after the file, found "
        '"a", as of twice/a.srt'
    )
    make({"ids/a.txt": "one\ntwo\n", "ids/b.txt": "u-1 a b\nu-2 c\n"})
    for name in ("ids", pack("ids", "ids.tar.gz")):
        with pytest.raises(InputError, match=r"b\.txt:1:1: each line may begin with an id"):
            counts(name, "h")
    assert refusal("no/*.srt") == "no/*.srt: expected files of transcripts, found none"
    assert refusal("t*/x/aa.srt") == (
        "t*/x/aa.srt: expected files of transcripts, found none (did you mean twice/x/a.srt?)"
    )
    assert refusal("nothing") == "nothing: expected a readable file, found no such file"


def test_sides_of_a_comparison(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    make({"r/a.txt": "one two\n", "r/b.txt": "three\n"})
    make({"old/a.txt": "one too\n", "old/b.txt": "three\n", "new/a.txt": "one two\n"})
    make({"new/b.txt": "three\n"})
    pack("new", "new.zip")
    for new in ("new", "new/*.txt", "new.zip"):
        assert main(["compare", "old", new, "--reference", "r", "--fail-increase", "0%"]) == 0
        output = capsys.readouterr().out
        assert [line.split() for line in output.splitlines() if line.startswith("errors")] == [
            ["errors", "1", "0", "-1"]
        ]


def test_other_commands_take_many_files(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    make({f"r/{one}.rttm": f"SPEAKER {one} 1 0.5 1 <NA> <NA> x <NA> <NA>\n" for one in "ab"})
    make({"h/a.rttm": "SPEAKER a 1 0.5 1 <NA> <NA> s0 <NA> <NA>\n"})
    make({"h/b.rttm": "SPEAKER b 1 0.5 0.5 <NA> <NA> s1 <NA> <NA>\n"})
    assert main(["der", "r", "h/*.rttm"]) == 0
    output = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[-2] for line in output[4:7]] == ["0.00", "50.00", "25.00"]
    make({"x/a.txt": "0\t1\thi\n", "x/b.txt": "0\t1\thi\n"})
    make({"y/a.txt": "0\t1\thi\n", "y/b.txt": "0\t1\tho\n"})
    assert main(["segments", "x", "y", "--quiet"]) == 0
    assert "error rate                     50.00 %" in capsys.readouterr().out
    make({"m/a.stm": "a 1 x 0 1 hi you\na 1 y 1 2 bye\n", "m/b.stm": "b 1 x 0 1 one\n"})
    make({"n/a.stm": "a 1 s1 0 1 hi you\na 1 s0 1 2 by\n", "n/b.stm": "b 1 s0 0 1 one\n"})
    assert scoring.wer(Path("m"), Path("n"), meeting="cp").counts == Counts(3, 1, 0, 0)


def test_no_report_is_written_over_what_is_read(
    make: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    make({"r/x/a.txt": "one\n", "r/x/b.txt": "two\n", "h/a.txt": "one\n", "h/b.txt": "two\n"})
    pack("h", "h.zip")
    sides = (("r", "h", "r/x/a.txt"), ("r/*/*.txt", "h", "r/x/b.txt"), ("r", "h.zip", "h.zip"))
    for reference, hypothesis, output in sides:
        before = Path(output).read_bytes()
        assert main(["wer", reference, hypothesis, "--json", output]) == 2
        assert f"{output}: cannot be written: it is one of the inputs" in capsys.readouterr().err
        assert Path(output).read_bytes() == before
    assert main(["wer", "r", "h", "--json", "r/x/new.json"]) == 0
