"""`scoring docs`: pages by name, by format, and the files that they use."""

import bz2
import filecmp
import json
import re
from functools import cache
from pathlib import Path

import pytest

from formats.detection import names
from formats.schema.messages import EXPECTED, PART, TEXT
from scoring.cli.catalogue import entries, rows
from scoring.cli.docs import help_entries
from scoring.cli.page_search import pages_in, sections
from scoring.cli.scoring import main
from tests.each_case import each_case
from tests.formats.test_message_laws import ENTRIES as OF_FORMATS
from tests.scoring.test_message_laws import ENTRIES as OF_SCORING
from tests.tables import table_of

ROOT = Path(__file__).resolve().parents[3]


def test_the_list_has_every_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs"]) == 0
    listed = {line.split()[0] for line in capsys.readouterr().out.splitlines() if line[:2] == "  "}
    pages = ROOT / "docs"
    there = {*pages.glob("*.md"), *pages.glob("reference/*.md")} - {pages / "index.md"}
    assert listed == {page.relative_to(pages).with_suffix("").as_posix() for page in there}


def test_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs", "wer"]) == 0
    assert capsys.readouterr().out == (ROOT / "docs" / "wer.md").read_text("utf-8")
    assert main(["docs", "schemas", "--path"]) == 0
    assert capsys.readouterr().out == f"{ROOT / 'docs' / 'reference' / 'schemas.md'}\n"


