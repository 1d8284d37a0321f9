"""What the commands write as JSON is what the published schemas say."""

import json
import operator
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from formats.schema.messages import PART, SEVERITIES
from scoring.cli.formats import main as of_formats
from scoring.cli.scoring import main
from tests.each_case import each_case

ROOT = Path(__file__).resolve().parents[3]
DEMO = ROOT / "resources" / "demo"
TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
KNOWN = {
    "$id",
    "$schema",
    "$defs",
    "$ref",
    "title",
    "description",
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "minItems",
    "uniqueItems",
    "minProperties",
    "propertyNames",
    "pattern",
    "oneOf",
    "anyOf",
    "allOf",
}
LIMITS: dict[str, Callable[[Any, Any], bool]] = {
    "minimum": operator.ge,
    "maximum": operator.le,
    "exclusiveMinimum": operator.gt,
    "exclusiveMaximum": operator.lt,
}
SIZES: dict[str, type[str] | type[list[Any]] | type[dict[str, Any]]] = {
    "minLength": str,
    "minItems": list,
    "minProperties": dict,
}


# Errors in one document, or of each hypothesis of a list.
A_NUMBER_EACH = {"errors"}
# What these names had meant, another name means.
OTHER_NAMES = {
    *("rate", "reference_tokens", "reference_words", "hypothesis_tokens", "hypothesis_words"),
    *("identifier", "identifiers", "confidence_interval", "warnings", "diagnostics", "message"),
    *("total", "remark", "notes", "adjusted", "corrected", "relative", "corpus"),
}


def complaints(
    value: Any, schema: dict[str, Any], root: dict[str, Any], path: str = "$"
) -> list[str]:
    """What contradicts a schema; only the keywords our schemas use are known, others are refused."""
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    if "$ref" in schema:
        return complaints(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root, path)
    found: list[str] = []
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(
        isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
        for kind in kinds
    ):
        return [f"{path}: {value!r} is not {kinds}"]
    if "const" in schema and value != schema["const"]:
        found.append(f"{path}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{path}: {value!r} is not in {schema['enum']}")
    for keyword, fits in LIMITS.items():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if keyword in schema and is_number and not fits(value, schema[keyword]):
            found.append(f"{path}: {value!r} is beyond the {keyword} {schema[keyword]}")
    for keyword, kind in SIZES.items():
        if keyword in schema and isinstance(value, kind) and len(value) < schema[keyword]:
            found.append(f"{path}: {value!r} is shorter than {schema[keyword]}")
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        found.append(f"{path}: {value!r} is not {schema['pattern']}")
    if (
        schema.get("uniqueItems")
        and isinstance(value, list)
        and len({*map(str, value)}) < len(value)
    ):
        found.append(f"{path}: {value!r} repeats")
    for each in schema.get("allOf", ()):
        found += complaints(value, each, root, path)
    if "anyOf" in schema and all(complaints(value, each, root, path) for each in schema["anyOf"]):
        found.append(f"{path}: {value!r} fits nothing of anyOf")
    if "oneOf" in schema:
        fitting = [one for one in schema["oneOf"] if not complaints(value, one, root, path)]
        if len(fitting) != 1:
            found.append(f"{path}: fits {len(fitting)} of oneOf")
    if isinstance(value, dict):
        lacking = [name for name in schema.get("required", ()) if name not in value]
        found += [f"{path}: lacks {name}" for name in lacking]
        others = schema.get("additionalProperties", {})
        for name, inner in value.items():
            found += complaints(name, schema.get("propertyNames", {}), root, f"{path}.{name}")
            if name in schema.get("properties", {}):
                found += complaints(inner, schema["properties"][name], root, f"{path}.{name}")
            elif others is False or (not others and {"type", "properties"} <= schema.keys()):
                found.append(f"{path}: {name} is unknown")
            elif isinstance(others, dict):
                found += complaints(inner, others, root, f"{path}.{name}")
    if isinstance(value, list) and "items" in schema:
        for place, inner in enumerate(value):
            found += complaints(inner, schema["items"], root, f"{path}[{place}]")
    return found


