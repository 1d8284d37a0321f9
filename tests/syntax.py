"""The syntax trees of modules, each parsed and walked once for all tests of a process."""

import ast
import gc
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a module, which the garbage collector does not search: it has no circles."""
    gc.disable()
    try:
        return ast.parse(path.read_text("utf-8"))
    finally:
        gc.freeze()
        gc.enable()


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a module, in the order of `ast.walk`."""
    return tuple(ast.walk(tree_of(path)))


def callee(call: ast.Call) -> str:
    """The last name of what is called; empty if it has none."""
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))
