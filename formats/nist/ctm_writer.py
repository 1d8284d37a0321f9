"""Writer of ctm files: sorting, rounding and simplification of alternations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import TypeAlias

from formats.detection.spec import SegmentSource
from formats.io.sink import Sink
from formats.nist.markup_writer import write_word
from formats.nist.messages import (
    CTM_CONFIDENCE_ABSENT,
    CTM_CONFIDENCE_NA,
    CTM_ROUNDED,
    RULE_ALL_COLUMNS,
    RULE_OF_OTHER_TYPES,
    RULE_READ_ONE_RUN_WORDS,
    RULE_SORTED_CHANNEL,
    RULE_UNSCORED,
    RULE_WRITTEN_FLAT_BRANCHES,
)
from formats.reading.lines import write_definition
from formats.schema.errors import OptionError, quoted
from formats.schema.messages import Message
from formats.schema.model import Segment
from formats.schema.times import format_time
from formats.schema.words import Alternation, Token
from formats.writing.out import Out, decimal_text

OpenBlock: TypeAlias = "tuple[int, str]"

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
    """Write one line per word, sorted by recording and channel (bytes), then by begin.

    End points are rounded half to even. Durations are the differences of rounded end points, so
    that adjacent words stay adjacent. If any word has a confidence, the column is written for all
    words; words without one get `conf_missing`.
    """
    if conf_missing not in ("NA", "drop") and not NUMBER.match(conf_missing):
        expected = "conf_missing NA, drop or a number"
        raise OptionError(expected=expected, found=quoted(conf_missing))
    outs = [Out(segment, sink) for segment in segments]
    untimed: set[tuple[str, str | None]] = set()
    for out in outs:
        if lexical_only:
            out.segment = _lexical(out)
        segment = out.segment
        out.name(segment.recording, "recording")
        out.name(segment.channel, "channel")
        if segment.recording.startswith(";"):
            expected = "a recording whose name does not begin like a comment"
            raise out.refuse(expected, quoted(segment.recording))
        if segment.start_ns is None:  # otherwise its times are counted
            channel = segment.recording, segment.channel
            out.lost("segment boundaries", int(channel in untimed), RULE_READ_ONE_RUN_WORDS)
            untimed.add(channel)
    for definition in segments.definitions:
        sink.write(write_definition(definition))
    writer = _Writer(sink, precision, escape_markup, conf_missing)
    writer.choose_columns(outs, all_columns)
    # code points sort as UTF-8 bytes do
    blocks = [
        (out.segment.recording, out.segment.channel or "", begin, text)
        for out in outs
        for begin, text in writer.blocks(out)
    ]
    rule = RULE_SORTED_CHANNEL
    for *_, text in sink.losses.in_order(
        blocks, itemgetter(0, 1, 2), rule, segments.source, "order of words"
    ):
        sink.write(text)
    writer.announce()


def _lexical(out: Out) -> Segment:
    """Return the segment with only the words of type ``lex``; alternations are unchanged."""
    if out.segment.kinds is None:
        return out.segment
    items = list(out.segment.items())
    kept = [item for item in items if not isinstance(item, Token) or item.kind is None]
    out.lost("words", len(items) - len(kept), RULE_OF_OTHER_TYPES)
    return out.segment.with_items(kept)


class _Writer:
    """Converts segments to lines; counts what rounding and missing columns lose."""

    def __init__(self, sink: Sink, precision: int, escape: bool, missing: str) -> None:
        self.sink = sink
        self.precision = precision
        self.escape = escape
        self.missing = missing
        self.has_confidences = self.has_kinds = self.has_speakers = False
        self.has_any_confidence = False
        self.without_confidence = 0

    def choose_columns(self, outs: Iterable[Out], all_columns: bool) -> None:
        """Choose the columns that at least one segment needs."""
        scored = unscored = 0
        for out in outs:
            segment = out.segment
            kinds = 0
            for token in segment.all_tokens():
                kinds += token.kind is not None
                scored += token.confidence is not None
                unscored += token.confidence is None
            self.has_confidences |= segment.confidences is not None
            if all_columns:
                self.has_kinds |= kinds > 0
                self.has_speakers |= segment.speaker is not None
            else:
                out.lost("word types", kinds, RULE_ALL_COLUMNS)
                out.lost("speakers", int(segment.speaker is not None), RULE_ALL_COLUMNS)
        self.has_confidences |= scored > 0
        if self.missing == "drop" and self.has_confidences and unscored:
            self.has_confidences = False
            rule = Message(RULE_UNSCORED, {"words": unscored})
            self.sink.losses.add("confidences", scored, rule, self.sink.source)
        self.has_any_confidence = self.has_confidences
        self.has_kinds |= self.has_speakers
        self.has_confidences |= self.has_kinds

    def blocks(self, out: Out) -> Iterator[OpenBlock]:
        """Yield the lines of each word or alternation, together with its start in nanoseconds."""
        last = out.segment.start_ns or 0
        for item in out.segment.items():
            if isinstance(item, Token):
                last = item.start_ns if item.start_ns is not None else last
                yield last, self._line(out, item)
            elif item.is_null:
                yield last, self._null_line(out, last)
            else:
                last = min((t.start_ns or 0 for t in item.tokens()), default=last)
                yield last, self._alternation(out, item, last)

    def _alternation(self, out: Out, item: Alternation, start: int) -> str:
        head = f"{out.segment.recording} {out.segment.channel}"
        branches = flat_branches(item, out)
        if branches != item.branches:
            out.lost("nested alternations", rule=RULE_WRITTEN_FLAT_BRANCHES)
        texts = [
            "".join(self._line(out, token) for token in branch) or self._null_line(out, start)
            for branch in branches
        ]
        text = f"{head} * * <ALT>\n".join(texts)
        return f"{head} * * <ALT_BEGIN>\n{text}{head} * * <ALT_END>\n"

    def _null_line(self, out: Out, start: int) -> str:
        """Return a line with the null word ``@``.

        Without this line, sclite drops the next word after an empty first branch.
        """
        return self._record(out, start, start, "@", Token("@"))

    def _line(self, out: Out, token: Token) -> str:
        """Return the record of a word."""
        expected = f"times in order for the word {quoted(token.text)}"
        first, last = out.in_order(expected, token.start_ns, token.end_ns, self.precision)
        if first == last and token.start_ns != token.end_ns:
            self.sink.log.say(CTM_ROUNDED, text=token.text)
        if token.text[:4].upper() == "<ALT":
            found = f"{quoted(token.text)}, which would be read as a marker"
            raise out.refuse("a word that the format can hold", found)
        word = write_word(out, token, "", escape=self.escape)
        if self.has_any_confidence and token.confidence is None:
            self.without_confidence += 1
        return self._record(out, first, last, word, token)

    def _record(self, out: Out, start: int, end: int, word: str, token: Token) -> str:
        begin, duration = (
            format_time(start, self.precision),
            format_time(end - start, self.precision),
        )
        text = f"{out.segment.recording} {out.segment.channel} {begin} {duration} {word}"
        if self.has_confidences:
            has_score = self.has_any_confidence and token.confidence is not None
            text += f" {decimal_text(token.confidence or 0.0) if has_score else self.absent}"
        if self.has_kinds:
            text += f" {out.name(token.kind or 'lex', 'word type')}"
        if self.has_speakers:
            text += f" {out.name(out.segment.speaker or 'NA', 'speaker')}"
        return f"{text}\n"

    @property
    def absent(self) -> str:
        """The text for a missing confidence."""
        return "NA" if self.missing == "drop" else self.missing

    def announce(self) -> None:
        """Report what readers of the written file must know: words without confidence."""
        if self.without_confidence:
            entry = CTM_CONFIDENCE_ABSENT if self.absent == "NA" else CTM_CONFIDENCE_NA
            fields = {} if self.absent == "NA" else {"confidence": self.absent}
            self.sink.log.say(entry, words=self.without_confidence, **fields)


def flat_branches(alternation: Alternation, out: Out) -> tuple[tuple[Token, ...], ...]:
    """Return the branches of an alternation. Nested alternations become additional branches."""
    flat: list[tuple[Token, ...]] = []
    for branch in alternation.branches:
        flat.extend(_flat(branch, out))
        _check_size(len(flat), out)
    return tuple(flat)


def _flat(branch: Sequence[Token | Alternation], out: Out) -> list[tuple[Token, ...]]:
    heads: list[tuple[Token, ...]] = [()]
    for item in branch:
        tails = ((item,),) if isinstance(item, Token) else flat_branches(item, out)
        _check_size(len(heads) * len(tails), out)
        heads = [head + tail for head in heads for tail in tails]
    return heads


def _check_size(count: int, out: Out) -> None:
    if count > MOST_BRANCHES:
        expected = f"an alternation of at most {MOST_BRANCHES} branches when multiplied out"
        raise out.refuse(expected, f"{count}")
