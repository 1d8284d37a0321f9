"""Random corpora for all measures: words with case, marks, times, confidences and speakers."""

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import scoring
from scoring.results.measured import Measured
from scoring.score.rates import ErrorRates

TEXT = (
    "we We saw Oslo, oslo then. Then home? home, no no. Okafor ANNA Anna yes! да can thank you very"
)
WORDS = TEXT.split()
LOOP = 0.15
SPEAKERS = 4


def spoken(draw: random.Random) -> list[str]:
    """The words of a reference, sometimes none."""
    return [draw.choice(WORDS) for _ in range(draw.choice([0, 3, 5, 8, 12]))]


def heard(draw: random.Random, words: Sequence[str]) -> list[str]:
    """An answer with errors of all kinds, runs of them, and loops."""
    answer: list[str] = []
    for word in words:
        kind = draw.random()
        if kind < 0.7:
            answer.append(word)
        elif kind < 0.8:
            answer.append(draw.choice(WORDS))
        elif kind < 0.85:
            answer += [word.lower().strip(".,?!"), draw.choice(WORDS)]
        elif kind < 0.88:
            answer += [draw.choice(WORDS) for _ in range(6)]
    if draw.random() < LOOP:
        unit = [draw.choice(WORDS) for _ in range(draw.choice([1, 2, 3]))]
        answer += unit * draw.choice([3, 4, 7])
    return [] if draw.random() < 0.05 else answer


def supervisions(
    utterances: dict[str, list[str]], draw: random.Random
) -> Iterator[dict[str, object]]:
    """Lhotse's supervisions: words with times and confidences."""
    for row, (name, words) in enumerate(utterances.items()):
        time, items = 20.0 * row, []
        shown: list[int] = []
        for word in words:
            length = draw.randrange(5, 40) / 100
            items.append([word, round(time, 2), length, draw.randrange(0, 101) / 100])
            shown.append(round((time + length) * 1e9) + 10**6 * (len(words) * 37 % 900))
            time += length + draw.randrange(0, 30) / 100
        yield {
            "id": name,
            "recording_id": "talk",
            "start": 20.0 * row,
            "duration": 20.0,
            "channel": 0,
            "text": " ".join(words),
            "speaker": f"s{row % SPEAKERS}",
            **({"alignment": {"word": items}, "custom": streamed(shown)} if items else {}),
        }


def streamed(shown: Sequence[int]) -> dict[str, str]:
    """When a streaming recogniser showed its words, as its readers say it."""
    return {
        "emission_ns": " ".join(map(str, shown)),
        "final_ns": " ".join([str(shown[-1] + 10**8)] * len(shown)),
        "elapsed_ns": " ".join(str(time + 10**7) for time in shown),
        "source_ns": str(shown[-1]),
        "words_shown": str(len(shown) + len(shown) // 3),
        "words_retracted": str(len(shown) // 3),
    }


def corpus(
    folder: Path, seed: int, utterances: int = 40, heard_by: int = 0, **choices: Any
) -> ErrorRates:
    """A result with sources, groups by speaker and whatever `choices` ask for.

    Equal seeds give equal references; `heard_by` is the seed of another system.
    """
    draw = random.Random(seed)
    references = {f"r{seed}_{row:03d}": spoken(draw) for row in range(utterances)}
    draw = random.Random(1000 * heard_by + seed)
    hypotheses = {name: heard(draw, words) for name, words in references.items()}
    paths = [folder / f"{name}{seed}.jsonl" for name in ("reference", "hypothesis")]
    for path, side in zip(paths, (references, hypotheses), strict=True):
        lines = map(json.dumps, supervisions(side, draw))
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    settings: dict[str, Any] = {"keep_sources": True, "by": ["speaker"], **choices}
    rates: ErrorRates = scoring.wer(*paths, **settings)
    return rates


def counted(name: str, reference: Any, hypothesis: Any, **settings: Any) -> Measured:
    """A measure of texts."""
    return scoring.measure(scoring.wer(reference, hypothesis), name, settings)


def assert_same(left: Measured, right: Measured) -> None:
    """The same numbers, bit for bit."""
    assert dict(left.values) == dict(right.values)
    assert {k: v for k, v in left.columns.totals().items() if v} == {
        k: v for k, v in right.columns.totals().items() if v
    }
