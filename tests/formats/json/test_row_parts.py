"""Values of JSON in other shapes than a list of turns."""

from collections import Counter

from formats.json.row_roles import _text_of_part
from formats.json.row_times import _use_points
from formats.json.speakers_as_turns import turns_of_speakers
from formats.json.wrappers import _without_wrappers


def test_the_most_frequent_wrapper_holds_the_turns() -> None:
    cues = [{"cueRenderer": {"text": text}} for text in ("so", "no")]
    dropped = Counter[str]()
    values = _without_wrappers([{"titleRenderer": {"text": "News"}}, *cues], dropped)
    assert values == [{"text": "so"}, {"text": "no"}]
    assert dropped == {"titleRenderer": 1}


def test_turns_of_speakers_are_in_the_order_of_their_times() -> None:
    first, second = {"start": 5, "text": "so"}, {"start": 1, "text": "no"}
    listed = [{"speaker": "A", "turns": [first]}, {"speaker": "B", "turns": [second]}]
    assert turns_of_speakers(listed, {})[0] == {"speaker": "B", "start": 1, "text": "no"}
    by_name = turns_of_speakers({"agent": [first], "customer": [second]}, {})
    assert by_name[0] == {"speaker": "customer", "start": 1, "text": "no"}


def test_texts_of_parts() -> None:
    assert _text_of_part("well") == "well"
    assert _text_of_part({"type": "text", "value": "well"}) == "well"
    assert _text_of_part({"type": "reasoning", "text": "well"}) is None
    assert _text_of_part({"word": "well", "confidence": 1}) == "well"
    assert _text_of_part({"word": "so", "start": 2}) is None


def test_decimal_commas_are_points_and_those_of_thousands_are_not() -> None:
    rows = [{"start": "1,5", "text": "so"}, {"start": "12", "text": "no"}]
    _use_points(rows, rows)
    assert [row["start"] for row in rows] == ["1.5", "12"]
    rows = [{"start": "950"}, {"start": "1,250"}]
    _use_points(rows, rows)
    assert rows[1]["start"] == "1,250"
