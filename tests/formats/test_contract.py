"""What every format has to stand: odd files, truncation, random bytes, round trips, long files.

A new format adds one `Case` and, for its own grammar, a strategy of transcripts it can hold.
"""

from __future__ import annotations

import contextlib
import gzip
import pickle
import random
import sys
from collections.abc import Callable
from io import BytesIO
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import formats
from formats import Alternation, FormatError, Segment, Token, Transcript
from formats.registry import FORMATS, by_name


class Case(NamedTuple):
    """One format: a sample, what it says, and what 100,000 lines give and leave in memory."""

    name: str
    sample: str
    words: list[tuple[str, ...]]
    line: Callable[[int], str]
    segments: int
    objects_kept: int


CASES = [
    Case(
        "trn",
        ";; LABEL \"F\" \"Female\" \"\"\nhello { um / uh / @ } wörld (spk1-1)\na (b) (spk1-2)\n(c-1)\n",
        [("hello", "wörld"), ("a", "b"), ()],
        lambda n: f"hello world number {n} (spk{n % 9}-{n:06d})\n",
        100_000, 400_000,
    ),
    Case(
        "txt", "hello wörld\nhow are you\n", [("hello", "wörld", "how", "are", "you")],
        lambda n: f"hello world number {n % 9}\n", 1, 400_000,
    ),
    Case(
        "txt-lines", "hello wörld\nhow are you\n", [("hello", "wörld"), ("how", "are", "you")],
        lambda n: f"hello world number {n}\n", 100_000, 1000,
    ),
    Case(
        "stm",
        ";; LABEL \"F\" \"Female\" \"\"\nrec1 1 spk1 0.500 2.250 <F> hello { um / @ } wörld\n"
        "rec1 1 spk2 2.250 3.900 how (are) you\n",
        [("hello", "wörld"), ("how", "are", "you")],
        lambda n: f"rec1 1 spk{n % 9} {n}.25 {n}.75 hello world number {n}\n",
        100_000, 1000,
    ),
    Case(
        "ctm",
        "rec1 1 0.500 0.250 hello 0.98\nrec1 1 * * <ALT_BEGIN>\nrec1 1 1.100 0.200 um NA\n"
        "rec1 1 * * <ALT>\nrec1 1 1.100 0.000 @ NA\nrec1 1 * * <ALT_END>\n"
        "rec1 1 1.750 0.300 wörld 0.87\n",
        [("hello", "wörld")],
        lambda n: f"rec{n // 100:06d} 1 {n % 100}.25 0.50 hello 0.5\n",
        1000, 2000,
    ),
]  # fmt: skip

each_format = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def read(data: bytes, name: str, **options: object) -> Transcript:
    return formats.read(BytesIO(data), name, recording="rec", **options)  # type: ignore[arg-type]


def write(transcript: Transcript, name: str, **options: object) -> tuple[bytes, list[str]]:
    output = BytesIO()
    losses = formats.write(transcript, output, name, **options)  # type: ignore[arg-type]
    return output.getvalue(), [loss.what for loss in losses]


def test_every_format_has_a_case() -> None:
    assert [case.name for case in CASES] == [spec.name for spec in FORMATS]


@each_format
def test_the_sample_says_what_it_says(case: Case) -> None:
    transcript = read(case.sample.encode(), case.name)
    assert [s.words for s in transcript] == case.words
    assert transcript.format == case.name
    assert pickle.loads(pickle.dumps(transcript)) == transcript


@each_format
def test_the_sample_comes_back(case: Case) -> None:
    transcript = read(case.sample.encode(), case.name)
    data, losses = write(transcript, case.name)
    if not losses:
        assert data.decode() == case.sample.replace(
            "\nhow", " how" if case.name == "txt" else "\nhow"
        )
    again = read(data, case.name)
    assert again.segments == transcript.segments
    assert again.definitions == transcript.definitions


@each_format
@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.replace(b"\n", b"\r"),
        lambda data: data[:-1],
        lambda data: data.decode().encode("utf-16"),
        lambda data: b"\xfe\xff" + data.decode().encode("utf-16-be"),
        gzip.compress,
    ],
    ids=["BOM", "CRLF", "CR", "no final newline", "UTF-16", "UTF-16 BE", "gzip"],
)
def test_odd_bytes_do_not_matter(case: Case, change: Callable[[bytes], bytes]) -> None:
    data = case.sample.encode()
    expected = read(data, case.name)
    found = read(change(data), case.name)
    assert found.segments == expected.segments
    assert found.definitions == expected.definitions


