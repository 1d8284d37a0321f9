"""Files nested 10 to 100,000 levels deep, for every reader of `scoring`: a result or an error."""

import sys
from pathlib import Path

import pytest

from scoring.cli.scoring import main

DEPTHS = (10, 100, 400, 950, 3000, 100_000)
NESTS = {
    "lists": lambda depth: "[" * depth + "]" * depth,
    "objects": lambda depth: '{"a":' * depth + "1" + "}" * depth,
    "utterances": lambda depth: '{"utts": ' + "[" * depth + "]" * depth + "}",
    "n-best": lambda depth: '{"id": "u1", "nbest": ' + "[" * depth + "]" * depth + "}",
    "icefall": lambda depth: "u1:\thyp=" + "[" * depth + "]" * depth,
}
COMMANDS = (
    "wer DEEP DEEP",
    "wer r.stm r.stm --verdicts DEEP",
    "wer r.stm r.stm --normalize ./DEEP",
    "wer r.stm r.stm --metadata DEEP",
    "compare DEEP DEEP",
    "merge DEEP",
    "per r.stm r.stm --lexicon DEEP",
    "oracle r.stm DEEP",
    "beer r.stm r.stm --entity-weights DEEP",
    "der DEEP DEEP",
    "events DEEP DEEP",
    "segments DEEP DEEP",
    "history import h.sqlite DEEP",
    f"conformance check --area align {sys.executable} echo.py DEEP",
)


@pytest.mark.share(9)
@pytest.mark.parametrize("kind", NESTS)
@pytest.mark.parametrize("command", COMMANDS)
def test_any_depth_is_a_result_or_an_error(
    command: str,
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.stm").write_text("r 1 A 0 1 a b\n")
    Path("echo.py").write_text("import sys\nprint(open(sys.argv[1]).read())\n")
    for depth in DEPTHS:
        name = f"d{depth}.json"
        Path(name).write_text(NESTS[kind](depth))
        assert main(command.replace("DEEP", name).split(" ")) in (0, 2, 3)
        capsys.readouterr()
