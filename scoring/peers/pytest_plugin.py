"""A plugin of pytest: the fixture `assert_wer`, whose failures show the differing words.

Tests opt in: `pytest_plugins = ["scoring.peers.pytest_plugin"]` in a `conftest.py`. Further modules
are imported only when a test uses the fixture.
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
