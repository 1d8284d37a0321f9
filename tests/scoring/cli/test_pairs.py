"""Every pair of options of `scoring wer` and `scoring cer`: it scores, or contradicts itself."""

import itertools
import random
from pathlib import Path

import pytest

from scoring.cli.scoring import main
from scoring.measures.messages import LACKING
from scoring.model.combinations import TABLE
from tests.remarks import says

WORDS = """
    may people first our how as over right where 50 fifty don't do not uh black board blackboard
    theresa minister okay 1984 you're gonna
""".split()  # noqa: SIM905
OPTIONS = tuple(
    """
--normalize plain
--normalize numbers
--normalize contractions
--normalize fillers
--merge-compounds
--merge-compounds any
--variants
--variants-file equal.variants
--reference other.stm
--words names.list
--unit char
--unit mixed
--measures loops
--measures punctuation
--measures timing
--measures formatting,case
--meeting cp
--meeting tcp
--meeting orc
--like kaldi
--like jiwer
--like wenet
--by speaker
--confidence-interval
--html page.html
-o all -O reports
--cut plain-alignment
--verdicts verdicts.jsonl
--ignore-case
--forgive-optional
--per-utterance
--json result.json
--references each
--speaker-errors
--greedy
--shard 1/2 --shard-output shard.json
--vocabulary names.list
--metadata accents.csv --by accent --compare-groups
--profile kaldi
--missing skip
--interpolate uniform
--jobs 2
""".strip().splitlines()
)
# What a message says of two options that contradict each other; docs/several-references.md lists
# the reasons.
# the last: further files of a meeting are streams of one system, which share few words
EXPECTED = ("as in the recipe", "has no character error rate", "[SAME-WORDS]")


def stm(rng: random.Random, hears: bool) -> str:
    """Segments of three speakers, with alternatives and optional words in the reference."""
    lines: list[str] = []
    for number in range(12):
        words = rng.choices(WORDS, k=rng.randint(2, 7))
        if number % 5 == 0 and not hears:
            words.append("{ gonna / going to / @ }")
        if number % 7 == 0:
            words.append("(okay)")
        speaker = f"{'h' * hears}{('anne', 'ben', 'cleo')[number % 3]}"
        times = f"{number * 4}.0 {number * 4 + 3}.5"
        lines.append(f"rec{number // 6} {'AB'[number % 2]} {speaker} {times} {' '.join(words)}\n")
    return "".join(lines)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    reference = stm(random.Random(7), hears=False)
    contents = {
        "r.stm": reference,
        "other.stm": reference.replace("black board", "blackboard"),
        "h.stm": stm(random.Random(7), hears=True).replace("people", "peoples"),
        "names.list": "minister\ntheresa may\n",
        "equal.variants": "people | peoples\n",
        "accents.csv": "recording,accent\nrec0,us\nrec1,uk\n",
        "verdicts.jsonl": '{"reference":"a","hypothesis":"the","verdict":"same"}\n',
    }
    for name, text in contents.items():
        Path(name).write_text(text)
    Path("reports").mkdir()
    return tmp_path


@pytest.mark.release
@pytest.mark.parametrize("command", ["wer", "cer"])
def test_every_pair_scores_or_contradicts_itself(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`cer` differs in its unit alone, which meets every option of `wer`, too.

    With it each option goes with four others.
    """
    pairs = list(itertools.combinations(OPTIONS, 2))
    if command == "cer":
        pairs = [(OPTIONS[at], OPTIONS[at - step]) for step in (1, 8) for at in range(len(OPTIONS))]
    assert {option for pair in pairs for option in pair} == {*OPTIONS}
    refused: list[str] = []
    for pair in pairs:
        status = main([command, "r.stm", "h.stm", *" ".join(pair).split(), "--quiet"])
        errors = capsys.readouterr().err
        assert status in (0, 2, 3), (pair, errors)
        if status == 2:
            refused.append(" + ".join(pair))
            is_known = any(says(errors, entry) for _, _, entry in TABLE)
            is_known = is_known or says(errors, LACKING["times"])
            assert is_known or any(reason in errors for reason in EXPECTED), (pair, errors)
    assert len(pairs) - len(refused) >= 5 * len(pairs) // 6, refused
