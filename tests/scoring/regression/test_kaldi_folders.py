"""Kaldi's scoring folders of every age: the best of the sweep, its words, and Kaldi's numbers."""

import json
import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from glob import glob
from pathlib import Path

import pytest

from formats.schema.messages import Message
from scoring.cli.messages import OWN_REFERENCES, SPEAKERS_BESIDE
from scoring.cli.nist.sclite import main as sclite
from scoring.cli.scoring import main
from scoring.options import Options
from scoring.regression.evidence import EQUAL, NOT_CHECKED, EvidenceError, ScoredVersion
from scoring.regression.kaldi_directory import open_directory, rates_of_weights
from scoring.regression.kaldi_files import timed_words_of_weights
from scoring.regression.kaldi_hypotheses import best_hypothesis, is_without_reference
from scoring.regression.kaldi_sweep import best_rate
from scoring.regression.messages import (
    BEST_WEIGHTS,
    CHOSEN_WEIGHTS,
    CTM_FOLDERS,
    NO_WORD_TABLE,
    ONLY_CTM,
    ONLY_HYPOTHESES,
    ONLY_LATTICES,
    ONLY_RATES,
    OTHER_WEIGHTS,
    PENALTY_FOLDER,
    REFERENCE_OF_HYPOTHESES,
    WORD_TABLE,
)
from scoring.score import score_systems
from scoring.score.messages import (
    DATA_AS_HYPOTHESIS,
    FILTERED_AS_REFERENCE,
    OWN_REFERENCE,
    RESULT_AS_REFERENCE,
)
from scoring.sides.given import File
from scoring.sides.layouts import is_result, weights_of
from tests.each_case import each_case
from tests.golden_case import Golden, golden_cases
from tests.remarks import says

CASES = {case.name: case for case in golden_cases("kaldi/folders")}
DECODE = "exp/tri/decode_test"
# Of a sweep with equal rates Kaldi's scripts take the first in the order of the weights, and
# `grep WER wer_*` gives the first in the order of the names.
BY_NAME = {name: case.text("expected/best_wer") for name, case in CASES.items()}
_LINE = re.compile(r"%WER \S+ \[ (\d+) / (\d+), (\d+) ins, (\d+) del, (\d+) sub \]( \[PARTIAL\])?")
Folders = Callable[[str], Path]


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folders = {}
    for name, case in CASES.items():
        folders[name] = tmp_path_factory.mktemp(name)
        case.lay_out(folders[name])
    return folders


@pytest.fixture
def folder(tmp_path: Path) -> Folders:
    """A folder that a test may change."""

    def copy(name: str) -> Path:
        CASES[name].lay_out(tmp_path / name)
        return tmp_path / name / DECODE

    return copy


def best_of(case: Golden, kind: str) -> str:
    """The best line as the recipe recorded it, or as Kaldi's script finds it."""
    recorded = case.parts.get(f"{DECODE}/scoring_kaldi/best_{kind}")
    return (recorded or case.parts[f"expected/best_{kind}"]).decode().strip()


def counts_in(line: str) -> tuple[int, ...]:
    match = _LINE.match(line)
    assert match is not None
    return tuple(map(int, match.groups()[:5]))


def counts_of(side: ScoredVersion) -> tuple[int, ...]:
    counts = side.rates.counts
    kinds = (counts.insertions, counts.deletions, counts.substitutions)
    return counts.errors, counts.reference_tokens, *kinds


def test_folders_of_both_ages_are_there() -> None:
    ages = {"details": 0, "no-stats": 0, "early": 0}
    for name in CASES:
        for age in ages:
            ages[age] += name.startswith(age)
    assert sum(ages.values()) >= 20
    assert min(ages.values()) >= 5


@each_case("name", sorted(CASES))
def test_best_rate_and_all_recorded_lines_are_those_of_kaldi(
    name: str, originals: dict[str, Path]
) -> None:
    case, path = CASES[name], str(originals[name] / DECODE)
    assert is_result(path)
    for kind in ("wer", "cer"):
        if f"expected/best_{kind}" not in case.parts:
            continue
        if name == "no-stats-characters-only" and kind == "wer":
            continue  # the recipe recorded the best of characters only
        side = open_directory(path, of_characters=kind == "cer")
        assert counts_of(side) == counts_in(best_of(case, kind))
        assert side.rates.rules.unit == {"wer": "word", "cer": "char"}[kind]
        rates = f"{DECODE}/{best_of(case, kind).rpartition('/')[2].rpartition(' ')[2]}"
        assert str(originals[name] / rates) in {check.what for check in side.checks}
        assert {check.state for check in side.checks} == {EQUAL}
        # nothing that the recipe recorded is left out
        listed = {Path(check.what) for check in side.checks}
        folder = originals[name] / DECODE
        assert listed >= {*folder.glob("[cw]er_*"), *folder.glob("scoring*/*_details/[pow][!i]*")}