@each_format
@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"])
def test_an_empty_file_is_an_empty_transcript_with_a_warning(case: Case, data: bytes) -> None:
    transcript = read(data, case.name)
    assert transcript.segments == ()
    assert [d.code for d in transcript.diagnostics] == (["EMPTY"] if not data else [])


@each_format
def test_an_empty_transcript_is_an_empty_file(case: Case) -> None:
    assert write(Transcript(), case.name) == (b"", [])


@each_format
def test_overlong_lines_are_read(case: Case) -> None:
    word = "x" * 2_000_000
    transcript = read(case.sample.replace("hello", word).encode(), case.name)
    assert word in transcript[0].words


@each_format
def test_odd_characters_belong_to_their_words(case: Case) -> None:
    word = "a\u2028b\x85c\xa0d\u3000e\x1cf\u200dg😀\u0301\u202eh"
    transcript = read(case.sample.replace("hello", word).encode(), case.name)
    assert transcript[0].words[0] == word
    data, _ = write(transcript, case.name)
    assert read(data, case.name).segments == transcript.segments


@each_format
@pytest.mark.parametrize("tolerance", ["strict", "default", "lenient"])
def test_truncation_anywhere_is_read_or_refused(case: Case, tolerance: str) -> None:
    data = case.sample.encode()
    for size in range(len(data)):
        with contextlib.suppress(FormatError):
            assert isinstance(read(data[:size], case.name, tolerance=tolerance), Transcript)


@each_format
def test_no_damage_raises_anything_but_format_errors(case: Case) -> None:
    chooser = random.Random(7)
    for _ in range(300):
        data = bytearray(case.sample.encode())
        for _ in range(chooser.randint(1, 6)):
            data[chooser.randrange(len(data))] = chooser.choice(b"\0 (){}<>@/;*\n\r\t.-0x\xc3\xff")
        for tolerance in ("default", "lenient"):
            with contextlib.suppress(FormatError):
                assert isinstance(read(bytes(data), case.name, tolerance=tolerance), Transcript)


@each_format
@given(data=st.binary(max_size=200) | st.text("a1 .-(){}<>@/;*,\t\n", max_size=80).map(str.encode))
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_random_bytes_are_read_or_refused(case: Case, data: bytes) -> None:
    for tolerance in ("default", "lenient"):
        with contextlib.suppress(FormatError):
            assert isinstance(read(data, case.name, tolerance=tolerance), Transcript)
    with contextlib.suppress(FormatError):
        assert formats.detect(BytesIO(data)) in {spec.name for spec in FORMATS}


@each_format
def test_errors_name_the_file_and_survive_pickling(case: Case) -> None:
    with pytest.raises(FormatError) as caught:
        read(case.sample.encode() + b"x\0", case.name)
    error = caught.value
    assert (error.path, error.line) == ("<stream>", case.sample.count("\n") + 1)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@each_format
def test_a_long_file_streams_in_little_memory(case: Case) -> None:
    data = BytesIO("".join(case.line(n) for n in range(100_000)).encode())
    count = early = words = 0
    with formats.stream(data, case.name, recording="rec") as segments:
        for segment in segments:
            count += 1
            words = len(segment.words)
            if count * 10 == case.segments:
                early = sys.getallocatedblocks()
    grown = sys.getallocatedblocks() - early if early else words
    assert count == case.segments
    assert grown <= case.objects_kept


WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters=" \t\n\v\f\r\0{}@/()<>;*"),
    min_size=1,
    max_size=6,
)
NAMES = WORDS.filter(lambda name: name[0] != "-")
MILLISECONDS = st.integers(0, 10**7).map(lambda n: n * 10**6)


def alternations(
    tokens: st.SearchStrategy[Token], nested: bool
) -> st.SearchStrategy[Token | Alternation]:
    def choice(
        items: st.SearchStrategy[Token | Alternation],
    ) -> st.SearchStrategy[Token | Alternation]:
        return st.builds(Alternation, st.lists(st.lists(items, max_size=3), min_size=1, max_size=3))

    return st.recursive(tokens, choice, max_leaves=4) if nested else tokens | choice(tokens)


