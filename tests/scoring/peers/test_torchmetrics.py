"""Metrics of torchmetrics against its own ones, in collections, copies and several processes."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.model.counts import Counts
from tests.each_case import each_case
from tests.programs import python

BATCHES = [
    (["the hat sat", "on mat"], ["the cat sat", "on the mat"]),
    (["", "a b c d"], ["a", "a"]),
    (["b c d e", "a b"], ["a b c d", "b c x"]),  # fewer words than pairs of the alignment
]
NAMES = [
    "WordErrorRate",
    "CharErrorRate",
    "MatchErrorRate",
    "WordInfoLost",
    "WordInfoPreserved",
]
PROCESS = """
import sys
import torch.distributed as dist
from sclite_kit.compat.torchmetrics import WordErrorRate
rank, store = int(sys.argv[1]), sys.argv[2]
dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
metric = WordErrorRate()
metric.update(["a b"] if rank else ["a b c d e f"], ["a x"] if rank else ["a b c d e f"])
print(metric.compute().item(), metric.counts.reference_tokens)
dist.destroy_process_group()
"""


def test_without_torchmetrics_the_message_names_the_other_metrics() -> None:
    code = (
        "import sys\nsys.modules['torchmetrics'] = None\n"
        "from scoring.peers.torchmetrics import WordErrorRate\n"
        "try:\n    WordErrorRate()\nexcept ImportError as error:\n    print(error)"
    )
    assert python("-c", code, text=True).stdout == (
        "expected torchmetrics (pip install torchmetrics), found none; the metrics of "
        "scoring.peers.metrics need no other package\n"
    )


@pytest.fixture(scope="module")
def torchmetrics() -> Any:
    pytest.importorskip("torch")
    return pytest.importorskip("torchmetrics")


@each_case("name", NAMES)
def test_the_numbers_are_those_of_torchmetrics(torchmetrics: Any, name: str) -> None:
    from scoring.peers import torchmetrics as ours

    original, metric = getattr(torchmetrics.text, name)(), getattr(ours, name)()
    assert isinstance(metric, torchmetrics.Metric)
    for batch in BATCHES:
        assert metric(*batch).item() == original(*batch).item()
        assert metric.compute().item() == original.compute().item()
    metric.reset()
    assert metric.counts == Counts()


def test_copies_sums_and_collections(torchmetrics: Any) -> None:
    from scoring.peers.torchmetrics import CharErrorRate, WordErrorRate

    metric = WordErrorRate(normalize="lowercase", sync_on_compute=False)
    metric.update(["The Hat"], ["the cat"])
    for copy in (metric.clone(), pickle.loads(pickle.dumps(metric)), metric.to("cpu")):
        assert copy.compute().item() == 0.5
    assert (metric + metric).compute().item() == 1.0
    collection = torchmetrics.MetricCollection({"wer": WordErrorRate(), "cer": CharErrorRate()})
    collection.update(["the hat"], ["the cat"])
    rates = {name: rate.item() for name, rate in collection.compute().items()}
    assert rates == pytest.approx({"wer": 0.5, "cer": 1 / 7})
    with pytest.raises(ValueError, match="Unexpected keyword arguments: `profil`"):
        WordErrorRate(profil="kaldi")


def test_counts_are_summed_over_processes(torchmetrics: Any) -> None:
    from scoring.peers.torchmetrics import WordErrorRate

    together: Callable[..., Any] = lambda state, group: [state, state * 0 + 2]  # noqa: E731
    metric = WordErrorRate(distributed_available_fn=lambda: True, dist_sync_fn=together)
    metric.update(["a b c d"], ["a b c x"])
    # each of the four states of the other process is 2
    assert metric.compute().item() == pytest.approx((1 + 6) / (4 + 6))
    assert metric.counts == Counts(3, 1, 0, 0)


@pytest.mark.release
def test_each_of_two_processes_has_the_rate_of_both(torchmetrics: Any, tmp_path: Path) -> None:
    assert torchmetrics
    arguments = [sys.executable, "-c", PROCESS]
    processes = [
        subprocess.Popen([*arguments, str(rank), str(tmp_path / "store")], stdout=subprocess.PIPE)
        for rank in range(2)
    ]
    outputs = [process.communicate(timeout=300)[0].decode() for process in processes]
    assert outputs == ["0.125 6\n", "0.125 2\n"]


FUNCTIONS = {
    "char_error_rate": "CharErrorRate",
    "match_error_rate": "MatchErrorRate",
    "word_error_rate": "WordErrorRate",
    "word_information_lost": "WordInfoLost",
    "word_information_preserved": "WordInfoPreserved",
}


@each_case("name", FUNCTIONS)
def test_functions_and_scripts(torchmetrics: Any, name: str) -> None:
    from torch import jit

    from scoring.peers import torchmetrics as ours

    for batch in BATCHES:
        original = getattr(torchmetrics.functional.text, name)(*batch)
        assert getattr(ours, name)(*batch).item() == original.item()
    jit.script(getattr(ours, FUNCTIONS[name])())  # `counts` is not compiled


@each_case("cost", [0, 1, 2, 3])
@each_case("reduction", ["mean", "sum", "none", None])
def test_edit_distances(torchmetrics: Any, cost: int, reduction: Any) -> None:
    from scoring.peers.torchmetrics import EditDistance, edit_distance

    theirs = torchmetrics.text.EditDistance(cost, reduction)
    metric = EditDistance(cost, reduction)
    for batch in (*BATCHES, ("rain", "shine")):
        expected = torchmetrics.functional.text.edit_distance(*batch, cost, reduction)
        number = edit_distance(*batch, cost, reduction)
        assert (number.tolist(), number.shape) == (expected.tolist(), expected.shape)
        assert metric(*batch).tolist() == theirs(*batch).tolist()
    assert metric.compute().tolist() == theirs.compute().tolist()
    metric.reset()
    for wrong in ({"substitution_cost": -1}, {"reduction": "nope"}):
        with pytest.raises(ValueError, match="Expected argument"):
            EditDistance(**wrong)
    with pytest.raises(ValueError, match="to have same length, but got 1 and 2"):
        metric.update(["a"], ["a", "b"])
    with pytest.raises(ValueError, match="to be string type"):
        metric.update([1], ["a"])  # type: ignore[list-item]
