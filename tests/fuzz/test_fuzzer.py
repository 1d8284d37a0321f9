"""The fuzzer finds faults that are there, tells of them, and is ended by none."""

import faulthandler
import os
import random
import re
import signal
from pathlib import Path

import pytest

import formats
from formats import Segment, Transcript
from formats.io.sink import Sink
from tests.each_case import each_case
from tests.fuzz import __main__ as fuzzer
from tests.fuzz.documents import document, dumped, loaded
from tests.fuzz.inputs import Finding, Input
from tests.fuzz.mutators import MUTATORS, mutated
from tests.fuzz.round_trips import check_read, check_write
from tests.fuzz.trials import drawn
from tests.fuzz.worker import Limits, results

LIMITS = Limits(0.5, 200)


def _planted(given: Input) -> None:
    """Every fault that can be: by the number of the case."""
    what = given.data.decode()
    if what == "raises":
        raise IndexError("none of mine")
    if what == "slow":
        while True:
            pass
    if what == "deaf":
        signal.setitimer(signal.ITIMER_PROF, 0)
        while True:
            pass
    if what == "large":
        bytearray(1 << 30)
    if what == "crashes":
        faulthandler.disable()
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "finding":
        raise Finding("planted", "planted", given)


FAULTS = ("well", "raises", "slow", "large", "crashes", "finding", "deaf", "well")


@pytest.mark.release
def test_every_sort_of_fault_is_found_and_the_next_input_is_tried() -> None:
    found = list(
        results(
            lambda number: Input("planted", "x", FAULTS[number].encode()), _planted, LIMITS,
            range(len(FAULTS)), 600,
        )
    )  # fmt: skip
    keys = [re.sub(r"\S+:\d+", "PLACE", key) for _, key, _ in found]
    assert [number for number, _, _ in found] == list(range(len(FAULTS)))
    assert keys == [
        "", "planted x IndexError PLACE", "planted x slow _planted", "planted x MemoryError PLACE",
        "planted x SIGSEGV", "planted", "planted x SIGXCPU", "",
    ]  # fmt: skip


def test_an_input_that_waits_for_ever_is_found() -> None:
    def waits(given: Input) -> None:
        signal.pause()

    [(_, key, _)] = results(
        lambda _: Input("planted", "x", b""), waits, LIMITS, range(1), 60, silence=0.5
    )
    assert key == "planted x SIGKILL"


def test_a_finding_ends_with_status_1_and_the_line_that_shows_it_again(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fault(self: Sink, text: str) -> None:
        raise KeyError("planted")

    monkeypatch.setattr(Sink, "write", fault)
    assert fuzzer.main(["--most", "150", "--seed", "6", "--only", "write csv"]) == 1
    line = re.search(r"python -m tests\.fuzz (--seed 6 --case [0-9]+)", capfd.readouterr().out)
    assert line is not None
    assert fuzzer.main([*line[1].split(), "--keep", str(tmp_path)]) == 1
    [kept] = (path for path in tmp_path.rglob("*") if path.is_file())
    with pytest.raises(Finding, match="KeyError"):
        check_write(Input.read_back(kept))
    monkeypatch.undo()
    assert fuzzer.main(line[1].split()) == 0


def test_a_number_of_inputs_is_tried_however_long_it_takes(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("time.monotonic", iter(range(0, 10**9, 1000)).__next__)
    assert fuzzer.main(["--most", "5", "--seed", "6", "--only", "nothing"]) == 0
    assert capfd.readouterr().out == "5 inputs, 0 faults of 0 kinds\n"
    assert fuzzer.main(["--most", "5", "--seconds", "60", "--seed", "6", "--only", "nothing"]) == 0
    assert "the time was up before the other" in capfd.readouterr().out


def test_a_seed_draws_the_same_inputs_in_every_process() -> None:
    inputs = [drawn(5, number) for number in range(40)]
    assert inputs == [drawn(5, number) for number in range(40)]
    assert {given.kind for given in inputs} == {"read", "write", "compiled", "command"}
    assert inputs != [drawn(6, number) for number in range(40)]


def test_a_loss_that_is_not_counted_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    transcript = Transcript([Segment.of("rec", ["a"], speaker="anne", utterance="anne-1")])
    given = Input("write", "trn", dumped(transcript, options={}))
    check_write(given)
    monkeypatch.setattr("formats.nist.markup_writer.write_text", lambda *_, **__: "b")
    with pytest.raises(Finding, match=r"'a'.* is read as .*'b'"):
        check_write(given)


def test_what_is_written_and_then_refused_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    transcript = Transcript([Segment.of("rec", ["a"], speaker="anne", utterance="anne-1")])
    monkeypatch.setattr("formats.nist.markup_writer.write_text", lambda *_, **__: "{ a")
    with pytest.raises(Finding, match="what was written is refused"):
        check_write(Input("write", "trn", dumped(transcript, options={})))


def test_a_traceback_of_a_reader_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(*arguments: object, **options: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(formats, "read", fault)
    with pytest.raises(Finding, match="ZeroDivisionError"):
        check_read(Input("read", "trn", b"a (b-1)\n"))


@each_case("seed", range(50))
def test_documents_come_back_from_json(seed: int) -> None:
    one = document(random.Random(seed))
    other, more = loaded(dumped(one, options={"precision": 3}))
    assert repr(other.segments) == repr(one.segments)
    assert dumped(other, **more) == dumped(one, options={"precision": 3})


@each_case("mutator", dict.fromkeys(MUTATORS))
def test_mutators_stand_anything(mutator: object) -> None:
    for data in (b"", b"a", b"\n", b"1.5 a\nb\n", bytes(range(256))):
        assert isinstance(mutator(random.Random(1), data), bytes)  # type: ignore[operator]


def test_documents_stay_small() -> None:
    assert len(mutated(random.Random(1), b"x" * (1 << 20), "text")) <= 1 << 17
