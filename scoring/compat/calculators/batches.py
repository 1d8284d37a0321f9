"""Batches of token sequences from whatever holds them: lists, arrays, tensors on any device.

Nothing is imported for it: what has `cpu()` is asked to leave its device, what has `tolist()` or
`numpy()` to become plain.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import TypeAlias

# An id in a list of tokens, or the token itself.
Token: TypeAlias = int | str
TEXTS = (str, bytes, bytearray, memoryview)


def rows_of(batch: object, what: str) -> list[list[Token]]:
    """The token sequences of a batch, padding included, as lists of `int` and `str`.

    Parameters
    ----------
    batch
        Sequences, each of ids or of tokens; or an array or tensor of shape (utterances, tokens).
    what
        What it is, for messages.

    Raises
    ------
    TypeError
        If it is no batch, or holds anything but whole numbers and texts.

    Examples
    --------
    >>> import numpy
    >>> rows_of(numpy.array([[1, 2], [3, -1]]), "targets")
    [[1, 2], [3, -1]]
    >>> rows_of([("a", "b"), []], "targets")
    [['a', 'b'], []]
    """
    rows = _plain(batch)
    if rows is None:
        raise TypeError(f"{what}: expected a batch of sequences, found {type(batch).__name__}")
    found = []
    for number, given in enumerate(rows):
        row = _plain(given)
        if row is None:
            raise TypeError(
                f"{what}: expected a sequence of tokens as utterance {number}, "
                f"found {type(given).__name__}"
            )
        if not set(map(type, row)) <= {int, str}:
            row = [_token(one, what, number) for one in row]
        found.append(row)
    return found


def row_of(sequence: object, what: str) -> list[Token]:
    """One token sequence, as `rows_of` gives those of a batch."""
    return rows_of([sequence], what)[0]


def _plain(given: object) -> list[Token] | None:
    """A list of what is in it; None if nothing can be."""
    if isinstance(given, TEXTS):
        return None
    for name in ("cpu", "numpy", "tolist"):
        method = getattr(given, name, None)
        if callable(method) and not (name == "numpy" and hasattr(given, "tolist")):
            given = method()
    return list(given) if isinstance(given, Iterable) else None


def _token(given: object, what: str, number: int) -> Token:
    if isinstance(given, str):
        return str(given)
    if not isinstance(given, bool):
        if isinstance(given, float) and given.is_integer():
            return int(given)
        try:
            return operator.index(given)  # type: ignore[arg-type]
        except TypeError:
            pass
    raise TypeError(
        f"{what}: expected token ids or tokens in utterance {number}, found {type(given).__name__}"
    )
