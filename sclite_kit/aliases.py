"""Import of the modules of `formats` and `scoring` under names that begin with `sclite_kit`."""

from __future__ import annotations

from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

PREFIX = "sclite_kit."
# What is imported from `sclite_kit`, and where it is.
PACKAGES = {
    "alignment": "scoring.alignment",
    "calculators": "scoring.peers.calculators",
    "espnet3": "scoring.peers.espnet3",
    "formats": "formats",
    "kws": "scoring.tasks.kws",
    "labels": "scoring.tasks.labels",
    "metrics": "scoring.peers.metrics",
    "nist": "scoring.nist",
    "oracle": "scoring.score.oracle",
    "phonemes": "scoring.tasks.phonemes",
    "pytest_plugin": "scoring.peers.pytest_plugin",
    "regression": "scoring.regression",
    "scoring": "scoring",
    "serve": "scoring.serve",
    "stats": "scoring.stats",
}


class AliasFinder(MetaPathFinder, Loader):
    """An import finder: for `sclite_kit.formats.json`, it returns the module `formats.json`."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(self, name: str, _path: object, _target: object = None) -> ModuleSpec | None:
        """Return a module specification for a name below `sclite_kit`."""
        if name.startswith(PREFIX) and name.split(".")[1] in PACKAGES:
            return ModuleSpec(name, self)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Import and return the aliased module; raise `ModuleNotFoundError` if it is missing."""
        top, *below = spec.name.removeprefix(PREFIX).split(".")
        module = import_module(".".join([PACKAGES[top], *below]))
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Restore the module's own specification, which the import system has replaced."""
        assert module.__spec__ is not None
        module.__spec__ = self._specs.pop(module.__spec__.name)
