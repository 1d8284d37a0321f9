"""The order of Perl's sort, against Perl where there is one."""

import shutil
import subprocess
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.tasks.speakers.der.perl_order import Event, in_order, order_of_perl

PROGRAM = """
while (<STDIN>) {
    my @events = map { [split /,/] } split;
    print join(" ", map { $_->[2] } sort {
        $a->[0] < $b->[0] ? -1 : $a->[0] > $b->[0] ? 1 : $a->[1] == 1 } @events), "\\n";
}
"""


def events_of(random: Random) -> list[Event[int]]:
    """Events at few or many times, as they come, or parts of them in order."""
    size = random.choice((2, 3, 5, 8, 20, 40, 100, 300))
    latest = random.choice((1, 2, 5, size, 1000))
    made = [(random.randrange(latest), random.random() < 0.5, str(at)) for at in range(size)]
    cut = random.randrange(size + 1)
    if random.random() < 0.7:
        made[:cut] = sorted(made[:cut], reverse=random.random() < 0.3)
        made[cut:] = sorted(made[cut:])
    return made


def test_it_is_that_of_perl() -> None:
    perl = shutil.which("perl")
    if perl is None:
        pytest.skip("there is no Perl")
    random = Random(1)
    cases = [events_of(random) for _ in range(400)]
    lines = [
        " ".join(f"{time},{int(begins)},{kind}" for time, begins, kind in one) for one in cases
    ]
    done = subprocess.run(
        [perl, "-e", PROGRAM], input="\n".join(lines), capture_output=True, text=True
    )
    told = [line.split() for line in done.stdout.splitlines()]
    assert [[kind for *_, kind in in_order(one)] for one in cases] == told


@given(st.lists(st.integers(0, 20)))
def test_of_ends_alone_it_is_a_stable_sort(ranks: list[int]) -> None:
    assert order_of_perl(ranks, [False] * len(ranks)) == sorted(
        range(len(ranks)), key=ranks.__getitem__
    )
