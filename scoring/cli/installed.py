"""The text of `scoring --version --verbose`: Python, the compiled core, and the packages in use."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec

REQUIREMENT = re.compile(r"([\w.-]+)(?:.*extra == ['\"](\w+))?")
# extras of people who develop the package
NOT_IN_USE = {"test", "site", "benchmark"}
OF_OLD_VERSIONS = "; python_version"


def installed() -> Iterator[str]:
    """Yield lines for Python, the compiled core and each package in use."""
    yield f"Python {sys.version.split()[0]} on {sys.platform}: {sys.executable}"
    core = find_spec("scoring._native")
    yield f"native core: {core.origin if core and core.origin else 'not installed'}"
    seen = set()
    for requirement in requires("sclite-kit") or ():
        match = REQUIREMENT.match(requirement)
        if match is None or match[1] in seen or match[2] in NOT_IN_USE:
            continue
        if OF_OLD_VERSIONS in requirement and sys.version_info >= (3, 11):
            continue
        name, extra = match.groups()
        seen.add(name)
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            source = f"sclite-kit[{extra}]" if extra else name
            yield f"{name}: not installed (pip install '{source}')"
    yield from plugins()


def plugins() -> Iterator[str]:
    """Yield a line for each format, measure and step that another package adds."""
    import formats.detection as formats
    from scoring import measures
    from scoring.text import registry as steps

    rooms = ((formats.plugin_door(), formats), (measures.PLUGINS, measures), (steps.PLUGINS, steps))
    for door, room in rooms:
        for name, plugin in door.plugins().items():
            yield f"{plugin.noun} {name}: {plugin.package} {plugin.version}"
        yield from (f"rejected: {problem}" for problem in room.plugin_problems())
