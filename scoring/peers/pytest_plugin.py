"""A plugin of pytest: the fixture `assert_wer`, whose failures show the differing words.

A `conftest.py` enables it by `pytest_plugins = ["scoring.peers.pytest_plugin"]`. No other module is
imported until a test uses the fixture.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["assert_wer"]


@pytest.fixture
def assert_wer() -> Callable[..., Any]:
    """Return `check_wer` as a fixture: `assert_wer(reference, hypothesis, below=0.12)`."""
    check: Callable[..., Any] = import_module("scoring.regression.assertions").check_wer
    return check
