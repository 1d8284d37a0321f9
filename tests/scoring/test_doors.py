"""One question, one answer: every door scores by the same plan.

Each case is a set of options on a kind of data. The command, Python, JSON, records with `compare`,
`merge`, `history`, `bench`, the service, the page, engines, frames, notebooks, n-best lists and
`--plan` give the same counts, rate and signature; an interval contains its estimate, and all divide
by the same number. `tests/scoring/score/engines/test_clusters.py` asks Spark and Ray.
"""

import csv
import html
import json
import re
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pytest
from pyarrow import parquet

import scoring
from formats.schema.errors import FormatError
from scoring.cli.scoring import main
from scoring.model.errors import ScoringError
from scoring.options import Options, flag_name, options_that
from scoring.regression.history import History
from scoring.regression.opening import words_of
from scoring.score import score, score_systems
from scoring.score.messages import SHARED_CUT
from scoring.score.oracle import oracle
from scoring.score.rates import ErrorRates
from scoring.serve.browser.tasks import OPTIONS as OF_PAGE
from scoring.serve.browser.tasks import answer, packed, unpacked
from scoring.serve.measures import WER
from scoring.serve.methods import Methods
from scoring.sides.given import File
from tests.formats.checks import message_text
from tests.scoring.option_cases import write_files
from tests.scoring.test_option_laws import flags_of

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "resources/demo"
METHODS = Methods()
KINDS = ("correct", "substitutions", "deletions", "insertions")
ROWS = [
    ("u1", "The cat sat on the mat.", "the cat sat on a mat"),
    ("u2", "It's 50 degrees", "it is fifty degrees"),
    ("u3", "We met there", None),
    ("u4", "a white paper", "a whitepaper"),
]
OPTIONS: tuple[Mapping[str, Any], ...] = (
    {},
    *({"profile": name} for name in ("sclite", "levenshtein", "jiwer", "kaldi", "align-text")),
    *({"profile": name} for name in ("bias-fbai", "mr-wer", "fstalign")),
    *({"unit": name} for name in ("char", "char+space", "grapheme", "mixed", "mixed+thai")),
    {"ignore_case": True},
    *({"normalize": name} for name in ("plain", "casefold", "punctuation", "numbers")),
    *({"normalize": name} for name in ("fillers:policy=ignore", "contractions")),
    {"normalize": ["plain", "numbers"]},
    *({"merge_compounds": name} for name in ("words", "any", "regions")),
    *({"missing": name} for name in ("delete", "skip", "error")),
    {"clip_rate": True},
    {"forgive_optional": True},
    {"allow_unmatched": True},
    {"variants": True},
    {"cut": "alignment"},
    {"measures": ["loops"]},
    {"text_view": "display"},
    *({"like": name} for name in ("kaldi", "jiwer", "wenet")),
    {"unit": "char", "profile": "levenshtein", "ignore_case": True},
    {"unit": "mixed", "normalize": "plain"},
    {"profile": "kaldi", "missing": "skip"},
    {"normalize": "plain", "merge_compounds": "any", "ignore_case": True},
    {"unit": "char+space", "profile": "jiwer", "normalize": "casefold"},
    {"clip_rate": True, "unit": "char", "missing": "delete"},
    {"profile": "levenshtein", "forgive_optional": True, "variants": True},
)


class Data(NamedTuple):
    """Files, and the options that the kind of data needs."""

    files: tuple[str, ...]
    options: Mapping[str, Any] = {}


DATA = {
    "demo": Data(("demo_ref.trn", "demo_hyp.trn")),
    "folder": Data(("folder",)),
    "captions": Data(("call.srt", "svc.json")),
    "meeting": Data(("ref.stm", "hyp.stm"), {"meeting": "cp"}),
    "table": Data(("rows.parquet",)),
    "sheet": Data(("rows.csv",)),
}
# Rows that have both sides.
TABLES = ("table", "sheet")


def cases_of(turn: int | None = None, but: Container[str] = ()) -> pytest.MarkDecorator:
    """Cases of all kinds of data with all options; in a turn, two kinds for each option.

    Every option, and every kind of data, is in every turn; in three turns, each two have met. That
    is for doors that follow another one, or whose commands take most of the time: others try all.
    """
    kinds = [kind for kind in DATA if kind not in but]
    return pytest.mark.parametrize(
        ("name", "options"),
        [
            pytest.param(
                kind, options, id=f"{kind} {' '.join(f'{k}={v}' for k, v in options.items())}"
            )
            for place, kind in enumerate(kinds)
            for number, options in enumerate(OPTIONS)
            if turn is None or (number + turn - place) % 3 == 0
        ],
    )


