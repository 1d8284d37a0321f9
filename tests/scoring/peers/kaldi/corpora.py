"""Random tables of transcripts, and plain ways to score them that share nothing with the tools."""

import random
from typing import NamedTuple

Words = list[str]
Pairs = list[tuple[str, str]]
EPSILON = "<eps>"
VOCABULARY = ["a", "bb", "ccc", "dddddddddddddddddd", "é", "字字", "x", "-"]


class Table(NamedTuple):
    """Transcripts of two sides, and who spoke them."""

    references: dict[str, Words]
    hypotheses: dict[str, Words]
    speakers: dict[str, str]


def random_table(rng: random.Random) -> Table:
    """Up to 6 utterances of up to 3 speakers; hypotheses may be missing or superfluous."""
    table = Table({}, {}, {})
    for number in range(rng.randint(1, 6)):
        key = f"utt{number}" + rng.choice(["", "-long", "é"])
        words = rng.choices(VOCABULARY, k=rng.randint(0, 8))
        table.references[key] = words
        table.speakers[key] = rng.choice(["A", "speaker-é", "a-very-long-speaker-name"])
        if rng.random() < 0.9:
            kept = [word for word in words if rng.random() < 0.8]
            table.hypotheses[key] = kept + rng.choices(VOCABULARY, k=rng.randint(0, 3))
    if rng.random() < 0.3:
        table.hypotheses["stranger"] = ["x"]
    return table


def lines(table: dict[str, Words]) -> str:
    """The table as an archive."""
    return "".join(f"{' '.join([key, *words])}\n" for key, words in table.items())


def align(reference: Words, hypothesis: Words, order: str) -> Pairs:
    """Align by walking back from the end; `order` is a permutation of S (diagonal), D and I."""
    cost = {(0, 0): 0}
    for i in range(len(reference) + 1):
        for j in range(len(hypothesis) + 1):
            before = [cost[i, j]] if i == j == 0 else []
            if i:
                before.append(cost[i - 1, j] + 1)
            if j:
                before.append(cost[i, j - 1] + 1)
            if i and j:
                before.append(cost[i - 1, j - 1] + (reference[i - 1] != hypothesis[j - 1]))
            cost[i, j] = min(before)
    pairs: Pairs = []
    i, j = len(reference), len(hypothesis)
    while i or j:
        for step in order:
            if step == "I" and j and cost[i, j] == cost[i, j - 1] + 1:
                pairs.append((EPSILON, hypothesis[j - 1]))
                j -= 1
            elif step == "D" and i and cost[i, j] == cost[i - 1, j] + 1:
                pairs.append((reference[i - 1], EPSILON))
                i -= 1
            elif step == "S" and i and j:
                same = reference[i - 1] == hypothesis[j - 1]
                if cost[i, j] != cost[i - 1, j - 1] + (not same):
                    continue
                pairs.append((reference[i - 1], hypothesis[j - 1]))
                i, j = i - 1, j - 1
            else:
                continue
            break
    return pairs[::-1]


def letters(pairs: Pairs) -> str:
    """C, S, D and I."""
    return "".join(
        "D" if b == EPSILON else "I" if a == EPSILON else "C" if a == b else "S" for a, b in pairs
    )
