"""The order of knowledge: a module imports only what stands below it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# From the ground up. A module may import modules of its own room and of rooms before it.
ROOMS = (
    "formats",
    "scoring.errors",
    "scoring.version",
    "scoring.model",
    "scoring.normalize",
    "scoring._native",
    "scoring.native",
    "scoring.arguments",
    "scoring.alignment",
    "scoring.options",
    "scoring.sides",
    "scoring.matching",
    "scoring.pages",
    "scoring.stats",
    "scoring.nist.transcripts",
    "scoring.nist.sgml",
    "scoring.nist.language_model",
    "scoring.nist.segmentation",
    "scoring.nist.pairing",
    "scoring.nist.session",
    "scoring.nist.report",
    "scoring.nist.rover",
    "scoring.scored",
    "scoring.nist",
    "scoring.compat.kaldialign",
    "scoring.kaldialign",
    "scoring.compat.kaldi",
    "scoring.labels",
    "scoring.compat.calculators",
    "scoring.kws",
    "scoring.regression",
    "scoring.phonemes",
    "scoring.compat",
    "scoring.server",
    "scoring.cli",
    "scoring.__main__",
)
THIRD_PARTY = frozenset(
    {
        "anyascii",
        "charset_normalizer",
        "jinja2",
        "lxml",
        "matplotlib",
        "msgspec",
        "numpy",
        "pysubs2",
        "regex",
        "rich",
        "scipy",
        "starlette",
        "textgrid",
        "tomli",
        "typing_extensions",  # for those who check types only
        "tomllib",  # of the standard library from Python 3.11 on
        "uvicorn",
        "wcwidth",
        "yaml",
    }
)
NOT_AT_START_UP = (
    *THIRD_PARTY,
    "argparse",
    "json",
    "dataclasses",
    "inspect",
    "decimal",
    "gzip",
)


def modules() -> list[Path]:
    return sorted(
        path
        for package in ("formats", "scoring")
        for path in (ROOT / package).rglob("*.py")
        if path != ROOT / "scoring" / "__init__.py"  # the public list, gathers all
    )


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> int | None:
    for number, room in enumerate(ROOMS):
        if module == room or module.startswith(room + "."):
            return number
    return None


def imports_of(path: Path) -> Iterator[str]:
    """What a module imports, inside functions too; what only type checkers read is left out."""
    pending: list[ast.AST] = [ast.parse(path.read_text("utf-8"))]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            pending.extend(node.orelse)
            continue
        pending.extend(ast.iter_child_nodes(node))
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_go_downwards_only(path: Path) -> None:
    own = room_of(name_of(path))
    assert own is not None, f"{path} stands in no room of the list"
    for imported in imports_of(path):
        top = imported.partition(".")[0]
        if top in ("formats", "scoring"):
            if imported in ("formats", "scoring"):
                continue
            other = room_of(imported)
            assert other is not None
            assert other <= own, f"{name_of(path)} imports {imported}"
            assert not (ROOMS[own] == "formats" and top == "scoring")
        else:
            assert top in sys.stdlib_module_names or top in THIRD_PARTY, imported


@pytest.mark.parametrize("statement", ["import formats", "import scoring"])
def test_imports_are_cheap(statement: str) -> None:
    loaded = _modules_after(statement)
    assert not loaded.intersection(NOT_AT_START_UP)


def test_start_of_sclite_is_cheap() -> None:
    loaded = _modules_after("import scoring.cli.sclite")
    assert not loaded.intersection(NOT_AT_START_UP)


def _modules_after(statement: str) -> set[str]:
    import subprocess

    code = f"import sys; before = set(sys.modules); {statement}; print(*set(sys.modules) - before)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())
