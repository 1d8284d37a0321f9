"""n-best lists: oracle by brute force, paths, correctors, and the ways that lists are written."""

import json
import random
from pathlib import Path

import pytest

from scoring.cli.scoring import main
from scoring.model.errors import InputError
from scoring.options import Options
from scoring.score.oracle import corrections, oracle
from scoring.sides.nbest import read_nbest
from tests.each_case import each_case

UNIT_COSTS = Options(profile="levenshtein")
LISTS = {"u1": ["a cat sad", "the cat sad", "a cat sat"], "u2": ["we met there", "he met there"]}
REFERENCE = {"u1": "the cat sat", "u2": "we met there"}


def distance(reference: list[str], hypothesis: list[str]) -> int:
    """The edit distance, by its definition."""
    row = list(range(len(hypothesis) + 1))
    for number, word in enumerate(reference, 1):
        before, row = row, [number]
        for place, other in enumerate(hypothesis):
            row.append(min(before[place] + (word != other), before[place + 1] + 1, row[-1] + 1))
    return row[-1]


def text(rng: random.Random, least: int) -> str:
    return " ".join(rng.choices("abcd", k=rng.randint(least, 6)))


def test_oracle_rates_are_those_of_brute_force() -> None:
    rng = random.Random(45)
    references = {f"u{row}": text(rng, 1) for row in range(2000)}
    lists = {name: [text(rng, 0) for _ in range(rng.randint(1, 5))] for name in references}
    found = oracle(references, lists, UNIT_COSTS)
    expected = {
        name: [distance(words.split(), other.split()) for other in lists[name]]
        for name, words in references.items()
    }
    rows = dict(zip(found.first.identifiers, found.errors, strict=True))
    assert rows == expected
    assert found.oracle_errors == sum(map(min, expected.values()))
    ranks = dict(zip(found.first.identifiers, found.ranks, strict=True))
    assert ranks == {name: own.index(min(own)) + 1 for name, own in expected.items()}
    assert found.curve == [sum(min(own[:n]) for own in expected.values()) for n in range(1, 6)]
    paths = dict(zip(found.first.identifiers, found.path_errors, strict=True))
    for name, errors in paths.items():
        heard = set(" ".join(lists[name]).split())
        missing = [word for word in references[name].split() if word not in heard]
        assert len(missing) <= errors <= min(expected[name])
    assert sum(paths.values()) < found.oracle_errors


def test_a_list_of_one_is_the_error_rate() -> None:
    found = oracle(REFERENCE, {name: texts[:1] for name, texts in LISTS.items()})
    assert found.oracle_errors == sum(found.path_errors) == found.first.counts.errors == 2
    assert found.rate(found.oracle_errors) == found.first.error_rate


def test_an_utterance_without_a_list_is_deleted() -> None:
    found = oracle(REFERENCE, {"u1": LISTS["u1"]})
    assert found.errors == [[2, 1, 1], [3]]


def test_edits_of_a_corrector_are_judged_one_by_one() -> None:
    reference = {"u1": "the cat sat on the mat", "u2": "yes"}
    before = {"u1": "a cat sad on the mat", "u2": "yes"}
    after = {"u1": "the cat said on the hat", "u2": "oh yes"}
    made = corrections(reference, before, after)
    assert (made.helped, made.harmed, made.neutral) == (1, 2, 1)
    assert made.recovered == 2 - 3
    assert made.recoverable is None
    best = oracle(reference, {"u1": [before["u1"], "the cat sat"], "u2": ["yes"]})
    assert corrections(reference, before, after, best=best).recoverable == 1


def numbered(path: Path) -> Path:
    lines = [f"{u}-{n} {t}\n" for u, texts in LISTS.items() for n, t in enumerate(texts, 1)]
    path.write_text("".join(reversed(lines)), "utf-8")
    return path


def lattices(path: Path) -> Path:
    """Text of lattice-to-nbest, with transitions and their weights, and without."""
    blocks = []
    for name, texts in LISTS.items():
        for number, words in enumerate(texts, 1):
            arcs = ["0 1 <eps> ", "1 2 4 0 0.5,-1e-05"]
            arcs += [f"{n} {n + 1} {w} 4.5,2.25,2_4_6" for n, w in enumerate(words.split(), 2)]
            arcs[-1] = arcs[-1].rsplit(" ", 1)[0]
            last = f"{len(words.split()) + 2} 0.5,0,"
            blocks.append("\n".join([f"{name}-{number} ", *arcs, last, ""]))
    path.write_text("\n".join(blocks), "utf-8")
    return path


def espnet(path: Path) -> Path:
    for rank in range(3):
        text = path / "logdir" / "output.1" / f"{rank + 1}best_recog" / "text"
        text.parent.mkdir(parents=True)
        rows = [f"{u} {texts[rank]}\n" for u, texts in LISTS.items() if len(texts) > rank]
        text.write_text("".join(rows), "utf-8")
    return path


