"""TextGrid: Praat's own grammar, odd files, tiers and what they mean, the binary form."""

import io
import struct
from functools import partial

import pytest

import formats
from formats import EncodingFormatError, LossError, Segment, SyntaxFormatError, Transcript
from formats.annotation.messages import (
    TEXTGRID_DIGITS,
    TEXTGRID_ENCODING,
    TEXTGRID_GAP,
    TEXTGRID_NAMES,
    TEXTGRID_OVERLAP,
    TEXTGRID_XMAX,
    TIER_CLASSES,
    TIER_LAYER_WORDS,
    TIER_LEVELS,
    TIER_SIGNS,
    TIER_SKIPPED,
    TIER_WORDS,
    TIER_WORDS_DIFFER,
)
from formats.annotation.textgrid_parser import parse_number
from formats.io.messages import OTHER_ENCODING
from formats.schema.messages import Message
from tests.each_case import each_case
from tests.formats import checks
from tests.formats.checks import message_of, message_text, remark_line, remarks
from tests.formats.conftest import ReadText, WriteFile
from tests.remarks import pattern_of

HEAD = '"ooTextFile" "TextGrid"\n0 4 <exists>\n'


def tiers(*bodies: str) -> str:
    return f"{HEAD}{len(bodies)}\n" + "\n".join(bodies)


def intervals(name: str, *labels: tuple[float, float, str]) -> str:
    body = "\n".join(f'{begin} {end} "{text}"' for begin, end, text in labels)
    return f'"IntervalTier" "{name}" 0 4 {len(labels)}\n{body}'


def points(name: str, *labels: tuple[float, str]) -> str:
    body = "\n".join(f'{time} "{text}"' for time, text in labels)
    return f'"TextTier" "{name}" 0 4 {len(labels)}\n{body}'


def said(transcript: Transcript) -> list[tuple[str | None, str | None, tuple[str, ...]]]:
    return [(s.tier, s.speaker, s.words) for s in transcript]


written = partial(checks.written, "textgrid")


def test_long_short_and_anything_between_are_one_grammar(read_text: ReadText) -> None:
    long = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0 
xmax = 2.5 
tiers? <exists> 
size = 2 
item []: 
    item [1]:
        class = "IntervalTier" 
        name = "guest" 
        xmin = 0 
        xmax = 2.5 
        intervals: size = 2 
        intervals [1]:
            xmin = 0 
            xmax = 1.25 
            text = "say ""when"" 
now" 
        intervals [2]:
            xmin = 1.25 
            xmax = 2.5 
            text = "" 
    item [2]:
        class = "TextTier" 
        name = "door" 
        xmin = 0 
        xmax = 2.5 
        points: size = 1 
        points [1]:
            number = 0.75 
            mark = "slam" 
