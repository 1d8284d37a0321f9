"""Names of measures that people know by another word."""

import pytest

from scoring.measures import measure_named


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("hallucination", "loops or silence"),
        ("Hallucinations", "loops or silence"),
        ("lops", "loops"),
    ],
)
def test_an_unknown_measure_is_answered_with_the_likeliest(name: str, meant: str) -> None:
    with pytest.raises(ValueError, match=f"found {name!r}; did you mean {meant}"):
        measure_named(name)
