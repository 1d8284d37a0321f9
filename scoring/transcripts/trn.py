"""trn files, `text (identifier)` a line, exactly as sclite reads them."""

from __future__ import annotations

from array import array

from scoring.errors import OriginalError
from scoring.side import Side
from scoring.transcripts.characters import Characters, byte_text
from scoring.transcripts.columns import scan_trn
from scoring.transcripts.files import (
    Source,
    Warn,
    line_at,
    read_file,
    remark,
    single_mark_warning,
    warn_of_odd_bytes,
    whole_line,
)
from scoring.transcripts.lexicon import Lexicon
from scoring.transcripts.spans import Spans

SPEAKER_KINDS = {"rm": "RM", "swb": "SWB", "spu_id": "SPU_ID"}


class TrnFile:
    """The data lines of a trn file.

    A last line without a newline is not read, as in sclite; that is said through `warn`.

    Attributes
    ----------
    identifiers
        One per utterance, folded, with its parentheses; empty where the line has none.
    raw
        The bytes of the file as they are.

    Raises
    ------
    OriginalError
        If the file cannot be opened, or a line has just one of its parentheses.
    InputError
        If it is a directory or unreadable.
    """

    def __init__(self, source: Source, kind: str, characters: Characters, warn: Warn) -> None:
        self.name = source.name
        self.raw = read_file(source, kind)
        self._folded = characters.fold(self.raw)
        begins, ends, first, last, marked, unparsable, unterminated = scan_trn(self._folded)
        self._marked = marked
        self._warn = warn
        self.warn_of_single_marks()
        if unparsable >= 0:
            line = byte_text(whole_line(self._folded, unparsable))
            raise OriginalError(f"Error: Unparsable utterance id {line}\n")
        warn_of_odd_bytes(self.name, self.raw, warn)
        if unterminated >= 0:
            problem = "the last line does not end in a newline and is not read"
            warn(remark(self.name, problem, line_at(self.raw, unterminated), 1))
        self.texts = Spans(self.name, self._folded, array("q", begins), array("q", ends))
        text = byte_text(self._folded)
        self.identifiers = [
            text[begin:end]
            for begin, end in zip(
                memoryview(first).cast("q"), memoryview(last).cast("q"), strict=True
            )
        ]

    def __len__(self) -> int:
        return len(self.identifiers)

    def warn_of_single_marks(self) -> None:
        """What sclite says of lines that begin with a single `;` or `*`, at each reading."""
        for offset in self._marked:
            self._warn(single_mark_warning(whole_line(self.raw, offset)))

    def raw_text(self, utterance: int) -> str:
        """The text of an utterance as it stands in the file, not folded."""
        return byte_text(self.raw[self.texts.begins[utterance] : self.texts.ends[utterance]])

    def words(
        self, lexicon: Lexicon, utterances: list[int] | None = None, *, folded: bool = True
    ) -> Side:
        """The words of these utterances, in this order; of all by default.

        Parameters
        ----------
        folded
            False: as they stand in the file, capitals and all.

        Raises
        ------
        InputError
            If an alternation among them is malformed.
        """
        texts = self.texts
        if not folded:
            texts = Spans(self.name, self.raw, texts.begins, texts.ends)
        if utterances is not None:
            texts = texts.chosen(utterances)
        return texts.words(lexicon, self._warn)


def speaker_of(identifier: str, kind: str) -> str | None:
    """The speaker in an utterance identifier; None where it names none.

    Parameters
    ----------
    identifier
        With its parentheses.
    kind
        Value of option `-i`: `wsj` takes three bytes behind the parenthesis; `sp` the whole
        identifier; `rm`, `swb` and `spu_id` what stands before the first `-`, or if there is no
        `-` before the first `_`.

    Examples
    --------
    >>> speaker_of("(ab_c-9)", "spu_id"), speaker_of("(4t0c0201)", "wsj"), speaker_of("(x)", "sp")
    ('ab_c', '4t0', '(x)')
    """
    if kind == "sp":
        return identifier
    if kind == "wsj":
        return identifier[1:4] if identifier else None
    end = identifier.find("-")
    if end < 0:
        end = identifier.find("_")
    return identifier[1:end] if end >= 0 else None
