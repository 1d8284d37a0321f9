"""What every format has to stand: odd files, truncation, random bytes, round trips, long files.

A new format adds one `Case` to its family's list and, if it is written, a strategy of segments it
can hold.
"""

import contextlib
import gc
import gzip
import pickle
import random
import sys
import weakref
from collections.abc import Callable
from functools import cache
from io import BytesIO
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import formats
from formats import FormatError, Segment, Transcript, UnknownFormatError
from formats.cli.messages import NONE_FITS, NONE_LEFT
from formats.detection import LAYOUTS, all_formats, by_name, names
from formats.detection.head import Head
from formats.detection.spec import Sniff
from formats.io.messages import NO_END, NO_TIMES
from formats.io.source import open_source
from tests.each_case import each_case
from tests.examples import examples_of
from tests.formats.annotation import label_cases, tier_cases, tool_cases
from tests.formats.case import TOGETHER, TOLD_FOR, Case
from tests.formats.checks import message_text
from tests.formats.json import aligner_cases as aligners
from tests.formats.json import provider_cases
from tests.formats.json import recogniser_cases as recognisers
from tests.formats.json import service_cases as cloud
from tests.formats.kaldi import cases as kaldi
from tests.formats.keywords import cases as keywords
from tests.formats.manifests import cases as manifests
from tests.formats.manifests import corpus_cases as corpora
from tests.formats.meetings import cases as meetings
from tests.formats.nist import cases as nist
from tests.formats.subtitles import caption_cases as captions
from tests.formats.subtitles import cases as subtitles

FAMILIES = (
    nist,
    kaldi,
    tier_cases,
    label_cases,
    tool_cases,
    manifests,
    corpora,
    subtitles,
    captions,
    meetings,
    recognisers,
    aligners,
    cloud,
    keywords,
)
CASES: list[Case] = [case for family in (*FAMILIES, provider_cases) for case in family.CASES]
STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {
    name: strategy for family in FAMILIES for name, strategy in family.STRATEGIES.items()
}

TEXTS = [case for case in CASES if case.pack is str.encode]
WRITTEN = [case for case in CASES if by_name(case.name).write is not None]
LONG = [case for case in CASES if case.line is not None]
FIRST_LONG = [
    next(case for case in family.CASES if case.objects_kept is not None)
    for family in (*FAMILIES, provider_cases)
    if any(case.objects_kept is not None for case in family.CASES)
]
each_format = each_case("case", CASES, ids=lambda case: case.name)
format_items = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
each_text = each_case("case", TEXTS, ids=lambda case: case.name)
text_items = pytest.mark.parametrize("case", TEXTS, ids=lambda case: case.name)
each_written = each_case("case", WRITTEN, ids=lambda case: case.name)
written_items = pytest.mark.parametrize("case", WRITTEN, ids=lambda case: case.name)
READ_ONLY = [case for case in CASES if case not in WRITTEN and not case.read_options]
# one of each family; in a release all of them
each_long = pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=() if case in FIRST_LONG else pytest.mark.release, id=case.name)
        for case in LONG
    ],
)


def read(data: bytes, case: Case, tolerance: str = "default") -> Transcript:
    return formats.read(
        BytesIO(data), case.name, recording="rec", tolerance=tolerance, **case.read_options
    )


def write(transcript: Transcript, case: Case) -> tuple[bytes, list[str]]:
    output = BytesIO()
    named = Transcript(
        transcript.segments, transcript.definitions, source="rec", properties=transcript.properties
    )
    losses = formats.write(named, output, case.name, **case.write_options)
    return output.getvalue(), [loss.what for loss in losses]


def test_every_format_has_a_case() -> None:
    assert sorted(case.name for case in CASES) == sorted(names())
    assert sorted(STRATEGIES) == sorted(case.name for case in WRITTEN)


@each_format
def test_the_sample_says_what_it_says(case: Case) -> None:
    transcript = read(case.sample_bytes, case)
    assert [s.words for s in transcript] == case.words
    assert transcript.format == case.name
    assert pickle.loads(pickle.dumps(transcript)) == transcript