@pytest.fixture
def pages_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands of a test read the pages and split them into words once."""
    kept = cache(pages_in)
    for module in ("docs", "page_search"):
        monkeypatch.setattr(f"scoring.cli.{module}.pages_in", kept)
    parts = cache(lambda text: [*sections(text)])
    monkeypatch.setattr("scoring.cli.page_search.sections", parts)


@pytest.mark.usefixtures("pages_once")
def test_every_format_has_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    for name in names():
        assert main(["docs", name, "--path"]) == 0
        assert name in Path(capsys.readouterr().out.rstrip("\n")).read_text("utf-8")


def test_the_reference_has_docstrings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs", "reference/formats"]) == 0
    text = capsys.readouterr().out
    assert "eval-rst" not in text
    assert "```text\nformats.detect\n\n" in text


def test_the_definitions_of_measures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs", "reference/measures#empty"]) == 0
    assert "```text\nempty: Empty answers\n" in capsys.readouterr().out


def test_a_page_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs", "statistic"]) == 2
    assert capsys.readouterr() == (
        "",
        "scoring: error: docs: expected a page (scoring docs lists all, scoring docs --search WORD finds words), found 'statistic'; did you mean "
        "statistics?\n",
    )


def test_the_resources(current_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs", "--resources"]) == 0
    compared = filecmp.dircmp(ROOT / "resources", current_folder / "resources", ignore=[])
    assert not compared.left_only + compared.right_only
    (current_folder / "resources" / "demo" / "reference.trn").write_text("mine (a)\n")
    capsys.readouterr()
    assert main(["docs", "--resources"]) == 2
    assert "resources exists already and is not changed" in capsys.readouterr().err
    assert (current_folder / "resources" / "demo" / "reference.trn").read_text() == "mine (a)\n"


@each_case(("name", "first", "heading"), table_of(__file__, "an_option"))
def test_an_option(name: str, first: str, heading: str, capsys: pytest.CaptureFixture[str]) -> None:
    option = name.partition("#")[2]
    assert main(["docs", name]) == 0
    parts = capsys.readouterr().out.split("\n\n")
    assert parts[0].startswith(first)
    assert heading in "\n".join(parts).splitlines() or not heading
    assert option in "".join(parts[1:]) or not heading


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("wer#--meting", "expected an option of scoring wer, found '--meting'; did you mean --meeting?"),
        ("hubscr#--lll", "expected an option of hubscr, found '--lll'"),
        ("weer#--meeting", "found 'weer'; did you mean wer?"),
    ],
)  # fmt: skip
def test_an_unknown_option(name: str, problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs", name]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert problem in printed.err


def test_a_part_of_a_page_has_the_name_of_its_old_page(capsys: pytest.CaptureFixture[str]) -> None:
    for name in (
        "scoring-der",
        "reference/commands/scoring-der",
        "commands/../x",
        "tasks#scoring-der",
    ):
        assert main(["docs", name]) == (2 if ".." in name else 0)
        output = capsys.readouterr().out
        assert output.startswith("## scoring der\n") is (".." not in name)
        assert "--collar" in output or ".." in name
        assert "scoring kws" not in output
    assert main(["docs", "wer#scoring-cr"]) == 2
    assert "did you mean scoring-cer?" in capsys.readouterr().err


def test_every_option_of_a_help_has_an_entry() -> None:
    text = "usage: x\n\ninput:\n  -f F, --form F\n{0}form (default:\n{0}a)\n  --all  all\n\nend:\n  -x\n"
    entries = list(help_entries(text.format(" " * 22)))
    assert entries == [
        ("input", "-f F, --form F", "form (default: a)"),
        ("input", "--all", "all"),
        ("end", "-x", ""),
    ]


# Texts that only join other messages.
JOINED = {"ASS-STYLES", "IN-COLLECTION", "LOST", "MESSAGE", "PATTERN", "REMOVED", "REPORT", "USAGE"}


def test_the_catalogue_has_every_message_as_a_whole_sentence() -> None:
    """A part of messages is found by its code alone."""
    every = {entry.key: entry for entry in (*OF_FORMATS, *OF_SCORING, EXPECTED, TEXT)}
    assert {entry.key for entry in entries()} == every.keys()
    listed = [(code, text) for code, _, text, _ in rows()]
    parts = [entry for entry in every.values() if entry.severity == PART]
    assert len(listed) == len(every) - len(parts)
    assert len(parts) > 10
    assert {code for code, text in listed if len(re.findall("[a-z]+", text)) < 2} == JOINED
    assert [row[:2] for row in rows(["CONTENT"])] == [("CONTENT", PART)] * 5


def test_messages_are_found_by_their_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs", "--messages"]) == 0
    everything = capsys.readouterr().out.splitlines()
    assert len(everything) > 500
    assert main(["docs", "CTM-ORDER"]) == 0
    heading, line, *rows = capsys.readouterr().out.splitlines()
    assert [heading, line] == everything[:2]
    assert rows == [row for row in everything if row.startswith("| `CTM-ORDER` |")] != []
    assert main(["docs", "CTM-ORDRE"]) == 2
    assert "did you mean CTM-ORDER?" in capsys.readouterr().err


def test_pages_of_the_reference_are_shown_with_what_is_generated(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for page, part in (
        ("reference/commands/scoring-wer", "--normalize NAME|FILE"),
        ("reference/all-formats", "| `trn` |"),
        ("reference/messages", "| `CTM-ORDER` |"),
    ):
        assert main(["docs", page]) == 0
        output = capsys.readouterr().out
        assert part in output
        assert "{command-" not in output


# What people look for, and the page that must be first.
SEARCHES = {
    "ATWV": "keyword-search",
    "plug-in": "plugins",
    "reading speed": "subtitle-rules",
    "wer": "wer",
    "exit status": "reference/exit-statuses",
    "contribute format": "formats",
    "signature": "signature",
    "latex": "signature",
    "cite": "signature",
    "formula": "first-score",
    "replace sclite": "from-sctk",
    "many speakers": "many-speakers",
    "DER": "diarisation",
    "gitlab": "continuous-integration",
    "cpWER": "many-speakers",
    "convert srt": "first-conversion",
    "compare two systems": "regression",
}


@pytest.mark.usefixtures("pages_once")
def test_searches_find_their_page_first(capsys: pytest.CaptureFixture[str]) -> None:
    found = {}
    for query in SEARCHES:
        assert main(["docs", "--search", *query.split()]) == 0
        found[query] = capsys.readouterr().out.split()[0].partition("#")[0]
    assert found == SEARCHES
    assert main(["docs", "--search", "LaTeX"]) == 0
    name, title = capsys.readouterr().out.splitlines()[0].split(maxsplit=1)
    assert (name, title) == (
        "signature#a-table-for-a-paper",
        "The signature of a score: A table for a paper",
    )
    assert main(["docs", "--search", "zymurgy"]) == 2
    assert "no page contains 'zymurgy'" in capsys.readouterr().err


def test_pages_of_a_wheel_are_compressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = ("wer", "wer#--meeting", "ctm", "scoring der#--boundary-collar")
    commands = [["docs"], ["docs", "--search", "collar"], *(["docs", page] for page in pages)]
    outputs = []
    for place in (ROOT, tmp_path):
        monkeypatch.setattr("scoring.cli.docs.PLACES", (place,))
        for command in commands:
            assert main(command) == 0
        outputs.append(capsys.readouterr().out)
        pages_by_name = {
            path.relative_to(ROOT / "docs").as_posix(): path.read_text("utf-8")
            for path in (ROOT / "docs").rglob("*.md")
        }
        (tmp_path / "docs").mkdir(exist_ok=True)
        packed = tmp_path / "docs" / "packed.json.bz2"
        packed.write_bytes(bz2.compress(json.dumps(pages_by_name).encode()))
    assert outputs[0] == outputs[1]
    assert main(["docs", "wer", "--path"]) == 0
    assert capsys.readouterr().out == f"{packed}\n"