PLAIN_ITEMS = st.lists(
    alternations(st.builds(Token, WORDS, optional=st.booleans()), nested=True), max_size=5
)


def trn_segments() -> st.SearchStrategy[list[Segment]]:
    def build(number: int, speaker: str, items: list[Token | Alternation]) -> Segment:
        return Segment.from_items("rec", items, speaker=speaker, utterance=f"{speaker}-{number}")

    def number_all(parts: list[tuple[str, list[Token | Alternation]]]) -> list[Segment]:
        return [build(number, *part) for number, part in enumerate(parts)]

    speakers = NAMES.filter(lambda name: "-" not in name)
    return st.lists(st.tuples(speakers, PLAIN_ITEMS), max_size=4).map(number_all)


def stm_segments() -> st.SearchStrategy[list[Segment]]:
    def build(
        speaker: str, start: int, length: int, labels: list[str], items: list[Token | Alternation]
    ) -> Segment:
        return Segment.from_items(
            "rec", items, channel="1", speaker=speaker, start_ns=start, end_ns=start + length,
            labels=tuple(labels),
        )  # fmt: skip

    labels = WORDS.filter(lambda x: "," not in x and not any(c.isspace() for c in x))
    segments = st.builds(
        build,
        NAMES,
        MILLISECONDS,
        MILLISECONDS.filter(bool),
        st.lists(labels, max_size=2),
        PLAIN_ITEMS,
    )
    return st.lists(segments, max_size=4).map(lambda s: sorted(s, key=lambda x: x.start_ns or 0))


def ctm_segments() -> st.SearchStrategy[list[Segment]]:
    def at(start: int, length: int, text: str, confidence: float | None, optional: bool) -> Token:
        return Token(text, start, start + length, confidence, None, optional)

    tokens = st.builds(
        at, MILLISECONDS, MILLISECONDS, WORDS.filter(lambda w: w[:4].upper() != "<ALT"),
        st.none() | st.floats(0, 1), st.booleans(),
    )  # fmt: skip

    def build(items: list[Token | Alternation]) -> list[Segment]:
        def start(item: Token | Alternation) -> int:
            inner = (item,) if isinstance(item, Token) else tuple(item.tokens())
            return min((t.start_ns or 0 for t in inner), default=0)

        ordered = sorted(items, key=start)
        return [Segment.from_items("rec", ordered, channel="1")] if ordered else []

    return st.lists(alternations(tokens, nested=False), max_size=6).map(build)


STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {
    "trn": trn_segments(),
    "txt": st.lists(WORDS, min_size=1).map(lambda words: [Segment("rec", words)]),
    "txt-lines": st.lists(st.lists(WORDS)).map(
        lambda lines: [
            Segment("rec", words, utterance=f"{number:06d}")
            for number, words in enumerate(lines, 1)
        ]
    ),
    "stm": stm_segments(),
    "ctm": ctm_segments(),
}


@each_format
@given(chosen=st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_written_reads_back(case: Case, chosen: st.DataObject) -> None:
    segments = chosen.draw(STRATEGIES[case.name])
    data, losses = write(Transcript(segments, source="rec"), case.name)
    assert read(data, case.name).segments == tuple(segments)
    assert losses == (["utterance ids"] if case.name == "txt-lines" and segments else [])


@given(chosen=st.data(), target=st.sampled_from([spec.name for spec in FORMATS]))
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
def test_any_transcript_converts_or_is_refused(chosen: st.DataObject, target: str) -> None:
    source = chosen.draw(st.sampled_from(sorted(STRATEGIES)))
    segments = chosen.draw(STRATEGIES[source])
    with contextlib.suppress(FormatError):
        data, _ = write(Transcript(segments, source="rec"), target, interpolate="chars")
        found = read(data, target, tolerance="default")
        words = sum(len(s.words) for s in segments)
        if not any(s.alternations for s in segments):
            assert sum(len(s.words) for s in found) == words


def test_needs_are_met_by_what_is_held() -> None:
    for case in CASES:
        spec = by_name(case.name)
        assert spec.needs <= spec.holds