"""  # noqa: W291
    short = (
        'File type = "ooTextFile short"\n"TextGrid"\n\n0\n2.5\n<exists>\n2\n"IntervalTier"\n"guest"\n'
        '0\n2.5\n2\n0\n1.25\n"say ""when"" \nnow"\n1.25\n2.5\n""\n"TextTier"\n"door"\n0\n2.5\n1\n'
        '0.75\n"slam"\n'
    )
    free = (
        '"ooTextFile" ! a remark with "quotes" and 7 numbers\n"TextGrid" from 0 to 2.5 s <exists>\n'
        '2 tiers: "IntervalTier" called "guest" 0 2.5 with 2 intervals [3]\n'
        '0 1.25 "say ""when"" \nnow" 1.25 2.5 ""\n"TextTier" "door" 0 2.5 1 at 0.75 "slam"'
    )
    found = [read_text(text, "textgrid") for text in (long, short, free)]
    assert found[0].segments == found[1].segments == found[2].segments
    assert said(found[0]) == [("guest", None, ("say", '"when"', "now")), ("door", None, ("slam",))]
    assert [(s.start, s.end, s.kind, s.line) for s in found[0]] == [
        (0.0, 1.25, "segment", 16),
        (0.75, 0.75, "event", 31),
    ]
    assert dict(found[0].properties) == {"duration": "2.5"}


WORDS = intervals("words", (0, 1, "so"), (1, 2, "it"), (2, 4, "was"))


def test_layers_of_words_are_events(read_text: ReadText) -> None:
    layers = [
        intervals("KAN", (0, 1, "s @U"), (1, 2, "I t"), (2, 4, "w Q z")),
        intervals(
            "segment", (0, 0.5, "s"), (0.5, 1, "@U"), (1, 1.5, "I"), (1.5, 2, "t"), (2, 4, "w")
        ),
    ]
    for layer, name in zip(layers, ("KAN", "segment"), strict=True):
        transcript = read_text(tiers(WORDS, layer), "textgrid")
        assert [s.words for s in transcript if s.kind == "segment"] == [("so", "it", "was")]
        assert [s.tier for s in transcript if s.kind == "event"] == [name] * layer.count("\n")
        assert remarks(transcript) == [remark_line(TIER_LAYER_WORDS, 9, tier=name, words="words")]
        spoken = read_text(tiers(WORDS, layer), "textgrid", tier_map=f"{name}=segment")
        assert [s for s in spoken if s.kind == "segment" and s.tier == name]


@pytest.mark.parametrize(
    "layer",
    [
        intervals("anne", (0, 1, "So,"), (1, 2, "it"), (2, 4, "was.")),
        intervals("anne", (0, 4, "so it was")),
        intervals("anne", (0.5, 1.5, "mhm"), (3.5, 3.9, "yes")),
    ],
)
def test_utterances_are_no_layers_of_words(layer: str, read_text: ReadText) -> None:
    transcript = read_text(tiers(WORDS, layer), "textgrid")
    assert {segment.kind for segment in transcript} == {"segment"}


def test_pauses_of_sppas_are_no_words(read_text: ReadText) -> None:
    body = intervals("TokensAlign", (0, 1, "#"), (1, 2, "so"), (2, 3, "+"), (3, 4, "well"))
    phones = intervals("PhonAlign", (0, 1, "#"), (1, 2, "s"), (2, 3, "+"), (3, 4, "w"))
    transcript = read_text(tiers(body, phones), "textgrid")
    assert [s.words for s in transcript if s.kind == "segment"] == [("so", "well")]


def test_single_characters_beside_speech_are_noted(read_text: ReadText) -> None:
    marks = intervals("marks", (0, 1, "x"), (1, 4, "x"))
    transcript = read_text(tiers(intervals("anne", (0, 4, "so it was")), marks), "textgrid")
    assert remark_line(TIER_SIGNS, 7, labels=2, tier="marks", longest=1) in remarks(transcript)
    assert remarks(read_text(tiers(marks), "textgrid")) == []


def test_older_files_call_the_time_of_a_point_time(read_text: ReadText) -> None:
    text = tiers(
        '"TextTier" name = "door" 0 4 points: size = 1 points [1]: time = 0.5 mark = "slam"'
    )
    assert [(s.words, s.start) for s in read_text(text, "textgrid")] == [(("slam",), 0.5)]


@each_case(
    ("text", "message"),
    [
        ('"ooTextFile"\n"Sound"\n0 1',
         '<stream>:2:1: expected an object of class "TextGrid", found "Sound"'),
        ('"spam"\n', '<stream>:1:1: expected "ooTextFile", found "spam"'),
        ("ooBinaryFile\x08TextGrid\0\0\0",
         "<stream>: expected a binary TextGrid of Praat, found the end of the file at byte 24"),
        (tiers('"IntervalTier" "a" 0 4 2\n0 1 "x"'),
         '<stream>:5:8: expected the begin (xmin) of interval 2 of 2 of tier "a", found the end of the file'),
        (tiers('"IntervalTier" "a" 0 4 1\n0 1 "x"\n1 2 "y"'),
         '<stream>:6:1: expected the end of the file, found a number, "1"'),
        (tiers('"IntervalTier" "a" 0 4 1\n0 1 "x"\n1 2 "y"', points("b")),
         '<stream>:6:1: expected the class of tier 2 of 2, found a number, "1"'),
        (tiers('"IntervalTier" "a" 0 4 2\n0 1 "x"', points("b")),
         '<stream>:6:1: expected the begin (xmin) of interval 2 of 2 of tier "a", found a string, "TextTier"'),
        (tiers('"IntervalTier" "a" 0 4 1\n0 1 "say "when" now"'),
         '<stream>:5:10: expected white space after a string, and quotation marks in it written twice, found ""when" now""'),
        (tiers('"IntervalTier" "a" 0 4 1\n0 1 "say when'),
         "<stream>:5:5: expected a second quotation mark to end this string, found the end of the file"),
        (tiers('"IntervalTier" "a" 0 4 1\n0 1,5 "x"'),
         '<stream>:5:3: expected the end (xmax) of interval 1 of 1 of tier "a" in seconds, found a number, "1,5"'),
        (tiers('"IntervalTier" "a" 0 4 1\n2 1 "x"'),
         '<stream>:5:3: expected an end after 2 of interval 1 of 1 of tier "a", found 1'),
        (tiers('"IntervalTier" "a" 0 4 1\n-1 1 "x"'),
         '<stream>:5:1: expected a begin of 0 or more of interval 1 of 1 of tier "a", found -1'),
        (tiers('"FormantTier" "a" 0 4 0'),
         '<stream>:4:1: expected "IntervalTier" or "TextTier" as the class of tier 1 of 1, found "FormantTier"'),
        ('"ooTextFile" "Collection" 1 "Sound" "a" 1 2',
         '<stream>:1:29: expected "TextGrid" as the class of object 1 of the collection, found "Sound"'),
    ],
)  # fmt: skip
def test_refusals(read_text: ReadText, text: str, message: str) -> None:
    assert message_of(SyntaxFormatError, lambda: read_text(text, "textgrid")) == message


def test_lenient_reading_skips_intervals_with_bad_times(read_text: ReadText) -> None:
    text = tiers('"IntervalTier" "a" 0 4 2\n2 1 "x"\n2 3 "y"')
    transcript = read_text(text, "textgrid", tolerance="lenient")
    assert [s.words for s in transcript] == [("y",)]
    assert remarks(transcript) == [
        '<stream>:5:3: error: record skipped: expected an end after 2 of interval 1 of 2 of tier "a", found 1 [TEXTGRID-TIME]'
    ]


def test_latin_1_is_refused_with_advice_and_read_when_named(read_text: ReadText) -> None:
    data = tiers(intervals("a", (0, 1, "wörld"))).encode("latin-1")
    reason = Message(OTHER_ENCODING, {"encoding": "UTF-8", "found": "byte 0xF6"})
    text = message_of(EncodingFormatError, lambda: read_text(data, "textgrid"))
    assert text == f"<stream>:5:7: {message_text(TEXTGRID_ENCODING, reason=reason)}"
    assert read_text(data, "textgrid", encoding="latin-1")[0].words == ("wörld",)
    mac = tiers(intervals("a", (0, 1, "wörld"))).encode("mac-roman")
    assert read_text(mac, "textgrid", encoding="mac-roman")[0].words == ("wörld",)


@pytest.mark.parametrize("name", ["talk.TextGrid", "talk"])
def test_what_is_no_text_is_recognised_all_the_same(write_file: WriteFile, name: str) -> None:
    write_file(name, b"ooBinaryFile\x08TextGrid\x00\x00\x00\x01\xff")
    with pytest.raises(
        SyntaxFormatError, match="a binary TextGrid of Praat, found the end of the file"
    ):
        formats.read(name)
    write_file(name, tiers(intervals("a", (0, 1, "wörld"))).encode("latin-1"))
    with pytest.raises(EncodingFormatError, match=pattern_of(TEXTGRID_ENCODING)):
        formats.read(name)


def test_too_much_at_one_time_is_refused() -> None:
    many = [Segment.of("rec", ["x"], tier="segments", start=0, end=2, line=n) for n in range(1001)]
    assert message_of(LossError, lambda: written(*many)) == (
        "rec:1000: expected at most 1000 segments or words of one tier at one time, found more"
    )


def test_overlaps_gaps_and_late_ends_are_remarked_and_kept(read_text: ReadText) -> None:
    text = tiers(intervals("a", (0, 1, "x"), (0.5, 2, "y"), (3, 5, "z")))
    transcript = read_text(text, "textgrid")
    assert [(s.words, s.start, s.end) for s in transcript] == [
        (("x",), 0.0, 1.0),
        (("y",), 0.5, 2.0),
        (("z",), 3.0, 5.0),
    ]
    assert remarks(transcript) == [
        remark_line(TEXTGRID_OVERLAP, 6, tier="a", time=0.5, end=1.0),
        remark_line(TEXTGRID_GAP, 7, tier="a", time=3.0, end=2.0),
        remark_line(TEXTGRID_XMAX, 7, tier="a", end=5.0),
    ]


def test_equal_names_are_numbered(read_text: ReadText) -> None:
    text = tiers(
        intervals("a", (0, 1, "x")), intervals("a", (1, 2, "y")), intervals("b", (0, 1, "z"))
    )
    transcript = read_text(text, "textgrid")
    assert said(transcript) == [("a", "a", ("x",)), ("a#2", "a", ("y",)), ("b", "b", ("z",))]
    assert remarks(transcript) == [remark_line(TEXTGRID_NAMES, 7, first="a", name="a#2")]


def test_a_collection_gives_each_object_as_a_recording(read_text: ReadText) -> None:
    one, two = intervals("a", (0, 1, "x")), intervals("a", (0, 1, "y"))
    text = f'"ooTextFile" "Collection" 2 "TextGrid" "rec1" 0 4 <exists> 1 {one}\n'
    text += f'"TextGrid" "rec2" 0 4 <exists> 1 {two}'
    transcript = read_text(text, "textgrid")
    assert [(s.recording, s.words) for s in transcript] == [("rec1", ("x",)), ("rec2", ("y",))]
    assert formats.detect(io.BytesIO(text.encode())) == "textgrid"


def test_a_textgrid_without_tiers(read_text: ReadText) -> None:
    assert read_text('"ooTextFile" "TextGrid" 0 4 <absent>', "textgrid").segments == ()
    assert read_text('"ooTextFile" "TextGrid" 0 4 <exists> 0', "textgrid").segments == ()


def test_empty_intervals_are_nothing_or_events_on_request(read_text: ReadText) -> None:
    text = tiers(intervals("a", (0, 1, ""), (1, 2, " \n "), (2, 4, "x")), points("b", (1, "")))
    assert said(read_text(text, "textgrid")) == [("a", None, ("x",)), ("b", None, ())]
    kept = read_text(text, "textgrid", keep_empty=True)
    assert [(s.kind, s.start, s.end, s.words) for s in kept] == [
        ("event", 0.0, 1.0, ()),
        ("event", 1.0, 2.0, ()),
        ("segment", 2.0, 4.0, ("x",)),
        ("event", 1.0, 1.0, ()),
    ]


def test_numbers_as_praat_prints_them(read_text: ReadText) -> None:
    assert parse_number("0.30000000000000004") == (300_000_000, True)
    assert parse_number("1.5e2") == (150_000_000_000, False)
    assert parse_number("0.0000000005") == (0, True)
    assert parse_number("0.0000000015") == (2, True)
    for text in ("nan", "1_0", "1e", "٣", "1" * 2000, "1e300", ".5", ""):
        with pytest.raises(ValueError):
            parse_number(text)
    transcript = read_text(tiers(intervals("a", (5.551115123125783e-17, 1, "x"))), "textgrid")
    assert transcript[0].start_ns == 0
    assert remarks(transcript) == [remark_line(TEXTGRID_DIGITS, rounded=1)]


def test_words_belong_to_the_utterance_around_them(read_text: ReadText) -> None:
    text = tiers(
        intervals("anne", (0, 2, "Hello, you"), (2, 3, "a b c")),
        intervals("anne - words", (0, 1, "hello"), (1, 2, "you"), (2, 2.5, "a"), (2.5, 3, "c")),
        intervals("anne - phones", (0, 0.5, "h"), (0.5, 2, "e")),
        intervals("bob", (0, 1, "yes")),
    )
    transcript = read_text(text, "textgrid")
    assert said(transcript) == [
        ("anne", "anne", ("hello", "you")),
        ("anne", "anne", ("a", "b", "c")),
        ("anne - phones", "anne", ("h",)),
        ("anne - phones", "anne", ("e",)),
        ("bob", "bob", ("yes",)),
    ]
    assert transcript[0].displays == ("Hello,", None)
    assert transcript[0].starts == (0.0, 1.0)
    assert (transcript[1].starts, transcript[1].ends) == ((2.0, None, 2.5), (2.5, None, 3.0))
    assert [s.kind for s in transcript] == ["segment", "segment", "event", "event", "segment"]
    assert transcript.diagnostics == ()


def test_words_of_another_text_win_with_a_warning(read_text: ReadText) -> None:
    text = tiers(
        intervals("utterances", (0, 2, "one two")),
        intervals("words", (0, 1, "one"), (1, 1.5, "and"), (1.5, 2, "two"), (3, 4, "late")),
    )
    transcript = read_text(text, "textgrid")
    assert said(transcript) == [
        ("utterances", None, ("one", "and", "two")),
        ("words", None, ("late",)),
    ]
    assert transcript[0].get("text") == "one two"
    assert (transcript[1].start, transcript[1].starts) == (None, (3.0,))
    assert remarks(transcript)[1:] == [
        remark_line(TIER_WORDS, 10, words=1, tier="words", owner="utterances"),
        remark_line(TIER_WORDS_DIFFER, 5, tier="utterances", words=2, found=3),
    ]


def test_the_same_speech_twice_is_warned_of(read_text: ReadText) -> None:
    text = tiers(
        intervals("anne", (0, 1, "x")),
        intervals("bob", (0, 1, "y")),
        intervals("words", (0, 1, "x")),
    )
    assert remarks(read_text(text, "textgrid")) == [remark_line(TIER_LEVELS, 9, tier="words")]
    skipped = read_text(text, "textgrid", tier_map="words=skip")
    assert len(skipped) == 2
    assert remarks(skipped) == [remark_line(TIER_SKIPPED, 9, tier="words", labels=1)]


def test_words_alone_are_one_run_that_conversion_cuts_at_pauses(read_text: ReadText) -> None:
    text = tiers(intervals("words", (0, 1, "New York"), (1, 2, "is"), (2, 3, ""), (3, 4, "far")))
    transcript = read_text(text, "textgrid")
    assert said(transcript) == [("words", None, ("New York", "is", "far"))]
    output = io.StringIO()
    formats.write(transcript, output, "stm")
    assert output.getvalue() == (
        "rec 1 rec-1 0.000 2.000 New York is\nrec 1 rec-1 3.000 4.000 far\n"
    )


# --- writing ---------------------------------------------------------------------------------


def test_overlaps_go_to_further_tiers(read_text: ReadText) -> None:
    text, losses = written(
        Segment.of("rec", ["a", "b"], speaker="anne", start=0, end=2, starts=[0, 1], ends=[1, 2]),
        Segment.of("rec", ["c"], speaker="anne", start=1, end=3, starts=[1], ends=[3]),
        Segment.of("rec", ["d"], speaker="bob", start=1, end=3),
    )
    assert losses == ["overlapping segments: 1 (written on further tiers)"]
    again = read_text(text, "textgrid")
    assert said(again) == [("anne", "anne", ("a", "b")), ("anne#2", "anne", ("c",)),
                           ("bob", "bob", ("d",))]  # fmt: skip
    assert [s.starts for s in again] == [(0.0, 1.0), (1.0,), None]
    assert again.diagnostics == ()


def test_overlapping_words_come_back(read_text: ReadText) -> None:
    segment = Segment.of(
        "rec",
        ["a", "b", "c"],
        tier="segments",
        start=0,
        end=3,
        starts=[0, 0.5, 2],
        ends=[1, 2.5, 3],
    )
    text, losses = written(segment)
    assert '"words#2"' in text
    assert losses == []
    assert read_text(text, "textgrid").segments == (segment,)


def test_what_has_no_length_is_a_point(read_text: ReadText) -> None:
    text, losses = written(
        Segment.of(
            "rec", ["a", "b", "c"], speaker="anne", start=0, end=2, starts=[0, 1, 2], ends=[1, 1, 2]
        ),
        Segment.of("rec", ["c"], speaker="bob", start=1, end=2),
        Segment.of("rec", ["d"], speaker="bob", start=3, end=3),
    )
    assert losses == [
        "word times: 1 (the words have no length, or only a start or an end)",
        "segments without length: 1 (written as points on a separate tier)",
    ]
    again = read_text(text, "textgrid")
    assert [(s.tier, s.speaker, s.kind, s.words) for s in again] == [
        ("anne", "anne", "segment", ("a", "b", "c")),
        ("bob", "bob", "segment", ("c",)),
        ("bob#points", "bob", "segment", ("d",)),
    ]
    assert (again[0].starts, again[0].ends) == ((0.0, 1.0, None), (1.0, 1.0, None))
    assert '"anne - words#points"' in text


def test_one_speaker_alone_is_counted_lost_and_read_back_on_request(read_text: ReadText) -> None:
    segment = Segment.of("rec", ["a"], speaker="anne", tier="anne", start=0, end=2)
    text, losses = written(segment)
    assert losses == ["speakers: 1 (--speaker-from tier reads the names of tiers)"]
    assert read_text(text, "textgrid")[0].speaker is None
    assert read_text(text, "textgrid", speaker_from="tier").segments == (segment,)


def test_names_that_would_mean_something_else_get_a_level(read_text: ReadText) -> None:
    text, losses = written(
        Segment.of("rec", ["a"], speaker="Tokyo", start=0, end=2),
        Segment.of("rec", ["b"], speaker="anne", tier="words", start=0, end=2),
        Segment.of("rec", ["c"], tier="x", start=2, end=3),
    )
    assert losses == [
        "tiers: 1 (written as tiers of another name)",
        "speakers invented: 1 (the name of the tier is read as the speaker)",
    ]
    assert said(read_text(text, "textgrid")) == [
        ("Tokyo - segments", "Tokyo", ("a",)),
        ("anne", "anne", ("b",)),
        ("x", "x", ("c",)),
    ]


def test_events_and_points_of_one_name_keep_apart(read_text: ReadText) -> None:
    events = [
        Segment.of("rec", ["hum"], start=0, end=2, tier="noises", kind="event"),
        Segment.of("rec", [], start=2, end=3, kind="event"),
        Segment.of("rec", ["slam"], start=1, end=1, tier="noises", kind="event"),
    ]
    text, losses = written(*events)
    assert losses == [
        "events: 1 (events with a duration but without a name are dropped)",
        "tiers: 1 (written as tiers of another name)",
    ]
    assert [(s.tier, s.words) for s in read_text(text, "textgrid")] == [
        ("noises", ("hum",)),
        ("events", ("slam",)),
    ]


def test_the_duration_of_the_source_is_the_end() -> None:
    segment = Segment.of("rec", ["a"], tier="segments", start=0, end=2)
    output = io.StringIO()
    formats.write(
        Transcript([segment], source="rec", properties={"duration": "61.25"}), output, "textgrid"
    )
    assert output.getvalue().count("xmax = 61.25\n") == 3
    output = io.StringIO()
    formats.write(
        Transcript([segment], source="rec", properties={"duration": "1"}), output, "textgrid"
    )
    assert output.getvalue().count("xmax = 2\n") == 3


def test_empty_words_are_refused() -> None:
    assert (
        message_of(LossError, lambda: written(Segment.of("rec", [""], start=0, end=2, line=3)))
        == "rec:3: expected a word that the format can hold, found an empty word"
    )


def test_words_outside_of_their_segment_widen_it() -> None:
    text, losses = written(
        Segment.of("rec", ["a"], tier="segments", start=1, end=2, starts=[0.5], ends=[2.25])
    )
    assert losses == ["segment times: 2 (widened to hold all words)"]
    assert "xmin = 0.5" in text


def test_quotes_in_names_are_doubled(read_text: ReadText) -> None:
    text, _ = written(
        Segment.of("rec", ["x"], speaker='the "guest"', start=0, end=1),
        Segment.of("rec", ["y"], speaker="host", start=1, end=2),
    )
    assert 'name = "the ""guest"""' in text
    assert read_text(text, "textgrid")[0].speaker == 'the "guest"'


