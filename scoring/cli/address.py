"""Flags for the address of a service, and import of the modules that services need."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Any

from scoring.cli.scoring import say

LAST_PORT = 65_535
PACKAGES = ("starlette", "uvicorn")  # of the extra `server`
ADDRESS = """
* --host HOST  address on which to listen (default: %(default)s)
* --port PORT  port on which to listen (default: 8080; 0: any free port)
--allow-host NAME ...  also answer requests to http://NAME:PORT (repeatable; default: if HOST is a
  loopback address, only this machine's own names; otherwise any name)
"""


def loaded(module: str) -> Any:
    """Import a module that needs the extra `server`, and return it.

    If the extra is not installed, print a message and return None.
    """
    try:
        return import_module(module)
    except ImportError as problem:
        if problem.name is None or problem.name.partition(".")[0] in ("scoring", "formats"):
            raise
        missing = [name for name in PACKAGES if not _can_import(name)] or [problem.name]
        noun = "packages" if len(missing) > 1 else "package"
        names = " and ".join(missing)
        say(f"the service needs the {noun} {names}: pip install 'sclite-kit[server]'")
        return None


def _can_import(package: str) -> bool:
    """Return True if a package can be imported."""
    try:
        import_module(package)
    except ImportError:
        return False
    return True


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text[:6]) <= LAST_PORT:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to {LAST_PORT}, found {text!r}")
    return int(text[:6])


# Where a service listens, and by which names it may be called.
ADDRESS_KINDS: dict[str, Any] = {
    "HOST": {"default": "127.0.0.1"},
    "PORT": {"type": _port, "default": 8080},
}
