"""The spoken words of CHAT main lines, separated from codes and remarks.

The rule set ``chat-1`` never changes; improved rules will get a new name.

==============================  ================================================================
in the text                     becomes
==============================  ================================================================
``&-uh``                        ``uh``, of type ``fp`` (a filler)
``&+fr``, ``&~gaga``            ``fr-``, of type ``frag``; ``gaga``, of type ``non-lex``
``&=laughs``                    an event ``laughs``
``&*BOB:mhm``                   a segment ``mhm`` of BOB
``(be)cause``                   ``because``
``xxx``, ``yyy``, ``www``       unchanged, of type ``un-lex``; also ``&www``
``word@s``, ``word@s:eng``      ``word``, of type ``for-lex``; after other ``@``, without a type
``0word``, ``0``                nothing (not said)
``(.)``, ``(..)``, ``(1.5)``    nothing (pauses)
``.`` ``?`` ``!`` ``,`` ``;``   added to the display form of the preceding word
``+...``, ``+/.``, ``+"``       nothing (terminators and linkers)
``word [: other]``              ``word``; or ``other``, with ``replacements="target"``
``<a b> [/] a b``               ``a b a b``; or ``a b``, with ``retraces="drop"``
``word [x 3]``                  ``word`` three times
``[= text]``, ``[*]``, ``[?]``  nothing (remarks); the same for all other codes in brackets
``<a b>``, ``‹a b›``            ``a b``
``ba^na:na``                    ``banana`` (pauses and lengthening in words, stress marks)
==============================  ================================================================
"""

from dataclasses import dataclass, field

from formats.detection.spec import Option
from formats.reading.lines import split_words
from formats.schema import lazy_pattern

RULES = ("chat-1", "raw")
# The options that files in text and in XML share.
TEXT_OPTIONS = (
    Option(
        "chat_replacements",
        "spoken",
        "for a word with a replacement, as in gonna [: going to], read the word "
        "as spoken, or the replacement (target)",
        ("spoken", "target"),
    ),
    Option(
        "chat_retraces",
        "keep",
        "keep or drop words that the speaker repeats or corrects",
        ("keep", "drop"),
    ),
)

ITEM = lazy_pattern(r"\[([^\[\]]*)\]|(<)|(>)|([^ \t\v\f<>\[\]]+|[\[\]])")
PAUSE = lazy_pattern(r"\((?:\.{1,3}|[0-9:]*(?:\.[0-9]*)?)\)")
TERMINATOR = lazy_pattern(r"\+[\"/.!?,<^+~≋≈]*[.?!]?|[.?!,;:‡„]|≈|≋")
ATTACHED = frozenset(".?!,;:")
RETRACED = frozenset({"/", "//", "///", "/-", "/?"})
IN_WORD = lazy_pattern(
    "[\u2039\u203a\u02c8\u02cc\u2191\u2193\u21d7\u21d8\u2308\u2309\u230a\u230b\u00b0^:]"
)
UNKNOWN = frozenset({"xxx", "yyy", "www", "xx", "yy"})
MOST_REPEATS = 100


@dataclass(slots=True)
class ChatWord:
    """A word, its type (`kind`), and its form in the line (`display`)."""

    text: str
    kind: str | None = None
    display: str | None = None


@dataclass(slots=True)
class ChatText:
    """What a main line contains: words, names of sounds, and words of other speakers."""

    words: list[ChatWord] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    asides: list[tuple[str, str]] = field(default_factory=list)


def clean(text: str, *, replacements: str = "spoken", retraces: str = "keep") -> ChatText:
    """Return the words of a main line by the rule set ``chat-1``."""
    return _Line(replacements, retraces).read(text)


class _Line:
    """A line during parsing: its words so far, and where the last group begins."""

    def __init__(self, replacements: str, retraces: str) -> None:
        self._takes_target = replacements == "target"
        self._drops_retraces = retraces == "drop"
        self._text = ChatText()
        self._open: list[int] = []
        self._group = 0

    def read(self, text: str) -> ChatText:
        for code, opening, closing, plain in ITEM.findall(text):
            if opening:
                self._open.append(len(self._text.words))
            elif closing:
                self._group = self._open.pop() if self._open else self._group
            elif plain:
                self._take(plain)
            else:
                self._code(code.strip())
        return self._text

    def _take(self, text: str) -> None:
        words = self._text.words
        if text.isalnum() and text.isascii() and text[0] != "0":
            self._group = len(words)
            words.append(ChatWord(text, "un-lex" if text in UNKNOWN else None))
            return
        if text in ATTACHED or TERMINATOR.fullmatch(text):
            if words and not text.startswith(("+", "≈", "≋", "‡", "„")):
                last = words[-1]
                last.display = (last.display or last.text) + text
            return
        if PAUSE.fullmatch(text) or text == "0" or (text[0] == "0" and text[1:2].isalpha()):
            return
        if text.startswith("&"):
            self._special(text)
            return
        self._group = len(words)
        word, _, form = text.partition("@")
        word = IN_WORD.sub("", word.replace("(", "").replace(")", ""))
        kind = "un-lex" if word in UNKNOWN else None
        if form == "s" or form.startswith("s:"):
            kind = "for-lex"
        if word:
            words.append(ChatWord(word, kind))

    def _special(self, text: str) -> None:
        mark, rest = text[1:2], text[2:]
        self._group = len(self._text.words)
        if mark == "=":
            self._text.events.append(rest)
        elif mark == "*":
            speaker, _, words = rest.partition(":")
            self._text.asides.extend((speaker, word) for word in words.split("_") if word)
        elif mark in "-+~":
            kind = {"-": "fp", "+": "frag", "~": "non-lex"}.get(mark, "frag")
            word = IN_WORD.sub("", rest.partition("@")[0].replace("(", "").replace(")", ""))
            if word:
                self._text.words.append(ChatWord(word + "-" if mark == "+" else word, kind))
        elif mark not in "{}" and (word := IN_WORD.sub("", text[1:])):
            # The older way to write fragments; some files also have unknown words with the mark.
            is_unknown = word in UNKNOWN
            self._text.words.append(
                ChatWord(word, "un-lex") if is_unknown else ChatWord(word + "-", "frag")
            )

    def _code(self, code: str) -> None:
        """Process a code in brackets; it applies to the word or group before it."""
        words = self._text.words
        mark, _, rest = code.partition(" ")
        if code in RETRACED:
            if self._drops_retraces:
                del words[self._group :]
        elif mark in (":", "::"):
            if self._takes_target:
                words[self._group :] = [ChatWord(word) for word in split_words(rest)]
        elif mark == "x" and rest.strip().isascii() and rest.strip().isdigit():
            times = min(int(rest.strip()[:4]), MOST_REPEATS)
            group = words[self._group :]
            words.extend(ChatWord(word.text, word.kind) for _ in range(times - 1) for word in group)
            self._group = len(words)