@pytest.mark.parametrize("steps", [(1, 10), pytest.param((2, 3, 5, 7), marks=pytest.mark.release)])
def test_every_folder_against_others(
    originals: dict[str, Path], tmp_path: Path, steps: Sequence[int]
) -> None:
    """Change of the errors between two ages, by the command, equal to that of Kaldi's sums.

    Each folder is the old one of four others, and the new one of four more: each is read by itself.
    """
    text = CASES["details"].parts["data/test/text"]
    names = [
        name
        for name, case in CASES.items()
        if case.parts["data/test/text"] == text and "[PARTIAL]" not in BY_NAME[name]
    ]
    assert len(names) >= 20
    report = tmp_path / "changes.json"
    sums = {name: counts_in(best_of(CASES[name], "wer")) for name in names}
    for at, old in enumerate(names):
        # half way round each two have met once
        for new in (names[(at + step) % len(names)] for step in steps if 2 * step <= len(names)):
            sides = [str(originals[name] / DECODE) for name in (old, new)]
            few = ["--replications", "100", "--json", str(report), "--fail-if-recorded-differs"]
            gate = ["--fail-increase", "0pt"]
            assert main(["compare", *sides, *few, *gate]) == 3 * (sums[new][0] > sums[old][0])
            total = json.loads(report.read_text("utf-8"))["overall"]
            for side, name in (("baseline", old), ("new", new)):
                errors, words, insertions, deletions, substitutions = sums[name]
                assert total[side]["errors"] == errors
                assert total[side]["reference_count"] == words
                assert total[side]["insertions"] == insertions
                assert total[side]["deletions"] == deletions
                assert total[side]["substitutions"] == substitutions


@pytest.mark.parametrize("name", [name for name in sorted(CASES) if name.startswith("no-stats")])
def test_without_the_recorded_best_the_order_of_names_decides(name: str, folder: Folders) -> None:
    path = folder(name)
    rates = sorted(file.name for file in path.glob("wer_*"))
    assert best_rate(str(path), rates) == BY_NAME[name].rpartition(" ")[2]
    for kind in ("wer", "cer"):
        (path / f"scoring_kaldi/best_{kind}").unlink(missing_ok=True)
    side = open_directory(str(path))
    assert counts_of(side) == counts_in(BY_NAME[name])
    best = str(path / BY_NAME[name].rpartition(" ")[2])
    assert next(check.what for check in side.checks if check.state == EQUAL) == best


def test_equal_rates_are_resolved_as_kaldi_does() -> None:
    """The goldens have equal rates, in both orders; so the test above is not idle."""
    equal = set()
    for name, case in CASES.items():
        rates = {
            Path(part).name: content.decode().partition("%WER ")[2].partition(" ")[0]
            for part, content in case.parts.items()
            if part.startswith(f"{DECODE}/wer_") and weights_of(part)
        }
        least = min(rates.values(), key=float)
        best = {rate for rate in rates if rates[rate] == least}
        if len(best) > 1 and min(best, key=lambda file: int(file.split("_")[1])) != min(best):
            equal.add(name.partition("-")[0])
    assert equal == {"early", "no", "details"}


@pytest.mark.parametrize("name", ["no-stats", "early-numbers", "early-penalties-texts"])
def test_a_folder_a_record_and_a_transcript_agree(
    name: str, folder: Folders, tmp_path: Path
) -> None:
    path, other = folder(name), folder("details")
    weights = BY_NAME["details"].rpartition(" ")[2].split("_")[1:]
    transcript = other / f"scoring_kaldi/penalty_{weights[1]}/{weights[0]}.txt"
    reference = other.parents[2] / "data/test/text"
    record, history = str(tmp_path / "details.json"), str(tmp_path / "history.db")
    scored = ["wer", str(reference), str(transcript), "--profile", "kaldi"]
    assert main([*scored, "--json", record, "--record", history]) == 0
    report = tmp_path / "changes.json"
    few = ["--replications", "100", "--json", str(report)]
    changes = set()
    for side in (str(other), str(transcript), record, history):
        assert main(["compare", str(path), side, *few]) == 0
        total = json.loads(report.read_text("utf-8"))["overall"]
        changes.add((total["baseline"]["errors"], total["new"]["errors"]))
    for side in (record, history):
        assert main(["compare", side, str(path), *few]) == 0
        total = json.loads(report.read_text("utf-8"))["overall"]
        changes.add((total["new"]["errors"], total["baseline"]["errors"]))
    expected = counts_in(BY_NAME[name])[0], counts_in(BY_NAME["details"])[0]
    assert changes == {expected}


