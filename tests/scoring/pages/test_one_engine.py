"""Markup is written in one place: who tells of results makes blocks and knows no command."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.each_case import each_case
from tests.syntax import nodes_of

ROOT = Path(__file__).resolve().parents[3]
OWN_MARKUP = {
    "scoring/drawing/markup.py",
    "scoring/drawing/notebook.py",  # a page in an attribute
    "scoring/drawing/plots.py",
    "scoring/drawing/timelines.py",
}
REPORTS = (
    "scoring/drawing",
    "scoring/pages",
    "scoring/tasks/labels/reports",
    "scoring/tasks/phonemes/reports.py",
    "scoring/regression",
    "scoring/tasks/kws",
    "scoring/stats",
)


@cache
def imported_by(path: Path) -> tuple[str, ...]:
    return tuple(_imported_by(path))


def _imported_by(path: Path) -> Iterator[str]:
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def files_of(part: str) -> list[Path]:
    path = ROOT / part
    return [path] if path.suffix else sorted(path.rglob("*.py"))


def test_who_escapes_texts_is_known_by_name() -> None:
    escaping = {
        path.relative_to(ROOT).as_posix()
        for path in files_of("scoring")
        if re.search("html|saxutils", path.read_text("utf-8"))  # the others need no parsing
        for name in imported_by(path)
        if name in ("html.escape", "html", "xml.sax.saxutils.escape")
    }
    assert escaping == OWN_MARKUP


def test_csv_is_written_in_one_place() -> None:
    writing = [
        path.name for path in files_of("scoring") if "csv.writer(" in path.read_text("utf-8")
    ]
    assert writing == ["data.py"]


@each_case("part", REPORTS)
def test_reports_know_nothing_of_commands(part: str) -> None:
    for path in files_of(part):
        for name in imported_by(path):
            assert not name.startswith(("scoring.cli", "argparse")), path
