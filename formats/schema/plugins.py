"""Plug-ins: formats, measures and normalisation steps of other packages (entry points).

A package names its plug-ins in its metadata; a plug-in is imported when it is first used::

    [project.entry-points."sclite_kit.measures"]
    silent-words = "acme_measures:SILENT_WORDS"

Names of this package have priority. An entry point is rejected if its name is one of these, is
invalid, or is declared by several packages; `Door.rejected` lists it.
"""

from __future__ import annotations

import sys

from formats.schema import ENTRY_POINTS, NamedTuple, cache, lazy_pattern, may_have_plugins
from formats.schema.errors import FormatError
from formats.schema.messages import WARNING, Entry, Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from importlib.metadata import EntryPoint
    from typing import TypeVar

    Loaded = TypeVar("Loaded")
NAME = lazy_pattern(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

HOME = "{noun} {name} (package {package} {version}, {object}): "
FAILS = Entry("PLUGIN", WARNING, HOME + "{kind}: {problem}", "fails")
OTHER_KIND = Entry("PLUGIN", WARNING, HOME + "expected a {expected}, found a {found}", "kind")
OTHER_NAME = Entry("PLUGIN", WARNING, HOME + "expected a {noun} of this name, found {found!r}")
OUR_NAME = Entry(
    "PLUGIN",
    WARNING,
    HOME + "expected another name, because sclite-kit itself has this name",
    "ours",
)
BAD_NAME = Entry(
    "PLUGIN",
    WARNING,
    HOME + "expected a name of small letters, digits and single hyphens, found {found!r}",
    "name",
)
SHARED_NAME = Entry(
    "PLUGIN",
    WARNING,
    HOME + "expected the name in one package, found it in {packages: and } too",
    "shared",
)


class PluginError(FormatError, ValueError):
    """A plug-in that cannot be used; the message names its package and the error."""

    value: Message


class Plugin(NamedTuple):
    """A plug-in of another package, which `load` imports."""

    noun: str
    name: str
    package: str
    version: str
    entry: EntryPoint

    @property
    def origin(self) -> str:
        """The package and version, as shown in signatures."""
        return f"{self.package}-{self.version}"

    def load(self, kind: type[Loaded]) -> Loaded:
        """Import the plug-in; raise `PluginError` on failure or if it is not a `kind`."""
        try:
            value: object = self.entry.load()
        except (Exception, SystemExit) as problem:
            raise self.failure(problem) from problem
        if not isinstance(value, kind):
            raise self.error(OTHER_KIND, expected=kind.__name__, found=type(value).__name__)
        return value

    def error(self, entry: Entry, /, **fields: object) -> PluginError:
        """Create an error from a catalogue entry, with fields about this plug-in."""
        home = {"noun": self.noun, "name": self.name, "object": self.entry.value}
        packed = {"package": self.package, "version": self.version}
        return PluginError(value=Message(entry, {**home, **packed, **fields}))

    def failure(self, problem: BaseException) -> PluginError:
        """Return an error about an exception raised by the plug-in."""
        return self.error(FAILS, kind=type(problem).__name__, problem=str(problem))


class Door:
    """A group of entry points through which other packages add objects to this package.

    Parameters
    ----------
    noun
        What is added, for messages: `measure`; the group is `sclite_kit.measures`.
    names
        The names in this package, which plug-ins cannot replace.
    """

    def __init__(self, noun: str, names: Callable[[], Collection[str]]) -> None:
        self.noun = noun
        self._names = names

    def plugins(self) -> Mapping[str, Plugin]:
        """Return the plug-ins that were not rejected, sorted by name."""
        return self._sorted_out()[0]

    def rejected(self) -> Mapping[str, PluginError]:
        """Return the error about each rejected plug-in, sorted by name."""
        return self._sorted_out()[1]

    def loaded(self, load: Callable[[Plugin], Loaded]) -> list[Loaded]:
        """Return the plug-ins that can be loaded, sorted by name; `problems` returns the errors."""
        return [value for plugin in self.plugins().values() if (value := _try(load, plugin))]

    def problems(self, load: Callable[[Plugin], object]) -> list[PluginError]:
        """Return the errors about plug-ins that are rejected or cannot be loaded."""
        problems = list(self.rejected().values())
        for plugin in self.plugins().values():
            try:
                load(plugin)
            except PluginError as problem:
                problems.append(problem)
        return problems

    def find(self, name: str) -> Plugin | None:
        """Return the plug-in with this name, or `None`; raise `PluginError` if it was rejected."""
        if name in self.rejected():
            raise self.rejected()[name]
        return self.plugins().get(name)

    def _sorted_out(self) -> tuple[Mapping[str, Plugin], Mapping[str, PluginError]]:
        return _sorted_out(self.noun, self._names, tuple(sys.path))


def _try(load: Callable[[Plugin], Loaded], plugin: Plugin) -> Loaded | None:
    try:
        return load(plugin)
    except PluginError:
        return None


@cache
def _sorted_out(
    noun: str, names: Callable[[], Collection[str]], path: tuple[str, ...]
) -> tuple[Mapping[str, Plugin], Mapping[str, PluginError]]:
    """Return the usable plug-ins of a group, and the errors about the rejected ones, by name."""
    plugins: dict[str, list[Plugin]] = {}
    for plugin in sorted(_plugins_of(noun, path), key=lambda item: (item.name, item.origin)):
        plugins.setdefault(plugin.name, []).append(plugin)
    rejected: dict[str, PluginError] = {}
    ours = {name.lower() for name in names()} if plugins else ()
    for name, claims in plugins.items():
        if name.lower() in ours:
            rejected[name] = claims[0].error(OUR_NAME)
        elif not NAME.fullmatch(name):
            rejected[name] = claims[0].error(BAD_NAME, found=name)
        elif len(claims) > 1:
            others = [f"{item.package} {item.version}" for item in claims[1:]]
            rejected[name] = claims[0].error(SHARED_NAME, packages=others)
    return {name: claims[0] for name, claims in plugins.items() if name not in rejected}, rejected


def _plugins_of(noun: str, path: tuple[str, ...]) -> list[Plugin]:
    if not may_have_plugins(path):
        return []
    from importlib.metadata import entry_points

    plugins = []
    for entry in entry_points(group=f"{ENTRY_POINTS}{noun}s"):
        package, version = (entry.dist.name, entry.dist.version) if entry.dist else ("?", "?")
        plugins.append(Plugin(noun, entry.name, package, version, entry))
    return plugins


def origin_of(noun: str, value: object) -> str:
    """Return package and version of the plug-in that defines `value`; empty if no plug-in does."""
    return _origin_of(noun, value, tuple(sys.path))


@cache
def _origin_of(noun: str, value: object, path: tuple[str, ...]) -> str:
    for plugin in _plugins_of(noun, path):
        try:
            if plugin.load(object) is value:
                return plugin.origin
        except PluginError:
            continue
    return ""
