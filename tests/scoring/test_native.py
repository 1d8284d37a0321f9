"""Which core is loaded, and what is printed where it cannot be."""

import re
from typing import Any

import pytest

from scoring import alignment


def test_a_core_that_cannot_be_loaded_is_not_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(name: str, **_: Any) -> Any:
        raise ImportError(f"module {name} does not support loading in subinterpreters")

    monkeypatch.setattr(alignment, "__import__", load, raising=False)
    monkeypatch.setattr(alignment, "_announced", set())
    monkeypatch.delenv(alignment.VARIABLE, raising=False)
    assert alignment.load_core() is None
    cause = "cannot be loaded (module scoring._native does not support loading in subinterpreters)"
    assert f"the native core {cause}; the Python core" in capsys.readouterr().err
    monkeypatch.setenv(alignment.VARIABLE, "native")
    with pytest.raises(ImportError, match=re.escape(cause)):
        alignment.load_core()