def test_times_have_no_exponents() -> None:
    segment = Segment.of("rec", ["x"], tier="segments", start=0.00001, end=1)
    assert "xmin = 0.00001\n" in written(segment)[0]
    text, losses = written(segment, precision=3)
    assert "e-" not in text
    assert losses == ["decimals of times: 1 (rounded to 3 decimals)"]


def binary(tiers: int = 2) -> bytes:
    """A binary TextGrid of a tier of intervals and one of points."""

    def text(words: str) -> bytes:
        if words.isascii():
            return struct.pack(">H", len(words)) + words.encode()
        return struct.pack(">HH", 0xFFFF, len(words)) + words.encode("utf-16-be")

    span = struct.pack(">dd", 0, 2.5)
    head = b"ooBinaryFile\x08TextGrid" + span + b"\x01" + struct.pack(">i", tiers)
    first = b"\x0cIntervalTier" + text("anne") + span + struct.pack(">i", 2)
    first += struct.pack(">dd", 0, 1.125) + text("") + struct.pack(">dd", 1.125, 2.5)
    first += text('say "n\u0113"')
    return (
        head
        + first
        + b"\x08TextTier"
        + text("bell")
        + span
        + struct.pack(">id", 1, 0.75)
        + text("x")
    )


def test_the_binary_form_is_read(write_file: WriteFile) -> None:
    transcript = formats.read(write_file("talk.TextGrid", binary()))
    assert [(s.tier, s.start, s.end, s.words, s.kind) for s in transcript] == [
        ("anne", 1.125, 2.5, ("say", '"n\u0113"'), "segment"),
        ("bell", 0.75, 0.75, ("x",), "event"),
    ]
    for bad in (
        binary()[:-1],
        binary() + b"x",
        binary(-1),
        binary().replace(b"TextGrid", b"TextGrab"),
    ):
        with pytest.raises(SyntaxFormatError, match="a binary TextGrid of Praat"):
            formats.read(write_file("bad.TextGrid", bad))


