"""Reports of sclite: `.pra` and `result.txt` as sides, every number of each report checked."""

import random
import re
from pathlib import Path

import pytest

from scoring.cli.scoring import main
from scoring.regression.evidence import DIFFERS, EQUAL, NOT_CHECKED, EvidenceError, ScoredVersion
from scoring.regression.messages import BEST_WEIGHTS
from scoring.regression.opening import open_version
from tests.golden_case import golden_cases
from tests.remarks import says

CASE = next(row for row in golden_cases("sclite") if row.name == "every-report-stdout")
NUMBER = re.compile(rb"(?<![\w.-])\d+(?:\.\d+)?(?![\w.-])")
SUFFIXES = (".sys", ".raw", ".dtl", ".pra")


def opened(path: Path) -> ScoredVersion:
    side = open_version(str(path))
    assert isinstance(side, ScoredVersion)
    return side


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """Reports that sclite itself wrote, without the SGML."""
    case = next(row for row in golden_cases("sclite") if row.name == "every-report")
    for name, content in case.parts.items():
        if name.startswith("expected/") and name.endswith(SUFFIXES):
            (tmp_path / name.removeprefix("expected/")).write_bytes(content)
    return tmp_path


def test_a_dump_is_two_sides(reports: Path) -> None:
    """The words in a dump score as those in the SGML do, and every report agrees."""
    [path] = reports.glob("*.pra")
    side = opened(reports)
    assert side.kind == "sclite alignments"
    assert [(check.state, check.remark) for check in side.checks] == [(EQUAL, "")] * len(SUFFIXES)
    assert opened(path).rates.counts == side.rates.counts
    for per_utterance, block in zip(
        side.rates.per_utterance, re.findall(r"#I\) ([ 0-9]+)", path.read_text()), strict=True
    ):
        assert list(map(int, block.split())) == list(per_utterance)


def test_a_changed_number_of_any_report_is_seen(reports: Path) -> None:
    """Each number of every report, one more: it differs, or the file is refused."""
    draw = random.Random(3)
    for path in sorted(reports.iterdir()):
        text = path.read_bytes()
        places = [match.span() for match in NUMBER.finditer(text)]
        # names of files, of utterances and what sclite numbers are not scores
        for begin, end in draw.sample(places, min(len(places), 8)):
            more = str(int(text[begin:end].split(b".")[0]) + 1).encode()
            path.write_bytes(text[:begin] + more + text[end:])
            line = text[text.rfind(b"\n", 0, begin) + 1 :].partition(b"\n")[0]
            try:
                states = {check.state for check in opened(reports).checks}
            except EvidenceError:
                states = {DIFFERS}
            assert DIFFERS in states or re.match(rb"Speakers|\s+\d+:  ", line), line
        path.write_bytes(text)


def test_result_txt_is_two_sides_alone(tmp_path: Path) -> None:
    (tmp_path / "result.txt").write_bytes(CASE.parts["expected/stdout"])
    alone = opened(tmp_path / "result.txt")
    (tmp_path / "ref.trn").write_bytes(CASE.parts["ref.trn"])
    (tmp_path / "hyp.trn").write_bytes(CASE.parts["hyp.trn"])
    beside = opened(tmp_path)
    assert (alone.kind, beside.kind) == ("sclite alignments", "ESPnet")
    assert alone.rates.counts == beside.rates.counts
    for side in (alone, beside):
        assert {check.state for check in side.checks} == {EQUAL, NOT_CHECKED}


def test_what_a_dump_forgives_is_not_checked(tmp_path: Path) -> None:
    """Fragments that count as right: the words alone do not give the numbers."""
    case = next(row for row in golden_cases("sclite") if row.name == "optional-and-fragments")
    for name, content in case.parts.items():
        if name.startswith("expected/") and name.endswith(".pra"):
            (tmp_path / "a.pra").write_bytes(content)
    [check] = opened(tmp_path / "a.pra").checks
    assert (check.state, bool(check.remark)) == (NOT_CHECKED, True)


def test_the_column_of_confidences_is_not_checked(reports: Path) -> None:
    """A `.pra` has no confidences: the column NCE is not checked, and the counts are."""
    [raw] = reports.glob("*.raw")
    for old, column in ((r"S\.Err \|", "  NCE   |"), (r"(?m)(?<=\d) +\|$", " -0.749 |")):
        raw.write_text(re.sub(old, rf"\g<0>{column}", raw.read_text()))
    checks = opened(reports).checks
    assert [(check.what, check.state) for check in checks if check.state != EQUAL] == [
        (f"{raw} (NCE)", NOT_CHECKED)
    ]
    assert len(checks) == len(SUFFIXES) + 1
    raw.write_text(re.sub(r"\| Sum +\| +", r"\g<0>9", raw.read_text()))
    differing = [check for check in opened(reports).checks if check.state == DIFFERS]
    assert [(check.what, check.unequal) for check in differing] == [(str(raw), 1)]


def test_a_dump_that_is_cut_is_refused(reports: Path) -> None:
    [path] = reports.glob("*.pra")
    text = path.read_text()
    for old, new in (("#I) ", "#I) x "), ("HYP: ", "HUP: ")):
        path.write_text(text.replace(old, new, 1))
        with pytest.raises(EvidenceError):
            opened(path)


def test_folders_of_weights_have_the_result_of_the_lowest_rate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folders of `score_sclite.sh`: their reports name the weights, without a reference."""
    decoding = tmp_path / "decode"
    rates = {}
    for weight, name in (("7", "every-report"), ("12", "stm"), ("9", "every-report")):
        [case] = (row for row in golden_cases("sclite") if row.name == name)
        folder = decoding / f"score_{weight}"
        folder.mkdir(parents=True)
        for file, content in case.parts.items():
            if file.startswith("expected/") and file.endswith(SUFFIXES):
                (folder / file.removeprefix("expected/")).write_bytes(content)
        rates[weight] = opened(folder).rates.corpus_rate
    best = min(rates, key=lambda weight: rates[weight] or 0)
    assert rates["12"] != rates["7"]
    side = opened(decoding)
    assert side.rates.counts == opened(decoding / f"score_{best}").rates.counts
    checks = opened(decoding / f"score_{best}").checks
    assert [check.state for check in side.checks] == [check.state for check in checks]
    assert main(["wer", str(decoding)]) == 0
    output, errors = capsys.readouterr()
    assert says(errors, BEST_WEIGHTS, path=str(decoding), weights=best, names="LMWT")
    assert f"{best} (best)" in output
    assert "(recorded)" in output
    assert main(["compare", str(decoding), str(decoding)]) == 0
    assert main(["wer", str(decoding), str(decoding / "score_7")]) == 0
    output = capsys.readouterr().out
    assert re.search(rf"(?m)^\S*decode +{best} ", output)
    (decoding / "score_7" / "hyp.trn.raw").write_text("SYSTEM SUMMARY PERCENTAGES\n")
    assert opened(decoding).rates.counts == opened(decoding / "score_12").rates.counts
