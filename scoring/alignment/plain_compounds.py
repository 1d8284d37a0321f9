"""Words written apart that match a word written together; a part of `scoring.alignment.plain`."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from scoring.alignment.arguments import unexpected
from scoring.alignment.plain_costs import check_overflow, checked_costs
from scoring.native import look

# How many reference and hypothesis words face each other.
Group = tuple[int, int]


def align_compounds(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    substitution: int,
    deletion: int,
    insertion: int,
) -> bytes:
    """Align two lists of strings; neighbours that together spell a word of the other side match it.

    Among equally cheap ways into a cell of the table, filled from the beginning: insertion,
    deletion, two words, several reference words (few before many), several hypothesis words.
    """
    price = checked_costs(substitution, deletion, insertion)
    _check(reference, "reference")
    _check(hypothesis, "hypothesis")
    check_overflow(price, len(reference) + len(hypothesis))
    compounds: dict[tuple[int, int], list[Group]] = {}
    for end, word, count in _compounds(reference, hypothesis):
        compounds.setdefault((end, word + 1), []).append((count, 1))
    for end, word, count in _compounds(hypothesis, reference):
        compounds.setdefault((word + 1, end), []).append((1, count))
    if not compounds:
        return b""
    costs: dict[Group, int] = {(0, 0): 0}
    origins: dict[Group, Group] = {}
    for i in range(len(reference) + 1):
        look()
        for j in range(len(hypothesis) + 1):
            if i == j == 0:
                continue
            steps = []
            if j:
                steps.append((price[2], (0, 1)))
            if i:
                steps.append((price[1], (1, 0)))
            if i and j:
                same = reference[i - 1] == hypothesis[j - 1]
                steps.append((0 if same else price[0], (1, 1)))
            # found by their beginnings: those that begin last are the shortest
            found = compounds.get((i, j), [])
            steps += [(0, group) for group in sorted(found, key=lambda group: group[::-1])]
            # `min` takes the first of equals
            costs[i, j], origins[i, j] = min(
                ((costs[i - up, j - left] + cost, (up, left)) for cost, (up, left) in steps),
                key=lambda step: step[0],
            )
    pairs, cell = array("i"), (len(reference), len(hypothesis))
    while cell in origins:
        up, left = origins[cell]
        # written backwards, the whole is reversed at the end
        pairs.extend((left, up))
        cell = (cell[0] - up, cell[1] - left)
    pairs.reverse()
    return pairs.tobytes()


def _check(words: Sequence[str], name: str) -> None:
    if not isinstance(words, list):
        raise unexpected(name, "a list of strings", words)
    for word in words:
        if not isinstance(word, str):
            raise unexpected(name, "a list of strings", word)
        word.encode("utf-8")


def _compounds(parts: Sequence[str], words: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Where parts end that spell a word, which one, and how many parts."""
    for begin in range(len(parts) - 1):
        look()
        for place, word in enumerate(words):
            text = ""
            for end in range(begin, len(parts)):
                text += parts[end]
                if not word.startswith(text):
                    break
                if text == word and end > begin:
                    yield end + 1, place, end + 1 - begin
