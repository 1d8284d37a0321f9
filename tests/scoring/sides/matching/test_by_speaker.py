"""The cheapest assignment of speakers, against scipy, whose ties meeteval has."""

import random

import numpy as np
import scipy  # whose parts load when they are used

from scoring.sides.matching.by_speaker import cheapest_columns


def test_the_cheapest_columns_are_those_of_scipy_with_ties() -> None:
    chance = random.Random(7)
    for _ in range(2000):
        size, largest = chance.randint(1, 8), chance.choice((1, 2, 3, 10, 1000))
        costs = [[chance.randint(0, largest) for _ in range(size)] for _ in range(size)]
        assert (
            cheapest_columns(costs)
            == scipy.optimize.linear_sum_assignment(np.array(costs))[1].tolist()
        )
    assert cheapest_columns([]) == []
