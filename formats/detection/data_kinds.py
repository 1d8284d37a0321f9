"""Kinds of data that texts are, and speech is not: JSON, addresses, file names, settings, code."""

from __future__ import annotations

from collections import Counter

from formats.schema import NamedTuple, lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

FEWEST, SHARE = 3, 0.05
"""The fewest texts of data that a message reports, and their share; half of them are an error.

Two are enough if there are no other texts.
"""
LONGEST, LONGEST_SHOWN = 2000, 60
"""The characters of a text that are looked at, and that a message shows."""
SUFFIX = (
    "wav|mp3|mp4|m4a|flac|ogg|opus|webm|mkv|mov|txt|md|json|jsonl|srt|vtt|csv|tsv|png|jpe?g|gif|pdf"
    "|docx?|html?|xml|py|sh|ya?ml|zip"
)
DIGITS = lazy_pattern("[0-9]")
NUMBER = "\0"
"""Stands for all digits among the signs of a kind."""
CODE_SIGNS = (
    *"(}=&;#", "::", "import ", "const ", "class ", "var ", "let ", "SELECT", "TABLE", "NULL",
    "KEY", "INSERT", "VARCHAR", "CONSTRAINT", '"."',
)  # fmt: skip
KINDS: dict[str, tuple[tuple[str, ...], re.Pattern[str]]] = {
    "JSON": (
        ("{", '"', "["),
        lazy_pattern(
            r"(?:\[ ?)?\{ ?\"[^\"]{1,60}\" ?:.*|[0-9a-f]{1,4}:[A-Z]{0,3}[\[{\"].{0,2000}[\]}\"]?\Z"
        ),
    ),
    "markup": (
        ("<",),
        lazy_pattern(
            r"(?i)<(?:!doctype|html|head|body|div|p|span|table|script|svg|a|br|img|ul|li|h[1-6])"
            r"[ />].*>\Z",
        ),
    ),
    "web addresses": (
        ("://", "@"),
        lazy_pattern(r"[a-z]{2,8}://\S+\Z|[\w.+-]{1,60}@[\w-]{1,60}\.[\w.]{2,60}\Z"),
    ),
    "file names": (
        ("/", "\\", "."),
        lazy_pattern(
            "(?i)"
            rf"(?:~|\.{{1,2}}|[A-Za-z]:)?[/\\]\S+\Z|[^\n]{{1,200}}\.(?:{SUFFIX})\s*\Z|[\w.-]+/\s*\Z"
            r"|/(?:[^/\n]{1,80}/){2,30}[^/\n]{1,80}\.\w{2,4}\Z"
            r"|(?:[\w.-]{1,80}/){1,30}[\w.-]{1,80}\.[A-Za-z]\w{0,5}(?:\s|\Z)",
        ),
    ),
    "colours": (
        ("#", "("),
        lazy_pattern(
            r"#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})\Z|(?:rgb|hsl)a?\([^()]{1,40}\)\Z"
        ),
    ),
    "rules of a style": (
        (";", "px"),
        lazy_pattern(
            r"(?:[a-z]{2,20}(?:-[a-z]{2,20}){0,3}: ?[^:;\n]{1,60}(?:;\s{0,3}|\Z)){1,30}\Z"
        ),
    ),
    "dates": (
        (NUMBER,),
        lazy_pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}\S*(?: [A-Z]{3,4})?)?\Z"),
    ),
    "identifiers": (
        ("_", NUMBER),
        lazy_pattern(
            r"(?=\S*[0-9][A-Za-z])[A-Za-z0-9_-]{8,}\Z|[A-Za-z]{1,20}[_-]?[0-9]{3,}\Z"
            r"|[a-z]{1,30}(?:_[a-z]{1,30})+\Z"
        ),
    ),
    "commands of a shell": (
        (".py", "pip", "npm", "git", "curl", "ffmpeg", "docker", "sudo"),
        lazy_pattern(
            r"(?:\$ )?(?:sudo )?(?:python3? (?:-m )?[\w./-]{1,80}\.py\b|pip3? install \S"
            r"|npm (?:run|install)\b|git (?:clone|commit|push|pull|checkout) \S"
            r"|curl -\w|ffmpeg -\w|docker (?:run|build|compose)\b|sudo (?:apt|systemctl)\b)"
        ),
    ),
    "settings": (("=",), lazy_pattern(r"-{0,2}[A-Za-z_][\w.-]{0,60}[ \t]?[=<>~!]?=[ \t]?\S")),
    "results of a measurement": (
        (NUMBER,),
        lazy_pattern(
            r"%?(?:WER|CER|SER|MER|WIL|DER|JER|BLEU|loss|accuracy)\b[ \t]*(?:[:=][ \t]*)?\d"
            r"|Scored \d+ sentences"
        ),
    ),
    "numbers": (
        (NUMBER,),
        lazy_pattern(
            r"(?=[^.\n]{0,80}\.[0-9])-?[0-9]+(?:\.[0-9]+)?(?:[ \t]+-?[0-9]+(?:\.[0-9]+)?)*[ \t]*\Z"
        ),
    ),
    "a table of numbers": (
        (NUMBER,),
        lazy_pattern(
            r"(?=.*(?:\.\d|%|[ \t]-\d|NA|NaN))\S+(?:[ \t]+(?:-?\d+(?:\.\d+)?%?|NA|NaN)){2,}[ \t]*\Z"
        ),
    ),
    "missing values": (
        ("NA", "N/A", "NaN", "null", "NULL", "None"),
        lazy_pattern(r"(?:NA|N/A|NaN|null|NULL|None)\s*\Z"),
    ),
    "long numbers": ((NUMBER,), lazy_pattern(r"[0-9]{6,}\Z")),
    "lists of turns": (("<NA>",), lazy_pattern(r"SPEAKER \S.{0,120}? [0-9] [0-9.]+ [0-9.]+ <NA>")),
    "records of a log": (
        ("INFO", "ERROR", "WARN", "DEBUG"),
        lazy_pattern(
            r"\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}\S* .{0,40}"
            r"\b(?:INFO|ERROR|WARN(?:ING)?|DEBUG)\b"
        ),
    ),
    "messages of errors": (
        ("rror", "RROR", "xception"),
        lazy_pattern(
            r"\W{0,2}(?:[Ee]rror|ERROR|[A-Z]\w{1,30}(?:Error|Exception)|Exception)\]?: ?\S"
        ),
    ),
    "the script of a game": (
        ('"', "label ", "menu:"),
        lazy_pattern(
            r"[ \t]{0,40}(?:[a-z_][a-z0-9_]{0,20} \"[^\"\n]{1,2000}\"|label [a-z_]\w{0,40}:|menu:"
            r"|define \w{1,40} ?= ?Character\()\s{0,9}\Z"
        ),
    ),
    "code": (
        CODE_SIGNS,
        lazy_pattern(
            r"(?:def \w+\(|class \w+[(:]|import [\w.]+\s*\Z|from [\w.]+ import |function \w*\("
            r"|#include\b|(?:const|let|var) \w+ =|return\b.{0,80};\Z|print\("
            r"|\}|\w+\(.{0,80}\);?\s*\Z"
            r"|SELECT .{1,200} FROM "
            r"|(?=\W{0,9}\w).{0,120}?(?:\b(?:CREATE TABLE|ALTER TABLE|INSERT INTO|NOT NULL"
            r"|PRIMARY KEY|FOREIGN KEY|VARCHAR2?|TABLESPACE|CONSTRAINT)\b"
            r"|\"[A-Za-z_]+\"\.\"|&&|==|=>|::|[)}]\s?;\s*\Z))"
        ),
    ),
}
"""The kinds of data: signs, of which a text has at least one, and the pattern of the text."""
SPEECH = frozenset(("long numbers", "a table of numbers", "missing values"))
"""Kinds that a whole corpus may consist of, such as telephone numbers; they are no error."""