def test_the_chronological_form_is_read(read_text: ReadText) -> None:
    head = '"Praat chronological TextGrid text file"\n0 2 ! Time domain.\n2 ! Number of tiers.\n'
    head += '"IntervalTier" "anne" 0 2\n"TextTier" "bell" 0 2\n'
    transcript = read_text(head + '1 0 1.5\n"hello you"\n2 0.5\n"x"\n1 1.5 2\n""\n', "textgrid")
    assert [(s.tier, s.start, s.end, s.words) for s in transcript] == [
        ("anne", 0.0, 1.5, ("hello", "you")),
        ("bell", 0.5, 0.5, ("x",)),
    ]
    with pytest.raises(SyntaxFormatError, match="the number of a tier, 1 to 2, found a number"):
        read_text(head + '3 0 1\n"x"\n', "textgrid")


def test_syllables_and_names_of_speakers_are_no_speech(read_text: ReadText) -> None:
    text = tiers(
        intervals("phones", (0, 1, "_"), (1, 3, "a"), (3, 4, "_")),
        intervals("syll", (0, 1, "_"), (1, 3, "ab"), (3, 4, "_")),
        intervals("words", (0, 1, "_"), (1, 2, "hello"), (2, 3, "you"), (3, 4, "_")),
        intervals("ortho", (0, 1, "_"), (1, 3, "hello you"), (3, 4, "_")),
        intervals("spk", (0, 1, "_"), (1, 3, "L1"), (3, 4, "_")),
    )
    transcript = read_text(text, "textgrid")
    speech = [s for s in transcript if s.kind == "segment"]
    assert said(Transcript(speech)) == [("ortho", None, ("hello", "you"))]
    assert speech[0].starts == (1, 2)
    assert {s.tier for s in transcript if s.kind == "event"} == {"phones", "syll", "spk"}
    assert ("tier_map", "spk=segment") in [
        tuple(advice) for remark in transcript.diagnostics for advice in remark.value.advice
    ]
    assert ("spk", None, ("L1",)) in said(read_text(text, "textgrid", tier_map="spk=segment"))


