"""Long calls of the core end when they are told to: by Ctrl-C, by a time limit, in every thread.

An alignment of 200,000 words with 200,000 others once held Ctrl-C up until it was done.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from array import array
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from scoring.alignment import kernel, plain
from scoring.alignment.limits import OutOfTimeError, look, time_limit
from scoring.alignment.network import Graph, Network
from scoring.score.threads import in_order
from scoring.stats.resampling import resampled_sums

needs_native = pytest.mark.skipif(
    kernel.IMPLEMENTATION != "native", reason="the native core is not built or not wanted"
)
ROOT = Path(__file__).resolve().parents[2]
LIMIT = 0.1  # seconds, a small part of what every call takes on any machine
PATIENCE = 3.0  # seconds of processor time after which a call was clearly not ended


def distinct(size: int) -> array[int]:
    return array("i", range(size))


def linear(sizes: tuple[int, int], costs: tuple[int, int, int], threads: int = 1) -> object:
    left, right = (distinct(size) for size in sizes)
    right.reverse()
    begin = array("q", [0])
    ends = [array("q", [size]) for size in sizes]
    return kernel.align_linear(left, begin, ends[0], right, begin, ends[1], *costs, 0, threads)


def network(size: int) -> Network:
    numbers = array("d", [1.0]) * size
    return Network(*Graph(distinct(size)), bytes(size), numbers)


def many(count: int, threads: int) -> object:
    words = [str(number) for number in range(10_000)]
    return kernel.align_token_pairs([words] * count, [words[::-1]] * count, 4, 3, 3, 0, threads)


def alike(size: int) -> list[tuple[int]]:
    """Different objects with equal hashes: Python takes numbers modulo 2**61 - 1."""
    return [(number * (2**61 - 1),) for number in range(1, size + 1)]


LONG: dict[str, Callable[[], object]] = {
    "blocks": lambda: linear((300_000, 300_000), (4, 3, 3)),
    "blocks of unit costs": lambda: linear((600_000, 600_000), (1, 1, 1)),
    "table": lambda: linear((60_000, 200_000), (5, 4, 3)),
    "many pairs": lambda: many(1500, 1),
    "many pairs in threads": lambda: many(1500, 4),
    "one of two threads": lambda: linear((300_000, 300_000), (4, 3, 3), 2),
    "network": lambda: kernel.align_network(network(16_000), network(16_000), 0),
    "compounds": lambda: kernel.align_compounds(["a", "b"] * 50_000, ["ab"] * 50_000, 4, 3, 3),
    "objects of one hash": lambda: kernel.align_tokens(alike(200_000), [], (4, 3, 3), 0),
    "resampling": lambda: resampled_sums(
        np.arange(100_000, dtype=np.int64)[:, None], replications=50_000, seed=1, threads=1
    ),
    "resampling in threads": lambda: resampled_sums(
        np.arange(100_000, dtype=np.int64)[:, None], replications=50_000, seed=1, threads=3
    ),
}


@needs_native
@pytest.mark.share(4)
@pytest.mark.parametrize("name", LONG)
def test_a_time_limit_ends_every_long_call(name: str) -> None:
    begun = time.process_time()
    with pytest.raises(OutOfTimeError), time_limit(LIMIT):
        LONG[name]()
    assert time.process_time() - begun < PATIENCE


@needs_native
def test_a_time_limit_ends_calls_of_other_threads_than_the_main_one() -> None:
    def limited() -> bool:
        with pytest.raises(OutOfTimeError), time_limit(LIMIT):
            LONG["blocks"]()
        return True

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(limited).result(60)


def test_the_plain_core_keeps_the_limit_too() -> None:
    with pytest.raises(OutOfTimeError), time_limit(LIMIT):
        plain.count_tokens(["a"] * 5000, ["b"] * 5000, (4, 3, 3), 0)


def test_limits_within_limits() -> None:
    with time_limit(60), time_limit(-1), pytest.raises(OutOfTimeError):
        look()
    with time_limit(-1), time_limit(60), pytest.raises(OutOfTimeError):
        look()
    assert look()


def test_threads_whose_results_come_in_order_keep_the_limit() -> None:
    with time_limit(-1), pytest.raises(OutOfTimeError):
        list(in_order(lambda _: look(), 3, jobs=2))
    assert list(in_order(lambda _: look(), 3, jobs=2)) == [True] * 3


@pytest.mark.parametrize("ending", ["an error", "a caller that stops"])
def test_threads_end_when_nobody_waits_for_them(ending: str) -> None:
    """As Ctrl-C does: the caller's thread alone learns of it."""
    begun = threading.Event()

    def work(number: int) -> int:
        if not number:
            begun.wait()
            if ending == "an error":
                raise ZeroDivisionError
            return number
        begun.set()
        linear((600_000, 600_000), (1, 1, 1))
        raise AssertionError("expected work that ends")

    results = in_order(work, 9, jobs=2)
    before = time.process_time()
    if ending == "an error":
        with pytest.raises(ZeroDivisionError):
            next(results)
    else:
        assert next(results) == 0
        results.close()  # type: ignore[attr-defined]
    assert time.process_time() - before < PATIENCE


