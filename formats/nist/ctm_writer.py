"""Writing ctm: sorting, rounding and flattening, apart from reading in `formats.nist.ctm`."""

from __future__ import annotations

import re
from operator import itemgetter

from formats.errors import OptionError, quoted
from formats.fields import decimal_text, written_name
from formats.lines import write_definition
from formats.loss import refused
from formats.nist.markup import write_word
from formats.times import format_time
from formats.words import Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from formats.model import Segment
    from formats.sink import Sink
    from formats.spec import SegmentSource
    from formats.words import Alternation

    Block: TypeAlias = "tuple[int, str]"

__all__ = ["MOST_BRANCHES", "flat_branches", "write"]

MOST_BRANCHES = 1024
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?\Z", re.ASCII)


def write(
    segments: SegmentSource,
    sink: Sink,
    *,
    precision: int = 3,
    conf_missing: str = "NA",
    all_columns: bool = False,
    lexical_only: bool = False,
    escape_markup: bool = False,
) -> None:
    """Write one line per word, sorted by recording and channel as bytes, then by begin.

    End points are rounded, half to even, and durations are differences of rounded end points, so
    that neighbours stay neighbours. As soon as one word has a confidence the column is written for
    all, with `conf_missing` where there is none.

    Parameters
    ----------
    precision: decimals of the times, 0 to 9; times that need more are counted lost.
    conf_missing: ``NA``, a number to write instead (sclite takes ``NA`` for 0), or ``drop``: no
        confidences at all unless every word has one.
    all_columns: write type and speaker as seventh and eighth column; other programs often refuse
        them, so without it they are counted lost.
    lexical_only: leave out words of other types than ``lex``, as ``rttm2ctm.pl`` does; counted.
    escape_markup: write look-alikes for characters that are markup, instead of refusing.
    """
    if conf_missing not in ("NA", "drop") and not NUMBER.match(conf_missing):
        expected = "conf_missing NA, drop or a number"
        raise OptionError(expected=expected, found=quoted(conf_missing))
    everything = list(segments)
    if lexical_only:
        everything = [_lexical(segment, sink, segments.source) for segment in everything]
    untimed: set[tuple[str, str | None]] = set()
    for segment in everything:
        _check_names(segment, segments.source)
        if segment.start_ns is None:  # else its times are counted
            place = segment.recording, segment.channel
            rule = "read as one run of words"
            again = int(place in untimed)
            sink.losses.add("segment boundaries", again, rule, segments.source, segment.line)
            untimed.add(place)
    for definition in segments.definitions:
        sink.write(write_definition(definition))
    writer = _Writer(segments.source, sink, precision, escape_markup, conf_missing)
    writer.choose_columns(everything, all_columns)
    # code points sort as UTF-8 bytes do
    blocks = [
        (segment.recording, segment.channel or "", begin, text)
        for segment in everything
        for begin, text in writer.blocks(segment)
    ]
    rule = "by recording, channel and begin"
    for *_, text in sink.losses.in_order(
        blocks, itemgetter(0, 1, 2), rule, segments.source, "order of words"
    ):
        sink.write(text)
    writer.announce()


def _lexical(segment: Segment, sink: Sink, path: str | None) -> Segment:
    """A segment without words of other types; alternations stay as they are."""
    if segment.kinds is None:
        return segment
    items = list(segment.items())
    kept = [one for one in items if not isinstance(one, Token) or one.kind is None]
    sink.losses.add("words", len(items) - len(kept), "of other types", path, segment.line)
    return segment.with_items(kept)


def _check_names(segment: Segment, path: str | None) -> None:
    for name, what in ((segment.recording, "recording"), (segment.channel, "channel")):
        written_name(name, what, path, segment.line)
    if segment.recording.startswith(";"):
        raise refused(
            path,
            segment.line,
            "a recording that does not begin a comment",
            quoted(segment.recording),
        )