def kind_of_data(text: str) -> str:
    """Return the kind of data that a text is; empty for speech.

    >>> kind_of_data('{"id": 1}'), kind_of_data("clips/a.wav"), kind_of_data("so it is")
    ('JSON', 'file names', '')
    """
    text = text[:LONGEST]
    signed = text if DIGITS.search(text) is None else text + NUMBER
    for kind, (signs, pattern) in KINDS.items():
        if any(map(signed.__contains__, signs)) and pattern.match(text):
            return kind
    return ""


class DataTexts(NamedTuple):
    """The texts that are data: how many of how many, their commonest kind, and one of them."""

    data: int
    total: int
    kind: str
    text: str

    @property
    def are_most(self) -> bool:
        """True if at least half of several texts are data."""
        return 2 * self.data >= self.total and self.data >= FEWEST


def data_in(texts: Sequence[str]) -> DataTexts | None:
    """Return the texts that are data; `None` if they are too few to be reported."""
    data = [(kind, text) for text in texts if (kind := kind_of_data(text))]
    if len(data) < max(SHARE * len(texts), min(FEWEST, max(2, len(texts)))):
        return None
    kind, _ = Counter(kind for kind, _ in data).most_common(1)[0]
    example = next(text for name, text in data if name == kind)
    return DataTexts(len(data), len(texts), kind, example[:LONGEST_SHOWN])