def test_another_thread_has_nothing_to_look_for() -> None:
    found: list[bool] = []
    with time_limit(-1):
        other = threading.Thread(target=lambda: found.append(look()))
        other.start()
        other.join()
    assert found == [False]


@needs_native
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent another way there")
@pytest.mark.share(2)
@pytest.mark.parametrize("name", ["blocks", "compounds", "many pairs in threads", "resampling"])
def test_control_c_does_not_wait_for_the_end(name: str) -> None:
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from tests.scoring.test_interruption import LONG\n"
        f"print('ready', flush=True); LONG[{name!r}]()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.communicate(timeout=300)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, problem = process.communicate(timeout=300)
    assert "KeyboardInterrupt" in problem
    assert process.returncode != 0


def results() -> Iterator[object]:
    """Of everything in the core that several threads may use at once."""
    from scoring.nist.transcripts.lexicon import TokenTable, scan_ctm, scan_trn

    texts = [[str(number % 7) for number in range(40)], ["3"] * 20] * 30
    yield kernel.align_token_pairs(texts, texts[::-1], 4, 3, 3, 0, 2)
    yield kernel.align_text_pairs(["a b c"] * 500, ["a c"] * 500, 1, 1, 1, 0, 2)
    yield kernel.align_network(network(30), network(40), 0)
    yield kernel.align_compounds(["a", "b"] * 20, ["ab"] * 20, 4, 3, 3)
    numbers = np.arange(300, dtype=np.int64)[:, None] % 5
    yield resampled_sums(numbers, replications=200, seed=3, threads=2).tolist()
    data = b"f 1 0.1 0.2 word 0.5\nf 1 0.4 0.2 other\n" * 200
    yield scan_ctm(data, data, TokenTable())
    yield scan_trn(b"a b c (x-1)\n" * 200)


def test_eight_threads_get_what_one_gets() -> None:
    expected = list(results())
    barrier = threading.Barrier(8)

    def run() -> bool:
        barrier.wait(60)
        return all(list(results()) == expected for _ in range(5))

    with ThreadPoolExecutor(8) as pool:
        assert all(future.result(120) for future in [pool.submit(run) for _ in range(8)])


def test_eight_threads_share_one_table_of_tokens() -> None:
    from scoring.nist.transcripts.lexicon import TokenTable

    table = TokenTable()
    barrier = threading.Barrier(8)
    tokens = [str(number).encode() for number in range(3000)]

    def run() -> list[int]:
        barrier.wait(60)
        return [table.intern(token) for token in tokens]

    with ThreadPoolExecutor(8) as pool:
        futures = [pool.submit(run) for _ in range(8)]
        found = [future.result(120) for future in futures]
    assert all(one == found[0] for one in found)
    assert sorted(found[0]) == list(range(len(tokens)))
    assert [table.texts()[number] for number in found[0]] == tokens


@needs_native
def test_texts_may_be_removed_while_they_are_aligned() -> None:
    # the list was read in place after the interpreter's lock was given away
    texts = [f"{number} b c d e f g h" for number in range(40_000)]
    expected = kernel.align_text_pairs(texts, texts, 4, 3, 3, 0, 2)
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(kernel.align_text_pairs, texts, texts, 4, 3, 3, 0, 2)
        time.sleep(0.005)
        texts.clear()
        found = future.result(60)
    assert found in (expected, (b"", bytes(8), b""))
