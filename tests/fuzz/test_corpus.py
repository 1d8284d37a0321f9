"""What the fuzzer has found is never found again."""

import resource
from pathlib import Path

from tests.each_case import each_case
from tests.fuzz.inputs import CORPUS, Input
from tests.fuzz.trials import check
from tests.fuzz.worker import Limits, within

FILES = sorted(path for path in CORPUS.rglob("*") if path.is_file())


@each_case("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_input_that_was_a_finding_is_none_now(path: Path) -> None:
    within(Limits(), Input.read_back(path), check)


def test_a_trial_leaves_the_limits_of_its_process_as_they_were() -> None:
    before = resource.getrlimit(resource.RLIMIT_CPU)
    within(Limits(), Input("corpus", "txt", b""), lambda _: None)
    assert resource.getrlimit(resource.RLIMIT_CPU) == before