class _Writer:
    """Turns segments into lines; counts on the way what rounding and missing columns cost."""

    def __init__(
        self, path: str | None, sink: Sink, precision: int, escape: bool, missing: str
    ) -> None:
        self.path = path
        self.sink = sink
        self.precision = precision
        self.escape = escape
        self.missing = missing
        self.has_confidences = self.has_kinds = self.has_speakers = False
        self.has_any_confidence = False
        self.without_confidence = 0

    def choose_columns(self, segments: Iterable[Segment], all_columns: bool) -> None:
        """Look once over everything to see which columns there are."""
        for segment in segments:
            tokens: Iterable[Token] = segment.all_tokens() if segment.alternations else ()
            kinds = sum(1 for kind in segment.kinds or () if kind is not None)
            if segment.confidences is not None:
                self.has_confidences = True
            for token in tokens:
                self.has_confidences |= token.confidence is not None
                kinds += token.kind is not None and segment.kinds is None
            if all_columns:
                self.has_kinds |= kinds > 0
                self.has_speakers |= segment.speaker is not None
                continue
            rule = "--all-columns keeps them"
            self.sink.losses.add("word types", kinds, rule, self.path, segment.line)
            if segment.speaker is not None:
                self.sink.losses.add("speakers", 1, rule, self.path, segment.line)
        if self.missing == "drop" and self.has_confidences:
            self._drop_confidences(segments)
        self.has_any_confidence = self.has_confidences
        self.has_kinds |= self.has_speakers
        self.has_confidences |= self.has_kinds

    def _drop_confidences(self, segments: Iterable[Segment]) -> None:
        """Leave the column out, unless every word has a confidence."""
        given = lacking = 0
        for segment in segments:
            for token in segment.all_tokens():
                given += token.confidence is not None
                lacking += token.confidence is None
        if lacking:
            self.has_confidences = False
            self.sink.losses.add("confidences", given, f"{lacking} words have none", self.path)

    def blocks(self, segment: Segment) -> Iterator[Block]:
        """The lines of each word or alternation, with their begin in nanoseconds."""
        head = f"{segment.recording} {segment.channel}"
        last = segment.start_ns or 0
        for item in segment.items():
            if isinstance(item, Token):
                last = item.start_ns if item.start_ns is not None else last
                yield last, self.line(segment, head, item)
            elif item.is_null:
                yield last, self.null_line(segment, head, last)
            else:
                last = min((t.start_ns or 0 for t in item.tokens()), default=last)
                yield last, self.alternation(segment, head, item, last)

    def alternation(self, segment: Segment, head: str, item: Alternation, start: int) -> str:
        branches = flat_branches(item, self.path, segment.line)
        if branches != item.branches:
            self.sink.losses.add(
                "nested alternations", 1, "written as flat branches", self.path, segment.line
            )
        lines = [f"{head} * * <ALT_BEGIN>\n"]
        for index, branch in enumerate(branches):
            if index:
                lines.append(f"{head} * * <ALT>\n")
            lines.extend(self.line(segment, head, token) for token in branch)
            if not branch:
                lines.append(self.null_line(segment, head, start))
        lines.append(f"{head} * * <ALT_END>\n")
        return "".join(lines)

    def null_line(self, segment: Segment, head: str, start: int) -> str:
        """An explicit ``@``: sclite loses the word after an alternation's empty first branch."""
        times = f"{format_time(start, self.precision)} {format_time(0, self.precision)}"
        return f"{head} {times} @{self._columns(segment, Token('@'))}\n"

    def line(self, segment: Segment, head: str, token: Token) -> str:
        """One record."""
        start, end = token.start_ns, token.end_ns
        if start is None or end is None or not 0 <= start <= end:
            found = "none" if start is None or end is None else f"{token.start} to {token.end}"
            raise refused(
                self.path, segment.line, f"times in order for the word {quoted(token.text)}", found
            )
        losses = self.sink.losses
        first, last = losses.rounded(self.precision, self.path, segment.line, start, end)
        if first == last and start != end:
            self.sink.log.note("CTM-ROUNDED", f"rounding left {token.text} no duration")
        if token.text[:4].upper() == "<ALT":
            raise refused(
                self.path,
                segment.line,
                "a word that the format can hold",
                f"{quoted(token.text)}, which would be read as a marker",
            )
        word = write_word(
            token.text, token.optional, self.path, segment.line, forbidden="", escape=self.escape
        )
        if self.has_any_confidence and token.confidence is None:
            self.without_confidence += 1
        begin = format_time(first, self.precision)
        duration = format_time(last - first, self.precision)
        return f"{head} {begin} {duration} {word}{self._columns(segment, token)}\n"

    def _columns(self, segment: Segment, token: Token) -> str:
        if not self.has_confidences:
            return ""
        has_one = self.has_any_confidence and token.confidence is not None
        text = f" {decimal_text(token.confidence or 0.0)}" if has_one else f" {self.absent}"
        if self.has_kinds:
            kind = token.kind or "lex"
            text += f" {written_name(kind, 'word type', self.path, segment.line)}"
        if self.has_speakers:
            speaker = segment.speaker or "NA"
            text += f" {written_name(speaker, 'speaker', self.path, segment.line)}"
        return text

    @property
    def absent(self) -> str:
        """What stands for a missing confidence."""
        return "NA" if self.missing == "drop" else self.missing

    def announce(self) -> None:
        """Say what readers of the file will meet."""
        if self.without_confidence:
            self.sink.log.note(
                "CTM-CONFIDENCE-NA",
                f"{self.without_confidence} words without confidence are written with "
                + ("NA, which sclite takes for 0" if self.absent == "NA" else self.absent),
            )


def flat_branches(
    alternation: Alternation, path: str | None = None, line: int | None = None
) -> tuple[tuple[Token, ...], ...]:
    """The branches of an alternation with inner alternations multiplied out."""
    made: list[tuple[Token, ...]] = []
    for branch in alternation.branches:
        made.extend(_flat(branch, path, line))
        _check_size(len(made), path, line)
    return tuple(made)


def _flat(
    branch: Sequence[Token | Alternation], path: str | None, line: int | None
) -> list[tuple[Token, ...]]:
    done: list[tuple[Token, ...]] = [()]
    for item in branch:
        tails: tuple[tuple[Token, ...], ...] = (
            ((item,),) if isinstance(item, Token) else flat_branches(item, path, line)
        )
        _check_size(len(done) * len(tails), path, line)
        done = [head + tail for head in done for tail in tails]
    return done


def _check_size(count: int, path: str | None, line: int | None) -> None:
    if count > MOST_BRANCHES:
        raise refused(
            path,
            line,
            f"an alternation of at most {MOST_BRANCHES} branches when multiplied out",
            f"{count}",
        )
