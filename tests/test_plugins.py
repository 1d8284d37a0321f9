"""Packages of others add formats, measures and steps through entry points.

The examples in `tests/plugins` are built by setuptools into a folder; broken ones are written here.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import formats
import scoring
from formats.cli import main as formats_command
from formats.detection import FORMATS, by_name, names
from formats.schema.plugins import PluginError
from scoring.measures import MEASURES, PLUGINS, measure_named
from scoring.text.pipeline_files import as_pipeline, pipeline_of_record, recorded_pipeline
from scoring.text.registry import spec_named
from tests.programs import told

EXAMPLES = Path(__file__).with_name("plugins")
DEMO = Path(__file__).resolve().parents[1] / "resources" / "demo"
BUILD = """
import os, setuptools, sys
for source in sys.argv[2:]:
    os.chdir(source)
    places = ["build_py", "--build-lib", sys.argv[1], "egg_info", "--egg-base", sys.argv[1]]
    setuptools.setup(script_args=["-q", *places])
"""
REFERENCE, HYPOTHESIS = {"u1": "", "u2": "a b"}, {"u1": "x y", "u2": "a b"}
TALLY = "0.5|1.5|anne|hello *world\n2|3|ben|good morning\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which all examples are built."""
    folder = tmp_path_factory.mktemp("packages")
    sources = []
    for example in sorted(EXAMPLES.iterdir()):
        source = tmp_path_factory.mktemp("source")
        for file in (*example.glob("*.toml"), *example.glob("*.py")):
            (source / file.name).write_bytes(file.read_bytes())
        sources.append(source)
    build = [sys.executable, "-W", "ignore", "-c", BUILD, str(folder), *map(str, sources)]
    subprocess.run(build, check=True, capture_output=True)
    return folder


