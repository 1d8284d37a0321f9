"""The examples in README and docs run, and what they say of commands is true."""

import doctest
import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import formats
import sclite_kit
import scoring
from formats.console.command_line import EXIT_STATUS
from scoring.cli.docs import PAGE as PAGE_ROW
from scoring.cli.docs import anchor_of
from scoring.cli.explain import field_tables
from scoring.cli.moved_pages import MOVED
from scoring.cli.scoring import COMMANDS
from scoring.measures import MEASURES
from scoring.options import Options, Rules
from scoring.tasks.kws.parameters import SearchRules
from scoring.tasks.phonemes.scorer import PhonemeRules
from scoring.tasks.speakers.der.rules import GREEDY, SINGLE, DiarisationRules
from scoring.text.recipes import recipes
from tests.console import console_scripts, run_sessions, session_environment
from tests.each_case import each_case
from tests.forks import Forks

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
# tests of their own run these, among files or with a service that they need
RUN_ELSEWHERE = {"formats", "hubscr", "many-files", "service"}
RUN_AMONG = {"keyword-search": ROOT / "resources" / "demo" / "keyword_search"}
# these need clusters, and files of any size
NOT_RUN = {"tables"}
SESSIONS = [
    page
    for page in PAGES
    if "\n```console\n" in page.read_text("utf-8") and page.stem not in RUN_ELSEWHERE | NOT_RUN
]


@each_case("page", PAGES, ids=lambda page: page.name)
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("docs", "resources"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)  # what an example writes does not stay
    if page.name == "formats.md":
        pytest.skip("tests/formats/test_manual.py runs its examples among files it needs")
    failed, _ = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks | None]:
    """The programs of sessions run in forks where libraries endure that."""
    if sys.platform != "linux":
        yield None
        return
    forks = Forks(session_environment())
    yield forks
    forks.close()


@pytest.mark.skipif(not os.path.exists("/bin/sh"), reason="needs a shell")
@each_case("page", SESSIONS, ids=lambda page: page.stem)
def test_sessions(page: Path, tmp_path: Path, forks: Forks | None) -> None:
    assert run_sessions(page, tmp_path, RUN_AMONG.get(page.stem), forks) > 0


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (ROOT / "resources" / "demo").glob("*.*"):
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.chdir(tmp_path)
    cells = json.loads(Path("first-score.ipynb").read_text("utf-8"))["cells"]
    names: dict[str, object] = {}
    for cell in cells:
        assert cell["source"]
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []  # nothing is stored that may become wrong
            exec("".join(cell["source"]), names)
    assert Path("report.html").read_text("utf-8").startswith("<!doctype html>")


def test_every_page_is_in_the_site() -> None:
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    rows = [PAGE_ROW.match(line) for line in index.partition("## All pages")[2].splitlines()]
    named = {row[2]: row[1] for row in rows if row}
    for page, title in named.items():
        lines = (ROOT / "docs" / f"{page}.md").read_text("utf-8").splitlines()
        assert next(line for line in lines if line.startswith("# ")) == f"# {title}"
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"}
    pages |= {f"reference/{path.stem}" for path in (ROOT / "docs" / "reference").glob("*.md")}
    assert {*named} == pages
    assert "```{" not in index  # it is read on GitHub, too


@pytest.mark.parametrize("package", [scoring, formats], ids=lambda package: package.__name__)
def test_the_reference_has_every_public_name(package: ModuleType) -> None:
    name = package.__name__
    text = (ROOT / "docs" / "reference" / f"{name}.md").read_text("utf-8")
    told = set(re.findall(rf"^\.\. auto\w+:: {name}\.(\w+)$", text, re.MULTILINE))
    constants = {"NULL", "SCLITE_COSTS", "UNIT_COSTS"}
    assert told == {one for one in dir(package) if not one.startswith("_")} - constants


def test_help_lists_every_public_name() -> None:
    names = {name for name in dir(scoring) if not name.startswith("_")}
    for text in (scoring.__doc__, sclite_kit.__doc__):
        listed = set(re.findall(r"^    (\w+) +\S.*$", text or "", re.MULTILINE))
        assert names - listed <= {"SCLITE_COSTS", "UNIT_COSTS"}


