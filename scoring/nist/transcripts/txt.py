"""sclite's reader of txt files, which consist of words only."""

from __future__ import annotations

from scoring.model.aliases import Say
from scoring.nist.transcripts.characters import Characters
from scoring.nist.transcripts.input_files import (
    Oddity,
    TranscriptFile,
    first_refusal,
    line_at,
    read_file,
    remark,
    single_mark_warning,
    warn_of_odd_bytes,
)
from scoring.nist.transcripts.pieces import pieces

COMMENTS = (b";;", b"**")


def read_txt(source: TranscriptFile, characters: Characters, warn: Say) -> list[bytes]:
    """Return the words of a hypothesis without identifiers, channels or times.

    Words are taken as written: braces, tags and identifiers have no special meaning. Lines of white
    space are skipped, so that a carriage return on its own line is not a word. Lines that begin
    with `;;` or `**` are comments. As in sclite, a last line without newline is never skipped: its
    words are scored even if it is a comment, which `warn` reports.
    """
    raw = read_file(source, "hypothesis")
    warn_of_odd_bytes(source.name, raw, warn)
    refusal = first_refusal(raw, characters, lambda line, _: not line.startswith(COMMENTS))
    if refusal is not None:
        raise refusal.error
    words: list[bytes] = []
    lines = raw.split(b"\n")
    for number, line in enumerate(lines):
        content = line.split(b"\0")[0]
        last = number == len(lines) - 1
        if content.startswith(COMMENTS):
            if not last:
                continue
            problem = "a comment without newline at the end of the file counts as words"
            warn(Oddity(remark(source.name, problem, line_at(raw, len(raw)), 1)))
        elif not content.strip() and not last:
            continue
        elif content[:1] in (b";", b"*"):
            warn(single_mark_warning(line if last else line + b"\n"))
        words += pieces(characters.fold(content), characters)
    return words
