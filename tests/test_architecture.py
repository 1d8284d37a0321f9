"""The order of knowledge: a module imports only what stands below it, and the house stays small.

`python tests/test_architecture.py` prints the figures.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from itertools import chain
from pathlib import Path

import pytest

from tests.each_case import each_case
from tests.syntax import tree_of
from tests.tables import table_of

ROOT = Path(__file__).resolve().parents[1]

# From the ground up. A module may import modules of its own room and of rooms before it. What has
# a longer name in this list than its room is a room of its own.
ROOMS = (
    "formats.schema",
    "formats.io",
    "formats.console",
    "formats._native",
    "formats.detection",
    "formats.reading",
    "formats.writing",
    "formats",
    "formats.meetings",
    "formats.kaldi",
    "formats.keywords",
    "formats.manifests",
    "formats.nist",
    "formats.json",
    "formats.tables",
    "formats.subtitles",
    "formats.annotation",
    "formats.cli",
    "formats.__main__",
    "scoring.model",
    "scoring._native",
    "scoring.alignment",
    "scoring.text",
    "scoring.options",
    "scoring.drawing",
    "scoring.stats",
    "scoring.sides",
    "scoring.results",
    "scoring.measures",
    "scoring.pages",
    "scoring.nist.transcripts",
    "scoring.nist.sgml",
    "scoring.nist.language_model",
    "scoring.nist.segmentation",
    "scoring.nist.pairing",
    "scoring.nist.session",
    "scoring.nist.report",
    "scoring.nist.rover",
    "scoring.nist",
    "scoring.tasks",
    "scoring.score",
    "scoring.peers",
    "scoring.regression",
    "scoring.cli",
    "scoring.serve",
    "scoring.__main__",
)
# The names on the first level of each package that a newcomer reads, and the floors they stand on.
MOST_NAMES = {"formats": 16, "scoring": 17}
MOST_FLOORS = 11
THIRD_PARTY = frozenset(
    {
        "anyascii",
        "argcomplete",  # where a shell asks for completion
        "charset_normalizer",
        "fsspec",
        "jinja2",
        "lxml",
        "matplotlib",
        "openpyxl",
        "torch",
        "torchmetrics",
        "msgspec",
        "numpy",
        "num2words",  # where somebody asks for the normaliser that needs it
        "pandas",  # these and polars and pyarrow for those who ask for their tables
        "polars",
        "pyarrow",
        "pysubs2",
        "pyspark",  # this and ray where somebody has a cluster
        "pytest",  # of its plugin only
        "ray",
        "regex",
        "snowballstemmer",  # of those who ask for stems
        "sacrebleu",  # of those who ask for scores of translation
        "rich",
        "starlette",
        "striprtf",  # of those who read RTF
        "textgrid",
        "tomli",
        "unicode_rbnf",
        "typing_extensions",  # for those who check types only
        "tomllib",  # of the standard library from Python 3.11 on
        "uvicorn",
        "yaml",
    }
)
NOT_AT_START_UP = (*THIRD_PARTY, "argparse", "json", "dataclasses", "inspect", "decimal", "gzip")


@cache
def modules() -> list[Path]:
    return sorted(
        path
        for package in ("formats", "scoring")
        for path in (ROOT / package).rglob("*.py")
        if path != ROOT / "scoring" / "__init__.py"  # the public list, gathers all
    )


@cache
def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def room_of(module: str) -> int | None:
    fitting = [room for room in ROOMS if module == room or module.startswith(room + ".")]
    return ROOMS.index(max(fitting, key=len)) if fitting else None


BLOCKS: dict[type[ast.AST], tuple[str, ...]] = {
    kind: tuple(
        name
        for name in ("body", "orelse", "finalbody", "handlers", "cases")
        if name in kind._fields
    )
    for kind in vars(ast).values()
    if isinstance(kind, type)
    and issubclass(kind, (ast.mod, ast.stmt, ast.excepthandler, ast.match_case))
}
"""The fields of statements and the like that hold statements; no expression imports anything."""


@cache
def imports_of(path: Path, types: bool = False) -> tuple[tuple[str, str], ...]:
    """What a module imports, inside functions too; with `types` also for type checkers alone.

    Each import is a module, and the name that is imported from it (empty: the module itself).
    """
    return tuple(_imports_of(path, types))


def _imports_of(path: Path, types: bool) -> Iterator[tuple[str, str]]:
    pending: list[ast.AST] = [tree_of(path)]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.If) and not types and "TYPE_CHECKING" in ast.unparse(node.test):
            pending += node.orelse
        else:
            for name in BLOCKS[type(node)]:
                pending += getattr(node, name)


# Where names are others' own: members of the answers of services, classes of tools we stand in for.
NAMED_BY_OTHERS = ("formats/json/", "scoring/peers/")


def names_of_types(path: Path) -> Iterator[str]:
    """The public classes of a module, and its aliases of types; type variables are no names."""
    tree = tree_of(path)
    value: ast.expr | None
    blocks = (node.body for node in tree.body if isinstance(node, ast.If | ast.Try))
    for node in (*tree.body, *chain.from_iterable(blocks)):
        if isinstance(node, ast.ClassDef):
            name, value = node.name, None
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name, value = node.target.id, node.value or node.target
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, value = node.targets[0].id, node.value
        else:
            continue
        is_type = re.match("[A-Z][A-Za-z0-9]*[a-z]", name)
        if is_type and not re.match("TypeVar|ParamSpec", ast.unparse(value) if value else ""):
            yield name


def test_no_type_shares_its_name_with_another() -> None:
    """A name in a message, a type or an import tells which thing is meant.

    An alias that several modules use is defined once, in `formats.schema.words`,
    `scoring.model.aliases` or `scoring.model.arrays`. Private names are free.
    """
    found: dict[str, list[str]] = {}
    for path in modules():
        place = path.relative_to(ROOT).as_posix()
        if not place.startswith(NAMED_BY_OTHERS):
            for name in names_of_types(path):
                found.setdefault(name, []).append(place)
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def test_modules_with_our_named_tuples_have_annotations_as_texts() -> None:
    """From Python 3.14 on, other annotations are not in the body that makes the tuple."""
    users = [
        path
        for path in modules()
        if "NamedTuple" in path.read_text("utf-8")
        and any(
            isinstance(node, ast.ImportFrom)
            and node.module == "formats.schema"
            and any(alias.name == "NamedTuple" for alias in node.names)
            for node in tree_of(path).body
        )
    ]
    assert len(users) > 30
    future = "from __future__ import annotations\n"
    assert [name_of(path) for path in users if future not in path.read_text("utf-8")] == []


def test_imports_go_downwards_only() -> None:
    pairs = [
        (path, f"{module}.{name}".rstrip("."))
        for path in modules()
        for module, name in imports_of(path)
    ]
    for path, imported in pairs:
        own, top = room_of(name_of(path)), imported.partition(".")[0]
        assert own is not None, f"{path} is in no room of the list"
        complaint = f"{name_of(path)} imports {imported}"
        if top not in ("formats", "scoring"):
            assert top in sys.stdlib_module_names or top in THIRD_PARTY, complaint
        elif imported != top:
            other = room_of(imported)
            assert other is not None, complaint
            assert other <= own, complaint
            assert not (top == "scoring" and ROOMS[own].startswith("formats")), complaint


@cache
def graph_of_modules(types: bool = False) -> dict[str, set[str]]:
    """What of ours each module imports; with `types` also for type checkers alone."""
    known = {name_of(path): path for path in (*modules(), ROOT / "scoring" / "__init__.py")}
    return {
        name: {
            # of a package, its modules are imported, or names of its own
            module if f"{module}.{imported}" not in known else f"{module}.{imported}"
            for module, imported in imports_of(path, types)
        }
        & known.keys() - {name}
        for name, path in known.items()
    }


def graph_of_rooms(graph: Mapping[str, set[str]], package: str) -> dict[str, set[str]]:
    """What stands directly under a package, and what of that each imports."""

    def room(module: str) -> str:
        return ".".join(module.split(".")[:2])

    rooms: dict[str, set[str]] = {}
    for name, targets in graph.items():
        if name.startswith(f"{package}."):
            below = {room(one) for one in targets if one.startswith(f"{package}.")}
            rooms.setdefault(room(name), set()).update(below - {room(name)})
    return rooms


def floors_of(graph: Mapping[str, set[str]]) -> dict[str, int]:
    """On which floor each node stands, those that import nothing on the first.

    Raises
    ------
    graphlib.CycleError
        If there is a circle; its second argument names it.
    """
    floors: dict[str, int] = {}
    for name in TopologicalSorter(graph).static_order():
        floors[name] = 1 + max((floors[one] for one in graph[name]), default=0)
    return floors


@pytest.mark.parametrize("types", [False, True])
def test_nothing_stands_in_a_circle(types: bool) -> None:
    graph = graph_of_modules(types)
    assert "scoring.model.counts" in graph["scoring.results"]
    floors_of(graph)
    for package in MOST_NAMES:
        floors_of(graph_of_rooms(graph, package))


@pytest.mark.parametrize("package", sorted(MOST_NAMES))
def test_the_first_level_has_few_names_on_few_floors(package: str) -> None:
    names = {
        path.relative_to(ROOT / package).parts[0]
        for path in (ROOT / package).rglob("*.py")
        if not path.name.startswith("__") or path.parent != ROOT / package
    }
    assert len(names) <= MOST_NAMES[package], sorted(names)
    rooms = graph_of_rooms(graph_of_modules(), package)
    assert max(floors_of(rooms).values()) <= MOST_FLOORS


@pytest.mark.parametrize("statement", ["import formats", "import scoring"])
def test_imports_are_cheap(statement: str) -> None:
    assert not _modules_after(statement, "-S").intersection(NOT_AT_START_UP)


def test_start_of_sclite_is_cheap() -> None:
    assert not _modules_after("import scoring.cli.nist.sclite", "-S").intersection(NOT_AT_START_UP)


def test_start_of_wer_loads_nothing_that_is_not_asked_for() -> None:
    loaded = _modules_after("import scoring.cli.wer")
    unasked = {"csv", "fractions", "html", "json", "pathlib", "shutil", "scoring.drawing.markup"}
    unasked |= {"scoring.text.bundled", "scoring.regression", "scoring.results.record"}
    assert not loaded.intersection(unasked)


@each_case(
    "command",
    table_of(__file__, "small_work_loads_nothing_that_is_not_asked_for"),
    ids=lambda one: " ".join(one[1]).replace("{0}", ""),
)
def test_small_work_loads_nothing_that_is_not_asked_for(
    tmp_path: Path, command: tuple[str, list[str]]
) -> None:
    (tmp_path / "talk.trn").write_text("hello world (anne-1)\n")
    (tmp_path / "talk.stm").write_text("talk 1 anne 0.5 1.5 hello world\n")
    (tmp_path / "talk.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nhello\n")
    package, words = command
    given = [word.format(tmp_path / "talk") for word in words]
    module = "scoring.cli.scoring" if package == "scoring" else "formats.cli"
    loaded = _modules_after(f"from {module} import main; main({given})")
    # what aligns needs arrays: none of these
    unasked = {"bz2", "csv", "fractions", "gzip", "html", "json", "lxml", "multiprocessing"}
    unasked |= {"numpy", "pathlib", "pickle", "regex", "rich", "shutil", "tempfile"}
    assert {"formats": "formats.schema.errors", "scoring": "scoring.model.errors"}[
        package
    ] in loaded
    assert not loaded.intersection(unasked)


def _modules_after(statement: str, *flags: str) -> set[str]:
    import subprocess

    code = f"import sys; before = set(sys.modules); {statement}; print(); print(*set(sys.modules) - before)"
    done = subprocess.run(
        [sys.executable, *flags, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


if __name__ == "__main__":
    lines = sum(len(path.read_bytes().splitlines()) for path in modules())
    for top in MOST_NAMES:
        placed = floors_of(graph_of_rooms(graph_of_modules(), top))
        for room, floor in sorted(placed.items(), key=lambda one: (-one[1], one[0])):
            print(f"{floor} {room}")
        print(f"{top}: {len(placed)} rooms, {max(placed.values())} floors, no circle")
    print(f"{lines} lines")
