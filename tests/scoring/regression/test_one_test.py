"""Rankings, `compare`, `bench` and `history` test a pair alike; intervals contain their estimates."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoring
from scoring.cli.scoring import main
from scoring.drawing.blocks import Lead
from scoring.regression.comparison import SignificanceTest
from scoring.regression.equivalence import verdict_of
from scoring.regression.lead import lead_of
from scoring.regression.ranking import rank
from scoring.regression.significance import TestName
from scoring.regression.task_figures import ERROR_RATE
from scoring.regression.verdict import significance_of
from scoring.stats.deciding import SIGNIFICANCE, is_significant
from tests.scoring.score.test_schema import check

DEMO = Path(__file__).parents[3] / "resources" / "demo"
WORDS = ["a", "b", "c", "d", "e", "f", "g", "h"]


class Pair:
    """A reference and two systems as trn files, and what the commands say of them."""

    def __init__(self, folder: Path, texts: dict[str, str]) -> None:
        self.folder = folder
        self.paths = {name: str(folder / f"{name}.trn") for name in texts}
        for name, text in texts.items():
            Path(self.paths[name]).write_text(text)
        plan = f'[sets.s]\nreference = "{self.paths["ref"]}"\n'
        plan += "".join(
            f'[systems.{name}]\ns = "{self.paths[name]}"\n' for name in texts if name != "ref"
        )
        (folder / "plan.toml").write_text(plan)

    def json(self, command: str, *arguments: str, schema: str = "") -> Any:
        """What a command writes as JSON."""
        path = self.folder / "out.json"
        assert main([command, *arguments, "--json", str(path), "--quiet"]) == 0
        return check(path, schema) if schema else json.loads(path.read_text())

    def ranking(self, *options: str) -> Any:
        """The ranking of both systems."""
        files = [self.paths[name] for name in ("ref", "old", "new")]
        return self.json("wer", *files, *options, schema="error-rates-1.json")["ranking"]

    def comparison(self, *options: str) -> Any:
        """The comparison of both systems."""
        files = [self.paths[name] for name in ("ref", "old", "new")]
        return self.json("compare", *files, *options, schema="comparison-1.json")

    def bench(self, *options: str) -> Any:
        """The ranking of both systems on one set."""
        plan = str(self.folder / "plan.toml")
        return self.json("bench", plan, *options, schema="benchmark-1.json")["rankings"][0]


def _random(speakers: int, utterances: int, seed: int) -> dict[str, str]:
    """Texts of two systems; the first half of the speakers got worse."""
    random = np.random.default_rng(seed)
    texts: dict[str, list[str]] = {"ref": [], "old": [], "new": []}
    for speaker in range(speakers):
        for number in range(utterances):
            words = random.choice(WORDS, 6)
            name = f"(s{speaker}-{number})"
            wrong = {"ref": 0.0, "old": 0.1, "new": 0.3 if 2 * speaker < speakers else 0.05}
            for side, share in wrong.items():
                said = [w if random.random() >= share else "x" for w in words]
                texts[side].append(f"{' '.join(said)} {name}\n")
    return {side: "".join(rows) for side, rows in texts.items()}


def _demo() -> dict[str, str]:
    names = {"ref": "reference", "old": "baseline", "new": "improved"}
    return {side: (DEMO / f"{name}.trn").read_text() for side, name in names.items()}


CASES = {
    "demo": _demo(),
    "speakers": _random(8, 10, 1),
    "two-speakers": _random(2, 20, 2),
    "few": _random(1, 9, 4),
    "equal": dict.fromkeys(("ref", "old", "new"), "a b (s-1)\nc d (s-2)\n"),
}


@pytest.fixture(params=CASES)
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Pair:
    return Pair(tmp_path, CASES[request.param])


@pytest.mark.share(3)
@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "matched-pairs", "mcnemar"])
@pytest.mark.parametrize("block", ["auto", "utterance"])
def test_commands_test_a_pair_alike(pair: Pair, test: str, block: str) -> None:
    options = ("--test", test, "--block", block, "--replications", "500")
    ranking, comparison = pair.ranking(*options), pair.comparison(*options)
    [ranked] = ranking["pairs"]
    deciding = comparison["tests"][0]
    assert (ranking["test"], deciding["name"]) == (test, test)
    assert ranked["p_value"] == deciding["p_value"]
    summary = {
        "change": 0.1,
        "baseline_value": 0.1,
        "new_value": 0.2,
        "interval": None,
        "p_value": deciding["p_value"],
    }
    summary["verdict"] = verdict_of(summary, SIGNIFICANCE, ERROR_RATE)
    assert ranked["differ"] == lead_of(summary).text.count("not chance")
    if comparison["difference"] is not None and test in ("randomisation", "bootstrap"):
        assert ranking["tested_by"] == comparison["difference"]["block"]
        [benched] = pair.bench(*options)["pairs"]
        assert (benched["p_value"], benched["differ"]) == (ranked["p_value"], ranked["differ"])


def test_history_tests_a_pair_alike(pair: Pair, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(pair.folder / "runs.db")
    for name in ("old", "new"):
        files = pair.paths["ref"], pair.paths[name]
        assert main(["wer", *files, "--record", store, "--quiet"]) == 0
    capsys.readouterr()
    [ranked] = pair.ranking("--replications", "500")["pairs"]
    for command in (["compare", store, "1", "2"], ["trend", store]):
        assert main(["history", *command, "--replications", "500"]) == 0
        shown = capsys.readouterr().out
        assert f"{ranked['p_value']:.4f}" in shown or "p < 0.0001" in shown


@pytest.mark.parametrize("test", [None, "matched-pairs"])
def test_verdicts_have_their_p_value(
    test: TestName | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = Pair(tmp_path, CASES["few"])
    files = [pair.paths[name] for name in ("ref", "old", "new")]
    markdown, page = tmp_path / "out.md", tmp_path / "out.html"
    options = ["--markdown", str(markdown), "--html", str(page)]
    options += [] if test is None else ["--test", test]
    assert main(["wer", *files, *options]) == 0
    [ranked] = pair.ranking(*options[4:])["pairs"]
    assert not ranked["differ"]
    shown = f"(p = {ranked['adjusted_p_value']:.4f})"
    for text in (capsys.readouterr().out, markdown.read_text(), page.read_text()):
        assert shown in text
    assert main(["bench", str(tmp_path / "plan.toml"), "--markdown", str(markdown)]) == 0
    sentence = capsys.readouterr().out.splitlines()[0]
    assert re.search(r"not significantly better than \w+ \(p = 0\.\d{4}\)$", sentence)


def test_speakers_are_exchanged_where_they_matter(tmp_path: Path) -> None:
    pair = Pair(tmp_path, CASES["speakers"])
    assert pair.ranking()["tested_by"] == "speaker"
    assert pair.comparison()["tests"][0]["reason"] == "all 256 exchanges"
    assert pair.ranking("--block", "utterance")["tested_by"] == "utterance"


def _intervals(value: Any, path: str = "$") -> list[tuple[str, dict[str, Any]]]:
    """Every interval of a document with the object that holds it."""
    if isinstance(value, list):
        return [item for n, part in enumerate(value) for item in _intervals(part, f"{path}[{n}]")]
    if not isinstance(value, dict):
        return []
    own = [(path, value)] if "low" in value and "high" in value else []
    return own + [item for key, part in value.items() for item in _intervals(part, f"{path}.{key}")]


def test_intervals_contain_their_estimates(pair: Pair) -> None:
    options = ("--replications", "200")
    files = [pair.paths[name] for name in ("ref", "old", "new")]
    document = pair.json("wer", *files, "--confidence-interval", *options)
    for row in document["ranking"]["systems"]:
        assert row["interval"]["low"] <= row["error_rate"] <= row["interval"]["high"]
    for system in document["systems"]:
        interval, rate = system["interval"], system["rates"]["error_rate"]
        assert interval["low"] <= rate <= interval["high"]
    for row in pair.bench(*options)["systems"]:
        assert row["macro_interval"]["low"] <= row["macro"] <= row["macro_interval"]["high"]
    difference = pair.comparison(*options)["difference"]
    assert difference["low"] <= difference["estimate"] <= difference["high"]
    found = _intervals([document, pair.bench(*options), pair.comparison(*options)])
    assert len(found) >= 9
    assert all("flag" in interval for _, interval in found)


def test_a_p_value_at_the_level_is_significant() -> None:
    result = SignificanceTest("randomisation", 0.05, None, "")
    assert significance_of(result, 0.05).is_significant
    assert significance_of(result, 0.05).text == "p = 0.0500, at most 0.05; randomisation"
    assert not significance_of(result, 0.0499).is_significant
    assert [is_significant(value) for value in (0.05, 0.0501, None)] == [True, False, False]


def test_pairs_are_tested_in_one_place() -> None:
    """Rankings take tests, p-values and their text from `scoring.regression.pair_tests`."""
    folder = Path(scoring.__file__).parent / "regression"
    rankings = [folder / "ranking.py", folder / "bench" / "ranking.py", folder / "bench/pages.py"]
    pattern = re.compile(r"\b(decide|holm|is_significant|p_text|at_least|exchange_differences)\b")
    assert not [path for path in rankings if pattern.search(path.read_text("utf-8"))]
    assert all("pair_tests" in path.read_text("utf-8") for path in rankings[:2])


def _of_four(speakers: int) -> dict[str, str]:
    """Four systems: two that are even over the speakers, one that varies, and one almost right."""
    random = np.random.default_rng(7)
    texts: dict[str, list[str]] = {name: [] for name in ("ref", "best", "a", "b", "varied")}
    for speaker in range(speakers):
        for number in range(12):
            words = random.choice(WORDS, 8)
            varied = 0.3 if speaker % 2 else 0.01
            shares = {"ref": 0.0, "best": 0.002, "a": 0.1, "b": 0.14, "varied": varied}
            for name, share in shares.items():
                said = [word if random.random() >= share else "x" for word in words]
                texts[name].append(f"{' '.join(said)} (s{speaker}-{number})\n")
    return {name: "".join(rows) for name, rows in texts.items()}


@pytest.mark.parametrize(("speakers", "unit"), [(7, "utterance"), (12, "speaker")])
def test_a_table_has_one_unit(tmp_path: Path, speakers: int, unit: str) -> None:
    """Six pairs need eight speakers; with fewer, all of them exchange utterances."""
    texts = _of_four(speakers)
    pair = Pair(tmp_path, texts)
    systems = [name for name in texts if name != "ref"]
    files = [pair.paths[name] for name in texts]
    ranking = pair.json("wer", *files, schema="error-rates-1.json")["ranking"]
    assert ranking["tested_by"] == unit
    assert ranking["design_effect"] > 1
    assert {system["interval"]["block"] for system in ranking["systems"]} == {"speaker"}
    results = [scoring.wer(tmp_path / "ref.trn", tmp_path / f"{name}.trn") for name in systems]
    table = scoring.paper_table(results)
    assert table.blocks == (unit,)
    best = {ranking["systems"][0]["hypothesis"], *ranking["systems"][0]["no_clear_difference_from"]}
    marked = {
        name for name, cell in zip(files[1:], table.columns[0].cells, strict=True) if cell.differs
    }
    assert {*files[1:]} - marked == best


def test_the_marks_of_a_benchmark_follow_its_ranks(tmp_path: Path) -> None:
    """Sets and their mean are tested by one unit; with one set, marks and ranks are the same."""
    texts = _of_four(7)
    pair = Pair(tmp_path, texts)
    systems = [name for name in texts if name != "ref"]
    ranking = pair.bench()
    assert "by utterance (design effect" in ranking["method"]
    assert "best on s: exact Poisson limits" in ranking["method"]
    latex = tmp_path / "t.tex"
    assert main(["bench", str(tmp_path / "plan.toml"), "--latex", str(latex), "--quiet"]) == 0
    rows = [
        line for line in latex.read_text().splitlines() if line.lstrip().startswith((*systems,))
    ]
    for row, system in zip(rows, ranking["systems"], strict=True):
        mean, of_set = row.split("&")[1:]
        assert ("*" in mean) == ("*" in of_set) == (system["ranks"][0] > 1)


def test_sets_that_are_one_have_the_test_of_that_set(tmp_path: Path) -> None:
    """Two equal halves: the mean of their rates is the rate, and the p-values are close."""
    half = Pair(tmp_path, _random(4, 40, 7))
    plan = tmp_path / "halves.toml"
    lines, text = {}, ""
    for name, path in half.paths.items():
        lines[name] = Path(path).read_text().splitlines(keepends=True)
    for number in (0, 1):
        for name, rows in lines.items():
            (tmp_path / f"{name}{number}.trn").write_text("".join(rows[80 * number :][:80]))
        text += f'[sets.s{number}]\nreference = "ref{number}.trn"\n'
    for name in ("old", "new"):
        text += f"[systems.{name}]\n"
        text += "".join(f's{number} = "{name}{number}.trn"\n' for number in (0, 1))
    plan.write_text(text)
    [ranked] = half.ranking("--block", "utterance")["pairs"]
    options = ("--block", "utterance", "--json", str(tmp_path / "b.json"), "--quiet")
    for test in ("randomisation", "bootstrap"):
        assert main(["bench", str(plan), *options, "--test", test]) == 0
        [pair] = json.loads((tmp_path / "b.json").read_text())["rankings"][0]["pairs"]
        assert pair["differ"] == ranked["differ"]
        assert abs(pair["p_value"] - ranked["p_value"]) < 0.02


def test_the_level_is_compared_in_one_place() -> None:
    folder = Path(scoring.__file__).parent
    pattern = re.compile(
        r"p_value\s*[<>]=?|adjusted\s*[<>]=?\s*(self\.)?level|[<>]=?\s*SIGNIFICANCE"
    )
    paths = [
        path for room in ("regression", "cli/regression") for path in (folder / room).rglob("*.py")
    ]
    assert len(paths) > 30
    assert not [path.name for path in paths if pattern.search(path.read_text("utf-8"))]


def test_python_ranks_by_any_test() -> None:
    old = scoring.wer(["a b c"] * 9, ["a x y"] * 8 + ["a b c"])
    new = scoring.wer(["a b c"] * 9, ["a b y"] + ["a b c"] * 8)
    default, chosen = rank([old, new]), rank([old, new], test="mcnemar")
    assert (default.test, default.how) == ("randomisation", "randomisation by utterance")
    assert (chosen.test, chosen.how) == ("mcnemar", "mcnemar")
    assert default.pairs[0].p_value != chosen.pairs[0].p_value


def test_a_bound_that_rounds_to_zero_has_no_minus() -> None:
    interval = {"low": -0.00004, "high": 0.02, "level": 0.95}
    summary: dict[str, object] = {"change": 0.01, "baseline_value": 0.1, "new_value": 0.11}
    summary |= {"verdict": "cannot tell", "interval": interval, "p_value": 0.06}
    text = "worse by 1.00 points (10.00 % to 11.00 %), 95 % interval 0.00 to 2.00; may be chance"
    assert lead_of(summary).text == f"Cannot tell: {text} (p = 0.0600)"
    # a condition of a gate decides
    assert lead_of(summary, is_failed=True) == Lead(f"Fails: {text} (p = 0.0600)", False)