def test_a_tier_of_a_speaker_called_speaker_is_speech(read_text: ReadText) -> None:
    text = tiers(intervals("speaker", (0, 1, "hello")), intervals("guest", (1, 2, "_ you")))
    assert said(read_text(text, "textgrid")) == [
        ("speaker", "speaker", ("hello",)),
        ("guest", "guest", ("_", "you")),
    ]


def test_what_beside_syllables_would_be_read_otherwise(read_text: ReadText) -> None:
    word = Segment("rec", ("a", "_"), start_ns=0, end_ns=10**9, line=3)
    syllable = Segment("rec", ("a",), start_ns=0, end_ns=10**9, kind="event", tier="syll")
    with pytest.raises(LossError, match=r'3: expected another word .*, found "_"'):
        written(word, syllable)
    named = Segment("rec", ("a",), speaker="speaker", start_ns=0, end_ns=10**9)
    text, losses = written(named, word)
    assert [(s.speaker, s.words) for s in read_text(text, "textgrid")] == [
        ("speaker", ("a",)),
        (None, ("a", "_")),
    ]
    assert losses == []


def test_silences_are_no_words_and_names_of_classes_are_warned_of(read_text: ReadText) -> None:
    def tier(name: str, *labels: str) -> str:
        rows = "".join(f'{n}\n{n + 1}\n"{label}"\n' for n, label in enumerate(labels))
        return f'"IntervalTier"\n"{name}"\n0\n6\n{len(labels)}\n{rows}'

    head = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n6\n<exists>\n2\n'
    sounds = tier("silences", *["silent", "sounding"] * 3)
    transcript = read_text(head + sounds + tier("eyes", *["left", "right"] * 3), "textgrid")
    assert {s.tier for s in transcript if s.kind == "event"} == {"silences"}
    assert remarks(transcript) == [
        remark_line(TIER_CLASSES, 36, labels=6, tier="eyes", classes=2, names=["left", "right"])
    ]
    assert read_text(head + sounds + tier("anne", *["so it was"] * 6), "textgrid").diagnostics == ()
