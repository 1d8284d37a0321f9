"""Losses add up by kind and remember where the first one was."""

import pickle

from formats import Loss
from formats.schema.loss import Losses


def test_losses_add_up() -> None:
    losses = Losses()
    losses.add("confidences", 2, path="a.ctm", line=3)
    losses.add("alternations", 1, "only the first branch is written")
    losses.add("confidences", 5, path="a.ctm", line=9)
    losses.add("labels", 0)
    first, second = losses.entries()
    assert str(first) == "confidences: 7"
    assert first.located() == "a.ctm:3: confidences: 7"
    assert str(second) == "alternations: 1 (only the first branch is written)"
    assert losses.counts == {"confidences": 7, "alternations": 1}


def test_loss_is_a_value() -> None:
    loss = Loss("confidences", 7, "", "a", 1)
    assert pickle.loads(pickle.dumps(loss)) == loss
    assert repr(loss) == "<Loss confidences: 7>"
