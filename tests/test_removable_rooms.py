"""Leaves come off: without a room that nothing need stand on, the rest imports, scores and explains.

Each case is a copy of the house made of links, in which the folders are really absent. What goes
with a leaf is listed in `STANDS_ON`; nothing else may import it when it is loaded.
"""

import ast
import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.each_case import each_case
from tests.test_architecture import ROOT, modules, name_of

# What is removed with each leaf, because it is of no use without it.
STANDS_ON = {
    "scoring.peers": (
        "scoring.cli.peers",
        "scoring.serve.benchmarkstt",
        "scoring.serve.benchmarkstt_tools",
    ),
    "scoring.serve": (),
    "scoring.regression": ("scoring.cli.regression", "scoring.serve"),
    "scoring.tasks": (
        "scoring.cli.tasks",
        "scoring.peers.meeteval",
        "scoring.peers.pyannote",
        "scoring.peers.speechline",
    ),
    "scoring.measures": (
        "scoring.cli.measures",
        "scoring.cli.peers.fstalign",
        "scoring.peers.fstalign",
        "scoring.serve",
    ),
    "formats.meetings": (),
    "formats.keywords": (
        "scoring.tasks.kws",
        "scoring.cli.tasks.kws",
        "scoring.cli.tasks.kws_options",
    ),
    "formats.manifests": (
        "formats.json",
        "formats.tables",
        "formats.annotation.tdf",
        "scoring.score.conditions",
    ),
    "formats.json": (
        "formats.tables",
        "formats.annotation.aeneas",
        "formats.annotation.any_xml",
        "formats.annotation.emu",
        "formats.annotation.mfa",
        "formats.annotation.tei",
        "formats.subtitles.youtube",
    ),
    "formats.tables": (
        "formats.annotation.mfa",
        "scoring.score.engines",
        "scoring.score.frames",
        "scoring.score.from_tables",
        "scoring.score.table_columns",
        "scoring.score.table_inputs",
        "scoring.score.score_columns",
    ),
    "formats.subtitles": ("formats.cli.lint",),
    "formats.annotation": (),
}
CASES = [*([leaf] for leaf in STANDS_ON), list(STANDS_ON)]
DEFINITION = re.compile(r"^(?:def |class |async def |@\w)", re.M)
IMPORT = re.compile(r"^ *(?:from|import) ((?:formats|scoring)[\w.]*)", re.M)
# `-B` and links to the caches: nothing is compiled or written, and no cache stands for a source.
RUN = """
import contextlib, importlib, io, sys
import formats, scoring
from formats.cli import main as formats_command
from formats.detection import all_formats, names
from scoring.cli.nist.sclite import main as sclite
from scoring.cli.scoring import COMMANDS, main

def run(command, *arguments):
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = command(arguments)
        except SystemExit as leaving:
            status = leaving.code or 0
    out.flush()
    return status, out.buffer.getvalue().decode(), err.getvalue()

def absent(module):
    return any(module == name or module.startswith(name + ".") for name in REMOVED)

for name in REMOVED:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        continue
    raise AssertionError(f"{name} is there")
for side in ("baseline.ctm", "baseline.trn"):
    reference = {"ctm": "reference.stm", "trn": "reference.trn"}[side[-3:]]
    print(*run(main, "wer", DEMO + reference, DEMO + side))
print(*run(sclite, "-r", DEMO + "reference.trn", "-h", DEMO + "baseline.trn", "-i", "spu_id", "-o", "sum", "stdout"))
print(*run(formats_command, "detect", DEMO + "reference.stm", DEMO + "baseline.ctm", DEMO + "reference.trn"))
print("--")
status, usage, _ = run(main, "--help")
assert status == 0
for name, (home, _) in COMMANDS.items():
    home = home.partition(":")[0]
    assert (f"\\n  {name} " in usage) is not absent(home), name
    if absent(home):
        status, _, message = run(main, name, "--help")
        assert status == 2 and "sclite-kit without it" in message, (name, message)
    elif SWEEP:
        status, _, message = run(main, name, "--help")
        assert status == 0, (name, status, message)
for name in dir(scoring) if SWEEP else ():
    try:
        getattr(scoring, name)
    except AttributeError as problem:
        assert "sclite-kit without it" in str(problem), problem
assert {spec.name for spec in all_formats()} <= set(names())
for name in ("srt", "whisper", "eaf", "csv"):
    try:
        formats.detection.by_name(name)
    except ModuleNotFoundError as problem:
        assert absent(problem.name), problem
"""


