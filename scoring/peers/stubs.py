"""Stub packages, which have the names of other packages, for code that cannot be changed.

A stub has the modules of `sclite_kit.compat.NAME` at the same paths. If `sclite_kit.compat.NAME`
covers only a part of a package, the stub takes all other modules and names from the real package,
if it is installed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import extend_path
from typing import Any, NamedTuple

from formats.console.command_line import closest
from formats.io.sink import open_sink
from scoring.model.errors import ScoringError

MARK = "written by `scoring compat install"
INIT = "__init__.py"
# The packages of systems that have several, or another name than the system.
PACKAGES = {"espnet": ("espnet", "espnet2")}
# Packages of which ours has the error rates only, and the modules of the original that are run for
# their other names.
PARTS: dict[str, set[str]] = {
    "espnet": {"espnet"},
    "espnet2": {"espnet2"},
    "evaluate": {"evaluate"},
    # the others define subclasses of the error rate, which is ours
    "meeteval": {
        *("meeteval.der.api", "meeteval.der.md_eval", "meeteval.der.nryant_dscore"),
        *("meeteval.wer.api", "meeteval.wer.wer.siso", "meeteval.wer.wer.time_constrained"),
        "meeteval.wer.wer.time_constrained_orc",
    },
    "pyannote": {
        *("pyannote.metrics", "pyannote.metrics.diarization", "pyannote.metrics.identification"),
        *("pyannote.metrics.detection", "pyannote.metrics.segmentation"),
    },
    "speechline": {"speechline"},
    "torchmetrics": {
        *("torchmetrics", "torchmetrics.text"),
        *("torchmetrics.functional", "torchmetrics.functional.text"),
    },
}
# Modules whose names are those of the original wherever it is installed.
YIELDING = {"meeteval.io"}


class StubFile(NamedTuple):
    """A module of a stub; `text` is its source."""

    path: Path
    text: str

    def install(self) -> None:
        """Write the module completely or not at all."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open_sink(str(self.path)) as sink:
            sink.write(self.text)


def compat_folder() -> Path:
    """Return the folder of `sclite_kit.compat`."""
    spec = find_spec("sclite_kit")
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    for folder in folders:
        if (path := Path(folder, "compat")).is_dir():
            return path
    raise ScoringError("expected the package sclite_kit, found none: install sclite-kit")


def systems() -> dict[str, tuple[str, ...]]:
    """Return, for each system such as `espnet`, the names of its packages.

    >>> systems()["espnet"], "jiwer" in systems()
    (('espnet', 'espnet2'), True)
    """
    packages = sorted(path.parent.name for path in compat_folder().glob(f"*/{INIT}"))
    parts = {package for packages in PACKAGES.values() for package in packages}
    return {
        **{name: (name,) for name in packages if name not in parts},
        **PACKAGES,
    }


def stub_files(name: str, into: str) -> list[StubFile]:
    """Return the modules of a system's stub, for a folder.

    Raises ScoringError for an unknown system, or if the folder has a package with this name that is
    not a stub.
    """
    packages = systems()
    if name not in packages:
        near = closest(name, packages)
        meant = f"; did you mean {near}?" if near else ""
        raise ScoringError(f"expected one of {', '.join(sorted(packages))}, found {name!r}{meant}")
    files = []
    for package in packages[name]:
        target = Path(into, package)
        if os.path.lexists(target) and not is_stub(target):
            raise ScoringError(
                f"{target}: expected a new folder or a stub of ours, found another package: "
                "write to another folder and put it before this one on PYTHONPATH"
            )
        files += list(_files_of(package, name, Path(into)))
    return files


def is_stub(folder: Path) -> bool:
    """Return True if a folder is a stub package."""
    try:
        return MARK in (folder / INIT).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return False


def _files_of(package: str, system: str, into: Path) -> Iterator[StubFile]:
    root = compat_folder()
    for path in sorted((root / package).rglob("*.py")):
        location = path.relative_to(root)
        if location.name == "__main__.py":
            yield StubFile(into / location, f"# {MARK} {system}`\n{path.read_text('utf-8')}")
            continue
        is_package = location.name == INIT
        parts = location.parent.parts if is_package else location.with_suffix("").parts
        module = ".".join(parts)
        ours = f"from sclite_kit.compat.{module} import *  # noqa: E402, F403"
        lines = [f"# {MARK} {system}`"]
        if module in YIELDING:
            lines += ["from scoring.peers.stubs import folders_of, run_original", ours, ""]
            lines += ["__path__ = folders_of(__name__, __path__)", "run_original(globals())"]
            yield StubFile(into / location, "".join(f"{line}\n" for line in lines))
            continue
        if is_package and package in PARTS:
            second = "run_original" if module in PARTS[package] else "names_of_original"
            lines += [f"from scoring.peers.stubs import folders_of, {second}", ""]
            lines.append("__path__ = folders_of(__name__, __path__)")
            if module in PARTS[package]:
                lines.append("run_original(globals())")
            else:
                lines.append("__getattr__ = names_of_original(__name__)")
        elif module in PARTS.get(package, ()):
            lines += ["from scoring.peers.stubs import run_original", "", "run_original(globals())"]
        lines.append(ours)
        # the star brings modules of ours; those of the stub have the original's names, too
        source = path.read_text("utf-8") if is_package else ""
        children = [
            line.rpartition(" as ")[2]
            for line in source.splitlines()
            if line.startswith(f"from sclite_kit.compat.{module} import ")
        ]
        if children:
            lines += ["from scoring.peers.stubs import own_modules  # noqa: E402", ""]
            lines.append(f"own_modules(globals(), {children})")
        yield StubFile(into / location, "".join(f"{line}\n" for line in lines))
    yield StubFile(into / package / "py.typed", "")


def folders_of(name: str, path: Iterable[str]) -> list[str]:
    """Return the folders to search for a package's modules, with the stub's folder first."""
    return [os.fspath(folder) for folder in extend_path(list(path), name)]


def run_original(namespace: dict[str, Any]) -> None:
    """Run the real module in the namespace of its stub, if the real package is installed.

    The variable `__file__` is set to the path of the real module, because a module may read files
    in its own folder.
    """
    folder, _, name = namespace["__name__"].rpartition(".")
    folders, file = namespace.get("__path__"), INIT
    if folders is None:
        folders, file = vars(import_module(folder))["__path__"], f"{name}.py"
    for location in folders[1:]:
        original = os.path.join(location, file)
        if os.path.isfile(original):
            with open(original, "rb") as source:
                code = compile(source.read(), original, "exec")
            namespace["__file__"] = original
            exec(code, namespace)
            return


def own_modules(namespace: dict[str, Any], names: Iterable[str]) -> None:
    """Import modules of the stub's package, and add their names to a namespace."""
    for name in names:
        namespace[name] = import_module(f"{namespace['__name__']}.{name}")


def names_of_original(package: str) -> Callable[[str], Any]:
    """Return a `__getattr__` for a module that takes missing names from the real package."""

    def load(name: str) -> Any:
        module = f"{package}.{name}"
        with suppress(ModuleNotFoundError):
            names = vars(import_module(package))
            return names[name] if name in names else import_module(module)
        raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name, obj=None)

    return load
