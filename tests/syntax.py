"""The syntax trees of modules, each parsed and walked once for all tests of a process."""

import ast
import gc
from functools import cache
from pathlib import Path
from typing import Any

WITHOUT_NODES = {
    *("id", "attr", "arg", "ctx", "op", "ops", "kind", "type_comment", "conversion", "level"),
    "module",
}
"""Fields with texts and numbers, operators and contexts of names."""
FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    kind: tuple(name for name in kind._fields if name not in WITHOUT_NODES)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
"""The fields of each kind of nodes that may hold other nodes than operators and contexts."""


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
    return tuple(walk(tree_of(path)))


@cache
def _by_kind(path: Path) -> dict[type[ast.AST], list[Any]]:
    nodes: dict[type[ast.AST], list[Any]] = {}
    for node in nodes_of(path):
        nodes.setdefault(type(node), []).append(node)
    return nodes


def nodes_of_kind(path: Path, *kinds: type[ast.AST]) -> list[Any]:
    """All nodes of a module of some kinds, those of the first one first."""
    return [node for kind in kinds for node in _by_kind(path).get(kind, ())]


def walk(tree: ast.AST) -> list[ast.AST]:
    """All nodes of a tree, in the order of `ast.walk` and in less than half of its time.

    Operators and contexts of names are left out: they say nothing by themselves.
    """
    nodes = [tree]
    for node in nodes:
        for name in FIELDS[type(node)]:
            value = getattr(node, name, None)
            if isinstance(value, list):
                nodes += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST):
                nodes.append(value)
    return nodes


def children_of(node: ast.AST) -> list[ast.AST]:
    """The nodes directly under a node that `walk` visits."""
    children: list[Any] = []
    for name in FIELDS[type(node)]:
        value = getattr(node, name, None)
        children += value if isinstance(value, list) else [value]
    return [child for child in children if isinstance(child, ast.AST)]


def callee(call: ast.Call) -> str:
    """The last name of what is called; empty if it has none."""
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))
