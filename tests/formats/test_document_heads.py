"""Examples of heads of documents."""

from __future__ import annotations

from formats.reading.document_heads import _above_rule, head_of_document


def test_head_of_document() -> None:
    assert head_of_document(["Date: 5 May", "", "Host: Ann", "Good morning."]) == 3


def test_above_rule() -> None:
    assert _above_rule(["Sprache: en", "Modell: small", "-----", "so it was"]) == 3
    assert (
        _above_rule(["Our house", "=====", "so it was"]),
        _above_rule(["so it was.", "-----"]),
    ) == (2, 0)
    assert _above_rule(["Our house", "Sprache: en", "=====", "so it was"]) == 3