@pytest.mark.parametrize("name", ["no-stats", "early-numbers", "no-stats-missing", "early-phones"])
def test_wer_of_a_folder_is_the_recorded_rate(
    name: str, folder: Folders, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(folder(name))
    assert main(["wer", path, "--profile", "kaldi", "--remarks", "json"]) == 0
    output = capsys.readouterr()
    recorded = best_of(CASES[name], "wer").partition("]")[0]
    assert output.out.startswith(recorded)
    remarks = [json.loads(line) for line in output.err.splitlines()]
    dropped = [
        remark["fields"]["number"]
        for remark in remarks
        if (remark["code"], remark.get("variant")) == ("DELETED", "kaldi")
    ]
    assert dropped == ([2] if name == "no-stats-missing" else [])


@pytest.mark.parametrize(
    "part", ["scoring", "scoring_kaldi", "scoring_kaldi/"], ids=lambda part: str(part)
)
def test_the_inner_folder_will_do(part: str, folder: Folders) -> None:
    path = folder("early-penalties" if part == "scoring" else "no-stats")
    inner = open_directory(f"{path}/{part}")
    assert list(inner.rates) == list(open_directory(str(path)).rates)
    assert all(check.equal and check.compared for check in inner.checks)
    assert len(inner.checks) == len(open_directory(str(path)).checks)


def test_a_recorded_rate_that_is_not_ours_is_seen(folder: Folders) -> None:
    path = folder("no-stats")
    best = path / "scoring_kaldi/best_wer"
    best.write_text(best.read_text().replace("9 / 49", "8 / 49"))
    [unequal] = [check for check in open_directory(str(path)).checks if not check.equal]
    assert unequal.what == str(best)
    assert unequal.differences[0].recorded.startswith("%WER 18.37 [ 8 / 49")


def without_rates(path: Path) -> Path:
    for file in (*path.glob("wer_*"), *path.glob("scoring_kaldi/best_wer")):
        file.unlink()
    return path


@pytest.mark.parametrize("name", ["no-stats", "early-penalties", "early-numbers"])
def test_without_rates_all_texts_are_scored(
    name: str, folder: Folders, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = open_directory(str(folder(name)))
    names = [weights_of(path.name) for path in folder(name).glob("wer_[0-9]*")]
    path = without_rates(folder(name))
    side = open_directory(str(path))
    assert counts_of(side) == counts_of(recorded)
    [check] = side.checks
    assert check.state == NOT_CHECKED
    rates, is_recorded = rates_of_weights(str(path))
    assert not is_recorded
    assert set(rates) == set(names)
    assert main(["wer", str(path)]) == 0
    output, errors = capsys.readouterr()
    assert says(errors, CHOSEN_WEIGHTS, path=str(path))
    assert_table_of(rates, output)


def assert_table_of(rates: Mapping[tuple[str, ...], str], output: str) -> None:
    """Assert that the output ends with the rates of all weights, one row for each LMWT."""
    _, _, table = output.partition("\nRates of all weights of ")
    _, headings, *rows = table.strip().splitlines()
    penalties = [text for text in headings.split()[1:] if text not in ("penalty", "rate", "%")]
    cells = {}
    for row in rows:
        lmwt, *texts = row.replace("(best)", "").split()
        for penalty, text in zip(penalties or [""], texts, strict=True):
            cells[(lmwt, *filter(None, [penalty]))] = text
    assert cells == rates
    best = min(rates, key=lambda weights: float(rates[weights]))
    assert [row.split()[0] for row in rows if "(best)" in row] == [best[0]]


def test_a_single_text_needs_no_rates(folder: Folders) -> None:
    path = without_rates(folder("no-stats"))
    shutil.rmtree(path / "scoring_kaldi/penalty_0.0")
    for weight in (10, 11):
        (path / f"scoring_kaldi/penalty_0.5/{weight}.txt").unlink()
    side = open_directory(str(path))
    assert (counts_of(side)[:2], side.checks) == ((9, 49), ())


def test_unfiltered_texts_may_have_words(folder: Folders) -> None:
    """A `.tra` file whose words are not numbers needs no table of words."""
    path = folder("early-numbers")
    expected = counts_of(open_directory(str(path)))
    table = path.parent / "graph/words.txt"
    words = {number: word for word, number in map(str.split, table.read_text().splitlines())}
    for file in path.glob("scoring/*.tra"):
        lines = [line.split() for line in file.read_text("utf-8").splitlines()]
        texts = (" ".join([name, *map(words.__getitem__, numbers)]) for name, *numbers in lines)
        file.write_text("".join(f"{text}\n" for text in texts))
    table.unlink()
    assert counts_of(open_directory(str(path))) == expected


def refusal(path: Path) -> str:
    with pytest.raises(EvidenceError) as refused:
        open_directory(str(path))
    assert refused.value.status == 2
    return str(refused.value).replace(f"{path}/", "")


def test_missing_texts_are_named(folder: Folders) -> None:
    path = folder("no-stats")
    (path / "scoring_kaldi/penalty_0.5/9.txt").unlink()
    assert refusal(path) == (
        "scoring_kaldi/penalty_0.5/9.txt: expected the hypotheses of the best weights (those of "
        "scoring_kaldi/best_wer), found no file"
    )
    path = folder("early-penalties")
    (path / "scoring/11.0.0.tra").unlink()
    assert refusal(path) == (
        "scoring/11.0.0.txt: expected the hypotheses of the best weights (those of wer_11_0.0), "
        "found no file"
    )
    path = folder("no-stats-missing")
    (path / "scoring_kaldi/test_filt.txt").unlink()
    (path / "wer_10_0.5").write_text("%WER 15.91 [ 7 / 44, 3 ins, 1 del, 3 sub ]\n")
    assert refusal(path) == (
        "scoring_kaldi: expected the reference test_filt.txt or text.filt or test.txt, found none"
    )
    path = folder("no-stats-of-mbr")
    (path / "scoring_kaldi/best_wer").write_text("%WER 8.16\n")
    assert refusal(path) == (
        "scoring_kaldi/best_wer: expected %WER and the name wer_LMWT_PENALTY, found '%WER 8.16'"
    )


def test_numbers_of_words_need_their_table(folder: Folders) -> None:
    path = folder("early-numbers")
    table = path.parent / "graph/words.txt"
    words = table.read_text("utf-8")
    table.rename(path.parent / "graph/symbols")
    fields = {"where": "exp/tri/graph/words.txt", "table": "scoring/words.txt"}
    assert refusal(path) == f"scoring/9.tra: {Message(NO_WORD_TABLE, fields)}"
    table.write_text(words.replace("was 7\n", ""))
    assert refusal(path) == "scoring/9.tra:4: expected numbers that words.txt lists, found '7'"
    table.write_text(words)
    shutil.rmtree(path / "scoring/log")
    # without the recipe's log its filter is not known, and <UNK> is a word
    assert refusal(path).startswith("scoring/9.tra: expected words with %WER 14.29 [ 7 / 49, 4 ins")


def test_a_table_beside_the_texts_is_read_and_named(
    folder: Folders, capsys: pytest.CaptureFixture[str]
) -> None:
    """The advice to copy the table works, although a folder `graph` without a table is there."""
    path = folder("early-numbers")
    graph = path.parent / "graph"
    tables = {"": graph / "words.txt", "copied": path / "scoring/words.txt"}
    assert main(["wer", str(path)]) == 0
    output, errors = capsys.readouterr()
    assert says(errors, WORD_TABLE, path=str(path), table=str(tables[""]))
    tables[""].rename(tables["copied"])
    assert graph.is_dir()
    assert main(["wer", str(path)]) == 0
    again = capsys.readouterr()
    assert again.out == output
    assert says(again.err, WORD_TABLE, path=str(path), table=str(tables["copied"]))
    # of two graphs with tables none is chosen, but the table beside the texts
    for name in ("graph", "graph_small"):
        (path.parent / name).mkdir(exist_ok=True)
        (path.parent / name / "words.txt").write_text("wrong 1\n")
    shutil.rmtree(path / "scoring/log")
    for rates in path.glob("wer_*"):
        rates.unlink()
    assert main(["wer", str(path)]) == 0
    assert says(capsys.readouterr().err, WORD_TABLE, path=str(path), table=str(tables["copied"]))


def moved_reference(path: Path, root: Path) -> Path:
    """Move the reference of a folder to where the message says that it may be."""
    [original] = [*path.glob("scoring*/test_filt.txt"), *path.glob("scoring*/text.filt")]
    reference = root / "data/test/text"
    reference.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(original, reference)
    return reference


def test_the_best_of_ctm_files_of_several_weights_is_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reference = tmp_path / "ref.stm"
    reference.write_text("a 1 ann 0.0 2.0 hello there you all\n")
    words = {"7": ["hello", "then"], "8": ["hello", "there", "you"], "10": ["hello", "there"]}
    for weight, heard in words.items():
        folder = tmp_path / "decode" / f"score_{weight}"
        folder.mkdir(parents=True)
        lines = [f"a 1 {0.4 * place:.2f} 0.30 {word}\n" for place, word in enumerate(heard)]
        (folder / "dev.ctm").write_text("".join(lines))
        (folder / "dev.ctm.filt").write_text("".join(lines[:1]))
    path = str(tmp_path / "decode")
    assert main(["wer", str(reference), path]) == 0
    output, errors = capsys.readouterr()
    assert output.startswith("%WER 25.00 [ 1 / 4, 0 ins, 1 del, 0 sub ]")
    assert_table_of({("7",): "75.00", ("8",): "25.00", ("10",): "50.00"}, output)
    assert says(errors, CHOSEN_WEIGHTS, path=path)
    # files of different names are no weights of one decoding
    (tmp_path / "decode/score_8/dev.ctm").rename(tmp_path / "decode/score_8/test.ctm")
    assert timed_words_of_weights(path) == {}


def write_decodings(folder: Path, words: Mapping[str, Sequence[Sequence[str]]]) -> None:
    """Write a CTM or a text for each weight of some systems."""
    for system, weights in words.items():
        for lmwt, heard in enumerate(weights, 9):
            timed = folder / "timed" / system / f"score_{lmwt}"
            plain = folder / "plain" / system / "scoring_kaldi/penalty_0.0"
            for place in (timed, plain):
                place.mkdir(parents=True, exist_ok=True)
            lines = [f"a 1 {0.4 * place:.2f} 0.30 {word}\n" for place, word in enumerate(heard)]
            (timed / "dev.ctm").write_text("".join(lines))
            (plain / f"{lmwt}.txt").write_text(f"a-1 {' '.join(heard)}\n")


def write_reference(kind: str) -> tuple[list[str], str]:
    """Write the reference of decodings; return its words and its file."""
    said = ["the", "cat", "sat", "down"]
    name, head = {"timed": ("dev.stm", "a 1 a 0.0 2.0"), "plain": ("text", "a-1")}[kind]
    Path(name).write_text(f"{head} {' '.join(said)}\n")
    return said, name


@each_case("kind", ["timed", "plain"])
@each_case("door", ["compare", "record", "run", "gate"])
def test_a_comparison_chooses_the_best_weights_as_wer_does(
    kind: str,
    door: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    said, reference = write_reference(kind)
    write_decodings(tmp_path, {"old": [said[:1], said[:2], []], "new": [said[:2], said[1:], []]})
    old, new = f"{kind}/old", f"{kind}/new"
    if door == "gate":
        # accepts the old folder, and judges the new one
        suite = Path("suite.toml")
        text = f"history = 'old.db'\n[sets.dev]\nreference = '{reference}'\nhypothesis = '{{}}'\n"
        suite.write_text(text.format(old))
        accepted = ["--author", "me", "--reason", "first"]
        assert main(["gate", "accept", "suite.toml", *accepted]) == 0
        assert says(capsys.readouterr().err, CHOSEN_WEIGHTS, path=old)
        suite.write_text(text.format(new) + "fail-if-significant = true\n")
        assert main(["gate", "suite.toml", "--json", "gate.json"]) == 0
        [judged] = json.loads(Path("gate.json").read_text())["sets"]
        rates = [judged["baseline_value"], judged["new_value"]]
    else:
        baseline = old
        if door != "compare":
            option, baseline = {"record": ("--json", "old.json"), "run": ("--record", "old.db")}[
                door
            ]
            assert main(["wer", reference, old, option, baseline]) == 0
            capsys.readouterr()
        beside = ["-r", reference] if door == "compare" else []
        assert main(["compare", baseline, new, *beside, "--json", "compared.json"]) == 0
        compared = json.loads(Path("compared.json").read_text())["overall"]
        rates = [compared[side]["error_rate"] for side in ("baseline", "new")]
    errors = capsys.readouterr().err
    assert rates == [0.5, 0.25]
    for path in [old, new] if door == "compare" else [new]:
        assert says(errors, CHOSEN_WEIGHTS, path=path)
        weights = {"timed": ("10", "LMWT"), "plain": ("10_0.0", "LMWT_PENALTY")}[kind]
        named = dict(zip(("weights", "names"), weights, strict=True))
        assert says(errors, BEST_WEIGHTS, path=path, **named)


@each_case("kind", ["timed", "plain"])
def test_a_benchmark_ranks_the_best_weights(
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    said, reference = write_reference(kind)
    write_decodings(tmp_path, {"old": [said[:1], said[:2], []], "new": [said[2:3], said[1:], []]})
    Path("bench.toml").write_text(
        f"[sets.dev]\nreference = '{reference}'\n"
        f"[systems.old]\ndev = '{kind}/old'\n[systems.new]\ndev = '{kind}/new'\n"
    )
    assert main(["bench", "bench.toml", "--json", "bench.json"]) == 0
    [ranking] = json.loads(Path("bench.json").read_text())["rankings"]
    rates = {system["system"]: system["macro"] for system in ranking["systems"]}
    assert rates == {"old": 0.5, "new": 0.25}
    errors = capsys.readouterr().err
    for system in rates:
        assert says(errors, CHOSEN_WEIGHTS, path=f"{kind}/{system}")


@each_case("door", ["compare", "gate", "bench"])
def test_a_reference_that_is_named_replaces_that_of_a_folder(
    door: str,
    folder: Folders,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    path = str(folder("details"))
    own = open_directory(path).rates.counts
    [filtered] = Path(path).glob("scoring*/test_filt.txt")
    lines = filtered.read_text().splitlines()
    Path("text").write_text("".join(f"{line} moreover\n" for line in lines))
    assert main(["wer", "text", path, "--json", "wer.json"]) == 0
    [system] = json.loads(Path("wer.json").read_text())["systems"]
    assert system["counts"]["reference_count"] == own.reference_tokens + len(lines)
    assert says(capsys.readouterr().err, OWN_REFERENCE, path=path)
    if door == "bench":
        Path("bench.toml").write_text(
            f"[sets.dev]\nreference = 'text'\n[systems.old]\ndev = '{path}'\n"
        )
        assert main(["bench", "bench.toml", "--json", "out.json"]) == 0
        [ranking] = json.loads(Path("out.json").read_text())["rankings"]
        rates = {ranking["systems"][0]["macro"]}
    elif door == "gate":
        Path("suite.toml").write_text(
            "history = 'old.db'\n[sets.dev]\nfail-if-significant = true\nreference = 'text'\n"
            f"hypothesis = '{path}'\n"
        )
        assert main(["gate", "accept", "suite.toml", "--author", "me", "--reason", "first"]) == 0
        assert main(["gate", "suite.toml", "--json", "out.json"]) == 0
        [judged] = json.loads(Path("out.json").read_text())["sets"]
        rates = {judged["baseline_value"], judged["new_value"]}
    else:
        assert main(["compare", "text", path, path, "--json", "out.json"]) == 0
        total = json.loads(Path("out.json").read_text())["overall"]
        rates = {total[side]["error_rate"] for side in ("baseline", "new")}
    assert rates == {system["rates"]["error_rate"]}
    errors = capsys.readouterr().err
    assert says(errors, OWN_REFERENCE, path=path) or says(errors, OWN_REFERENCES, path=path)


@each_case("kind", ["timed", "plain"])
def test_a_folder_of_both_kinds_has_the_hypotheses_that_fit(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    said, reference = write_reference(kind)
    write_decodings(tmp_path, {"new": [said[:2], said[1:], []]})
    for score in Path("timed/new").iterdir():
        score.rename(Path("plain/new") / score.name.replace("score", "ascore"))
    assert main(["wer", reference, "plain/new"]) == 0
    output, errors = capsys.readouterr()
    assert output.startswith("%WER 25.00")
    weights = {"timed": ("10", "LMWT"), "plain": ("10_0.0", "LMWT_PENALTY")}[kind]
    named = dict(zip(("weights", "names"), weights, strict=True))
    assert says(errors, BEST_WEIGHTS, path="plain/new", **named)


def test_a_meeting_chooses_the_best_weights_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    said, reference = write_reference("timed")
    write_decodings(tmp_path, {"new": [said[:2], said[1:], []]})
    assert main(["wer", reference, "timed/new", "--meeting", "orc"]) == 0
    output, errors = capsys.readouterr()
    assert output.startswith("%WER 25.00 [ 1 / 4,")
    assert says(errors, BEST_WEIGHTS, path="timed/new", weights="10", names="LMWT")


def test_hypotheses_of_several_weights_are_no_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    said, reference = write_reference("timed")
    write_decodings(tmp_path, {"old": [said[:1], said[:2]], "new": [said[:2], said[1:]]})
    for sides in (["wer"], ["compare", "timed/new"]):
        assert main([sides[0], "timed/old", "timed/new", *sides[1:]]) == 2
        assert says(capsys.readouterr().err, REFERENCE_OF_HYPOTHESES)
    for command in (["wer", "timed/old"], ["compare", "timed/old", "timed/new"]):
        assert main(command) == 2
        assert says(capsys.readouterr().err, ONLY_CTM, hypotheses="timed/old")
    assert main(["compare", reference, "timed/old", "timed/new"]) == 0


def test_three_results_are_not_a_reference_and_two_systems(
    folder: Folders,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ("details", "no-stats", "early-texts")
    paths = [str(folder(name).relative_to(tmp_path)) for name in names]
    assert main(["compare", *paths]) == 2
    errors = capsys.readouterr().err
    assert all(path in errors for path in paths), errors
    assert main(["wer", *paths]) == 0


def test_a_folder_in_place_of_its_reference_is_doubted(
    folder: Folders,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    path = folder("details").relative_to(tmp_path)
    [reference] = path.glob("scoring*/test_filt.txt")
    text = Path(shutil.copy(reference, "text"))
    assert main(["wer", str(path), str(text)]) == 0
    fields = {"path": str(text), "reference": str(path)}
    errors = capsys.readouterr().err
    assert says(errors, RESULT_AS_REFERENCE, **fields), errors
    assert not says(errors, BEST_WEIGHTS), "the folder is the reference"
    for sides in ([str(text), str(path)], [str(path)]):
        assert main(["wer", *sides]) == 0
        assert "[SWAPPED]" not in capsys.readouterr().err
    # the recipe dropped a word from the reference in the folder
    lines = reference.read_text().splitlines()
    text.write_text("".join(f"{line} uh\n" for line in lines[:2]) + "\n".join(lines[2:]) + "\n")
    assert main(["wer", str(path), str(text)]) == 0
    assert says(capsys.readouterr().err, FILTERED_AS_REFERENCE, **fields, insertions=2)
    # and a person changed a word, too
    text.write_text(
        text.read_text().replace(" uh\n", " uh\n", 1).replace(lines[0].split()[1], "oh")
    )
    data = Path("data/test")
    data.mkdir(parents=True)
    shutil.copy(text, data / "text")
    assert main(["wer", str(path), "data/test/text"]) == 0
    assert "[SWAPPED]" not in capsys.readouterr().err
    (data / "utt2spk").write_text("")
    assert main(["wer", str(path), "data/test/text"]) == 0
    fields["path"] = "data/test/text"
    assert says(capsys.readouterr().err, DATA_AS_HYPOTHESIS, **fields, folder="data/test")


def test_a_folder_without_a_reference_is_listed_once(
    folder: Folders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from scoring.sides import layouts

    path = without_rates(folder("early-penalties"))
    reference = moved_reference(path, tmp_path)
    listed: list[str] = []
    listdir = os.listdir

    def counted(place: str) -> list[str]:
        listed.append(place.rstrip("/"))
        return listdir(place)

    monkeypatch.setattr(os, "listdir", counted)
    with layouts.cache_listings():
        assert is_without_reference(str(path))
        score_all = partial(score_systems, File(str(reference)), options=Options())
        best_hypothesis(str(path), Options(), {}, score_all)
    within = [place for place in listed if place.startswith(str(path))]
    assert len(within) == len({*within}) > 0, within
    assert layouts.names_in(str(path)) == listdir(path), "not from an earlier listing"


@pytest.mark.parametrize("name", ["no-stats", "early-texts", "early-numbers", "early-penalties"])
def test_the_command_for_a_folder_without_a_reference_works(
    name: str,
    folder: Folders,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    path = without_rates(folder(name)).relative_to(tmp_path)
    alike = ["--like", "kaldi"]
    expected = open_directory(str(path))
    rates, _ = rates_of_weights(str(path))
    reference = moved_reference(path, Path())
    assert main(["wer", str(path)]) == 2
    message = capsys.readouterr().err
    assert says(message, ONLY_HYPOTHESES, hypothesis=str(path))
    [command] = re.findall(r"scoring (wer .+?)\)", message)
    assert command == f"wer {reference} {path}"
    assert main([*command.split(), *alike]) == 0
    output, errors = capsys.readouterr()
    assert counts_in(output) == counts_of(expected)
    assert says(errors, CHOSEN_WEIGHTS, path=str(path))
    assert_table_of(rates, output)
    assert main([*command.split(), *alike, "--plan"]) == 0


def test_recorded_weights_hold_for_another_reference(
    folder: Folders, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder("no-stats")
    expected = open_directory(str(path))
    best = (path / "scoring_kaldi/best_wer").read_text()
    reference = moved_reference(path, tmp_path)
    assert main(["wer", str(reference), str(path), "--like", "kaldi"]) == 0
    output, errors = capsys.readouterr()
    assert counts_in(output) == counts_of(expected)
    weights = best.split()[-1].rpartition("wer_")[2]
    assert says(errors, BEST_WEIGHTS, path=str(path), weights=weights)
    assert errors.count("[KALDI-WEIGHTS]") == 1
    assert_table_of(rates_of_weights(str(path)).rates, output)


def test_a_file_of_word_numbers_is_read_with_the_table_of_its_graph(
    folder: Folders, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder("early-numbers")
    expected = open_directory(str(path))
    weights = BY_NAME["early-numbers"].rpartition("_")[2].strip()
    reference, text = moved_reference(path, tmp_path), path / f"scoring/{weights}.tra"
    table = path.parent / "graph/words.txt"
    command = ["wer", str(reference), str(text)]
    assert main([*command, "--like", "kaldi"]) == 0
    output, errors = capsys.readouterr()
    assert counts_in(output) == counts_of(expected)
    assert says(errors, WORD_TABLE, path=str(text), table=str(table))
    # a named format means that the numbers are the words
    assert main([*command, "--hypothesis-format", "kaldi"]) == 0
    output, errors = capsys.readouterr()
    assert counts_in(output)[0] > counts_of(expected)[0]
    table.rename(tmp_path / "symbols")
    assert main(command) == 2
    assert "[WORD-NUMBERS]" in capsys.readouterr().err
    shutil.copy(tmp_path / "symbols", path / "scoring/words.txt")
    assert main(command) == 0


def test_texts_of_recordings_in_a_folder_scoring_are_no_sweep(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {"1": "so we went", "2": "and then we came"}
    for name in ("reference", "hypothesis/scoring"):
        (tmp_path / name).mkdir(parents=True)
        for recording, text in texts.items():
            (tmp_path / name / f"{recording}.txt").write_text(f"{text}\n")
    sides = [str(tmp_path / name) for name in ("reference", "hypothesis/scoring")]
    assert main(["wer", *sides]) == 0
    output, errors = capsys.readouterr()
    assert counts_in(output) == (0, 7, 0, 0, 0)
    assert "[KALDI-WEIGHTS]" not in errors


def test_filters_that_are_not_applied_are_named(folder: Folders) -> None:
    path = folder("early-numbers")
    log = path / "scoring/log/score.9.log"
    log.write_text(log.read_text("utf-8").replace("sed s:\\<UNK\\>::g", "sed s:.UNK.::g"))
    assert refusal(path).endswith("(the recipe filters them: sed s:.UNK.::g)")
    log.write_text(
        log.read_text("utf-8").replace("s:.UNK.::g", "'s/\\[UH\\]//g' | sed s:\\<UNK\\>::g")
    )
    assert all(check.equal for check in open_directory(str(path)).checks)


def test_whole_penalties_and_blanks_within_words(folder: Folders) -> None:
    """`10.1.tra` has the weights 10 and 1; a no-break space is part of a word."""
    path = folder("early-penalties")
    weights = BY_NAME["early-penalties"].rpartition(" ")[2].split("_")[1:]
    for name in (*path.glob("wer_*"), *path.glob("scoring/*.tra"), *path.glob("scoring/log/*")):
        name.rename(name.with_name(name.name.replace("0.0", "0").replace("0.5", "1")))
    assert weights == ["11", "0.0"]
    side = open_directory(str(path))
    assert counts_of(side) == counts_in(BY_NAME["early-penalties"])
    assert side.checks[0].what == str(path / "wer_11_0")
    for file in (path.parent / "graph/words.txt", path / "scoring/test_filt.txt"):
        text = file.read_text("utf-8")
        file.write_text(
            text.replace("cold", "co\u00a0ld").replace("people", "peo\u3000ple"), "utf-8"
        )
    assert counts_of(open_directory(str(path))) == counts_of(side)


def test_folders_of_numbers_are_nobodys_result(tmp_path: Path) -> None:
    """Texts called 1.txt in a folder `scoring` are no sweep without rates or a reference."""
    folder = tmp_path / "scoring"
    folder.mkdir()
    for number in (1, 2):
        (folder / f"{number}.txt").write_text("u1 a b\n")
    assert not is_result(str(tmp_path))
    assert not is_result(str(folder))
    (folder / "test_filt.txt").write_text("u1 a b\n")
    assert is_result(str(tmp_path))


def test_a_score_names_the_weights_of_its_hypotheses(
    folder: Folders, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder("no-stats")
    assert main(["wer", str(path)]) == 0
    best = (path / "scoring_kaldi/best_wer").read_text()
    weights = best.split()[-1].rpartition("wer_")[2]
    output, errors = capsys.readouterr()
    assert says(errors, BEST_WEIGHTS, path=str(path), weights=weights)
    recorded, is_recorded = rates_of_weights(str(path))
    assert is_recorded
    assert len(recorded) == len(list(path.glob("wer_[0-9]*"))) > 1
    assert recorded[tuple(weights.split("_"))] == best.split()[1]
    assert_table_of(recorded, output)


def test_a_folder_that_lacks_a_side_says_what_to_type(
    folder: Folders,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)  # long paths are shortened in messages
    path = without_rates(folder("no-stats")).relative_to(tmp_path)
    penalty = path / "scoring_kaldi/penalty_0.0"
    assert main(["wer", str(penalty)]) == 2
    assert says(capsys.readouterr().err, PENALTY_FOLDER, folder=str(path))
    (path / "scoring_kaldi/test_filt.txt").unlink()
    for hypotheses in (path, penalty):
        assert main(["wer", str(hypotheses)]) == 2
        assert says(capsys.readouterr().err, ONLY_HYPOTHESES, hypothesis=str(path))
    sums = folder("early-numbers")
    shutil.rmtree(sums / "scoring")
    assert main(["wer", str(sums)]) == 2
    assert says(capsys.readouterr().err, ONLY_RATES, name="wer_9", rate="14.29")
    lattices = Path("lattices")
    lattices.mkdir()
    (lattices / "lat.1.gz").write_bytes(b"")
    assert main(["wer", str(lattices)]) == 2
    assert says(capsys.readouterr().err, ONLY_LATTICES, lattice="lat.1.gz")
    words = {"stm": "r 1 anne 0 2 a b\n", "t.ctm": "r 1 0 1 a\nr 1 1 1 b\n"}
    for weight in (9, 10):
        place = Path(f"decode/score_{weight}")
        place.mkdir(parents=True)
        for file, content in words.items():
            (place / file).write_text(content)
    fields = {"reference": "decode/score_10/stm", "hypotheses": "decode/score_*/t.ctm"}
    for name in ("decode", "decode/score_9"):
        assert main(["wer", name]) == 2
        assert says(capsys.readouterr().err, CTM_FOLDERS, **fields)
    assert main(["wer", fields["reference"], *glob(fields["hypotheses"])]) == 0
    assert capsys.readouterr().out.count("%WER 0.00 ") == 2
    # several folders: each is skipped for the same reason, which names the folder once
    assert main(["wer", str(path), str(lattices), str(folder("early-penalties"))]) == 0
    output, errors = capsys.readouterr()
    assert output.startswith("folder ")
    for skipped in (path, lattices):
        [line] = [line for line in errors.splitlines() if f"{skipped}: " in line]
        assert line.count(f"{skipped}: ") == 1


def test_a_folder_above_results_suggests_those_below(
    folder: Folders, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder("no-stats")
    assert main(["wer", str(path.parent)]) == 2
    assert f"{path.parent}: expected a folder with results, " in capsys.readouterr().err
    empty = tmp_path / "empty"
    empty.mkdir()
    assert main(["wer", str(empty)]) == 2
    assert capsys.readouterr().err.startswith(
        f"scoring wer: error: {empty}: expected a folder with files, found an empty folder\n"
    )
    for name in (f"{path}x", f"{path.parent.parent}/*/{path.name}x"):
        assert main(["wer", name]) == 2
        assert f"(did you mean {path}?)" in capsys.readouterr().err


def test_reports_with_other_best_weights_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    said, reference = write_reference("timed")
    write_decodings(tmp_path, {"a": [said[:3], said[:2]]})
    # a global map completes the second text
    for lmwt, words in ((9, said[:3]), (10, said)):
        folder = Path("timed/a", f"score_{lmwt}")
        lines = [f"a 1 {0.4 * place:.2f} 0.30 {word}\n" for place, word in enumerate(words)]
        (folder / "dev.ctm.filt").write_text("".join(lines))
        hypothesis = f"{folder}/dev.ctm.filt"
        options = ["-r", reference, "stm", "-h", hypothesis, "ctm", "-o", "rsum"]
        assert sclite(options) == 0
    assert main(["wer", reference, "timed/a"]) == 0
    fields = {"path": "timed/a", "best": "9", "names": "LMWT", "recorded": "10"}
    output, errors = capsys.readouterr()
    assert says(errors, OTHER_WEIGHTS, folder="timed/a", **fields)
    assert "%WER 25.00" in output
    # equal rates of reports are no other best weights
    folder = Path("timed/a/score_10")
    for name in ("dev.ctm.filt", "dev.ctm.filt.raw"):
        (Path("timed/a/score_9") / name).write_bytes((folder / name).read_bytes())
    assert main(["wer", reference, "timed/a"]) == 0
    assert not says(capsys.readouterr().err, OTHER_WEIGHTS, folder="timed/a", **fields)


@each_case("option", [("--by", "speaker"), ("--per-speaker",)])
def test_speakers_beside_a_text_of_kaldi_are_read_if_they_are_asked_for(
    option: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()
    Path("data/text").write_text("u1 a b\nu2 c d\n")
    Path("hyp").write_text("u1 a b\nu2 c\n")
    Path("data/utt2spk").write_text("u1 ann\nu2 bob\n")
    assert main(["wer", "data/text", "hyp", *option]) == 0
    output, errors = capsys.readouterr()
    path = str(Path("data/utt2spk"))
    assert says(errors, SPEAKERS_BESIDE, path=path, reference="data/text")
    assert [line.split()[0] for line in output.splitlines() if line[:3] in ("ann", "bob")] == [
        "ann",
        "bob",
    ]
    # not for another file, and not unless it is asked for
    Path("data/text").rename("data/ref")
    assert main(["wer", "data/ref", "hyp", *option]) == 0
    assert "bob" not in capsys.readouterr().out
