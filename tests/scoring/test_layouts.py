"""Files outlive releases: every kind that is written and read again has a version and an example.

The examples in `layouts` stand for the files of users. As a program, this module writes them anew:
`python -m tests.scoring.test_layouts`. After the release of 0.1.0 it only adds those of new
versions, since an example of a release never changes.
"""

import ast
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

from scoring.cli.scoring import main
from scoring.regression import history
from scoring.regression.task_figures import SCHEMAS
from scoring.results.record import document_lines
from scoring.score.record_reader import read_document
from tests.each_case import each_case
from tests.syntax import nodes_of_kind

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = Path(__file__).resolve().parent / "layouts"
RELEASED = "## 0.1.0 (unreleased)\n" not in (ROOT / "CHANGELOG.md").read_text("utf-8")
NEWER = "which a newer release of sclite-kit wrote"
INPUTS = {
    "ref.stm": "talk A ann 0 2 <o,f0> Good { morning / evening } to you (all)\n"
    "talk A bob 2 4 <o,f1> It costs fifty\n",
    "hyp.stm": "talk A x 0 2 Good evening to you\ntalk A y 2 4 it cost 50\n",
    "hyp.ctm": "talk A 0.1 0.2 good 0.9\ntalk A 0.5 0.2 evening 0.7\ntalk A 1.0 0.2 you 0.8\n"
    "talk A 2.1 0.2 it 0.9\ntalk A 2.5 0.2 cost 0.4\ntalk A 3.0 0.2 50 0.9\n",
    "ref.trn": "the cat (a-1)\nwell it sat (a-2)\non a mat (b-1)\n",
    "hyp.trn": "the cat (a-1)\nwell it is sat (a-2)\non mat (b-1)\nmore (b-2)\n",
    "said.jsonl": '{"reference": "costs fifty", "hypothesis": "cost 50", "verdict": "same"}\n',
    "ref.rttm": "SPEAKER talk 1 0 10 <NA> <NA> ann <NA> <NA>\n"
    "SPEAKER talk 1 10 5 <NA> <NA> bob <NA> <NA>\n",
    "hyp.rttm": "SPEAKER talk 1 0 12 <NA> <NA> x <NA> <NA>\n",
    "phonemes.trn": "h a l a i (a-1)\ndh ah (a-2)\n",
    "words.trn": "hello (a-1)\nthe (a-2)\n",
    "lexicon.txt": "hello h e l l o\nhello h a l l o\nthe dh ah\n",
}


class Example(NamedTuple):
    """A file: the commands that write it to `{}`, and the command that reads it from there."""

    name: str
    writing: tuple[str, ...]
    reading: str
    shown: str  # by that command


EVERY = [
    Example(
        "error-rates-1.json",
        (
            "wer ref.stm hyp.ctm --normalize lowercase --forgive-optional --verdicts said.jsonl "
            "--by label,speaker --measures runs,confidence-order --confidence-interval "
            "--replications 50 --compare-groups --json {}",
        ),
        "compare {} {} --replications 200",
        "As good as the baseline: 37.50 %",
    ),
    Example(
        "error-rates-1.sessions.json",
        ("wer ref.stm hyp.stm --meeting cp --speaker-errors --json {}",),
        "compare {} {}",
        "As good as the baseline: 50.00 %",
    ),
    Example(
        "error-rates-1.shard.json",
        ("wer ref.trn hyp.trn --shard 1/1 --allow-unmatched --shard-output {}",),
        "merge {}",
        "%WER 25.00 [ 2 / 8, 1 ins, 1 del, 0 sub ]",
    ),
    Example(
        "history-6.db",
        ("wer ref.stm hyp.ctm --record {} --tag model=a",),
        "history show {} 1",
        "model",
    ),
    Example(
        "run-1.jsonl",
        (
            "wer ref.stm hyp.ctm --record runs.db --tag model=a",
            "history export runs.db --output {}",
        ),
        "history import new.db {}",
        "1 new runs, 0 known",
    ),
    Example(
        "verdicts-1.jsonl",
        ("verdicts todo ref.trn hyp.trn --output {}",),
        "wer ref.trn hyp.trn --verdicts {}",
        "verdicts: 2 errors before",
    ),
    Example(
        "diarisation-1.json",
        ("der ref.rttm hyp.rttm --json {}",),
        "compare {} {}",
        "As good as the baseline: 33.33 %",
    ),
    Example(
        "diarisation-shard-1.json",
        ("der ref.rttm hyp.rttm --shard 1/1 --shard-output {}",),
        "merge {}",
        "33.33 %",
    ),
    Example(
        "keyword-search-1.json",
        (
            "kws --ecf demo.ecf.xml --kwlist demo.kwlist.xml --rttm demo.rttm "
            "--kwslist demo.kwslist.xml --json {}",
        ),
        "compare {} {}",
        "As good as the baseline: actual term-weighted value 0.0482",
    ),
    Example(
        "keyword-search-shard-1.json",
        (
            "kws --ecf demo.ecf.xml --kwlist demo.kwlist.xml --rttm demo.rttm "
            "--kwslist demo.kwslist.xml --shard 1/1 --shard-output {}",
        ),
        "merge {}",
        "0.0482",
    ),
    Example(
        "phoneme-error-rates-1.json",
        ("per words.trn phonemes.trn --lexicon lexicon.txt --json {}",),
        "compare {} {}",
        "As good as the baseline: 28.57 %",
    ),
    Example(
        "labels-1.json",
        ("segments ref.stm hyp.stm --json {}",),
        "compare {} {}",
        "As good as the baseline: 100.00 %",
    ),
    Example(
        "sums-of-tables-1.json",
        (
            "wer t.parquet --reference-column text --by speaker --measures loops --engine local "
            "--confidence-interval --replications 100 --json {}",
        ),
        "compare {} {}",
        "As good as the baseline: 33.33 %",
    ),
]
each = pytest.mark.parametrize("example", EVERY, ids=[example.name for example in EVERY])
# People write these.
OF_PEOPLE = {"suite"}
# No command or function of ours reads these.
ONLY_WRITTEN = {
    "assignment",
    "benchmark",
    "comparison",
    "differences",
    "entity-error-rates",
    "file-differences",
    "gate",
    "history-runs",
    "history-trend",
    "oracle",
    "published-table",
    "recipes",
    "score-plan",
    "task-comparison",
}


