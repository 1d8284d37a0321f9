"""Files that real projects publish and that another format's reader would accept with wrong words.

Detection rejects them by name until a format of their own reads them. A format that is named
explicitly (``--from``) wins, as always.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from formats.errors import UnknownFormatError

if TYPE_CHECKING:
    from formats.source import Source


class Lookalike(NamedTuple):
    """One kind of file, and what its lines look like."""

    title: str
    taken_for: tuple[str, ...]
    pattern: str
    least: int = 1
    most: int | None = None
    first_only: bool = False


TEXT = ("txt", "txt-lines", "kaldi")
LOOKALIKES = (
    Lookalike(
        "Kaldi's spk2utt (a speaker and the ids of its utterances)",
        (*TEXT, "stm"),
        r"(?=\S*\d)(\S{1,100})(?: (?!\1(?: |$))(?=\S*\1)\S+)+ *",
        least=2,
    ),
    Lookalike(
        "captions saved by Zoom ([name] and time of day above each text)",
        TEXT,
        r"\[[^\]]+\] \d\d:\d\d:\d\d *",
        first_only=True,
    ),
    Lookalike(
        "captions saved by Zoom (time of day before each text)",
        TEXT,
        r"\d\d:\d\d:\d\d[ \t].*",
        least=2,
    ),
    Lookalike(
        "a TIMIT sentence file (begin and end in samples before the text)",
        TEXT,
        r"0 \d{4,7} \S.*",
        most=1,
    ),
    Lookalike(
        "a VITS file list (audio path|speaker|text)",
        TEXT,
        r"[^|]+\.(?:wav|flac|mp3|ogg|opus|npy|pt)\|.*",
    ),
    Lookalike(
        "a dialogue table (speaker|text|labels)",
        TEXT,
        r"[^|\s]{1,40}\|[^|]*(?:\|[^|\s]*){1,4}",
        least=2,
    ),
    Lookalike(
        "a table of NXT query results (who and utterance below a header)",
        TEXT,
        r"(?:Found \d+ args?\.|Observation: .*; Result size: \d+; atts: \d+) *",
        first_only=True,
    ),
    Lookalike(
        "voice activity labels (begin and end of stretches of speech, no words)",
        ("htk",),
        r"[\d.]+[ \t]+[\d.]+[ \t]+(?:speech|non-?speech|voiced?)|\d+\.\d+[ \t]+\d+\.\d+[ \t]+sp",
        least=2,
    ),
    Lookalike(
        "PocketSphinx match output (an id and a score in the parentheses)",
        ("trn",),
        r"(?:.* )?\(\S+ -\d+\) *",
    ),
)


def lookalike(name: str, lines: list[str]) -> Lookalike | None:
    """The kind of file that these first lines, detected as format `name`, belong to, if any."""
    rules = [rule for rule in LOOKALIKES if name in rule.taken_for]
    written = [line for line in lines if line.strip()] if rules else []
    for rule in rules:
        tested = written[:1] if rule.first_only else written
        if rule.least <= len(written) <= (rule.most or len(written)) and all(
            re.fullmatch(rule.pattern, line) for line in tested
        ):
            return rule
    return None


def reject_lookalike(source: Source, name: str) -> None:
    """Raise if an input that was detected as `name` only looks like that format."""
    rule = lookalike(name, source.head_lines())
    if rule is not None:
        raise UnknownFormatError(
            f"expected a transcript, found what looks like {rule.title}, which no format here "
            f"reads: {source.format_option} {name} reads it as {name} all the same",
            path=source.name,
            candidates=(name,),
        )
