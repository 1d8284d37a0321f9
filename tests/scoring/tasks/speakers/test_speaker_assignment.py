"""The mapping of speakers by md-eval's search: as good as any, and the original's where several are."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from scoring.tasks.speakers.speaker_assignment import mapping_of_md_eval

PAIRS = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 3)), st.integers(1, 4).map(float), max_size=10
)


@given(PAIRS)
def test_no_mapping_has_more_time_in_common(overlaps: dict[tuple[int, int], float]) -> None:
    mapping = mapping_of_md_eval(overlaps)
    assert mapping.items() <= overlaps.keys()
    assert len({*mapping.values()}) == len(mapping)
    best = max(
        sum(overlaps.get(pair, 0) for pair in enumerate(partners))
        for partners in permutations(range(4))
    )
    assert sum(overlaps[pair] for pair in mapping.items()) == best


def test_of_equal_mappings_the_search_decides() -> None:
    """The original's choices, see `tests/golden/hub/md-eval/tie-*.case`."""
    assert mapping_of_md_eval({}) == {}
    assert mapping_of_md_eval({(0, 0): 1.0, (0, 1): 1.0, (1, 0): 2.0, (1, 1): 2.0}) == {0: 1, 1: 0}
    # one more pair, for the same time
    assert mapping_of_md_eval({(0, 0): 5.0, (0, 1): 3.0, (1, 0): 2.0}) == {0: 1, 1: 0}