def write_inputs() -> None:
    """Write the inputs of the commands to the current folder."""
    for name, text in INPUTS.items():
        Path(name).write_text(text)
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [("u1", "a b c", "a x c", "anne"), ("u2", "d e", "d", "bob"), ("u3", "f", "f", None)]
    names = ("id", "text", "pred_text", "speaker")
    table = arrow.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows])
    parquet.write_table(table, "t.parquet")
    for path in (ROOT / "resources" / "demo" / "keyword_search").glob("demo.*"):
        shutil.copy(path, path.name)


def run(command: str, path: Path) -> int:
    """Run a command whose `{}` is the path."""
    return main(command.replace("{}", str(path)).split())


def write_anew(folder: Path) -> None:
    """Write the examples; those of a release stay."""
    for example in EVERY:
        path = folder / example.name
        if RELEASED and path.exists():
            continue
        path.unlink(missing_ok=True)
        for name in ("runs.db", "runs.db-shm", "runs.db-wal"):
            Path(name).unlink(missing_ok=True)
        for command in example.writing:
            assert run(command, path) in (0, 3), command


def shape(value: Any) -> Any:
    """The members of a value with their kinds; those of the elements of a list are taken together.

    None fits any kind.
    """
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items()}
    if isinstance(value, list):
        return [together(map(shape, value))]
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return type(value).__name__
    return "number"


def together(shapes: Iterator[Any]) -> Any:
    """What is in any of the shapes."""
    whole: Any = "NoneType"
    for part in shapes:
        if isinstance(whole, dict) and isinstance(part, dict):
            names = dict.fromkeys((*whole, *part))
            whole = {
                name: together(iter([each[name] for each in (whole, part) if name in each]))
                for name in names
            }
        elif isinstance(whole, list) and isinstance(part, list):
            whole = [together(iter((*whole, *part)))]
        elif part != "NoneType":
            whole = part
    return whole


