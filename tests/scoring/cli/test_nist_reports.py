"""`scoring wer -o`: sclite's reports of any two files, and sclite's own bytes where it has any."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import formats
from formats import Segment, Token, Transcript
from formats.schema.times import SECOND
from scoring.cli.nist.sclite import main as sclite
from scoring.cli.scoring import main as scoring_command
from tests.programs import apart

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
REPORTS = ["all", "prf", "sgml", "nl.sgml", "snt", "spk", "dtl", "lur"]
KINDS = ("correct", "substitutions", "deletions", "insertions")
DATE = re.compile(rb'(Creation date: |creation_date=)"[^"]*"')
WORDS = ["a", "b", "c", "dd", "ee", "fff", "Ab", "cD", "the", "lighthouse"]
LABELS = ';; LABEL "o" "Overall" "All of it"\n;; LABEL "f" "Female" "Women"\n'


def said(draw: random.Random, words: list[str]) -> list[str]:
    """What a recogniser might make of words."""
    heard = []
    for word in words:
        chance = draw.random()
        if chance < 0.7:
            heard.append(word)
        elif chance < 0.85:
            heard.append(draw.choice(WORDS))
        if chance > 0.9:
            heard.append(draw.choice(WORDS))
    return heard


def some_words(draw: random.Random, most: int) -> list[str]:
    return [draw.choice(WORDS) for _ in range(draw.randint(0, most))]


def trn_corpus(draw: random.Random) -> tuple[str, str]:
    names = [f"s{draw.randint(1, 3)}_{number:03d}" for number in range(draw.randint(1, 8))]
    lines: tuple[list[str], list[str]] = ([], [])
    for name in names:
        words = some_words(draw, 12)
        for side, texts in zip(lines, (words, said(draw, words)), strict=True):
            side.append(f"{' '.join(texts)} ({name})\n".lstrip())
    return "".join(lines[0]), "".join(lines[1])


def ctm_lines(draw: random.Random, name: str, words: list[str], at: int, confident: bool) -> str:
    """Words from a time in eighths of a second on, which a double holds exactly."""
    lines = []
    for word in words:
        at += draw.randint(1, 4)
        confidence = f" 0.{draw.randint(10, 99)}" if confident else ""
        lines.append(f"{name} {at / 8} 0.0625 {word}{confidence}\n")
    return "".join(lines)


def stm_corpus(draw: random.Random) -> tuple[str, str]:
    reference, hypothesis = [LABELS], []
    confident = draw.random() < 0.5
    for recording in range(draw.randint(1, 3)):
        for channel in "AB"[: draw.randint(1, 2)]:
            for number in range(draw.randint(1, 4)):
                name = f"rec{recording} {channel}"
                words = some_words(draw, 6)
                label = draw.choice(["<o,f>", "<o,>"])
                speaker = f"spk{draw.randint(1, 3)}"
                begin = number * 10
                reference.append(
                    f"{name} {speaker} {begin}.0 {begin + 10}.0 {label} {' '.join(words)}\n"
                )
                heard = said(draw, words) or ["a"]
                hypothesis.append(ctm_lines(draw, name, heard, 8 * begin, confident))
    return "".join(reference), "".join(hypothesis)


def ctm_corpus(draw: random.Random) -> tuple[str, str]:
    reference, hypothesis = [], []
    confident = draw.random() < 0.5
    for recording in range(draw.randint(1, 3)):
        for channel in "AB"[: draw.randint(1, 2)]:
            name = f"rec{recording} {channel}"
            words = [draw.choice(WORDS) for _ in range(draw.randint(1, 140))]
            # a channel that ends in words of the hypothesis alone has no name in sclite
            end = f"{name} 900.0 0.5 end"
            reference.append(ctm_lines(draw, name, words, 0, False) + f"{end}\n")
            heard = ctm_lines(draw, name, said(draw, words), 0, confident)
            hypothesis.append(heard + f"{end}{' 0.5' if confident else ''}\n")
    return "".join(reference), "".join(hypothesis)


CORPORA: dict[str, tuple[tuple[str, str], Callable[[random.Random], tuple[str, str]]]] = {
    "trn": (("trn", "trn"), trn_corpus),
    "stm": (("stm", "ctm"), stm_corpus),
    "ctm": (("ctm", "ctm"), ctm_corpus),
}


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.name: DATE.sub(rb'\1"DATE"', path.read_bytes()) for path in sorted(folder.iterdir())
    }


@pytest.mark.share(4)
@pytest.mark.parametrize("kind", CORPORA)
@pytest.mark.parametrize("ignore_case", [False, True], ids=["case", "no-case"])
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_reports_of_nists_formats_are_those_of_sclite(
    kind: str, ignore_case: bool, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    forms, corpus = CORPORA[kind]
    folder = tmp_path_factory.mktemp("run")
    ours, theirs = folder / "ours", folder / "theirs"
    theirs.mkdir()
    files = [str(folder / f"{side}.{form}") for side, form in zip("rh", forms, strict=True)]
    for path, text in zip(files, corpus(random.Random(seed)), strict=True):
        Path(path).write_text(text)
    case = ["--ignore-case"] if ignore_case else []
    formats = ["--reference-format", forms[0], "--hypothesis-format", forms[1], "--allow-empty"]
    assert scoring_command(["wer", *files, *formats, *case, "-o", *REPORTS, "-O", str(ours)]) == 0
    sides = ["-r", files[0], forms[0], "-h", files[1], forms[1]]
    case = [] if ignore_case else ["-s"]
    reports = ["-o", *REPORTS, "-O", str(theirs), "-f", "0"]
    assert sclite([*sides, *case, "-i", "spu_id", *reports]) == 0
    found, expected = files_in(ours), files_in(theirs)
    assert sorted(found) == sorted(expected)
    for name, content in expected.items():
        assert found[name] == content, f"{name} of {folder}"


WRITTEN = [
    "txt", "stm", "ctm", "rttm", "kaldi-segments", "textgrid", "eaf", "trs", "audacity", "htk",
    "mlf", "timit", "srt", "vtt", "ass", "ttml", "whisper", "whisperx", "lhotse", "nemo", "seglst", "jsonl", "csv", "tsv", "kwslist",
]  # fmt: skip
SCORES = re.compile(r"^Scores: \(#C #S #D #I\) (\d+) (\d+) (\d+) (\d+)$", re.MULTILINE)


def transcript(turns: list[list[str]]) -> Transcript:
    """Turns of two speakers, ten seconds each, a word every half second."""
    made = []
    for number, words in enumerate(turns):
        begin = 10 * SECOND * number
        starts = range(begin, begin + len(words) * SECOND // 2, SECOND // 2)
        tokens = [
            Token(word, at, at + SECOND // 4, 0.5) for word, at in zip(words, starts, strict=True)
        ]
        made.append(
            Segment.from_items(
                "talk",
                tokens,
                channel="1",
                speaker=f"s{number % 2}",
                start_ns=begin,
                end_ns=begin + 10 * SECOND,
            )
        )
    return Transcript(tuple(made))


@settings(max_examples=30, deadline=None)
@example(seed=0, forms=("kaldi-segments", "txt"), flags=[])
@given(
    seed=st.integers(0, 2**32),
    forms=st.tuples(st.sampled_from(WRITTEN), st.sampled_from(WRITTEN)),
    flags=st.sampled_from(
        [[], ["--ignore-case"], ["--unit", "char"], ["--normalize", "lowercase"]]
    ),
)
def test_counts_of_any_two_formats_are_the_same_in_all_reports(
    seed: int, forms: tuple[str, str], flags: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    draw = random.Random(seed)
    folder = tmp_path_factory.mktemp("any")
    turns = [some_words(draw, 8) or ["a"] for _ in range(draw.randint(1, 5))]
    heard = [said(draw, words) or ["b"] for words in turns]
    files = []
    for side, form, texts in zip("rh", forms, (turns, heard), strict=True):
        (folder / side).mkdir()
        files.append(str(folder / side / "talk"))
        formats.write(transcript(texts), files[-1], form)
    named = ["--reference-format", forms[0], "--hypothesis-format", forms[1]]
    written = ["-o", *REPORTS, "-O", str(folder / "out"), "--json", str(folder / "json")]
    status = scoring_command(
        ["wer", *files, *named, *flags, *written, "--interpolate", "uniform", "--allow-empty"]
    )
    assume(status == 0)  # some pairs have nothing in common to be matched by
    [system] = json.loads((folder / "json").read_bytes())["systems"]
    counts = [system["counts"][name] for name in KINDS]
    out = folder / "out"
    found = SCORES.findall((out / "talk.pra").read_text())
    assert [sum(map(int, column)) for column in zip(*found, strict=True)] == counts
    [total] = [line for line in (out / "talk.raw").read_text().split("\n") if "Sum" in line]
    utterances, words, *rest = map(int, re.findall(r"\d+", total)[:7])
    assert (utterances, words, rest) == (len(found), sum(counts[:3]), [*counts, sum(counts[1:])])
    [total] = [line for line in (out / "talk.sys").read_text().split("\n") if "Sum/Avg" in line]
    percents = [float(number) for number in re.findall(r"\d+\.\d", total)[:5]]
    # sclite's rates of no words, as a list of segments has them, are 0
    share = 100 / words if words else 0.0
    for percent, count in zip(percents, [*counts, sum(counts[1:])], strict=True):
        assert percent == pytest.approx(share * count, abs=0.06)
    assert (out / "talk.sgml").read_text().count("<PATH ") == utterances


def test_reports_are_refused_that_cannot_be_written_as_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = [str(DEMO / "reference.trn"), str(DEMO / "baseline.trn")]
    for more, problem in (
        (["-o", "sum", "nothing"], "found 'nothing'"),
        (["-o", "stdout"], "-o stdout needs -o with the name of a report"),
        (["-O", str(tmp_path)], "-O needs -o with the name of a report"),
        (["-o", "sum", "stdout", "--json", "-"], "standard output takes one report only"),
        (["-o", "sum", "-l", "0"], "expected a whole number from 1"),
        ([str(DEMO / "improved.trn"), "-o", "sum", "-n", "x"], "would write the same files"),
        (
            ["-o", "sum", "--shard", "1/2", "--shard-output", "x"],
            apart(report="-o sum", shard="--shard"),
        ),
    ):
        assert scoring_command(["wer", *sides, *more]) == 2
        assert problem in capsys.readouterr().err
    (tmp_path / "h.trn.sys").mkdir()
    hypothesis = tmp_path / "h.trn"
    hypothesis.write_bytes((DEMO / "baseline.trn").read_bytes())
    assert scoring_command(["wer", sides[0], str(hypothesis), "-o", "sum"]) == 2
    assert "h.trn.sys: cannot be written" in capsys.readouterr().err


def test_shards_put_together_have_the_reports_of_one_run(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    sides = [str(DEMO / "reference.trn"), str(DEMO / "baseline.trn")]
    parts = [str(tmp_path / f"{number}.json") for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        shard = ["--shard", f"{number}/2", "--shard-output", part]
        assert scoring_command(["wer", *sides, *shard]) == 0
    capsysbinary.readouterr()
    assert scoring_command(["merge", *parts, "-o", "all", "stdout"]) == 0
    merged = capsysbinary.readouterr().out
    assert scoring_command(["wer", *sides, "-o", "all", "stdout"]) == 0
    assert capsysbinary.readouterr().out == merged != b""


def test_reports_go_beside_the_hypothesis_and_are_numbered_through(tmp_path: Path) -> None:
    names = ["reference.trn", "baseline.trn", "improved.trn"]
    for name in names:
        (tmp_path / name).write_bytes((DEMO / name).read_bytes())
    files = [str(tmp_path / name) for name in names]
    assert scoring_command(["wer", *files, "-o", "sgml"]) == 0
    numbers = [
        int(number)
        for name in names[1:]
        for number in re.findall(r'sequence="(\d+)"', (tmp_path / f"{name}.sgml").read_text())
    ]
    assert sorted(numbers) == list(range(120))


def test_files_are_called_in_reports_as_they_were_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(DEMO)
    out = str(tmp_path)
    assert (
        scoring_command(["wer", "./reference.trn", ".//baseline.trn", "-o", "prf", "-O", out]) == 0
    )
    head = (tmp_path / "baseline.trn.prf").read_text()
    assert "System name:   .//baseline.trn\nRef file:      ./reference.trn\n" in head


def test_speakers_whose_names_no_file_can_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reference, hypothesis = tmp_path / "r.seglst.json", tmp_path / "h.seglst.json"
    for speakers, status in ((("a/b", "../c"), 0), (("a/b", "a_b"), 2)):
        records = [
            {
                "session_id": "s",
                "speaker": speaker,
                "start_time": at,
                "end_time": at + 1,
                "words": "x",
            }
            for at, speaker in enumerate(speakers)
        ]
        for path in (reference, hypothesis):
            path.write_text(json.dumps(records))
        sides = [str(reference), str(hypothesis), "--interpolate", "uniform"]
        assert scoring_command(["wer", *sides, "-o", "snt", "-O", str(tmp_path / "out")]) == status
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["h.seglst.json.snt..._c", "h.seglst.json.snt.a_b"]
    assert "h.seglst.json.snt.a_b: two reports would be called so" in capsys.readouterr().err
