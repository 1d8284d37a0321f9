"""`wer_ops_details.pl`: how often each word was right or taken for another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scoring.compat.kaldi.streams import Stream

GREATEST_WIDTH = 16


def operations(stream: Stream, special_symbol: str = "<eps>") -> Iterator[str]:
    r"""Lines, with their ends, from the output of `per_utterance`.

    Raises
    ------
    InputError
        If an utterance has not one line of reference and one of hypothesis words of equal number.

    Examples
    --------
    >>> stream = Stream.of("<stdin>", b"u1 ref a <eps> b\nu1 hyp a x <eps>\n")
    >>> print(*operations(stream), sep="", end="")
    insertion     <eps>        x    1
    correct           a        a    1
    deletion          b    <eps>    1
    """
    pairs = _pairs(stream)
    width = min(GREATEST_WIDTH, max((len(word) for pair in pairs for word in pair), default=0))
    count_width = len(str(max(pairs.values(), default=0)))
    for reference, hypothesis in sorted(pairs):
        count = str(pairs[reference, hypothesis]).rjust(count_width)
        yield (
            f"{_kind(reference, hypothesis, special_symbol):<14}{reference.rjust(width)}    "
            f"{hypothesis.rjust(width)}    {count}\n"
        )


def _kind(reference: str, hypothesis: str, special_symbol: str) -> str:
    if reference == hypothesis:
        return "correct"
    if reference == special_symbol:
        return "insertion"
    return "deletion" if hypothesis == special_symbol else "substitution"


def _pairs(stream: Stream) -> Counter[tuple[str, str]]:
    """How often each reference word faces each hypothesis word."""
    sides: dict[str, dict[str, tuple[int, list[str]]]] = {"ref": {}, "hyp": {}}
    for number, fields in stream.lines():
        side = sides.get(fields[1]) if len(fields) > 1 else None
        if side is None:
            continue
        if fields[0] in side:
            raise stream.error(
                number,
                f"The input stream contains duplicate entry {fields[0]} {fields[1]} "
                f"(line {side[fields[0]][0]} has it, too)",
            )
        side[fields[0]] = number, fields[2:]
    for name, other in (("hyp", "ref"), ("ref", "hyp")):
        for utterance, (number, _) in sides[other].items():
            if utterance not in sides[name]:
                raise stream.error(
                    number,
                    f'The input stream does not contain entry "{name}" for utterance {utterance}',
                )
    pairs: Counter[tuple[str, str]] = Counter()
    for utterance, (number, words) in sides["hyp"].items():
        _, references = sides["ref"][utterance]
        if len(words) != len(references):
            raise stream.error(
                number,
                f"expected {len(references)} fields as in the reference of utterance {utterance}, "
                f"found {len(words)}",
            )
        pairs.update(zip(references, words, strict=True))
    return pairs