@pytest.fixture
def packages(built: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(built)
    return built


def add_package(folder: Path, name: str, group: str, entry: str, code: str = "") -> None:
    """A package as an installer leaves it, whose module is called as the entry says."""
    home = folder / f"{name.replace('-', '_')}-2.0.dist-info"
    home.mkdir(parents=True)
    (home / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.0\n")
    (home / "entry_points.txt").write_text(f"[sclite_kit.{group}]\n{entry}\n")
    module = entry.partition("=")[2].strip().partition(":")[0]
    (folder / f"{module}.py").write_text(code)


@pytest.mark.usefixtures("packages")
def test_a_measure_has_a_signature_records_pages_and_gates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rates = scoring.wer(REFERENCE, HYPOTHESIS, measures=["silent-words"])
    measured = rates.measured["silent-words"]
    assert measured["each"] == 2
    assert measured.signature == "silent-words@example-measure-1.0"
    # sums add up, as those of our own measures do
    parts = [
        scoring.wer({name: REFERENCE[name]}, {name: HYPOTHESIS[name]}, measures=["silent-words"])
        for name in REFERENCE
    ]
    merged = parts[0].merge(parts[1]).measured["silent-words"]
    assert merged.columns.totals() == measured.columns.totals()
    for side, texts in (("ref.txt", REFERENCE), ("hyp.txt", HYPOTHESIS)):
        lines = [f"{text} ({name})".lstrip() for name, text in texts.items()]
        (tmp_path / side).write_text("\n".join(lines) + "\n")
    files = [str(tmp_path / name) for name in ("ref.txt", "hyp.txt")]
    sides = [*files, "--reference-format", "trn", "--hypothesis-format", "trn"]
    outputs = ["--json", str(tmp_path / "r.json"), "--html", str(tmp_path / "r.html")]
    gate = ["--measures", "silent-words", "--fail-measure", "silent-words.each=1"]
    status, output, errors = told(capsys, "wer", *sides, *gate, *outputs, "--confidence-interval")
    assert status == 3, errors
    assert "measure: silent-words@example-measure-1.0" in output
    assert "Words in silence" in (tmp_path / "r.html").read_text("utf-8")
    record = json.loads((tmp_path / "r.json").read_text("utf-8"))
    counted = record["systems"][0]["measures"]["silent-words"]
    assert counted["version"] == "example-measure-1.0"
    assert "each" in counted["intervals"]
    read = scoring.load(tmp_path / "r.json")
    assert read.measured["silent-words"].signature == measured.signature
    assert "package: example-measure-1.0" in told(capsys, "measures", "silent-words")[1]


def test_a_record_names_the_package_that_is_missing(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r.json"
    with monkeypatch.context() as patch:
        patch.syspath_prepend(built)
        rates = scoring.wer(REFERENCE, HYPOTHESIS, measures=["silent-words"])
        rates.save(path)
    with pytest.raises(scoring.ScoringError, match=r"the package example-measure-1\.0"):
        scoring.load(path)


@pytest.mark.usefixtures("packages")
def test_a_format_is_detected_read_with_its_flags_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "talk.tally").write_text(TALLY)
    (tmp_path / "unnamed").write_text(TALLY)
    for name in ("talk.tally", "unnamed"):
        assert formats_command(["detect", str(tmp_path / name)]) == 0
        assert capsys.readouterr().out.endswith(": tally\n")
    source, target = str(tmp_path / "talk.tally"), tmp_path / "again.tally"
    assert formats_command(["convert", source, str(target), "--upper"]) == 0
    assert target.read_text() == ("0.500|1.500|anne|HELLO *WORLD\n2.000|3.000|ben|GOOD MORNING\n")
    (tmp_path / "ref.stm").write_text("talk 1 anne 0.5 1.5 hello world\n")
    status, output, errors = told(capsys, "wer", str(tmp_path / "ref.stm"), source)
    assert (status, "utterances: 1 matched" in output) == (0, True), errors
    assert names()[: len(FORMATS)] == tuple(listed.name for listed in FORMATS)
    assert names()[len(FORMATS) :] == ("tally",)
    formats_command(["list"])
    assert "turns with bars between the fields" in capsys.readouterr().out


@pytest.mark.usefixtures("packages")
def test_a_step_signs_with_its_package_and_is_built_again_from_a_record() -> None:
    pipeline = as_pipeline(["lowercase", "without-stars"])
    assert pipeline("*Hello") == "hello"
    assert pipeline.signature.startswith("lowercase+without-stars(example-step-1.0)#")
    assert pipeline_of_record(recorded_pipeline(pipeline)).digest == pipeline.digest
    assert as_pipeline("without-stars:mark=l")("hello*") == "heo*"
    rates = scoring.wer(["hello"], ["*hello"], normalize="without-stars")
    assert "norm:without-stars(example-step-1.0)#" in rates.signature
    assert rates == 0
    assert spec_named("without-stars").title == "Without the stars that mark unclear words"


def test_the_version_of_the_package_is_part_of_the_hash_of_a_step(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (EXAMPLES / "step" / "example_step.py").read_text("utf-8")
    add_package(tmp_path, "example-step", "steps", "without-stars = later_step:WithoutStars", code)
    hashes = []
    for folder in (built, tmp_path):
        with monkeypatch.context() as patch:
            patch.syspath_prepend(folder)
            hashes.append(as_pipeline("without-stars").signature)
    assert hashes[0].startswith("without-stars(example-step-1.0)#")
    assert hashes[1].startswith("without-stars(example-step-2.0)#")
    assert hashes[0][-8:] != hashes[1][-8:]


def test_a_broken_package_is_named_and_breaks_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for group, name in (("measures", "odd-words"), ("steps", "odd-step"), ("formats", "odd")):
        module = f"broken_{group}"
        add_package(tmp_path, f"broken-{group}", group, f"{name} = {module}:IT", "1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    demo = [str(DEMO / "reference.stm"), str(DEMO / "baseline.ctm")]
    assert told(capsys, "wer", *demo)[0] == 0
    reason = "ZeroDivisionError: division by zero"
    for flag, name in (("--measures", "odd-words"), ("--normalize", "odd-step")):
        status, _, errors = told(capsys, "wer", *demo, flag, name)
        assert (status, reason in errors) == (2, True), errors
        assert f"{name} (package broken-" in errors
    with pytest.raises(PluginError, match=r"format odd \(package broken-formats 2\.0, .*: Zero"):
        by_name("odd")
    status, output, errors = told(capsys, "measures")
    assert (status, "loops" in output, "package broken-measures 2.0" in errors) == (0, True, True)
    (tmp_path / "plain").write_text("hello world (anne-1)\n")
    assert formats_command(["convert", str(tmp_path / "plain"), "-", "--to", "trn"]) == 0
    printed = capsys.readouterr()
    assert printed.out == "hello world (anne-1)\n"
    assert "package broken-formats 2.0" in printed.err


def test_names_of_ours_and_names_of_two_packages_are_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = {"one": "same = one_:M", "two": "same = two_:M", "three": "loops = three_:M"}
    for package, entry in {**entries, "four": "Loud = four_:M"}.items():
        add_package(tmp_path, package, "measures", entry)
    monkeypatch.syspath_prepend(tmp_path)
    assert measure_named("loops").version == ""
    with pytest.raises(ValueError, match=r"same \(package one 2\.0, .*found it in two 2\.0 too"):
        measure_named("same")
    assert list(PLUGINS.rejected()) == ["Loud", "loops", "same"]
    assert dict(PLUGINS.plugins()) == {}
    errors = told(capsys, "measures")[2]
    assert "measure loops (package three 2.0, three_:M): expected another name" in errors
    assert "expected a name of small letters" in errors


def test_the_order_is_that_of_the_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = (EXAMPLES / "measure" / "example_measure.py").read_text("utf-8")
    for folder, name in (("first", "b-words"), ("second", "a-words")):
        module = f"ordered_{folder}"
        entry = f"{name} = {module}:MEASURE"
        add_package(
            tmp_path / folder, folder, "measures", entry, code.replace("silent-words", name)
        )
    for folders in (("first", "second"), ("second", "first")):
        with monkeypatch.context() as patch:
            for folder in folders:
                patch.syspath_prepend(tmp_path / folder)
            assert list(PLUGINS.plugins()) == ["a-words", "b-words"]
            assert [measure_named(name).version for name in PLUGINS.plugins()] == [
                "second-2.0",
                "first-2.0",
            ]
    assert "a-words" not in (*MEASURES, *PLUGINS.plugins())


def test_an_object_of_another_kind_or_name_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (EXAMPLES / "measure" / "example_measure.py").read_text("utf-8")
    add_package(tmp_path, "odd-kind", "measures", "a-words = odd_kind:count", code)
    add_package(tmp_path, "odd-name", "measures", "b-words = odd_name:MEASURE", code)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(
        ValueError, match=r"odd-kind 2\.0.*expected a MeasureSpec, found a function"
    ):
        measure_named("a-words")
    with pytest.raises(ValueError, match=r"odd-name 2\.0.*this name, found \"silent-words\""):
        measure_named("b-words")


def test_a_pattern_is_a_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = EXAMPLES.parents[1].joinpath("docs", "plugins.md").read_text("utf-8")
    (code,) = (x for x in page.split("```python\n") if "example_desk" in x.partition("```")[0])
    entry = "desk-log = example_desk:FORMAT"
    add_package(tmp_path, "desk", "formats", entry, code.partition("```")[0])
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "talk.desk"
    path.write_text("<1.5> Ann = hello world\n<3> Bob = good morning\n")
    transcript = formats.read(path)
    assert transcript.format == "desk-log"
    assert [(s.speaker, s.start_ns, s.words) for s in transcript] == [
        ("Ann", 1_500_000_000, ("hello", "world")),
        ("Bob", 3 * 10**9, ("good", "morning")),
    ]
    written = tmp_path / "again.desk"
    formats.write(transcript, written)
    assert [s.words for s in formats.read(written)] == [s.words for s in transcript]
    other = tmp_path / "hypothesis" / "talk.desk"
    other.parent.mkdir()
    other.write_text("<1.5> Ann = hello world\n<3> Bob = good evening\n")
    assert scoring.wer(path, other).corpus_rate == pytest.approx(0.25)
