"""Flags for the address of a service, and import of the modules that services need."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Any

from scoring.cli.scoring import say

LAST_PORT = 65_535
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
        say(f"the service needs the package {problem.name}: pip install 'sclite-kit[server]'")
        return None


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text[:6]) <= LAST_PORT:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to {LAST_PORT}, found {text!r}")
    return int(text[:6])


# Where a service listens, and by which names it may be called.
ADDRESS_KINDS: dict[str, Any] = {
    "HOST": {"default": "127.0.0.1"},
    "PORT": {"type": _port, "default": 8080},
}