def espnet_1(path: Path) -> Path:
    def written(text: str) -> str:
        return "".join(f"\u2581{word}" for word in text.split()) + "<eos>"

    utterances = {
        name: {
            "utt2spk": "s",
            "output": [
                {"name": f"target1[{rank}]", "text": REFERENCE[name], "rec_text": written(text)}
                for rank, text in enumerate(texts, 1)
            ],
        }
        for name, texts in LISTS.items()
    }
    path.write_text(json.dumps({"utts": utterances}, indent=4), "utf-8")
    return path


def icefall(path: Path) -> Path:
    rows = []
    for name, texts in LISTS.items():
        rows.append(f"{name}:\tref={REFERENCE[name].split()}\n")
        for text in texts:
            rows.append(f"{name}:\thyp={text.split()}\n")
            rows.append(f"{name}:\ttimestamp_hyp=[0.04, 0.32]\n")
    path.write_text("".join(rows), "utf-8")
    return path


def nemo(path: Path) -> Path:
    rows = [
        {
            "audio_filepath": "u1",
            "text": REFERENCE["u1"],
            "pred_text": LISTS["u1"][0],
            "beams": [[text, -1.5] for text in LISTS["u1"]],
        },
        {"id": "u2", "nbest": [{"text": text} for text in LISTS["u2"]]},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@each_case("write", [numbered, lattices, espnet, espnet_1, icefall, nemo])
def test_lists_are_read_as_recognisers_write_them(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = str(write(tmp_path / "lists"))
    assert read_nbest(path) == LISTS


@each_case(
    ("content", "problem"),
    [
        (
            "u1 a b\n",
            "lists:1:1: expected an identifier and the number of a hypothesis, as in u1-2, found 'u1'",
        ),
        ("u1-1 a\nu1-1 b\n", "lists: expected one hypothesis 1 of 'u1', found two"),
        ("", "lists: expected n-best lists, found no hypothesis"),
        ('{"id": "u"}\n', "lists:1: expected a list nbest"),
        ('{"id": "u", "nbest": [3]}\n', "lists:1: expected a text, found 3"),
        (
            "u-1\n0 1 a\n0 1 b\n",
            "lists:3:1: expected a single path, with an arc from state 1 here, found one from state 0",
        ),
        ("u-1\n0 1 a\n1 x y\n", "lists:3:1: expected an arc or a last state, found '1 x y'"),
        (
            "u\n0 1 a\n1\n",
            "lists:1:1: expected an identifier and the number of a hypothesis, as in u1-2, found 'u'",
        ),
        (
            "u:\thyp=[a\n",
            "lists:1:1: expected an identifier and the number of a hypothesis, as in u1-2",
        ),
    ],
)
def test_what_is_no_list_is_an_error(content: str, problem: str, current_folder: Path) -> None:
    Path("lists").write_text(content, "utf-8")
    with pytest.raises(InputError) as caught:
        read_nbest("lists")
    assert str(caught.value).startswith(problem)


def test_the_command_prints_and_writes_the_numbers(
    current_folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    numbered(Path("nbest.txt"))
    for name, texts in (
        ("reference.txt", REFERENCE),
        ("corrected.txt", {"u1": "the cat sad", "u2": "we meet there"}),
    ):
        Path(name).write_text("".join(f"{u} {t}\n" for u, t in texts.items()), "utf-8")
    sides = ["reference.txt", "nbest.txt", "--corrected", "corrected.txt"]
    assert main(["oracle", *sides]) == 0
    assert "best path        0     0.00\n" in capfd.readouterr().out
    assert main(["oracle", *sides, "--json", "-"]) == 0
    whole = json.loads(capfd.readouterr().out)
    [document] = whole["systems"]
    assert (whole["schema"], whole["version"]) == ("sclite-kit/oracle", 1)
    assert [document[f"{name}_error_rate"] for name in ("first", "oracle", "best_path")] == [
        *(2 / 6, 1 / 6, 0)
    ]
    assert document["utterance_means"] == {
        "first_error_rate": 1 / 3,
        "oracle_error_rate": 1 / 6,
        "best_path_error_rate": 0,
    }
    assert document["best_ranks"] == {"1": 1, "2": 1}
    assert document["corrections"]["edit_counts"] == {"helpful": 1, "harmful": 1, "neutral": 0}
    assert main(["oracle", "reference.txt", "corrected.txt"]) == 2
    assert (
        "corrected.txt:1:1: expected an identifier and the number of a hypothesis, as in u1-2, found 'u1'"
        in capfd.readouterr().err
    )


def test_means_of_utterances_count_each_utterance_with_words_once() -> None:
    reference = {"long": "a b c d", "short": "e", "silent": ""}
    lists = {"long": ["a b x y", "a b c y"], "short": ["f", "g"], "silent": ["h"]}
    best = oracle(reference, lists)
    assert best.utterance_means == {
        "first_error_rate": 0.75,
        "oracle_error_rate": 0.625,
        "best_path_error_rate": 0.625,
    }
    assert best.oracle_errors / best.words == 3 / 5
    nothing = oracle({"silent": ""}, {"silent": ["h"]})
    assert set(nothing.utterance_means.values()) == {None}
