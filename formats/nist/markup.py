"""The markup in texts of trn and stm files, as defined by NIST.

====================  =================================================================
``{ a / b c / @ }``   alternation; branches may hold words and other alternations
``@``                 the null word, which means nothing; may also be outside braces
``(word)``            an optional word: its omission is not an error
``word-``  ``-word``  a fragment; the hyphen stays in the word, see `Token.is_fragment`
====================  =================================================================

As in sclite, ``{`` opens an alternation only at the beginning of a word, and ``/`` separates
branches only inside braces. An empty branch (``{ a / }``) is dropped, not read as a null word; this
reader warns about it. sclite silently loses text after a ``{`` that is never closed, and crashes on
``{ }`` and on ``{`` inside a word; these are errors with a column here. Braces inside a word are
letters if they hold neither a blank nor ``/`` (``M^{ME}``). Tags (``word;tag``) and backslashes
stay in the word, for the scorer.
"""

from __future__ import annotations

from formats.reading.lines import split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.io.source import Source
    from formats.nist.markup_parser import MarkedWords


def parse_columns(
    source: Source, number: int, line: str, start: int, stop: int, *, alternations: bool = True
) -> MarkedWords:
    """Parse ``line[start:stop]``; return words, marks of optional words, and alternations."""
    text = line[start:stop]
    if "{" not in text and "(" not in text and "@" not in text:
        if "}" in text:
            from formats.nist.messages import MARKUP_BRACE

            source.log.say(MARKUP_BRACE, number, start + text.index("}") + 1)
        return tuple(split_words(text)), None, ()
    from formats.nist.markup_parser import parse_marked

    return parse_marked(source, number, line, start, stop, alternations)


def plain_columns(
    _source: Source, _number: int, line: str, start: int, stop: int, *, alternations: bool
) -> MarkedWords:
    """Split ``line[start:stop]`` into words without parsing markup."""
    return tuple(split_words(line[start:stop])), None, ()
