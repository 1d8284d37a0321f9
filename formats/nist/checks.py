"""What NIST's ctm and stm validators ask for beyond the grammar, reported as warnings.

=====================  ====================================================================
code                   what is wrong
=====================  ====================================================================
``CTM-INDENT``         blanks before the first field
``CTM-NAME``           a recording or speaker of other characters than letters, digits, - and _
``CTM-CHANNEL``        a channel that is no number, A or B
``CTM-NUMBER``         a number written otherwise than as ``1`` or ``1.5``, a confidence of NA
``CTM-MARKER``         times at the marker of an alternation
``CTM-TYPE``           an unknown type, one in capitals included
``CTM-WORD``           a word of type lex that is no word of the language
``STM-WORD``           a word that is none of the language, and no markup
=====================  ====================================================================

Languages are ``english`` and ``other``, as the validators know them: English words are made of
letters, hyphens and apostrophes; of other languages only stm is looked at, and only words that
begin with a punctuation mark are refused.
"""

from __future__ import annotations

import re

from formats.errors import quoted
from formats.lines import column_of_field, split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from formats.source import Source

__all__ = ["CHECKS", "check_ctm", "check_stm"]

CHECKS = ("none", "english", "other")

NAME = re.compile(r"[A-Za-z0-9_-]+\Z")
CHANNEL = re.compile(r"(?:[0-9]+|[AB])\Z")
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?\Z")
TYPES = frozenset({"lex", "frag", "fp", "un-lex", "for-lex", "non-lex", "misc", "noscore"})
CTM_WORD = re.compile(r"(?:[A-Za-z'-]+\Z|[A-Za-z]\.|.*@|.*%(?:bcn?ack|hesitation))", re.IGNORECASE)
STM_WORD = re.compile(
    r"(?:[a-z-]*[a-z](?:'(?:d|s|t|re|ll|m|ve)?)*"  # words, hyphenated ones, contractions
    r"|[a-z]+\.(?:'?s)*"  # letters spelled, their plurals and possessives
    r"|[a-z]+-"  # fragments
    r"|%(?:hesitation|bcn?ack))\Z",
    re.IGNORECASE,
)
STM_ODD_WORD = re.compile(r"(?:o'.+|d'etre)\Z", re.IGNORECASE)
OTHER_WORD = re.compile(r"\(?[^!@#$^&*()`~_+={\[}]")
MARKS = frozenset("{}/@")


def check_ctm(source: Source, number: int, line: str, fields: Sequence[str], language: str) -> None:
    """Report what is wrong with one record of 5 to 8 fields."""

    def warn(code: str, index: int, expected: str) -> None:
        column = column_of_field(line, index)
        found = quoted(fields[index])
        source.log.warn(code, f"expected {expected}, found {found}", number, column)

    if line[0] in " \t":
        source.log.warn("CTM-INDENT", "blanks before the first field", number, 1)
    if not NAME.match(fields[0]):
        warn("CTM-NAME", 0, "a recording of letters, digits, - and _")
    if not CHANNEL.match(fields[1]):
        warn("CTM-CHANNEL", 1, "a channel that is a number, A or B")
    kind = fields[6] if len(fields) > 6 else "lex"
    is_marker = fields[4].upper() in ("<ALT_BEGIN>", "<ALT>", "<ALT_END>")
    for index, what in ((2, "begin"), (3, "duration")):
        if is_marker and fields[index] != "*":
            warn("CTM-MARKER", index, f'"*" as {what} of a marker')
        elif not is_marker and not NUMBER.match(fields[index]):
            warn("CTM-NUMBER", index, f"a {what} of digits and at most one point between them")
    if not is_marker and language == "english" and kind == "lex" and not CTM_WORD.match(fields[4]):
        warn("CTM-WORD", 4, "a word of letters, hyphens and apostrophes")
    if len(fields) > 5 and not NUMBER.match(fields[5]):
        warn("CTM-NUMBER", 5, "a confidence of digits and at most one point between them")
    if kind not in TYPES and kind.lower() in TYPES:
        warn("CTM-TYPE", 6, "a type in small letters")
    if len(fields) > 7 and not NAME.match(fields[7]):
        warn("CTM-NAME", 7, "a speaker of letters, digits, - and _")


def check_stm(source: Source, number: int, line: str, text_from: int, language: str) -> None:
    """Report words of one text, behind its labels, that are none of the language."""
    position = text_from
    for token in split_words(line[text_from:]):
        position = line.index(token, position)
        if not _is_stm_word(token, language):
            message = f"{quoted(token)} is no word of the language {quoted(language)}"
            source.log.warn("STM-WORD", message, number, position + 1)
        position += len(token)


def _is_stm_word(token: str, language: str) -> bool:
    if token in MARKS or token.lower() == "ignore_time_segment_in_scoring":
        return True
    if language != "english":
        return bool(OTHER_WORD.match(token))
    word = token[1:-1] if token[0] == "(" and token[-1] == ")" else token
    return bool(STM_WORD.match(word) or STM_ODD_WORD.match(token))