RESULTS: dict[tuple[str, str], ErrorRates | None] = {}
each_case = cases_of()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("doors")
    write_files(folder)
    for name, source in (("ref", "reference"), ("hyp", "baseline")):
        lines = (DEMO / f"{source}.trn").read_text().splitlines(keepends=True)[:12]
        (folder / f"demo_{name}.trn").write_text("".join(lines))
    write_kaldi_folder(folder / "folder")
    names = ("id", "text", "pred_text")
    rows = [dict(zip(names, row, strict=True)) for row in ROWS]
    parquet.write_table(pa.Table.from_pylist(rows), folder / "rows.parquet")
    for number, part in enumerate((rows[:1], rows[1:]), 1):
        parquet.write_table(pa.Table.from_pylist(part), folder / f"part{number}.parquet")
    with (folder / "rows.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *ROWS])
    return folder


def write_kaldi_folder(folder: Path) -> None:
    """Write the texts of some utterances of a Kaldi folder, without what Kaldi says of all."""
    source = DEMO / "kaldi_baseline"
    for name in ("utt2spk", "scoring_kaldi/test_filt.txt", "scoring_kaldi/penalty_0.0/8.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        lines = (source / name).read_text().splitlines(keepends=True)
        (folder / name).write_text("".join(lines[:12]))


@pytest.fixture
def folder(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(shared)
    return shared


def test_enough_is_asked() -> None:
    assert len({json.dumps(options) for options in OPTIONS}) == len(OPTIONS) >= 40


def choices_of(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    return {**DATA[name].options, **options}


def numbers(rates: ErrorRates) -> tuple[Any, ...]:
    """What every door has to answer."""
    return (*rates.counts, rates.length, rates.corpus_rate, rates.signature)


def numbers_of(system: Mapping[str, Any]) -> tuple[Any, ...]:
    counts = system["counts"]
    return (
        *(counts[kind] for kind in KINDS),
        # what the rate divides by
        round(counts["errors"] / counts["error_rate"])
        if counts["error_rate"]
        else counts["reference_count"],
        system["rates"]["error_rate"],
        system["signature"],
    )


def by_python(name: str, options: Mapping[str, Any]) -> ErrorRates | None:
    """The result in Python, computed once for all doors; None if it is refused."""
    asked = name, json.dumps(options)
    if asked not in RESULTS:
        RESULTS[asked] = scored(name, options)
    return RESULTS[asked]


def scored(name: str, options: Mapping[str, Any]) -> ErrorRates | None:
    files, choices = DATA[name].files, choices_of(name, options)
    try:
        chosen = Options(**choices)
        if name == "folder":
            reference, hypothesis = words_of("folder", chosen)
            return score(reference, hypothesis, chosen)
        if name == "table":
            sides = pa.array([row[1] for row in ROWS]), pa.array([row[2] for row in ROWS])
            return score(*sides, chosen)
        if name == "sheet":
            given = [File(files[0], options={"field": side}) for side in ("text", "pred_text")]
            return score(given[0], given[1], chosen)
        return score(File(files[0]), File(files[1]), chosen)
    except (ValueError, ScoringError, FormatError, ImportError):
        return None


def command_of(name: str, options: Mapping[str, Any]) -> list[str]:
    more = ["--reference-column", "text"] if name in TABLES else []
    return ["wer", *DATA[name].files, *more, *flags_of(choices_of(name, options))]


def answer_of(path: Path) -> tuple[Any, ...]:
    [system] = json.loads(path.read_bytes())["systems"]
    return numbers_of(system)


@pytest.mark.share(7)
@each_case
def test_the_command_json_and_the_interval_are_those_of_python(
    name: str, options: dict[str, Any], folder: Path, tmp_path: Path
) -> None:
    rates, path = by_python(name, options), tmp_path / "a.json"
    flags = ["--replications", "50", "--confidence-interval", "--json", str(path)]
    status = main([*command_of(name, options), *flags])
    if rates is None:
        assert status == 2
        return
    assert status in (0, 3)
    [system] = json.loads(path.read_bytes())["systems"]
    assert numbers_of(system) == numbers(rates)
    assert system["rates"]["error_rate"] == rates.counts.errors / rates.length
    interval = system["interval"]
    # one session has no interval
    if "low" in interval:
        assert interval["low"] <= system["rates"]["error_rate"] <= interval["high"]
    # the utterances of a table, and its rows
    assert (
        sum(row["errors"] if "errors" in row else _errors(row) for row in system["utterances"])
        == rates.counts.errors
    )


@pytest.mark.share(7)
@cases_of(2)
def test_the_plan_names_the_rules_of_the_score(
    name: str, options: dict[str, Any], folder: Path, tmp_path: Path
) -> None:
    rates, path = by_python(name, options), tmp_path / "plan.json"
    command = [*command_of(name, options), "--plan", "--json", str(path)]
    status = main(command)
    if rates is None:
        # files that cannot be aligned may still be planned
        assert status in (0, 2)
        return
    assert status == 0
    planned = json.loads(path.read_bytes())
    [system] = planned["systems"]
    assert system["signature"] == rates.signature
    # a record says the same of what decided each rule
    sources = {row["option"]: row["source"] for row in planned["options"]}
    for option, source in rates.to_dict()["sources"].items():
        assert sources.get(flag_name(option), source) == source
    moving = {name for name in options if name in options_that(moves=True)} - {"measures"}
    assert set(map(flag_name, moving)) <= sources.keys()
    if name != "table":
        return
    assert main([*command, "--engine", "local"]) in (0, 2)
    [system] = json.loads(path.read_bytes())["systems"]
    assert system["signature"] == rates.signature


@pytest.mark.share(7)
@cases_of(0)
def test_the_notebook_agrees(name: str, options: dict[str, Any], folder: Path) -> None:
    rates = by_python(name, options)
    if rates is None:
        pytest.skip("nothing to show")
    head, row, *rest = str(rates).splitlines()
    shown = dict(zip(head.replace("WER %", "rate").split(), row.split(), strict=False))
    assert [int(shown[kind]) for kind in KINDS] == list(rates.counts)
    assert f"signature: {rates.signature}" in rest
    page = rates._repr_html_()
    assert rates.signature in html.unescape(page)
    assert all(f">{number}<" in page for number in rates.counts)


@pytest.mark.share(5)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_lists_of_one_hypothesis_agree(options: dict[str, Any], folder: Path) -> None:
    sides = [{row[0]: row[1] for row in ROWS}, {row[0]: row[2] or "" for row in ROWS}]
    try:
        rates = score(sides[0], sides[1], Options(**options))
    except (ValueError, ScoringError, ImportError):
        pytest.skip("nothing to score")
    try:
        best = oracle(
            sides[0], {name: [text] for name, text in sides[1].items()}, Options(**options)
        )
    except (ValueError, ScoringError) as problem:
        pytest.skip(f"not for lists: {problem}")
    assert numbers(best.first) == numbers(rates)
    assert best.oracle_errors == rates.counts.errors
    assert best.words == rates.counts.reference_tokens


def _errors(row: Mapping[str, int]) -> int:
    return sum(row[kind] for kind in ("substitutions", "deletions", "insertions"))


@pytest.mark.share(7)
@cases_of(0)
def test_records_with_compare_history_and_shards_agree(
    name: str, options: dict[str, Any], folder: Path, tmp_path: Path
) -> None:
    rates = by_python(name, options)
    if rates is None:
        pytest.skip("nothing to record")
    command = command_of(name, options)
    record, runs, compared = (tmp_path / text for text in ("r.json", "runs.db", "c.json"))
    assert main([*command, "--json", str(record), "--record", str(runs)]) in (0, 3)
    with History(runs) as history:
        [run] = history.runs()
        [again] = history.document(run).systems
    assert numbers(again) == numbers(rates)
    other = DATA[name].files[-1]
    flags = ["--replications", "40", "--json", str(compared)]
    assert main(["compare", str(record), other, *flags]) == 0
    total = json.loads(compared.read_bytes())["overall"]
    assert total["baseline"] == total["new"]
    assert total["new"]["errors"] == rates.counts.errors
    parts = [str(tmp_path / f"{part}.json") for part in (1, 2)]
    for number, part in enumerate(parts, 1):
        assert main([*command, "--shard", f"{number}/2", "--shard-output", part]) == 0
    merged = tmp_path / "m.json"
    assert main(["merge", *parts, "--json", str(merged)]) in (0, 3)
    assert answer_of(merged) == numbers(rates)


@pytest.mark.share(7)
@cases_of(1)
def test_bench_agrees(name: str, options: dict[str, Any], folder: Path, tmp_path: Path) -> None:
    rates = by_python(name, options)
    if rates is None:
        pytest.skip("nothing to score")
    recipe = options.get("like")
    text = f'recipes = ["{recipe}"]\n' if recipe else ""
    rest = {key: value for key, value in choices_of(name, options).items() if key != "like"}
    text += "[options]\n" + "".join(f"{key} = {json.dumps(rest[key])}\n" for key in rest)
    # a folder, or a table, has both sides
    text += f'[sets.a]\nreference = "{folder}/{DATA[name].files[0]}"\n'
    text += f'[systems.s]\na = "{folder}/{DATA[name].files[-1]}"\n'
    (tmp_path / "plan.toml").write_text(text)
    output = tmp_path / "b.json"
    flags = ["--replications", "40", "--json", str(output)]
    assert main(["bench", str(tmp_path / "plan.toml"), *flags]) == 0
    with History(tmp_path / "plan.db") as history:
        [run] = history.runs()
        assert run.errors_and_tokens == (rates.counts.errors, rates.length)
        assert run.summary["signature"] == rates.signature


def texts_of(path: Path) -> dict[str, str]:
    """The texts of a trn file, by identifier."""
    rows = (line.rpartition(" (") for line in path.read_text().splitlines())
    return {name.removesuffix(")"): text for text, _, name in rows}


@pytest.mark.share(7)
@pytest.mark.parametrize("name", ["demo", "table"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_service_agrees(name: str, options: dict[str, Any], folder: Path) -> None:
    parameters = {row.name for row in WER}
    if not options.keys() <= parameters:
        pytest.skip("an option of files")
    sides = [{row[0]: row[1] for row in ROWS}, {row[0]: row[2] for row in ROWS if row[2]}]
    if name == "demo":
        sides = [texts_of(folder / path) for path in DATA[name].files]
    try:
        rates = score(sides[0], sides[1], Options(**options))
    except (ValueError, ScoringError, ImportError):
        pytest.skip("nothing to score")
    given = {"reference": sides[0], "hypothesis": sides[1], **options}
    answered = METHODS("wer", {**given, "confidence_interval": True, "replications": 50})
    assert numbers_of(answered) == numbers(rates)
    interval = answered["interval"]
    assert interval["low"] <= answered["rates"]["error_rate"] <= interval["high"]


@pytest.mark.share(7)
@cases_of(1, but=("folder", "table"))
def test_the_page_agrees(name: str, options: dict[str, Any], folder: Path, tmp_path: Path) -> None:
    choices = choices_of(name, options)
    plain = all(isinstance(value, str) or value is True for value in choices.values())
    rates = by_python(name, options)
    if rates is None or not plain or not choices.keys() <= {*OF_PAGE}:
        pytest.skip("the page lacks this")
    files = DATA[name].files
    contents = {path: (folder / path).read_bytes() for path in files}
    request = {
        "task": "score",
        "reference": files[0],
        "hypotheses": [files[-1]],
        "report": "json",
        "choices": [(key, "true" if value is True else value) for key, value in choices.items()],
    }
    record, outputs = unpacked(answer(packed(request, contents)))
    assert record["status"] in (0, 3), record
    path = tmp_path / "page.json"
    path.write_bytes(outputs["report.json"])
    assert answer_of(path) == numbers(rates)


@pytest.mark.share(7)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_engines_and_frames_agree(options: dict[str, Any], folder: Path, tmp_path: Path) -> None:
    rates = by_python("table", options)
    output = tmp_path / "engine.json"
    status = main([*command_of("table", options), "--engine", "local", "--json", str(output)])
    # rows of a table have no variants, and nothing that is cut
    assert (status == 2) == (rates is None or not options.keys().isdisjoint({"variants", "cut"}))
    if rates is None or status == 2:
        return
    assert status == 0
    document = json.loads(output.read_bytes())
    assert document["signature"] == rates.signature
    assert document["counts"]["errors"] == rates.counts.errors
    # parts that are merged, a run of a history, and baselines without utterances
    parts, runs = [str(tmp_path / f"{number}.json") for number in (1, 2)], str(tmp_path / "runs.db")
    for number, path in enumerate(parts, 1):
        command = ["wer", f"part{number}.parquet", *command_of("table", options)[2:]]
        assert main([*command, "--engine", "local", "--json", path]) == 0
    merged = tmp_path / "m.json"
    assert main(["merge", *parts, "--json", str(merged), "--record", runs]) == 0
    total = json.loads(merged.read_bytes())
    assert (total["signature"], total["counts"]) == (rates.signature, document["counts"])
    with History(runs) as history:
        [run] = history.runs()
    assert run.errors_and_tokens == (rates.counts.errors, rates.length)
    assert run.summary["signature"] == rates.signature
    compared, record = tmp_path / "c.json", tmp_path / "r.json"
    assert main([*command_of("table", options), "--json", str(record)]) in (0, 3)
    for baseline in (output, record):
        assert main(["compare", str(baseline), str(output), "--json", str(compared)]) == 0
        total = json.loads(compared.read_bytes())["overall"]
        assert total["baseline"]["errors"] == total["new"]["errors"] == rates.counts.errors
    measure = "cer" if rates.rules.unit in ("char", "char+space", "grapheme") else "wer"
    table = parquet.read_table("rows.parquet")
    rules = {**options, "measures": [measure, *options.get("measures", ())]}
    scored = scoring.score_columns(table, keep=[], **rules)
    frame = scored.to_arrow()
    assert scored.counts[measure] == rates.counts
    assert frame.num_rows == len(ROWS)


def test_one_ranking_has_one_signature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Words with times beside captions of the same words: both are cut in the same way."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    captions = "1\n00:00:00,200 --> 00:00:03,900\nGood evening to you Thank you very very much er\n"
    captions += "\n2\n00:00:05,100 --> 00:00:05,900\nWe met There\n"
    (tmp_path / "talk.srt").write_text(captions)
    systems = score_systems(File("ref.stm"), [File("hyp.ctm"), File("talk.srt")], Options())
    assert len({rates.signature for rates in systems}) == 1
    assert systems[0].counts == systems[1].counts
    alone = score(File("ref.stm"), File("talk.srt"), Options())
    assert alone.signature == systems[1].signature
    assert main(["compare", "ref.stm", "hyp.ctm", "talk.srt", "--json", "c.json"]) == 0
    total = json.loads(Path("c.json").read_bytes())["overall"]
    assert total["baseline"] == total["new"]
    assert message_text(SHARED_CUT, path="talk.srt") in capfd.readouterr().err
    # so are the systems of a benchmark
    text = (
        '[sets.a]\nreference = "ref.stm"\n[systems.x]\na = "hyp.ctm"\n[systems.y]\na = "talk.srt"\n'
    )
    Path("plan.toml").write_text(text)
    for _ in range(2):
        assert main(["bench", "plan.toml", "--replications", "40", "--json", "b.json"]) == 0
        results = json.loads(Path("b.json").read_bytes())
        rates = re.findall(r'"errors": (\d+)', json.dumps(results))
        assert len({*rates}) == 1
    # a record of words with times cannot follow captions
    assert main(["wer", "ref.stm", "hyp.ctm", "--json", "r.json"]) == 0
    assert main(["compare", "r.json", "talk.srt"]) == 2
    assert "matched_by='time' and 'recording'" in capfd.readouterr().err
    assert main(["wer", "ref.stm", "hyp.ctm", "--cut", "alignment", "--json", "r.json"]) == 0
    assert main(["compare", "r.json", "talk.srt", "--replications", "40"]) == 0


def test_common_utterances_alone_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A transcript that lacks an utterance is not filled with deletions."""
    monkeypatch.chdir(tmp_path)
    rows = ["a b (u-1)\n", "c d (u-2)\n", "e f (u-3)\n"]
    for name, text in (("ref", rows), ("old", rows), ("new", rows[:2])):
        Path(f"{name}.trn").write_text("".join(text))
    assert main(["wer", "ref.trn", "old.trn", "--json", "old.json"]) == 0
    flags = ["--replications", "40", "--json", "c.json"]
    for sides in (["ref.trn", "old.trn", "new.trn"], ["old.json", "new.trn"]):
        for more, expected in (([], (6, 2)), (["--allow", "missing"], (4, 0))):
            assert main(["compare", *sides, *flags, *more]) == 0
            total = json.loads(Path("c.json").read_bytes())["overall"]
            new = total["new"]
            assert (new["reference_count"], new["errors"]) == expected
            assert total["baseline"]["reference_count"] == expected[0]
    texts: list[Any] = [{row[5:8]: row[:3] for row in text} for text in (rows, rows, rows[:2])]
    request = dict(zip(("reference", "baseline", "new"), texts, strict=True))
    answered = METHODS("compare", {**request, "allow": ["missing"], "replications": 40})
    assert (
        answered["overall"]["new"]["reference_count"],
        answered["overall"]["new"]["errors"],
    ) == (
        4,
        0,
    )