def removed_with(leaves: list[str]) -> list[str]:
    """The leaves, and all that stands on them."""
    removed = dict.fromkeys(leaves)
    pending = list(leaves)
    while pending:
        for name in STANDS_ON.get(pending.pop(), ()):
            if name not in removed:
                removed[name] = None
                pending.append(name)
    return list(removed)


def is_below(module: str, rooms: list[str]) -> bool:
    return any(module == room or module.startswith(f"{room}.") for room in rooms)


@cache
def sources() -> dict[str, str]:
    """The text of each module."""
    return {name_of(path): path.read_text("utf-8") for path in modules()}


@cache
def imported_at_start(module: str) -> frozenset[str]:
    """What loading a module imports: neither inside functions nor for type checkers."""
    # imports are at the head of a module, and reading no more of it takes a tenth of the time
    text = sources()[module]
    try:
        tree = ast.parse(DEFINITION.split(text, maxsplit=1)[0])
    except SyntaxError:  # the line is in the middle of a text
        tree = ast.parse(text)
    return frozenset(_imports_of(tree.body))


def _imports_of(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.If):
            is_for_types = "TYPE_CHECKING" in ast.unparse(node.test)
            yield from _imports_of([*([] if is_for_types else node.body), *node.orelse])
        elif isinstance(node, ast.Try):
            yield from _imports_of([*node.body, *node.orelse])
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@each_case("leaves", CASES, ids=" ".join)
def test_nothing_left_imports_what_is_gone(leaves: list[str]) -> None:
    removed = tuple(f"{room}." for room in removed_with(leaves))
    ties = [
        f"{module} imports {imported}"
        for module in sources()
        if not f"{module}.".startswith(removed)
        for imported in imported_at_start(module)
        if f"{imported}.".startswith(removed)
    ]
    assert ties == []


def test_what_goes_with_a_leaf_needs_it() -> None:
    """The list is no excuse: everything on it imports the leaf, or what else is on it."""
    for leaf, others in STANDS_ON.items():
        for other in others:
            rooms = [room for room in (leaf, *others) if room != other]
            inside = [text for name, text in sources().items() if is_below(name, [other])]
            assert inside, f"there is no {other}"
            targets = [target for text in inside for target in IMPORT.findall(text)]
            needed = any(is_below(target, rooms) for target in targets)
            assert needed, f"{other} does not need {leaf}"


def copy_without(removed: list[str], target: Path) -> None:
    """A house of links to all files but those of these modules."""
    gone = {name.replace(".", "/") for name in removed}
    gone |= {f"{path}.py" for path in gone}

    def copy(place: str) -> None:
        if place in gone:
            return
        if any(path.startswith(f"{place}/") for path in gone):
            (target / place).mkdir()
            for child in sorted(os.listdir(ROOT / place)):
                copy(f"{place}/{child}")
        else:
            (target / place).symlink_to(ROOT / place)

    for top in ("formats", "scoring", "sclite_kit"):
        copy(top)


def head_of(removed: list[str], sweep: bool) -> str:
    """The first lines of `RUN`."""
    return f"REMOVED, SWEEP = {removed!r}, {sweep}\nDEMO = {str(ROOT / 'resources/demo')!r} + '/'\n"


def run_in_copy(removed: list[str], target: Path, sweep: bool) -> str:
    """What the programs print in a house without these rooms."""
    copy_without(removed, target)
    # the folders of packages, without the finders that an editable installation adds
    folders = [path for path in sys.path if path.endswith(("-packages", "lib-dynload"))]
    done = subprocess.run(
        [sys.executable, "-S", "-B", "-c", head_of(removed, sweep) + RUN],
        cwd=target,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(target), *folders])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.partition("--\n")[0]


@pytest.fixture(scope="module")
def whole() -> str:
    """What the programs print in the whole house, which this process has loaded."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(head_of([], sweep=False) + RUN, {})
    return printed.getvalue().partition("--\n")[0]


@pytest.mark.parametrize(
    "leaves",
    # each leaf by itself takes a process that loads all others
    [*(pytest.param(case, marks=pytest.mark.release) for case in CASES[:-1]), CASES[-1]],
    ids=" ".join,
)
def test_the_rest_scores_the_demo(leaves: list[str], whole: str, tmp_path: Path) -> None:
    assert whole.count("WER") == 2
    assert (
        run_in_copy(removed_with(leaves), tmp_path, sweep=is_below(leaves[0], ["scoring"])) == whole
    )
