"""What meeteval gave, in every measure and field."""

import dataclasses
import json
import warnings

import pytest

from scoring.peers import meeteval
from tests.each_case import each_case
from tests.golden_case import Golden, golden_cases

CASES = golden_cases("multi-speaker")
OF_TIMES = ("collar", "hyp_pseudo_word_timing", "ref_pseudo_word_timing")


@each_case("case", CASES, ids=lambda case: case.name)
def test_as_meeteval(case: Golden) -> None:
    options = json.loads(case.parts["options.json"])
    sides = [json.loads(case.parts[f"{side}.seglst.json"]) for side in ("reference", "hypothesis")]
    for name, expected in json.loads(case.parts["expected/results.json"]).items():
        chosen = {key: one for key, one in options.items() if "tc" in name or key not in OF_TIMES}
        measure = getattr(meeteval, name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if "exception" in expected:
                with pytest.raises(Exception, match=r".") as raised:
                    measure(*sides, **chosen)
                assert type(raised.value).__name__ == expected["exception"]
                continue
            found = measure(*sides, **chosen)
        rates = {session: dataclasses.asdict(rate) for session, rate in found.items()}
        assert json.loads(json.dumps(rates)) == expected, name


def test_all_are_there() -> None:
    assert CASES
    assert all(json.loads(case.parts["expected/results.json"]) for case in CASES)
