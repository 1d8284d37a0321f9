"""Alignments as text in jiwer's form, and jiwer's counts of each error."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from scoring.peers.jiwer.process import AlignmentChunk, CharacterOutput, WordOutput

__all__ = ["collect_error_counts", "visualize_alignment", "visualize_error_counts"]

Output: TypeAlias = WordOutput | CharacterOutput
ErrorCounts: TypeAlias = tuple[dict[tuple[str, str], int], dict[str, int], dict[str, int]]
_HEADS = ("REF: ", "HYP: ", "     ")


def visualize_alignment(
    output: Output,
    show_measures: bool = True,
    skip_correct: bool = True,
    line_width: int | None = None,
) -> str:
    """Return texts in which each reference is above its hypothesis, and a letter marks each error.

    `skip_correct` omits texts without errors, `line_width` limits the length of lines, and
    `show_measures` adds counts and measures.
    """
    text = ""
    texts = zip(output.references, output.hypotheses, output.alignments, strict=False)
    for number, (reference, hypothesis, chunks) in enumerate(texts, 1):
        correct = not chunks or (len(chunks) == 1 and chunks[0].type == "equal")
        if not (skip_correct and correct):
            gap = "" if isinstance(output, CharacterOutput) else " "
            columns = _columns(reference, hypothesis, chunks)
            text += f"=== SENTENCE {number} ===\n\n{_lines(columns, gap, line_width)}\n"
    return text + _summary(output) if show_measures else text[:-1]


def _columns(
    reference: list[str], hypothesis: list[str], chunks: list[AlignmentChunk]
) -> Iterator[tuple[str, str, str]]:
    """Yield a column for each aligned pair: the reference word, the hypothesis word, the letter."""
    letters = {"equal": " ", "substitute": "S", "insert": "I", "delete": "D"}
    for chunk in chunks:
        try:
            letter = letters[chunk.type]
        except KeyError:
            raise ValueError(f"unparseable op name={chunk.type}") from None
        spoken = reference[chunk.ref_start_idx : chunk.ref_end_idx]
        heard = hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx]
        stars = ["*"] * max(len(spoken), len(heard))
        for left, right in zip(
            stars if letter == "I" else spoken, stars if letter == "D" else heard, strict=False
        ):
            yield left, right, letter


def _lines(columns: Iterator[tuple[str, str, str]], gap: str, line_width: int | None) -> str:
    """Return the columns as lines of text, in blocks that are at most `line_width` wide."""
    done, rows = "", list(_HEADS)
    for left, right, letter in columns:
        width = max(len(left), len(right), 1)
        if line_width is not None and len(rows[0]) + width > line_width:
            done += _joined(rows, gap) + "\n"
            rows = list(_HEADS)
        if left == "*":
            left *= width
        elif right == "*":
            right *= width
        cells = (left, right, letter)
        rows = [f"{row}{cell:>{width}}{gap}" for row, cell in zip(rows, cells, strict=True)]
    return done + _joined(rows, gap)


def _joined(rows: list[str], gap: str) -> str:
    """Return rows as lines of text, without the separator `gap` at the end of each."""
    return "".join(f"{row[:-1] if gap else row}\n" for row in rows)


def _summary(output: Output) -> str:
    names = ("cer",) if isinstance(output, CharacterOutput) else ("mer", "wil", "wip", "wer")
    rates = "".join(f"\n{name}={getattr(output, name) * 100:.2f}%" for name in names)
    return (
        f"=== SUMMARY ===\nnumber of sentences: {len(output.alignments)}\n"
        f"substitutions={output.substitutions} deletions={output.deletions} "
        f"insertions={output.insertions} hits={output.hits}\n{rates}\n"
    )


def collect_error_counts(output: Output) -> ErrorCounts:
    """Count how often each substitution, insertion and deletion of a run of words occurs.

    >>> from scoring.peers.jiwer.process import process_words
    >>> dict(collect_error_counts(process_words("the cat sat", "the bat sat"))[0])
    {('cat', 'bat'): 1}
    """
    substitutions: dict[tuple[str, str], int] = defaultdict(int)
    insertions: dict[str, int] = defaultdict(int)
    deletions: dict[str, int] = defaultdict(int)
    gap = " " if isinstance(output, WordOutput) else ""
    for index, chunks in enumerate(output.alignments):
        reference, hypothesis = output.references[index], output.hypotheses[index]
        for chunk in chunks:
            spoken = gap.join(reference[chunk.ref_start_idx : chunk.ref_end_idx])
            heard = gap.join(hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx])
            if chunk.type == "insert":
                insertions[heard] += 1
            elif chunk.type == "delete":
                deletions[spoken] += 1
            elif chunk.type == "substitute":
                substitutions[spoken, heard] += 1
    return substitutions, insertions, deletions


def visualize_error_counts(
    output: Output,
    show_substitutions: bool = True,
    show_insertions: bool = True,
    show_deletions: bool = True,
    top_k: int | None = None,
) -> str:
    """Return a text with the frequency of each error, the most frequent error first.

    There are at most `top_k` errors of each kind.
    """
    substitutions, insertions, deletions = collect_error_counts(output)
    kinds = (
        ("SUBSTITUTIONS", show_substitutions, substitutions),
        ("INSERTIONS", show_insertions, {(word,): n for word, n in insertions.items()}),
        ("DELETIONS", show_deletions, {(word,): n for word, n in deletions.items()}),
    )
    parts = [
        f"=== {kind} ===\n{_frequencies(errors.items(), top_k)}"
        for kind, chosen, errors in kinds
        if chosen
    ]
    return "\n".join(parts).removesuffix("\n")


def _frequencies(errors: Iterable[tuple[tuple[str, ...], int]], top_k: int | None) -> str:
    ranked = sorted(errors, key=lambda item: item[1], reverse=True)[:top_k]
    if not ranked:
        return "none"
    width = max(len(word) for words, _ in ranked for word in words)
    return "".join(
        f"{' --> '.join(f'{word:<{width}}' for word in words)} = {count}x\n"
        for words, count in ranked
    )
