"""A result: its reports, its dictionary, its file."""

import json
import random
import re
from pathlib import Path

import pytest

import scoring
from scoring.cli.nist.sclite import main as sclite
from scoring.cli.scoring import main
from scoring.model.errors import InputError
from scoring.model.outputs import OutputError

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
REFERENCE, HYPOTHESIS = DEMO / "reference.trn", DEMO / "baseline.trn"


CLOCK = re.compile(rb"[0-9]{2}:[0-9]{2}:[0-9]{2}")
"""When a report was made."""


def test_reports_are_those_of_sclite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ref.trn").write_text("a b c (x-1)\nd e (y-1)\n", "utf-8")
    Path("hyp.trn").write_text("a x c (x-1)\nd e f (y-1)\n", "utf-8")
    flags = ["-s", "-i", "spu_id", "-O", "theirs", "-o", "sum", "pralign", "prf", "dtl", "rsum"]
    Path("theirs").mkdir()
    assert sclite(["-r", "ref.trn", "trn", "-h", "hyp.trn", "trn", *flags]) == 0
    rates = scoring.wer(Path("ref.trn"), Path("hyp.trn"))
    written = rates.write_reports("ours/deep", "sum", "pralign", "prf", "dtl", "rsum")
    folders = "ours/deep", "theirs"
    assert sorted(path.name for path in Path("theirs").iterdir()) == sorted(
        Path(path).name for path in written
    )
    for path in written:
        ours, theirs = (CLOCK.sub(b"", Path(one, Path(path).name).read_bytes()) for one in folders)
        assert ours == theirs
    assert rates.report("pralign").encode() == Path("theirs/hyp.trn.pra").read_bytes()
    assert rates.report("sum").encode() == Path("theirs/hyp.trn.sys").read_bytes()


def test_reports_of_any_two_formats_in_any_unit(tmp_path: Path) -> None:
    cues = tmp_path / "r.srt"
    cues.write_text("1\n00:00:00,000 --> 00:00:02,000\nÄrger da!\n", "utf-8")
    words = tmp_path / "h.ctm"
    words.write_text("r 1 0.1 0.5 ärger\nr 1 1 0.5 so\n", "utf-8")
    rates = scoring.wer(cues, words, normalize="plain", unit="char", keep_sources=True)
    text = rates.report("pralign")
    assert "ä" in text
    counts = rates.counts
    found = f"{counts.correct} {counts.substitutions} {counts.deletions} {counts.insertions}"
    assert f"Scores: (#C #S #D #I) {found}" in text
    [path] = rates.write_reports(tmp_path / "out", "pralign", title="mine")
    assert path == str(tmp_path / "out" / "mine.pra")


def test_reports_that_are_refused(tmp_path: Path) -> None:
    rates = scoring.wer(REFERENCE, HYPOTHESIS)
    with pytest.raises(ValueError, match=r"expected reports of all, .*, found 'nope'$"):
        rates.report("nope")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the name of one report, found 'all'"):
        rates.report("all")
    with pytest.raises(ValueError, match="expected names of reports"):
        rates.write_reports(tmp_path)
    assert list(tmp_path.iterdir()) == []
    taken = tmp_path / "x.pra"
    taken.write_text("a (u1)\n", "utf-8")
    own = scoring.wer(scoring.File(taken, format="trn"), scoring.File(taken, format="trn"))
    with pytest.raises(OutputError):
        own.write_reports(tmp_path, "pralign", title="x")
    assert taken.read_text("utf-8") == "a (u1)\n"


def test_what_is_saved_is_loaded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rates = scoring.wer(REFERENCE, HYPOTHESIS, normalize="plain", unit="char")
    for name in ("a.json", "a.json.gz"):
        rates.save(tmp_path / name)
        kept = scoring.load(str(tmp_path / name))
        record, expected = kept.to_dict(), rates.to_dict()
        for side in ("reference", "hypothesis"):
            # what is saved has the hashes of the files
            assert record[side].pop("sha256")
            assert expected[side].pop("sha256") is None
        assert record == expected
        assert kept.signature == rates.signature
        assert kept.report("sum") == rates.report("sum")
    capsys.readouterr()
    flags = ["--normalize", "plain", "--unit", "char", "--json", str(tmp_path / "b.json")]
    assert main(["wer", str(REFERENCE), str(HYPOTHESIS), *flags]) == 0
    assert scoring.load(tmp_path / "b.json").counts == rates.counts
    assert scoring.compare(scoring.load(tmp_path / "b.json"), rates).bootstrap is not None


def test_a_dictionary_of_a_result_is_json() -> None:
    rates = scoring.wer({"u1": "a b", "u2": "\udcff"}, {"u1": "a c", "u2": "d"})
    found = json.loads(json.dumps(rates.to_dict()))
    assert found["counts"]["errors"] == rates.counts.errors
    assert [one["edits"] for one in found["utterances"]] == ["CS", "S"]
    assert found["signature"] == rates.signature


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", 'expected the member "schema"'),
        ("", "expected a result of `scoring wer --json`, found no JSON"),
    ],
)
def test_what_is_no_result_is_not_loaded(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=message) as refused:
        scoring.load(path)
    assert str(refused.value).startswith(str(path))


def test_a_shard_and_several_results_are_not_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both, part = str(tmp_path / "both.json"), str(tmp_path / "part.json")
    improved = str(DEMO / "improved.trn")
    assert main(["wer", str(REFERENCE), str(HYPOTHESIS), improved, "--json", both]) == 0
    with pytest.raises(InputError, match="expected one whole result, found 2 of them"):
        scoring.load(both)
    flags = ["--shard", "1/2", "--shard-output", part]
    assert main(["wer", str(REFERENCE), str(HYPOTHESIS), *flags]) == 0
    with pytest.raises(InputError, match="expected one whole result, found a shard"):
        scoring.load(part)


def test_sums_over_utterances() -> None:
    draw = random.Random(2)
    sides = [
        ["".join(draw.choices("ab ", k=draw.randrange(9))) for _ in range(9_000)] for _ in "rh"
    ]
    rates = scoring.wer(*sides)
    every = [one.counts for one in rates]
    known = [one.error_rate for one in every if one.error_rate is not None]
    assert len(known) < len(every)
    assert rates.counts == rates.per_utterance.total() == sum(every[1:], every[0])
    assert rates.sentence_errors == sum(one.errors > 0 for one in every)
    added = 0.0
    for rate in known:  # one by one, as `sum` does up to Python 3.11
        added += rate
    assert rates.mean_of_utterances == added / len(known)
