"""Random transcripts, and transcripts as JSON, which holds all that a segment can say."""

import json
import random
from collections.abc import Iterable
from typing import Any

from formats import Alternation, Definition, Segment, Token, Transcript
from formats.schema.model import SEGMENT_KINDS

__all__ = ["document", "dumped", "loaded"]

PLAIN_WORDS = (
    "hello",
    "world",
    "a",
    "b",
    "wörld",
    "don't",
    "12",
    "x-",
    "-x",
    "HELLO",
    "um",
    "日本",
)
ODD_WORDS = (
    "a b", " ", "", "\t", "a\nb", "\r", "\0", "\x85", "\u2028", "\xa0", "\u3000", "\x1c", "\x1b", "\ud800", "\ufffe",
    "\ufeff", "e\u0301", "😀", "(a)", "(", ")", "(a", "{", "}", "/", "@", "{ a / b }", ";;", ";", "*", "**", "#", "<", ">",
    "<NA>", "<na>", "NA", "<>", "<a>", "<ALT>", "<ALT_BEGIN>", "&", "&amp;", "]]>", "--", "-->", '"', '""', "'", ",", "\\",
    "\\N", "\\h", "{\\b1}", "|", "[", "]", "[laughter]", "%", "=", "=cmd", "+", "-", "_", ".", "...", "?", "!", ":", "0",
    "1.5", "00:00:01,000 --> 00:00:02,000", "1", "NOTE", "STYLE", "WEBVTT", "<v a>", "</v>", "SIL", "sp", "#!MLF!#", "///",
    "IGNORE_TIME_SEGMENT_IN_SCORING", "inter_segment_gap", "excluded_region", "anne:", "- a", "x" * 300, "*ANN:", "\x15",
    "null", "[noise]", "(1)", "a(2)", "a_b", "\\u0041", "<eps>", "\u200b", "\u202e", "%%", "&#0;", "a;b", "a,b",
    "<|en|>", "a<|0.50|>b", "<|",
)  # fmt: skip
PLAIN_NAMES = ("rec", "anne", "bob", "1", "2", "A", "spk-1", "s_1")
PROPERTIES = (
    "language",
    "gender",
    "style",
    "raw",
    "id",
    "layer",
    "x",
    "fps",
    "age",
    "locale",
    "class",
    "text",
    "start",
)
LATEST = 2**63 - 1


