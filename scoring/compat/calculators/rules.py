"""What becomes of token ids before they are compared: which are dropped, and the texts they make.

Everything is decided token by token. The original joins the tokens and then looks for the symbols
of blank and space in the text, where neighbouring tokens can form such a symbol by accident.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias, get_args

from scoring.compat.calculators.batches import Token

PADDING = -1
SPACE, BLANK = "<space>", "<blank>"
WORD_BOUNDARY = "\u2581"
Unit: TypeAlias = Literal["char", "token"]
EmptyReferences: TypeAlias = Literal["count", "skip"]
UNITS: tuple[Unit, ...] = get_args(Unit)
EMPTY_REFERENCES: tuple[EmptyReferences, ...] = get_args(EmptyReferences)


class TokenRules(NamedTuple):
    r"""How predictions and targets become texts.

    Attributes
    ----------
    tokens
        The token of each id; None where tokens themselves are given, or ids are compared as they
        are (`unit="token"`).
    space
        The symbol that stands for a blank between words, alone or inside a token; None: none.
    blank
        The token that stands for nothing, the blank of CTC and transducers; None: none.
    padding
        What targets and predictions are filled up with; negative ids always are padding.
    word_boundary
        The mark of SentencePiece where a word begins, a blank as well. With None it is a
        character like others: error rates of characters are then of more characters, and words
        are not separated unless `space` is it.
    cut_to_reference
        Cut predictions where the padding of the target begins. Predictions made with the
        reference as input (teacher forcing) go on beyond their end.
    collapse
        Make one of equal ids that follow each other in a prediction, as CTC's best path needs.
    drop
        Further ids or tokens that stand for nothing on both sides, such as `<sos/eos>`.
    keep_reference_blank
        Leave `blank` in targets as the text it is; what ESPnet does for attention.
    unit
        What error rates of characters count: `char`, the code points of texts without their
        blanks, or `token`.
    empty_references
        Predictions of utterances without characters in the reference are insertions (`count`), or
        left out of the error rate of characters (`skip`), which makes it lower.
    """

    tokens: tuple[str, ...] | None = None
    space: str | None = SPACE
    blank: str | None = BLANK
    padding: Token | None = PADDING
    word_boundary: str | None = WORD_BOUNDARY
    cut_to_reference: bool = False
    collapse: bool = False
    drop: frozenset[Token] = frozenset()
    keep_reference_blank: bool = False
    unit: str = "char"
    empty_references: str = "count"

    def target(self, row: Sequence[Token], number: int = 0) -> list[str]:
        """The tokens of a target that are left.

        Parameters
        ----------
        number
            Of the utterance, for messages.

        Raises
        ------
        IndexError
            If the list of tokens has no such id.
        ValueError
            If ids are given, and neither tokens of them nor `unit="token"`.
        """
        return self._kept(row, number, "targets", self.blank if self.keep_reference_blank else None)

    def prediction(
        self, row: Sequence[Token], target: Sequence[Token] | None, number: int = 0
    ) -> list[str]:
        """The tokens of a prediction that are left.

        Parameters
        ----------
        target
            The target as it was given, padding included; None: nothing is cut.
        number
            As of `target`.

        Raises
        ------
        IndexError, ValueError
            As of `target`.

        Examples
        --------
        >>> rules = TokenRules(("<blank>", "a", "b", "<space>"), cut_to_reference=True)
        >>> rules.prediction([1, 3, 2, 2], [1, 3, 1, -1])
        ['a', '<space>', 'b']
        >>> TokenRules(("<blank>", "a"), collapse=True).prediction([1, 1, 0, 1], None)
        ['a', 'a']
        """
        if self.cut_to_reference and target is not None:
            row = row[: self._length(target)]
        if self.collapse:
            row = [token for token, _ in groupby(row)]
        return self._kept(row, number, "predictions", None)

    def _length(self, target: Sequence[Token]) -> int:
        for place, token in enumerate(target):
            if self._is_padding(token):
                return place
        return len(target)

    def _is_padding(self, token: Token) -> bool:
        return token == self.padding or (isinstance(token, int) and token < 0)

    def _kept(
        self, row: Sequence[Token], number: int, what: str, kept_blank: str | None
    ) -> list[str]:
        kept = []
        for token in row:
            if self._is_padding(token) or token in self.drop:
                continue
            name = self._name(token, number, what) if isinstance(token, int) else token
            if name in self.drop or (name == self.blank and name != kept_blank):
                continue
            kept.append(name)
        return kept

    def _name(self, token: int, number: int, what: str) -> str:
        if self.tokens is None:
            if self.unit == "token":
                return str(token)
            raise ValueError(f"{what}: expected tokens, or a list of them, found token ids only")
        if token >= len(self.tokens):
            raise IndexError(
                f"{what}: expected token ids below {len(self.tokens)}, found {token} in "
                f"utterance {number}"
            )
        return self.tokens[token]

    def text(self, tokens: Iterable[str]) -> str:
        """The text that tokens make, words separated by blanks.

        Examples
        --------
        >>> TokenRules().text(["▁the", "▁c", "at", "<space>", "x"])
        ' the cat x'
        """
        return "".join([_text(token, self.space, self.word_boundary) for token in tokens])

    def units(self, tokens: Sequence[str]) -> list[str]:
        """What error rates of characters count: characters or tokens, without blanks."""
        if self.unit == "token":
            return [token for token in tokens if token != self.space]
        return list(self.text(tokens).replace(" ", ""))


@lru_cache(maxsize=1 << 16)
def _text(token: str, space: str | None, word_boundary: str | None) -> str:
    for mark in (space, word_boundary):
        if mark:
            token = token.replace(mark, " ")
    return token


def checked_rules(rules: TokenRules) -> TokenRules:
    """The same rules, if each says something.

    Raises
    ------
    TypeError
        If `tokens` or `drop` is a string, or a token is no string.
    ValueError
        If a name is none of those there are.
    """
    tokens: object = rules.tokens
    if tokens is not None:
        if isinstance(tokens, str) or not isinstance(tokens, Iterable):
            raise TypeError(f"tokens: expected a list of texts, found {type(tokens).__name__}")
        rules = rules._replace(tokens=tuple(tokens))
        for token in rules.tokens or ():
            if not isinstance(token, str):
                raise TypeError(f"tokens: expected texts, found {type(token).__name__}")
    drop: object = rules.drop
    if isinstance(drop, str) or not isinstance(drop, Collection):
        raise TypeError(f"drop: expected ids or tokens, found {type(drop).__name__}")
    for name, value, known in (
        ("unit", rules.unit, UNITS),
        ("empty_references", rules.empty_references, EMPTY_REFERENCES),
    ):
        if value not in known:
            raise ValueError(f"{name}: expected one of {', '.join(known)}, found {value!r}")
    return rules._replace(drop=frozenset(drop))
