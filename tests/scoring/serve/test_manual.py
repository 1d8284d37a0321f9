"""The manual's calls, sent to a real service, give what the manual says."""

import json
import re
import shlex

import pytest

from scoring.serve import Limits
from scoring.serve.methods import METHODS
from tests.scoring.serve.running import ROOT, Service

TEXT = (ROOT / "docs" / "service.md").read_text("utf-8")


def examples() -> list[tuple[str, str]]:
    """The bodies of the calls, and the answers that stand below them."""
    reply = []
    for block in re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL):
        for command, answer in re.findall(r"\$ (curl [^\n]*)\n([^\n]*)\n", block):
            arguments = shlex.split(command)
            assert arguments[:4] == ["curl", "-s", "http://127.0.0.1:8080/api", "-d"]
            reply.append((arguments[4], answer))
    return reply


@pytest.mark.parametrize(("body", "expected"), examples())
def test_example(service: Service, body: str, expected: str) -> None:
    reply = service.post(body.encode("utf-8")).body.decode("ascii")
    beginning, dots, _ = expected.partition("...")
    if dots:
        assert reply.startswith(beginning)
    else:
        assert reply == expected
        json.loads(reply)


def test_there_are_examples() -> None:
    assert len(examples()) >= 3


def test_methods_and_limits_are_told() -> None:
    for method in METHODS:
        assert f"`{method.name}`" in TEXT
    limits = Limits()
    for phrase in (
        f"at most {limits.batch} calls, `--max-batch`",
        f"`--max-body` ({limits.body >> 20} MiB)",
        f"together may take {limits.held >> 20}",
        f"answers together {limits.answer >> 20} MiB",
        f"`--memory` ({limits.memory >> 20} MiB)",
        f"`--connections` ({limits.connections})",
        f"`--queue` ({limits.queue})",
        f"most {limits.pattern} characters",
        f"within {limits.read_seconds:g} seconds",
        f"its answer within {limits.write_seconds:g} seconds",
    ):
        assert phrase in TEXT.replace("\n  ", " "), phrase