def lost(before: Any, after: Any, place: str = "") -> Iterator[str]:
    """The members of a shape that another lacks, or has as another kind."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name, kind in before.items():
            if name in after:
                yield from lost(kind, after[name], f"{place}.{name}")
            else:
                yield f"{place}.{name}"
    elif isinstance(before, list) and isinstance(after, list):
        yield from lost(before[0], after[0], f"{place}[]")
    elif before != after and "NoneType" not in (before, after):
        yield f"{place}: {before}, now {after}"


def content_of(path: Path) -> Any:
    """What a file holds: JSON, lines of JSON, or the tables of a history."""
    if path.suffix == ".db":
        base = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        rows = base.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        layout = base.execute("PRAGMA user_version").fetchone()[0]
        base.close()
        return {"version": layout, "tables": dict(rows)}
    text = path.read_text("utf-8")
    return list(map(json.loads, text.splitlines())) if path.suffix == ".jsonl" else json.loads(text)


def kind_of(path: Path) -> tuple[str, int]:
    """The kind and the version in the name of an example."""
    kind, _, version = path.name.partition(".")[0].rpartition("-")
    return kind, int(version)


def writers() -> Iterator[tuple[str, int]]:
    """The kind and the version of every document that a module of `scoring` can write."""
    for path in sorted((ROOT / "scoring").rglob("*.py")):
        calls = nodes_of_kind(path, ast.Call)
        names = {call.func.id for call in calls if isinstance(call.func, ast.Name)}
        heads = [call for call in calls if getattr(call.func, "id", "") == "head_of"]
        place = path.relative_to(ROOT)
        if place.name != "data.py":
            assert "json_file" not in names or heads, f"{place}: a JSON file without head_of"
        for call in heads:
            assert [ast.unparse(value) for value in call.args] == ["SCHEMA", "SCHEMA_VERSION"], (
                f"{place}:{call.lineno}: expected head_of(SCHEMA, SCHEMA_VERSION)"
            )
            module = import_module(".".join(place.with_suffix("").parts))
            yield module.SCHEMA.removeprefix("sclite-kit/"), module.SCHEMA_VERSION
        for call in calls:
            position = {"told_head": 0, "put_json": 1}.get(getattr(call.func, "id", ""))
            if position is not None:
                yield ast.literal_eval(call.args[position]), 1


def test_every_kind_of_file_has_a_version_and_an_example() -> None:
    kinds = {*writers(), ("history", history.LAYOUT)}
    examples = {kind_of(EXAMPLES / example.name) for example in EVERY}
    missing = {kind for kind in kinds - examples if kind[0] not in ONLY_WRITTEN | OF_PEOPLE}
    assert not missing, f"add examples to EVERY in {Path(__file__).name}: {missing}"
    assert {name for name, _ in kinds} >= ONLY_WRITTEN
    assert {path.name for path in EXAMPLES.iterdir()} >= {example.name for example in EVERY}


def test_what_is_read_again_is_in_no_list_of_exceptions() -> None:
    readers = {name.removeprefix("sclite-kit/") for name in SCHEMAS}
    for path in sorted((ROOT / "scoring").rglob("*.py")):
        for node in nodes_of_kind(path, ast.Call):
            if getattr(node.func, "id", "") == "check_head":
                module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
                readers.add(getattr(module, "SCHEMA", "").removeprefix("sclite-kit/"))
    assert len(readers) > len(SCHEMAS)
    assert not readers & ONLY_WRITTEN


def test_only_a_history_is_a_database() -> None:
    users = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "scoring").rglob("*.py"))
        if "sqlite3.connect(" in path.read_text("utf-8")
    ]
    assert users == ["scoring/regression/history.py"]


def test_the_tasks_are_read_in_the_version_that_is_written() -> None:
    written = dict(writers())
    for schema, (_, version) in SCHEMAS.items():
        assert version == written[schema.removeprefix("sclite-kit/")]


@each_case("path", sorted(EXAMPLES.glob("*")), ids=lambda path: path.name)
def test_an_example_is_read(
    path: Path, current_folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Those of earlier versions, too, with the command of the newest."""
    write_inputs()
    kind, _ = kind_of(path)
    case = path.name.partition(".")[2]
    [example] = [
        one
        for one in EVERY
        if kind_of(EXAMPLES / one.name)[0] == kind and one.name.partition(".")[2] == case
    ]
    shutil.copy(path, path.name)
    assert run(example.reading, Path(path.name)) == 0, capfd.readouterr()
    out, _ = capfd.readouterr()
    assert example.shown in out


@each
def test_what_is_written_keeps_the_members(
    example: Example, current_folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Within a version, members may be added, but never removed or changed."""
    write_inputs()
    for command in example.writing:
        assert run(command, current_folder / example.name) in (0, 3), capfd.readouterr()
    before, after = (
        shape(content_of(folder / example.name)) for folder in (EXAMPLES, current_folder)
    )
    how = "write it anew (python -m tests.scoring.test_layouts)"
    if RELEASED:
        how = "give the layout a new version, and read the old one (RELEASING.md)"
    assert list(lost(before, after)) == [], how


@each
def test_a_newer_version_is_rejected_with_one_line(
    example: Example, current_folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_inputs()
    path = current_folder / example.name
    if path.suffix == ".db":
        shutil.copy(EXAMPLES / example.name, path)
        base = sqlite3.connect(path)
        base.execute(f"PRAGMA user_version = {history.LAYOUT + 1}")
        base.close()
    else:
        _, version = kind_of(path)
        text = (EXAMPLES / example.name).read_text("utf-8")
        old, new = (f'"version": {number}' for number in (version, version + 1))
        assert old in text
        path.write_text(text.replace(old, new, 1), "utf-8")
    assert run(example.reading, path) == 2
    out, error = capfd.readouterr()
    assert (out, error.count("\n")) == ("", 1)
    assert error.endswith(f"{NEWER}\n")


@pytest.mark.parametrize("name", [e.name for e in EVERY if e.name.startswith("error-rates")])
def test_a_record_is_what_it_was(name: str) -> None:
    """What is read from an example is written with the same utterances and counts."""
    data = (EXAMPLES / name).read_bytes()
    document = read_document(name, data)
    again = json.loads(b"".join(document_lines(document.systems, document.shard)))
    before = json.loads(data)
    for left, right in zip(before["systems"], again["systems"], strict=True):
        for member in ("rules", "account", "counts", "utterances", "options"):
            if member == "rules":  # those that are new have no effect
                assert left[member].items() <= right[member].items()
                assert not any({**right[member], **dict.fromkeys(left[member])}.values())
                continue
            assert left[member] == right[member]


if __name__ == "__main__":
    EXAMPLES.mkdir(exist_ok=True)
    with TemporaryDirectory() as work:
        os.chdir(work)
        write_inputs()
        write_anew(EXAMPLES)
