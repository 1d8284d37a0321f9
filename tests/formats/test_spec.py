"""Options and specs as values."""

from formats.detection import by_name
from formats.detection.spec import Option, Sniff


def test_options() -> None:
    switch = Option("all_columns", False, "write all", (False, True))
    number = Option("precision", 3, "decimals", tuple(range(10)))
    assert (switch.is_switch, number.is_switch) == (True, False)
    assert repr(number) == "Option(precision=3)"
    assert number == Option("precision", 3, "decimals", tuple(range(10)))


def test_sniff_is_ordered() -> None:
    assert Sniff.NO < Sniff.MAYBE < Sniff.SURE


def test_repr() -> None:
    assert repr(by_name("txt")) == "<FormatSpec txt: free text: the whole file is one utterance>"