def helps_of(program: str) -> list[str]:
    """The commands of a program whose options have a page, which the list of commands names."""
    named = (ROOT / "docs" / "reference" / "commands.md").read_text("utf-8").splitlines()
    told = []
    for page in sorted((ROOT / "docs" / "reference" / "commands").glob("*.md")):
        text = page.read_text("utf-8")
        rows = re.findall(rf"^```{{command-help}} {program} (\w+)$", text, re.MULTILINE)
        assert all(f"\n## {program} {name}\n" in text for name in rows)
        assert f"commands/{page.stem}" in named
        told += rows
    return told


def test_the_reference_has_every_command() -> None:
    told = helps_of("scoring")
    # these have programs of their own below them, with pages of their own
    assert {*told, "kaldi", "sctk"} == {*COMMANDS}


def test_the_pictures_of_the_alignment_are_those_of_their_script() -> None:
    place = ROOT / "docs" / "alignment_picture.py"
    spec = importlib.util.spec_from_file_location("alignment_picture", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, picture in module.pictures().items():
        assert (ROOT / "docs" / name).read_text("utf-8") == picture
        assert f"({name})" in (ROOT / "docs" / "alignment.md").read_text("utf-8")


def test_the_picture_of_the_first_page_is_that_of_its_script() -> None:
    spec = importlib.util.spec_from_file_location("speed", ROOT / "docs" / "speed_picture.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert {name for _, _, name, _ in module.measured()} >= {"SCTK 2.4", "jiwer 4.0"}
    assert (ROOT / "docs" / "speed.svg").read_text("utf-8") == module.picture()


def shell_blocks() -> list[str]:
    text = (ROOT / "README.md").read_text("utf-8")
    return [block.strip() for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL)]


def test_ci_runs_the_test_command_of_the_readme() -> None:
    command = shell_blocks()[1]
    assert command.endswith("-m pytest -n auto")
    # a failure anywhere in the chain ends the run
    steps = (ROOT / ".ci" / "run").read_text("utf-8")
    assert steps.count(f"\n{command} ||\n    exit\n") == 1
    # which leaves out the tests of a release
    assert steps.count('.venv/bin/python -m pytest -n "$(nproc)" -q -m release ') == 1


def test_every_folder_that_tox_and_ci_hand_to_pytest_exists() -> None:
    for page in ("tox.ini", ".ci/run", ".ci/sanitize", ".ci/wheel", "pyproject.toml"):
        named = re.findall(r"\btests(?:/[\w.]+)+", (ROOT / page).read_text("utf-8"))
        assert named
        # the fuzzer's folder is asked for before it is used
        missing = [name for name in named if not (ROOT / name).exists()]
        assert set(missing) <= {"tests/fuzz", "tests/fuzz.py"}, page


def test_the_first_command_scores_the_demo() -> None:
    arguments = shlex.split(shell_blocks()[0].rpartition("&&")[2])
    assert arguments[0] == ".venv/bin/sclite"
    done = subprocess.run(
        [sys.executable, "-m", "scoring.cli.nist.sclite", *arguments[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "SYSTEM SUMMARY PERCENTAGES by SPEAKER" in done.stdout
    assert "Sum/Avg" in done.stdout


@each_case("folder", [".", "docs", "docs/formats", "docs/reference", "docs/reference/commands"])
def test_links_lead_somewhere(folder: str) -> None:
    for page in (ROOT / folder).glob("*.md"):
        for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text("utf-8")):
            other = page.parent / target
            assert other.exists(), (page, target)
            text = (other if target else page).read_text("utf-8") if anchor else ""
            headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
            assert anchor in ["", *map(anchor_of, headings)], (page, target, anchor)


def test_old_addresses_lead_to_a_heading() -> None:
    pages = ROOT / "docs"
    assert len(MOVED) > 30
    for old, new in MOVED.items():
        page, _, heading = new.partition("#")
        text = (pages / f"{page}.md").read_text("utf-8")
        assert heading in map(anchor_of, re.findall(r"^#+ (.*)$", text, re.MULTILINE)), old
        assert not (pages / f"{old}.md").exists(), old


def test_the_reference_has_every_program_that_is_installed() -> None:
    text = (ROOT / "docs" / "reference" / "commands.md").read_text("utf-8")
    assert [name for name in console_scripts() if f"`{name}" not in text] == []


def test_the_reference_has_every_command_of_formats() -> None:
    told = helps_of("formats")
    done = subprocess.run(
        [sys.executable, "-m", "formats", "--help"], capture_output=True, text=True, check=True
    )
    part = done.stdout.partition("  COMMAND\n")[2].partition("\n\n")[0]
    assert set(told) == set(re.findall(r"^    (\w+)\b", part, re.MULTILINE))


def test_the_reference_has_every_exit_status() -> None:
    text = (ROOT / "docs" / "reference" / "exit-statuses.md").read_text("utf-8")
    table = text.partition("| status |")[2].partition("\n\n")[0]
    told = re.findall(r"^\| (\d+) \|", table, re.MULTILINE)
    assert told == re.findall(r"^  (\d+) ", EXIT_STATUS, re.MULTILINE)


def test_the_page_of_keyword_search_has_a_row_for_every_rule() -> None:
    text = (ROOT / "docs" / "keyword-search.md").read_text("utf-8")
    rows = re.findall(r"^\| (?!\||-)(.+?) \|", text.partition("## F4DE's rules")[2], re.MULTILINE)
    # one rule, on names of files, takes two rows
    assert len(rows) == len(SearchRules._fields) + 1


def test_the_reference_has_every_schema() -> None:
    text = (ROOT / "docs" / "reference" / "schemas.md").read_text("utf-8")
    schemas = {path.name for path in (ROOT / "resources" / "schemas").glob("*.json")}
    assert set(re.findall(r"resources/schemas/([\w.-]+\.json)\)", text)) == schemas


def test_the_first_table_has_a_row_for_every_command() -> None:
    text = (ROOT / "docs" / "reference" / "commands.md").read_text("utf-8")
    cells = " ".join(re.findall(r"^\| (.+?) \|", text, re.MULTILINE))
    commands = [*(f"scoring {name}" for name in COMMANDS if name != "sctk"), *helps_of("formats")]
    assert [name for name in commands if name not in cells] == []


def test_the_page_of_recipes_has_every_recipe() -> None:
    text = (ROOT / "docs" / "recipes.md").read_text("utf-8")
    table = text.partition("## Which recipe")[2].partition("\n## ")[0]
    assert [name for name in recipes() if f"`{name}`" not in table] == []


def test_the_definitions_have_every_measure() -> None:
    text = (ROOT / "docs" / "reference" / "measures.md").read_text("utf-8")
    named = re.findall(r"^## (\S+)\n\n```\{command-text\} scoring measures \1$", text, re.MULTILINE)
    assert named == [*MEASURES]


def test_the_tables_of_signatures_have_every_field() -> None:
    text = "\n".join(field_tables())
    options = Options(
        clip_rate=True,
        forgive_optional=True,
        merge_compounds=True,
        variants_length="written",
        shift=1,
    )
    rules = Rules(like="a", meeting="cp", verdicts="b", references="c", variants="d")
    rare = [options.rules().signature("time"), rules.signature("time")]
    others = [
        "der|like:a|by:b|" + str(DiarisationRules(mapping=GREEDY, speaking=SINGLE, tolerance_ns=1)),
        PhonemeRules(dropped=("a",), forgive_optional=True).signature("time"),
    ]
    fields = [part.partition(":")[0] for line in (*rare, *others) for part in line.split("|")[1:]]
    told = re.findall(r"`([a-z-]+)`", " ".join(re.findall(r"^\| (`.+?) \|", text, re.MULTILINE)))
    assert set(fields) - {*told} == set()
    page = (ROOT / "docs" / "signature.md").read_text("utf-8")
    assert "```{command-table} scoring explain --fields\n" in page