@each_format
def test_the_sample_is_recognised(case: Case) -> None:
    if case.suffix is None:
        with pytest.raises(UnknownFormatError):
            formats.detect(BytesIO(case.sample_bytes))
        return
    source = BytesIO(case.sample_bytes)
    source.name = "talk" + case.suffix
    assert formats.detect(source) == case.name


@each_format
def test_no_other_format_is_sure_of_the_sample(case: Case) -> None:
    with open_source(BytesIO(case.sample_bytes)) as source:
        head = Head(source.head_lines(), source.stem, b"", source.archive_parts())
    sure = {spec.name for spec in all_formats() if spec.shape in (head.shape, "text")
            and spec.sniff(head) is Sniff.SURE}  # fmt: skip
    assert (sure if case.name in LAYOUTS else sure - LAYOUTS) <= {case.name}


@each_written
def test_the_sample_comes_back(case: Case) -> None:
    transcript = read(case.sample_bytes, case)
    data, losses = write(transcript, case)
    assert losses == list(case.lost)
    assert data == case.pack(case.sample if case.rewritten is None else case.rewritten)
    if not losses:
        again = read(data, case)
        assert again.segments == transcript.segments
        assert again.definitions == transcript.definitions


@each_text
def test_odd_bytes_do_not_matter(case: Case) -> None:
    data = case.sample_bytes
    expected = read(data, case)
    for title, changed in {
        "BOM": b"\xef\xbb\xbf" + data,
        "CRLF": data.replace(b"\n", b"\r\n"),
        "CR": data.replace(b"\n", b"\r"),
        "no final newline": data.removesuffix(b"\n"),
        "UTF-16": data.decode().encode("utf-16"),
        "UTF-16 BE": b"\xfe\xff" + data.decode().encode("utf-16-be"),
        "gzip": gzip.compress(data),
    }.items():
        transcript = read(changed, case)
        assert transcript.segments == expected.segments, title
        assert transcript.definitions == expected.definitions, title


@each_format
def test_an_empty_file_is_an_empty_transcript_with_a_warning(case: Case) -> None:
    for data, codes in ((b"", ["EMPTY"]), (b"\xef\xbb\xbf", [])):
        transcript = read(data, case)
        assert transcript.segments == ()
        assert [d.code for d in transcript.diagnostics] == codes


@each_written
def test_an_empty_transcript_is_a_file_without_content(case: Case) -> None:
    if case.empty is None:
        with pytest.raises(FormatError):
            write(Transcript(), case)
        return
    data, losses = write(Transcript(), case)
    assert (data, losses) == (case.pack(case.empty), [])
    assert read(data, case).segments == ()


@pytest.mark.share(6)
@text_items
def test_overlong_lines_are_read(case: Case) -> None:
    # more than a reader of lines takes at a time, or a reader of packed files
    word = "x" * (300_000 if case.pack is str.encode else 1_200_000)
    assert "hello" in case.sample
    transcript = read(case.pack(case.sample.replace("hello", word)), case)
    assert any(word in (*segment.words, segment.recording) for segment in transcript)


@each_format
def test_what_was_read_is_let_go_without_the_garbage_collector(case: Case) -> None:
    data = case.sample_bytes
    read(data, case)  # what is made once and kept
    gc.disable()
    gc.freeze()  # the collector is to look only at what is made from here on
    try:
        read(data, case)
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        left = [type(one) for one in gc.garbage]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    if case.name == "ttml":
        return  # its two readers know each other, and hold one paragraph
    assert not [kind for kind in left if kind.__module__.partition(".")[0] == "formats"]
    # the first lines of XML are parsed by themselves, to see the root
    assert [kind.__name__ for kind in left].count("_Document") <= 1


@each_format
def test_odd_characters_belong_to_their_words(case: Case) -> None:
    word = case.odd_word if case.odd_word_read is None else case.odd_word_read
    transcript = read(case.pack(case.sample.replace("hello", case.odd_word)), case)
    assert any(word in (*segment.words, segment.recording) for segment in transcript)
    if by_name(case.name).write is not None and not case.lost:
        data, _ = write(transcript, case)
        assert read(data, case).segments == transcript.segments