def members(schema: Any, path: str = "") -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yield each member of a schema with its place and its kinds; not those of `rules`."""
    if isinstance(schema, list):
        for each in schema:
            yield from members(each, path)
    if not isinstance(schema, dict):
        return
    for name, inner in schema.get("properties", {}).items():
        kinds = inner.get("type", []) if isinstance(inner, dict) else []
        yield name, path, frozenset([kinds] if isinstance(kinds, str) else kinds)
        if not (name == "rules" and path.endswith("system")):
            yield from members(inner, f"{path}.{name}")
    for keyword, inner in schema.items():
        if keyword == "$defs":
            for name, definition in inner.items():
                yield from members(definition, f"{path}#{name}")
        elif keyword != "properties":
            yield from members(inner, path)


def test_one_name_for_one_meaning() -> None:
    """Every member of every schema is in `keys.tsv`, once; a number is never a list elsewhere."""
    folder = ROOT / "resources" / "schemas"
    lines = (folder / "keys.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    assert rows == sorted(rows)
    meanings = dict(rows)
    assert len(meanings) == len(rows)
    kinds: dict[str, dict[frozenset[str], str]] = {}
    for path in sorted(folder.glob("*.json")):
        if path.name in INPUTS:  # its names are options
            continue
        for name, place, own in members(json.loads(path.read_text("utf-8")), path.stem):
            kinds.setdefault(name, {}).setdefault(own - {"null"}, place)
    assert kinds.keys() - meanings.keys() == set(), "add its meaning to keys.tsv, or use a name"
    assert meanings.keys() - kinds.keys() == set(), "no schema has it"
    numbers = {"number", "integer"}
    for name, places in kinds.items():
        as_number = [place for own, place in places.items() if own & numbers]
        as_list = [place for own, place in places.items() if "array" in own]
        assert not (as_number and as_list) or name in A_NUMBER_EACH, (name, as_number, as_list)
    # synonyms of a name in the table
    assert OTHER_NAMES & kinds.keys() == set()


# People write it.
INPUTS = {"gate-suite-1.json"}


def has(schema: dict[str, Any], key: str) -> bool:
    """True if each document has a key, or each of its systems."""
    systems = schema["properties"].get("systems", {}).get("items", {})
    if "$ref" in systems:
        systems = schema["$defs"][systems["$ref"].rpartition("/")[2]]
    return key in schema["required"] or key in systems.get("required", ())


def test_every_document_has_the_same_head() -> None:
    """Schema, version, signature and remarks, whose shape is the same everywhere."""
    shapes = []
    for path in sorted((ROOT / "resources" / "schemas").glob("*.json")):
        if path.name in INPUTS:
            continue
        schema = json.loads(path.read_text("utf-8"))
        assert list(schema["properties"])[:2] == ["schema", "version"], path.name
        lacking = [
            key for key in ("schema", "version", "generator") if key not in schema["required"]
        ]
        lacking += [key for key in ("signature", "remarks") if not has(schema, key)]
        assert not lacking, (path.name, lacking)
        shapes.append(schema["$defs"]["remark"])
    assert all(shape == shapes[0] for shape in shapes)
    assert set(shapes[0]["properties"]["severity"]["enum"]) == {*SEVERITIES} - {PART}


def check(document: Path, name: str) -> dict[str, Any]:
    schema = json.loads((ROOT / "resources" / "schemas" / name).read_text("utf-8"))
    value: dict[str, Any] = json.loads(document.read_text("utf-8"))
    assert complaints(value, schema, schema) == []
    return value


@pytest.mark.parametrize(
    "arguments",
    [
        [DEMO / "reference.trn", DEMO / "baseline.trn", DEMO / "improved.trn"],
        [DEMO / "reference.trn", DEMO / "baseline.trn", "--confidence-interval"],
        [DEMO / "reference.stm", DEMO / "improved.ctm", "--forgive-optional"],
        [
            *(DEMO / "reference.stm", DEMO / "improved.ctm", "--by", "speaker,recording"),
            "--compare-groups",
        ],
    ],
    ids=["two systems", "interval", "by time", "groups"],
)
def test_error_rates(
    arguments: list[Path | str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "rates.json"
    assert main(["wer", *map(str, arguments), "--json", str(output)]) == 0
    check(output, "error-rates-1.json")


def test_a_shard(tmp_path: Path) -> None:
    output = tmp_path / "part.json"
    trn = [str(DEMO / "reference.trn"), str(DEMO / "baseline.trn")]
    assert main(["wer", *trn, "--shard", "2/3", "--shard-output", str(output)]) == 0
    value = check(output, "error-rates-1.json")
    assert value["shard"] == {"number": 2, "of": 3}
    assert len(value["systems"][0]["utterances"]) == 20


@pytest.mark.parametrize("measure", ["tcp", "dicp", "mimo"])
def test_sessions(measure: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = tmp_path / "ref.stm", tmp_path / "hyp.stm"
    sides[0].write_text("m 1 anne 0 2 a b\nm 1 ben 2 3 c\nn 1 anne 0 1 d\n")
    sides[1].write_text("m 1 x 0 2 a c\nm 1 y 2 3 c\nm 1 z 3 4 c\n")
    output = tmp_path / "rates.json"
    flags = [
        "--meeting",
        measure,
        "--speaker-errors",
        "--missing",
        "delete",
        "--confidence-interval",
    ]
    assert main(["wer", *map(str, sides), *flags, "--json", str(output)]) == 0
    [system] = check(output, "error-rates-1.json")["systems"]
    assert [one["state"] for one in system["sessions"]] == ["scored", "missing"]
    assert {one["session"] for one in system["utterances"]} == {"m", "n"}


def test_no_words_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ref.trn").write_text("(a-1)\n")
    (tmp_path / "hyp.trn").write_text("noise (a-1)\n")
    output = tmp_path / "rates.json"
    files = [str(tmp_path / "ref.trn"), str(tmp_path / "hyp.trn")]
    assert main(["wer", *files, "--confidence-interval", "--json", str(output)]) == 2
    assert not output.exists()
    command = ["wer", *files, "--confidence-interval", "--json", str(output), "--allow-empty"]
    assert main(command) == 0
    [system] = check(output, "error-rates-1.json")["systems"]
    assert system["rates"]["error_rate"] is None
    assert system["counts"]["insertions"] == 1
    assert set(system["interval"]) == {"reason"}


def test_comparison(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "comparison.json"
    arguments = [str(DEMO / "kaldi_baseline"), str(DEMO / "kaldi_new.txt")]
    arguments += ["--hypothesis-format", "kaldi-text", "--fail-increase", "5%"]
    assert main(["compare", *arguments, "--json", str(output)]) == 3
    value = check(output, "comparison-1.json")
    assert value["passed"] is False
    assert value["overall"]["error_change"] == 14


def test_comparison_without_statistics(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("ref", "a b (s-1)\n"), ("old", "a b (s-1)\n"), ("new", "a (s-1)\n")):
        (tmp_path / f"{name}.trn").write_text(text)
    output = tmp_path / "comparison.json"
    sides = [str(tmp_path / "old.trn"), str(tmp_path / "new.trn")]
    reference = ["--reference", str(tmp_path / "ref.trn")]
    assert main(["compare", *sides, *reference, "--json", str(output)]) == 0
    value = check(output, "comparison-1.json")
    assert value["difference"] is None
    assert value["overall"]["relative_change"] is None


@pytest.mark.parametrize(
    ("flags", "interval"),
    [
        ([], None),
        (["--confidence-interval", "--replications", "100", "--by", "accent"], 11),
        (["--confidence-interval", "--replications", "2", "--by", "accent"], 1),
    ],
)
def test_sums_of_tables(
    flags: list[str], interval: int | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [("u1", "a b", "a", "de"), ("u2", "", "c", None), ("u3", None, "d", "en")]
    names = ("id", "text", "pred_text", "accent")
    table = arrow.Table.from_pylist(
        [{**dict(zip(names, row, strict=True)), "id": f"u{at}"} for at, row in enumerate(rows * 20)]
    )
    parquet.write_table(table, tmp_path / "t.parquet")
    output = tmp_path / "sums.json"
    command = ["wer", str(tmp_path / "t.parquet"), "--reference-column", "text", *flags]
    command += ["--engine", "local", "--allow-unmatched"]
    assert main([*command, "--json", str(output)]) == 0
    value = check(output, "sums-of-tables-1.json")
    assert (value["rows"], value["failed_rows"]) == (60, 20)
    found = value["interval"]
    assert (found if found is None else len(found)) == interval
    assert len(value["groups"]) == (3 if flags else 0)
    assert {one["error_rate"] for one in value["groups"]} == ({0.5, None} if flags else set())


TURNS = (
    "SPEAKER {0} 1 0.0 2.0 <NA> <NA> {1} <NA> <NA>\nSPEAKER {0} 1 2.{2} 2.0 <NA> <NA> b <NA> <NA>\n"
)
LONG_CUE = f"1\n00:00:01,000 --> 00:00:01,100\n{'much too long ' * 5}\n"


@pytest.fixture
def small_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files of several kinds in the current folder."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "r.rttm": TURNS.format("one", "a", 0) + TURNS.format("two", "a", 0),
        "h.rttm": TURNS.format("one", "x", 3) + TURNS.format("two", "y", 0),
        "r.txt": "u1 the cat sat\nu2 a b\n",
        "n.txt": "u1-1 the hat sat\nu1-2 the cat sat\nu2-1 a\n",
        "r.stm": "m 1 a 0 2 hello there\nm 1 b 2 4 good bye\nn 1 b 0 1 yes\n",
        "h.stm": "m 1 x 0 2 hello here\nm 1 y 2 4.5 good bye\n",
        "bad.trn": "a (u-1)\nbad\n",
        "a.srt": LONG_CUE,
    }.items():
        Path(name).write_text(text)


@pytest.mark.usefixtures("small_files")
@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("diarisation", "der r.rttm h.rttm --confidence-interval --subtotals channel --json -"),
        ("diarisation", "der r.rttm h.rttm --like pyannote --explain-difference --json -"),
        ("oracle", "oracle r.txt n.txt --corrected r.txt --json -"),
        ("assignment", "wer r.stm h.stm --meeting cp --quiet --assignment out.json"),
        ("assignment", "wer r.stm h.stm --meeting orc --quiet --assignment out.json"),
        ("score-plan", "wer r.stm h.stm --plan --json -"),
        ("file-info", "formats info r.stm r.rttm a.srt bad.trn"),
        ("file-problems", "formats validate r.stm bad.trn a.srt nothing.trn"),
        ("subtitle-findings", "formats lint a.srt"),
        ("file-differences", "formats diff r.stm h.stm"),
        ("formats", "formats list"),
        ("history-runs", "history list runs.db --json -"),
        ("history-runs", "history show runs.db 1 --json -"),
    ],
)
def test_other_documents(name: str, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = command.split()
    if "runs.db" in words:
        assert main(["wer", "r.stm", "r.stm", "--record", "runs.db"]) == 0
        capsys.readouterr()
    if words[0] == "formats":
        of_formats([*words[1:], "--json", "-"])
    else:
        main(words)
    text = capsys.readouterr().out
    if "out.json" not in words:
        Path("out.json").write_text(text)
    assert list(check(Path("out.json"), f"{name}-1.json"))[:2] == ["schema", "version"]


# Every command that writes JSON with `--json` (tests/test_claims.py asks the parsers for them), what it is run on, and the schema of its document.
WRITERS = {
    "scoring wer": ("r.trn h.trn", "error-rates-1"),
    "scoring cer": ("r.trn h.trn", "error-rates-1"),
    "scoring merge": ("part.json", "error-rates-1"),
    "scoring compare": ("rates.json rates.json --replications 40", "comparison-1"),
    "scoring gate": ("suite.toml", "suite-1"),
    "scoring bench": ("bench.toml --replications 40", "benchmark-1"),
    "scoring oracle": ("r.trn nbest.txt", "oracle-1"),
    "scoring der": ("r.rttm r.rttm", "diarisation-1"),
    "scoring events": ("e.ctm e.ctm", "labels-1"),
    "scoring segments": ("e.ctm e.ctm", "labels-1"),
    "scoring per": ("r.trn p.trn --lexicon lexicon.txt", "phoneme-error-rates-1"),
    "scoring kws": (
        "demo.ecf.xml demo.kwlist.xml demo.rttm demo.kwslist.xml",
        "keyword-search-1",
    ),
    "scoring recipes": ("show kaldi", "recipes-1"),
    "scoring history list": ("runs.db", "history-runs-1"),
    "scoring history show": ("runs.db 1", "history-runs-1"),
    "scoring history trend": ("runs.db --replications 40", "history-trend-1"),
    "formats list": ("", "formats-1"),
    "formats detect": ("r.trn", "file-formats-1"),
    "formats convert": ("r.rttm out.stm", "conversion-1"),
    "formats info": ("r.trn", "file-info-1"),
    "formats diff": ("r.trn r.trn", "file-differences-1"),
    "formats validate": ("r.trn", "file-problems-1"),
    "formats lint": ("a.srt", "subtitle-findings-1"),
}
SMALL_FILES = {
    "r.trn": "the cat (a-1)\na hat (a-2)\n",
    "h.trn": "the hat (a-1)\na hat (a-2)\n",
    "p.trn": "dh ax k ae t (a-1)\nax hh ae t (a-2)\n",
    "lexicon.txt": "the dh ax\ncat k ae t\na ax\nhat hh ae t\n",
    "nbest.txt": "a-1-1 the hat\na-1-2 the cat\na-2-1 a hat\n",
    "r.rttm": "SPEAKER m 1 0 5 <NA> <NA> anne <NA> <NA>\n",
    "e.ctm": "m 1 0 1 bell\n",
    "a.srt": "1\n00:00:01,000 --> 00:00:03,000\nGood evening.\n",
    "suite.toml": '[sets.one]\nreference = "r.trn"\nbaseline = "h.trn"\nhypothesis = "h.trn"\n'
    'fail-increase = "5%"\n',
    "bench.toml": '[sets.one]\nreference = "r.trn"\n[systems.new]\none = "h.trn"\n',
}


def test_every_command_that_writes_json_keeps_to_its_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in SMALL_FILES.items():
        (tmp_path / name).write_text(text)
    for path in (DEMO / "keyword_search").iterdir():
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.chdir(tmp_path)
    pair = ["wer", "r.trn", "h.trn"]
    assert main([*pair, "--json", "rates.json", "--record", "runs.db"]) == 0
    assert main([*pair, "--record", "runs.db"]) == 0
    assert main([*pair, "--shard", "1/1", "--shard-output", "part.json"]) == 0
    for command, (words, schema) in WRITERS.items():
        program, *verb = command.split()
        run = main if program == "scoring" else of_formats
        output = tmp_path / f"{'-'.join(verb)}.json"
        assert run([*verb, *words.split(), "--json", output.name]) in (0, 3), capsys.readouterr()
        assert check(output, f"{schema}.json")["generator"].startswith("sclite-kit "), command


@each_case(
    ("command", "schema"),
    [
        ("wer r.trn short.trn --quiet --summary-json", "gate-1"),
        ("compare r.trn h.trn short.trn --reference-format trn --json", "comparison-1"),
        ("compare r.trn h.trn short.trn --fail-above 99 --summary-json", "gate-1"),
        ("compare old.json new.json --allow missing --json", "task-comparison-1"),
        ("per r.trn odd.trn --lexicon lexicon.txt --json", "phoneme-error-rates-1"),
        (
            "wer t.parquet --engine local --reference-column text --allow-unmatched --json",
            "sums-of-tables-1",
        ),
    ],
)
def test_json_has_the_remarks_that_the_command_prints(
    command: str,
    schema: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if "--engine" in command:
        arrow = pytest.importorskip("pyarrow")
        table = arrow.table({"text": ["a b"] * 20, "pred_text": ["c &amp; <unk>"] * 20})
        pytest.importorskip("pyarrow.parquet").write_table(table, tmp_path / "t.parquet")
    own = {
        "short.trn": "the hat (a-1)\n",
        "odd.trn": "dh ax k ae zh (a-1)\nax hh ae t (a-2)\n",
        "two.ctm": "m 1 0 1 bell\nm 1 2 1 horn\nn 1 2 1 horn\n",
    }
    for name, text in {**SMALL_FILES, **own}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    for name, hypothesis in (("old", "e.ctm"), ("new", "two.ctm")):
        assert main(["events", "two.ctm", hypothesis, "--json", f"{name}.json"]) == 0
    capsys.readouterr()
    assert main([*command.split(), "x.json"]) in (0, 3), capsys.readouterr()
    value = check(Path("x.json"), f"{schema}.json")
    if "systems" in value and schema != "gate-1":
        [value] = value["systems"]
    assert main([*command.replace("--quiet", "").split(), "y.json", "--remarks", "json"]) in (0, 3)
    told = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line[:1] == "{"]
    remarks = [each["text"] for each in told if each["severity"] != "error"]
    assert [each["text"] for each in value["remarks"]] == remarks
    assert remarks or "old.json" in command


@pytest.mark.parametrize(
    ("command", "codes"),
    [
        ("wer r.trn garbled.trn", ["GARBLED"]),
        ("der odd.rttm r.rttm --unpaired score", ["ONE-SIDED"]),
        ("kws demo.ecf.xml demo.kwlist.xml demo.rttm flat.xml", ["KWSLIST-DURATION", "KWS"]),
        ("wer t.parquet --engine local --reference-column text", ["GARBLED"]),
    ],
    ids=["wer", "der", "kws", "sums"],
)
def test_merged_shards_have_the_remarks_of_their_parts(
    command: str, codes: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrow = pytest.importorskip("pyarrow")
    for path in (DEMO / "keyword_search").iterdir():
        (tmp_path / path.name).symlink_to(path)
    own = {
        "garbled.trn": "the hat &amp; (a-1)\na hat (a-2)\n",
        "odd.rttm": SMALL_FILES["r.rttm"] + SMALL_FILES["r.rttm"].replace(" m ", " n "),
    }
    for name, text in {**SMALL_FILES, **own}.items():
        (tmp_path / name).write_text(text)
    kwslist = (DEMO / "keyword_search" / "demo.kwslist.xml").read_text()
    (tmp_path / "flat.xml").write_text(re.sub('dur="[0-9.]*"', 'dur="0"', kwslist, count=1))
    monkeypatch.chdir(tmp_path)
    table = arrow.table({"text": ["a b"] * 20, "pred_text": ["a &amp; b"] * 20})
    pytest.importorskip("pyarrow.parquet").write_table(table, "t.parquet")
    parts = ["1.json", "2.json"]
    for number, part in enumerate(parts, 1):
        assert main([*command.split(), "--shard", f"{number}/2", "--shard-output", part]) == 0
    assert main(["merge", *parts, "--json", "all.json"]) == 0
    value = json.loads(Path("all.json").read_text())
    [value] = value.get("systems", [value])
    assert [each["code"] for each in value["remarks"]] == codes


def test_a_document_names_the_files_that_were_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.trn").write_text(SMALL_FILES["r.trn"])
    assert of_formats(["info", "r.trn", "none.trn", "--json", "out.json", "--quiet"]) == 2
    value = check(Path("out.json"), "file-info-1.json")
    assert [each["path"] for each in value["files"]] == ["r.trn"]
    [remark] = value["remarks"]
    assert (remark["severity"], remark["path"]) == ("error", "none.trn")
    assert value["signature"] is None