class _Drawing:
    """One document: what it has at all is drawn once, so that many documents are nearly plain."""

    def __init__(self, chooser: random.Random) -> None:
        self.chooser = chooser
        self.oddity = chooser.choice((0, 0, 0, 0.03, 0.2))
        self.wildness = chooser.choice((0, 0, 0, 0.05, 0.3))
        self.has = {
            name
            for name in (
                "channel", "speaker", "utterance", "times", "labels", "word times", "confidences", "kinds", "optional",
                "displays", "interpolated", "alternations", "confidence", "tier", "properties", "nbest", "kind",
            )
            if chooser.random() < 0.35
        }  # fmt: skip
        if chooser.random() < 0.6:
            self.has |= {"times", "channel", "speaker"}
        self.unit = chooser.choice((10**9, 10**7, 10**6, 1))
        self.clock = 0
        self.recordings = self.some(("rec", "rec", "rec2", "b/rec.wav"), 3)

    def some(self, plain: tuple[str, ...], count: int) -> list[str]:
        return [self.text(plain) or "rec" for _ in range(count)]

    def text(self, plain: tuple[str, ...]) -> str:
        return self.chooser.choice(ODD_WORDS if self.chooser.random() < self.oddity else plain)

    def optional_text(self, what: str, plain: tuple[str, ...] = PLAIN_NAMES) -> str | None:
        return self.text(plain) if what in self.has and self.chooser.random() < 0.9 else None

    def score(self, what: str) -> float | None:
        if what not in self.has or self.chooser.random() < 0.1:
            return None
        if self.chooser.random() < self.wildness:
            return self.chooser.choice((float("inf"), float("nan"), -1.0, 1e300, 1e-320, 5.0, -0.0))
        return self.chooser.choice((self.chooser.random(), 0.5, 1.0, 0.0))

    def span(self) -> tuple[int, int]:
        """The next stretch of time, mostly after the one before."""
        choose = self.chooser
        if choose.random() < self.wildness:
            self.clock = choose.choice(
                (
                    0,
                    self.clock,
                    -1,
                    -(10**9),
                    LATEST - 10**9,
                    LATEST - 1,
                    LATEST,
                    10**18,
                    5 * 10**11,
                )
            )
        start = self.clock + choose.choice((0, 0, 1, 10)) * self.unit
        length = choose.choice((1, 2, 7, 30, 500)) * self.unit
        if choose.random() < self.wildness:
            length = choose.choice((0, -self.unit, LATEST, 1))
        start, end = min(start, LATEST), max(min(start + length, LATEST), -LATEST)
        self.clock = end
        return start, end

    def token(self) -> Token:
        start, end = (
            self.span()
            if "word times" in self.has and self.chooser.random() < 0.97
            else (None, None)
        )
        return Token(
            self.text(PLAIN_WORDS), start, end, self.score("confidences"),
            self.optional_text("kinds", ("lex", "frag", "fp", "non-lex", "noscore")),
            "optional" in self.has and self.chooser.random() < 0.3,
            self.optional_text("displays", ("Hello", "World,", "a")),
            "interpolated" in self.has and self.chooser.random() < 0.3,
        )  # fmt: skip

    def item(self, depth: int = 2) -> Token | Alternation:
        if "alternations" not in self.has or self.chooser.random() < 0.7 or not depth:
            return self.token()
        return Alternation(
            [self.item(depth - 1) for _ in range(self.chooser.randrange(3))]
            for _ in range(self.chooser.randrange(1, 4))
        )

    def segment(self, number: int) -> Segment:
        choose = self.chooser
        begin = self.clock
        items = [self.item() for _ in range(choose.choice((0, 1, 1, 2, 3, 5)))]
        start: int | None
        end: int | None
        if "word times" in self.has and self.clock > begin and choose.random() < 0.9:
            start, end = begin, self.clock
        else:
            start, end = self.span()
        if "times" not in self.has or choose.random() < self.wildness:
            start = end = None
        utterance = self.optional_text("utterance")
        if utterance is not None and choose.random() > self.wildness:
            utterance = f"{utterance}-{number}"
        if choose.random() < 0.1:
            self.clock = 0
        properties = (
            {self.text(PROPERTIES): self.text(PLAIN_NAMES) for _ in range(2)}
            if "properties" in self.has
            else {}
        )
        nbest = (
            [(self.score("nbest"), tuple(self.some(PLAIN_WORDS, 2))) for _ in range(2)]
            if "nbest" in self.has
            else []
        )
        return Segment.from_items(
            choose.choice(self.recordings), items, channel=self.optional_text("channel", ("1", "2", "A")),
            speaker=self.optional_text("speaker"), utterance=utterance, start_ns=start, end_ns=end,
            labels=tuple(self.some(PLAIN_NAMES, 2)) if "labels" in self.has else (),
            confidence=self.score("confidence"), tier=self.optional_text("tier"),
            properties=tuple(sorted(properties.items())), nbest=tuple(nbest),
            kind=choose.choice(SEGMENT_KINDS) if "kind" in self.has else "segment",
        )  # fmt: skip


def document(chooser: random.Random) -> Transcript:
    """A transcript of a few segments such as no one file would say them."""
    drawing = _Drawing(chooser)
    segments = [drawing.segment(number) for number in range(chooser.choice((0, 1, 2, 2, 3, 6)))]
    definitions = []
    if chooser.random() < 0.1:
        definitions.append(Definition("LABEL", *(drawing.text(PLAIN_NAMES) for _ in range(3))))
    return Transcript(segments, definitions, source="rec")


def _plain(value: Any) -> Any:
    """JSON of a token, an alternation, a segment."""
    if isinstance(value, Alternation):
        return {"branches": [[_plain(item) for item in branch] for branch in value.branches]}
    if isinstance(value, (Segment, Token, Definition)):
        state = value._asdict().items()
        return {
            name: _plain(one)
            for name, one in state
            if not (one is None or one is False or one == ())
        }
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def dumped(transcript: Transcript, **more: object) -> bytes:
    """The transcript, and `more` to go with it, as JSON; numbers beyond JSON's as Python has them."""
    said = {
        "definitions": [_plain(one) for one in transcript.definitions],
        "segments": [_plain(one.replace(line=None)) for one in transcript.segments],
    }
    return json.dumps({**more, **said}).encode()


def loaded(data: bytes) -> tuple[Transcript, dict[str, Any]]:
    """What `dumped` was given."""
    said = json.loads(data)
    definitions = [Definition(**one) for one in said.pop("definitions")]
    segments = [_segment(one) for one in said.pop("segments")]
    return Transcript(segments, definitions, source="rec"), said


def _segment(said: dict[str, Any]) -> Segment:
    alternations = tuple((place, _item(one)) for place, one in said.pop("alternations", ()))
    columns = {name: _tuples(value) for name, value in said.items()}
    words = columns.pop("words", ())
    return Segment(columns.pop("recording"), words, **columns).replace(alternations=alternations)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _items(branch: Iterable[Any]) -> list[Token | Alternation]:
    return [_item(one) for one in branch]


def _item(said: dict[str, Any]) -> Any:
    if "branches" in said:
        return Alternation(map(_items, said["branches"]))
    return Token(**{"text": "", **said})