@pytest.mark.share(5, covered=True)
@format_items
@pytest.mark.parametrize("pieces", [300, pytest.param(10_000, marks=pytest.mark.release)])
def test_truncation_anywhere_is_read_or_refused(case: Case, pieces: int) -> None:
    data = case.sample_bytes
    for size in range(0, len(data), 1 + len(data) // pieces):
        with contextlib.suppress(FormatError):
            tolerance = ("default", "lenient", "strict")[size % 3]
            assert isinstance(read(data[:size], case, tolerance), Transcript)


# the fuzzer draws thousands
@pytest.mark.share(5, covered=True)
@format_items
@pytest.mark.parametrize("times", [40, pytest.param(75, marks=pytest.mark.release)])
def test_no_damage_raises_anything_but_format_errors(case: Case, times: int) -> None:
    chooser = random.Random(7)
    packed = case.sample_bytes
    for _ in range(times):
        data = bytearray(packed)
        for _ in range(chooser.randint(1, 6)):
            data[chooser.randrange(len(data))] = chooser.choice(case.signs)
        for tolerance in ("default", "lenient"):
            with contextlib.suppress(FormatError):
                assert isinstance(read(bytes(data), case, tolerance), Transcript)


@cache
def random_bytes() -> list[bytes]:
    """Few, because the fuzzer draws thousands."""
    text = st.text("a1 .-(){}<>@/;*,\t\n", max_size=80).map(str.encode)
    return examples_of(st.binary(max_size=200) | text, 15)


@pytest.mark.share(4)
@format_items
def test_random_bytes_are_read_or_refused(case: Case) -> None:
    for data, tolerance in product(random_bytes(), ("default", "lenient")):
        with contextlib.suppress(FormatError):
            assert isinstance(read(data, case, tolerance), Transcript)


@given(data=st.binary(max_size=200) | st.text('a1 .-(){}<>[]"@/;*,\t\n').map(str.encode))
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_random_bytes_are_recognised_or_not(data: bytes) -> None:
    with contextlib.suppress(FormatError):
        assert formats.detect(BytesIO(data)) in names()


@each_text
def test_errors_name_the_file_and_survive_pickling(case: Case) -> None:
    with pytest.raises(FormatError) as caught:
        # To WebVTT alone NUL is a character.
        read(case.sample_bytes + (b"x\xff" if case.name == "vtt" else b"x\0"), case)
    error = caught.value
    assert (error.path, error.line) == ("<stream>", case.sample.count("\n") + 1)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@each_format
def test_an_error_keeps_no_file(case: Case) -> None:
    """What is refused is freed at once: a service that refuses many must not wait for the collector."""
    data = case.sample_bytes
    places = (len(data) // 3, len(data) // 2, len(data) - 2)
    gc.disable()
    try:
        for damaged in (
            data + b"\xff", *(data[:at] + sign + data[at + 1 :] for at in places for sign in (b"\xff", b"\0", b"{"))
        ):  # fmt: skip
            stream = BytesIO(damaged)
            freed = weakref.ref(stream)
            with contextlib.suppress(FormatError):
                formats.read(stream, case.name, recording="rec", **case.read_options)
            del stream
            assert freed() is None
    finally:
        gc.enable()


def _objects_held() -> int:
    """How many, without those that wait for the collector."""
    gc.collect()
    return sys.getallocatedblocks()


@each_long
def test_a_long_file_is_read_in_bounded_memory(case: Case, tmp_path: Path) -> None:
    thousands, others = divmod(case.segments, 1000)
    expected = thousands * 1000 * case.records // TOLD_FOR + others
    data, options = case.long(tmp_path)
    count = early = words = 0
    gc.freeze()  # the collector is to look only at what is made from here on
    with formats.stream(BytesIO(data), case.name, recording="rec", **options) as segments:
        for segment in segments:
            count += 1
            words = len(segment.words)
            if count * 10 == expected:
                early = _objects_held()
    grown = _objects_held() - early if early else words
    assert count == expected
    if case.objects_kept is not None:
        assert grown <= case.objects_kept * case.records // TOLD_FOR


@each_case("case", [c for c in CASES if c.utterance], ids=lambda case: case.name)
def test_an_utterance_is_a_segment_of_words_with_times(case: Case) -> None:
    assert case.utterance is not None
    found = read(case.packed(case.utterance, 30), case).segments
    held = [segment for segment in found if len(segment.words) == TOGETHER]
    assert len(held) == 30
    assert all(None not in (segment.starts_ns or (None,)) for segment in held)


@pytest.mark.share(7)
@written_items
@given(chosen=st.data())
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])  # the fuzzer: thousands
def test_what_is_written_reads_back(case: Case, chosen: st.DataObject) -> None:
    segments = chosen.draw(STRATEGIES[case.name])
    data, losses = write(Transcript(segments), case)
    assert read(data, case).segments == tuple(segments)
    assert set(losses) <= set(case.lost_always)


@given(chosen=st.data(), target=st.sampled_from(WRITTEN))
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])  # the fuzzer: thousands
def test_any_transcript_converts_or_is_refused(chosen: st.DataObject, target: Case) -> None:
    segments = chosen.draw(STRATEGIES[chosen.draw(st.sampled_from(sorted(STRATEGIES)))])
    output = BytesIO()
    with contextlib.suppress(FormatError):
        losses = formats.write(
            Transcript(segments, source="rec"), output, target.name, interpolate="chars",
            **target.write_options,
        )  # fmt: skip
        found = read(output.getvalue(), target)
        left_out = {
            "segments of words", "words", "ignored regions", "events", "names of events", "queries",
            "turns without words", "words with blanks", "tokens of a model",
        }  # fmt: skip
        if not any(s.alternations for s in segments) and not left_out & {x.what for x in losses}:
            assert sum(len(s.words) for s in found) == sum(len(s.words) for s in segments)


@pytest.mark.share(7)
@pytest.mark.parametrize("target", ["stm", "srt", "textgrid"])
@pytest.mark.parametrize("case", READ_ONLY, ids=lambda case: case.name)
def test_what_is_only_read_is_converted(
    case: Case, target: str, tmp_path: Path, run_command: Callable[..., tuple[int, str, str]]
) -> None:
    path, folder = tmp_path / f"talk{case.suffix or ''}", tmp_path / "out"
    path.write_bytes(case.sample_bytes)
    folder.mkdir()
    status, _, errors = run_command(
        *("convert", str(path), str(folder), "--from", case.name, "--to", target),
        *("--interpolate", "chars", "--inner-space", "underscore"),
    )
    if status == 3:
        read = formats.read(path, case.name)
        remarks = NONE_FITS, NONE_LEFT
        assert any(message_text(each, segments=len(read), to=target) in errors for each in remarks)
        assert not any(s.words and s.kind == "segment" for s in read)
        return
    if status:
        assert case.name == "must-c" or any(
            None in (s.start, s.end) for s in formats.read(path, case.name)
        )
        assert "expected the texts in a file" in errors or any(
            message_text(each, format=target) in errors for each in (NO_END, NO_TIMES)
        )
        assert not list(folder.iterdir())
        return
    segments = [s for s in formats.read(path, case.name) if s.kind == "segment" and s.words]
    found = [s for file in folder.iterdir() for s in formats.read(file, target) if s.words]
    assert sum(len(s.words) for s in found) >= sum(len(s.words) for s in segments)


@each_case("case", READ_ONLY, ids=lambda case: case.name)
def test_what_is_only_read_is_summed_up_and_shown(
    case: Case, tmp_path: Path, run_command: Callable[..., tuple[int, str, str]]
) -> None:
    path = tmp_path / f"talk{case.suffix or ''}"
    path.write_bytes(case.sample_bytes)
    status, output, _ = run_command("info", str(path), "--from", case.name)
    assert (status, output.startswith(f"{path}: {case.name}")) == (0, True)
    page = tmp_path / "talk.html"
    assert run_command("show", str(path), "--from", case.name, "--html", str(page))[0] == 0
    assert "</html>" in page.read_text("utf-8")


def test_needs_are_met_by_what_is_held() -> None:
    for spec in all_formats():
        assert set(spec.needs) <= set(spec.holds)
