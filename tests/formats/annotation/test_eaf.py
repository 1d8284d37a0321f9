"""EAF: slots, references, participants, odd files, and what is written."""

import io
from itertools import pairwise

import pytest

import formats
from formats import LossError, Segment, SyntaxFormatError, Transcript
from formats.annotation.messages import (
    EAF_BEFORE,
    EAF_BEFORE_ORIGIN,
    EAF_EMPTY,
    EAF_ID,
    EAF_NESTED,
    EAF_ORIGIN,
    EAF_OVERLAP,
    EAF_REVERSED,
    EAF_SPEAKER,
    EAF_TIME,
    TIER_LAYER_ABOVE,
)
from tests.each_case import each_case
from tests.formats.checks import message_of, message_text, remark_line, remarks, written
from tests.formats.conftest import ReadText
from tests.remarks import said as values_said


def document(
    *tiers: str, slots: object = None, header: str = '<HEADER TIME_UNITS="milliseconds"/>'
) -> str:
    """A document of tiers; slots as pairs, or t0, t500, … up to 4 seconds."""
    given = slots or [(f"t{n}", n) for n in range(0, 4001, 250)]
    order = "".join(
        f'<TIME_SLOT TIME_SLOT_ID="{name}"' + ("/>" if time is None else f' TIME_VALUE="{time}"/>')
        for name, time in given  # type: ignore[attr-defined]
    )
    body = "\n".join(tiers)
    return f"<ANNOTATION_DOCUMENT>{header}<TIME_ORDER>{order}</TIME_ORDER>\n{body}\n</ANNOTATION_DOCUMENT>"


def tier(name: str, *annotations: str, **more: str) -> str:
    told = "".join(f' {key}="{value}"' for key, value in more.items())
    body = "\n".join(f"<ANNOTATION>{annotation}</ANNOTATION>" for annotation in annotations)
    return f'<TIER TIER_ID="{name}"{told}>\n{body}\n</TIER>'


def aligned(id_: str, begin: str, end: str, text: str) -> str:
    return f'<ALIGNABLE_ANNOTATION ANNOTATION_ID="{id_}" TIME_SLOT_REF1="{begin}" TIME_SLOT_REF2="{end}"><ANNOTATION_VALUE>{text}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION>'


def referring(id_: str, to: str, text: str, previous: str | None = None) -> str:
    after = "" if previous is None else f' PREVIOUS_ANNOTATION="{previous}"'
    return (
        f'<REF_ANNOTATION ANNOTATION_ID="{id_}" ANNOTATION_REF="{to}"{after}>'
        f"<ANNOTATION_VALUE>{text}</ANNOTATION_VALUE></REF_ANNOTATION>"
    )


def said(
    transcript: Transcript,
) -> list[tuple[str | None, str | None, float | None, float | None, str]]:
    return [(s.tier, s.speaker, s.start, s.end, " ".join(s.words)) for s in transcript]


def test_participants_and_names_of_tiers_say_the_speaker(read_text: ReadText) -> None:
    text = document(
        tier("A_orth", aligned("a1", "t0", "t500", "hello"), PARTICIPANT="anne"),
        tier("bob", aligned("a2", "t500", "t1000", "you")),
        tier("cora", aligned("a3", "t500", "t1000", "me"), PARTICIPANT=""),
        tier("utterances", aligned("a4", "t500", "t1000", "who")),
    )
    transcript = read_text(text, "eaf")
    assert [(s.tier, s.speaker) for s in transcript] == [
        ("A_orth", "anne"), ("bob", "bob"), ("cora", "cora"), ("utterances", None),
    ]  # fmt: skip
    assert remarks(transcript) == [
        remark_line(EAF_SPEAKER, 5, tier="bob"),
        remark_line(EAF_SPEAKER, 8, tier="cora"),
    ]
    by_tier = read_text(text, "eaf", speaker_from="*_orth")
    assert [s.speaker for s in by_tier] == ["A", None, None, None]
    assert [s.speaker for s in read_text(text, "eaf", speaker_from="none")] == [None] * 4


def test_slots_without_value_lie_evenly_between_their_neighbours(read_text: ReadText) -> None:
    slots = [("t0", 1000), ("t1", None), ("x", 1100), ("t2", None), ("t3", 1900), ("t4", None)]
    text = document(
        tier("anne", aligned("a1", "t0", "t3", "one two three")),
        tier(
            "parts",
            aligned("a2", "t0", "t1", "one"),
            aligned("a3", "t1", "t2", "two"),
            aligned("a4", "t2", "t3", "three"),
            PARENT_REF="anne",
            LINGUISTIC_TYPE_REF="word-division",
        ),
        tier("bob", aligned("a5", "x", "t3", "so"), aligned("a6", "t3", "t4", "no")),
        slots=slots,
    )
    transcript = read_text(text, "eaf")
    assert said(transcript) == [
        ("anne", "anne", 1.0, 1.9, "one two three"),
        ("bob", "bob", 1.1, 1.9, "so"),
        ("bob", "bob", None, None, "no"),
    ]
    assert transcript[0].starts == (1.0, 1.3, 1.6)
    assert transcript[0].interpolated == (True, True, True)
    assert remark_line(EAF_TIME, 12, annotation="a6") in remarks(transcript)


def test_annotations_on_annotations_share_their_time_in_order(read_text: ReadText) -> None:
    text = document(
        tier("anne", aligned("a1", "t0", "t1000", "ab cd ef")),
        tier(
            "anne-words",
            referring("a4", "a1", "ef", previous="a3"),
            referring("a2", "a1", "ab"),
            referring("a3", "a1", "cd", previous="a2"),
            PARENT_REF="anne",
        ),
        tier("meaning", referring("a5", "a1", "something else"), PARENT_REF="anne"),
    )
    transcript = read_text(text, "eaf")
    assert said(transcript) == [
        ("anne", "anne", 0.0, 1.0, "ab cd ef"),
        ("meaning", "anne", 0.0, 1.0, "something else"),
    ]
    assert transcript[1].properties == (("time_source", "interpolated"),)
    assert remarks(transcript)[-1] == (
        remark_line(TIER_LAYER_ABOVE, 11, tier="meaning", parent="anne")
    )
    assert [segment.kind for segment in transcript] == ["segment", "event"]
    assert [s.kind for s in read_text(text, "eaf", tier_map="meaning=segment")] == ["segment"] * 2
    assert len(read_text(text, "eaf", tier_map="meaning=skip")) == 1


def test_annotations_of_parents_and_children(read_text: ReadText) -> None:
    text = document(
        tier("anne", aligned("a1", "t0", "t250", "ab"), aligned("a2", "t250", "t500", "")),
        tier("bob", referring("b1", "a1", "b"), referring("b2", "a1", "c", "b1")),
    )
    assert [s[2:] for s in said(read_text(text, "eaf"))] == [
        (0.0, 0.25, "ab"),
        (0.0, 0.125, "b"),
        (0.125, 0.25, "c"),
    ]


def test_annotations_alike_keep_their_lines(read_text: ReadText) -> None:
    names = [f"t{n * 50}" for n in range(21)]
    annotations = [
        aligned(f"a{n}", begin, end, f"é\n{n}" if n % 3 else "")
        for n, (begin, end) in enumerate(pairwise(names))
    ]
    text = document(tier("anne", *annotations), slots=[(name, int(name[1:])) for name in names])
    transcript = read_text(text, "eaf")
    assert [(s.start_ns, s.words, s.line) for s in transcript] == [
        (n * 50_000_000, ("é", str(n)), 3 + n + n - -(-n // 3)) for n in range(20) if n % 3
    ]


def test_slots_taken_from_the_text_stand_where_they_stood(read_text: ReadText) -> None:
    slots = [("t0", 0), *((f"t{n}", None) for n in range(1, 20)), ("t20", 2000)]
    ends = tier("bob", aligned("a1", "t0", "t20", "a"))
    within = tier("anne", *(aligned(f"b{n}", f"t{n}", f"t{n + 1}", "b") for n in range(20)))
    transcript = read_text(document(ends, within, slots=slots), "eaf")
    assert [s.start_ns for s in transcript[1:]] == [n * 10**8 for n in range(20)]


def kinds_of(transcript: Transcript) -> dict[str | None, str]:
    return {segment.tier: segment.kind for segment in transcript}


def test_glosses_and_translations_below_are_no_speech_of_the_same_speaker(
    read_text: ReadText,
) -> None:
    text = document(
        tier("S", aligned("a1", "t0", "t1000", "evlerde kal"), LINGUISTIC_TYPE_REF="Satz"),
        tier("S-Word", referring("w1", "a1", "evlerde"), referring("w2", "a1", "kal", "w1"),
             PARENT_REF="S", LINGUISTIC_TYPE_REF="Wort"),
        tier("S-Word-gloss", referring("g1", "w1", "house"), PARENT_REF="S-Word"),
        tier("S-Word-other", referring("o1", "a1", "house stay"), PARENT_REF="S"),
        tier("S-Morph", referring("m1", "w1", "ev"), referring("m2", "w1", "lerde", "m1"),
             PARENT_REF="S-Word"),
        tier("S-free", referring("f1", "a1", "stay in the houses"), PARENT_REF="S"),
        tier("hands", aligned("a2", "t0", "t500", "points up"), LINGUISTIC_TYPE_REF="Gestures"),
    )  # fmt: skip
    transcript = read_text(text, "eaf")
    assert kinds_of(transcript) == {
        "S": "segment",
        "S-Word-gloss": "event",
        "S-Word-other": "event",
        "S-Morph": "event",
        "S-free": "event",
        "hands": "event",
    }
    assert transcript.word_count == 2
    assert transcript[0].starts == (0.0, 0.5)
    left_out = [line for line in remarks(transcript) if "TIER-LAYER" in line]
    assert [line.split('"')[1] for line in left_out] == [
        "S-Word-gloss", "S-Word-other", "S-Morph", "S-free", "hands",
    ]  # fmt: skip


def test_the_tier_that_says_it_holds_utterances_is_speech_and_not_the_numbers_above(
    read_text: ReadText,
) -> None:
    text = document(
        tier("ref@A", aligned("a1", "t0", "t1000", "001"), LINGUISTIC_TYPE_REF="ref"),
        tier("tx@A", referring("x1", "a1", "how are you"), PARENT_REF="ref@A",
             LINGUISTIC_TYPE_REF="text"),
        tier("mot@A", referring("w1", "x1", "how"), referring("w2", "x1", "are", "w1"),
             referring("w3", "x1", "you", "w2"), PARENT_REF="tx@A", LINGUISTIC_TYPE_REF="words"),
        tier("ft@A", referring("f1", "a1", "wie geht's"), PARENT_REF="ref@A"),
    )  # fmt: skip
    transcript = read_text(text, "eaf")
    assert kinds_of(transcript) == {"ref@A": "event", "tx@A": "segment", "ft@A": "event"}
    assert transcript.word_count == 3
    assert transcript[1].starts is not None


def test_words_of_a_child_tier_stand_in_order_of_time(read_text: ReadText) -> None:
    text = document(
        tier("anne", aligned("a1", "t0", "t1000", "ab cd")),
        tier("w", aligned("a3", "t500", "t1000", "cd"), aligned("a2", "t0", "t500", "ab"),
             PARENT_REF="anne"),
    )  # fmt: skip
    transcript = read_text(text, "eaf", tier_map="w=word")
    assert (transcript[0].words, transcript[0].starts) == (("ab", "cd"), (0.0, 0.5))


@each_case(
    ("text", "message"),
    [
        (document(tier("a", aligned("a1", "t0", "t9", "x"))),
         '<stream>:3: expected the id of a time slot (TIME_SLOT_REF2), found "t9"'),
        (document(tier("a", referring("a1", "b7", "x"))),
         '<stream>:3: expected the id of an annotation (ANNOTATION_REF), found "b7"'),
        (document(tier("a", referring("a1", "a2", "x"), referring("a2", "a1", "x"))),
         '<stream>:3: expected references (ANNOTATION_REF) that lead to an annotation with times, found a circular reference at "a1"'),
        (
            document(
                tier("a", aligned("a0", "t0", "t500", "x")),
                tier("b", referring("a1", "a0", "x", "a2"), referring("a2", "a0", "x", "a1")),
            ),
            '<stream>:6: expected predecessors (PREVIOUS_ANNOTATION) that lead to a first annotation, found a circular reference at "a1"',
        ),
        (document(tier("a", aligned("a0", "t0", "t500", "x")), tier("b", referring("a1", "a0", "x", "q"))),
         '<stream>:6: expected the id of an annotation of the same parent and tier (PREVIOUS_ANNOTATION), found "q"'),
        (document(tier("a", PARENT_REF="b"), tier("b", PARENT_REF="a")),
         '<stream>:2: expected parent tiers that lead to a top tier, found "a" in "b"'),
        (document(tier("a"), tier("a")),
         '<stream>:5: expected a tier with a name of its own (line 2 has it), found "a"'),
        (document(slots=[("t0", "1.5")]),
         '<stream>:1: expected a TIME_VALUE of whole units, 0 or more, found "1.5"'),
        (document(header='<HEADER TIME_UNITS="hours"/>'),
         '<stream>:1: expected TIME_UNITS milliseconds, NTSC-frames, PAL-frames, found "hours"'),
        ("<TIERS/>", '<stream>:1: expected a root element "ANNOTATION_DOCUMENT", found "TIERS"'),
        ('<!DOCTYPE d [<!ENTITY e "x">]><ANNOTATION_DOCUMENT>&e;</ANNOTATION_DOCUMENT>',
         "<stream>:1: expected XML without a DTD inside the file, found a DOCTYPE that defines entities or elements"),
    ],
)  # fmt: skip
def test_refusals(read_text: ReadText, text: str, message: str) -> None:
    assert message_of(SyntaxFormatError, lambda: read_text(text, "eaf")) == message


def test_overlaps_and_annotations_without_length_are_remarked(read_text: ReadText) -> None:
    text = document(
        tier(
            "anne",
            aligned("a1", "t0", "t500", "x"),
            aligned("a2", "t250", "t1000", "y"),
            aligned("a3", "t1000", "t1000", "z"),
            PARTICIPANT="anne",
        )
    )
    transcript = read_text(text, "eaf")
    assert [s.words for s in transcript] == [("x",), ("y",), ("z",)]
    assert remarks(transcript) == [
        remark_line(EAF_EMPTY, 5, annotation="a3", time=1.0),
        remark_line(EAF_OVERLAP, 4, tier="anne", time=0.25, end=0.5),
    ]


@pytest.mark.parametrize(
    ("unit", "end"), [("milliseconds", 0.1), ("PAL-frames", 4.0), ("NTSC-frames", 3.336670003)]
)
def test_units_of_time(read_text: ReadText, unit: str, end: float) -> None:
    text = document(
        tier("anne", aligned("a1", "b", "e", "x")),
        slots=[("b", 0), ("e", 100)],
        header=f'<HEADER TIME_UNITS="{unit}"/>',
    )
    assert read_text(text, "eaf")[0].end == end


def test_the_recording_is_the_only_audio_file_or_this_one(read_text: ReadText) -> None:
    one = '<MEDIA_DESCRIPTOR MEDIA_URL="file:///C:/x/monday.wav" MIME_TYPE="audio/x-wav"/>'
    film = '<MEDIA_DESCRIPTOR MEDIA_URL="file:///x/film.mp4" MIME_TYPE="video/mp4"/>'
    two = one.replace("monday", "tuesday")
    for media, name in ((one, "monday"), (film + one, "monday"), (one + two, "rec"), (film, "rec")):
        text = document(
            tier("anne", aligned("a1", "t0", "t500", "x")), header=f"<HEADER>{media}</HEADER>"
        )
        assert read_text(text, "eaf")[0].recording == name


def test_the_origin_of_the_media_is_told_and_subtracted_on_request(read_text: ReadText) -> None:
    media = '<MEDIA_DESCRIPTOR MEDIA_URL="file:///x/monday.wav" MIME_TYPE="audio/x-wav" TIME_ORIGIN="400"/>'
    text = document(
        tier("anne", aligned("a1", "t250", "t1000", "x"), aligned("a2", "t1000", "t1500", "y"),
             PARTICIPANT="anne"),
        header=f"<HEADER>{media}</HEADER>",
    )  # fmt: skip
    transcript = read_text(text, "eaf")
    assert [(s.start, s.end) for s in transcript] == [(0.25, 1.0), (1.0, 1.5)]
    assert remarks(transcript) == [
        remark_line(EAF_ORIGIN, 1, recording="monday", milliseconds="400")
    ]
    shifted = read_text(text, "eaf", apply_origin=True)
    assert [(s.start, s.end) for s in shifted] == [(0.0, 0.6), (0.6, 1.1)]
    assert remarks(shifted)[1:] == [remark_line(EAF_BEFORE_ORIGIN, 3)]


def test_empty_annotations_are_nothing_or_events_on_request(read_text: ReadText) -> None:
    text = document(
        tier("anne", aligned("a1", "t0", "t500", ""), aligned("a2", "t500", "t750", "x"))
    )
    assert [s.words for s in read_text(text, "eaf")] == [("x",)]
    kept = read_text(text, "eaf", keep_empty=True)
    assert [(s.kind, s.words) for s in kept] == [("event", ()), ("segment", ("x",))]


def test_templates_are_empty(read_text: ReadText) -> None:
    text = "<ANNOTATION_DOCUMENT><TIME_ORDER/></ANNOTATION_DOCUMENT>"
    assert read_text(text, "eaf").segments == ()


def test_what_is_written_beyond_the_sample(read_text: ReadText) -> None:
    output = io.StringIO()
    losses = formats.write(
        Transcript(
            [
                Segment.of("rec", ["a"], speaker="anne", start=0.0004, end=2),
                Segment.of("rec", ["b"], speaker="anne", start=1, end=3),
                Segment.of("rec", ["c"], speaker="bob", start=1, end=1),
                Segment.of("rec", ["d"], tier="x", start=1, end=2),
            ],
            source="rec",
            properties={"date": "yesterday", "author": "anne\x01"},
        ),
        output,
        "eaf",
    )
    assert [str(loss) for loss in losses] == [
        "decimals of times: 1 (rounded to 3 decimals)",
        "segments without length: 1 (lengthened to 1 ms)",
        "overlapping segments: 1 (written on further tiers)",
        "speakers invented: 1 (the name of the tier is read as the speaker)",
    ]
    assert 'AUTHOR="anne" DATE="1970-01-01T00:00:00+00:00"' in output.getvalue()
    assert said(read_text(output.getvalue(), "eaf")) == [
        ("anne", "anne", 0.0, 2.0, "a"),
        ("anne#2", "anne", 1.0, 3.0, "b"),
        ("bob", "bob", 1.0, 1.001, "c"),
        ("x", "x", 1.0, 2.0, "d"),
    ]


def test_characters_that_xml_lacks_are_refused() -> None:
    segment = Segment.of("rec", ["a\x07"], start=0, end=1, line=4)
    expected = "rec:4: expected characters that XML can hold, found U+0007"
    assert message_of(LossError, lambda: written("eaf", segment)) == expected


def test_another_encoding_is_declared() -> None:
    output = io.BytesIO()
    segment = Segment.of("rec", ["wörld"], start=0, end=1)
    formats.write(Transcript([segment]), output, "eaf", encoding="latin-1")
    data = output.getvalue()
    assert data.startswith(b'<?xml version="1.0" encoding="latin-1"?>')
    assert formats.read(io.BytesIO(data), "eaf")[0].words == ("wörld",)


def test_a_repeated_id_means_the_tier_above_or_the_first(read_text: ReadText) -> None:
    text = document(
        tier("one", aligned("a1", "t0", "t500", "hello"), aligned("a1", "t500", "t1000", "there")),
        tier("two", aligned("a1", "t1000", "t2000", "you")),
        tier(
            "notes", referring("a1", "a1", "x"), referring("b", "a1", "y", "a1"), PARENT_REF="two"
        ),
        tier("other", referring("c", "a1", "z"), PARENT_REF="one"),
    )
    transcript = read_text(text, "eaf", tier_map="notes=segment,other=segment")
    assert [(tier, start, end, words) for tier, _, start, end, words in said(transcript)] == [
        ("one", 0.0, 0.5, "hello"),
        ("one", 0.5, 1.0, "there"),
        ("two", 1.0, 2.0, "you"),
        ("notes", 1.0, 1.5, "x"),
        ("notes", 1.5, 2.0, "y"),
        ("other", 0.0, 0.5, "z"),
    ]
    told = [str(d) for d in transcript.diagnostics if d.code == "EAF-ID"]
    assert told == [remark_line(EAF_ID, 4, annotations=3)]


def test_a_parent_that_is_missing_is_warned_of(read_text: ReadText) -> None:
    text = document(tier("anne", aligned("a0", "t0", "t500", "hello"), PARENT_REF="q"))
    transcript = read_text(text, "eaf")
    assert [segment.words for segment in transcript] == [("hello",)]
    assert "EAF-PARENT" in [d.code for d in transcript.diagnostics]


def test_annotations_inside_others_are_of_the_same_tier(read_text: ReadText) -> None:
    inner = f"<ANNOTATION>{aligned('a1', 't500', 't1000', 'one')}</ANNOTATION>"
    outer = f"<ANNOTATION>{aligned('a0', 't0', 't500', 'hello')}{inner}</ANNOTATION>"
    deep = aligned("a2", "t1000", "t1900", "two") + outer
    text = document(tier("anne", deep), slots=[(f"t{n}", n) for n in (0, 500, 1000, 1900)])
    transcript = read_text(text, "eaf")
    assert [segment.words for segment in transcript] == [("hello",), ("one",), ("two",)]
    assert [d.message for d in transcript.diagnostics if d.code == "EAF-NESTED"] == [
        message_text(EAF_NESTED, annotations=2)
    ]


def test_words_that_have_nothing_in_common_with_their_utterance_are_read_beside_it(
    read_text: ReadText,
) -> None:
    text = document(
        tier("anne", aligned("a1", "t0", "t1000", "these are words")),
        tier("anne-words", *[referring(f"b{n}", "a1", w) for n, w in enumerate(("x", "yy", "z"))],
             PARENT_REF="anne"),
    )  # fmt: skip
    transcript = read_text(text, "eaf")
    assert [segment.words for segment in transcript] == [
        ("these", "are", "words"), ("x", "yy", "z"),
    ]  # fmt: skip
    assert values_said(transcript.diagnostics[-1:]) == [
        ("TIER-TEXT", {"tier": "anne", "words": "anne-words"})
    ]


def test_annotations_that_end_before_they_begin_have_no_times(read_text: ReadText) -> None:
    text = document(
        tier("ann", aligned("a1", "t500", "t0", "so"), aligned("a2", "t0", "t500", "well"))
    )
    transcript = read_text(text, "eaf")
    assert {s.words: (s.start, s.end) for s in transcript} == {
        ("so",): (None, None),
        ("well",): (0.0, 0.5),
    }
    assert remark_line(EAF_REVERSED, 3, begin=0.5, end=0.0) in remarks(transcript)


def test_times_before_the_recording_are_its_begin(read_text: ReadText) -> None:
    text = document(tier("ann", aligned("a1", "x", "y", "so")), slots=[("x", "-400"), ("y", "500")])
    transcript = read_text(text, "eaf")
    assert [(s.words, s.start, s.end) for s in transcript] == [(("so",), 0.0, 0.5)]
    assert remark_line(EAF_BEFORE, 1, time="-400") in remarks(transcript)


def test_texts_below_references_are_speech_as_toolbox_names_them(read_text: ReadText) -> None:
    transcript = read_text(
        document(
            tier("ref@ann", aligned("a1", "t0", "t500", "story.001"), LINGUISTIC_TYPE_REF="ref"),
            tier("tx@ann", referring("b1", "a1", "so it was"),
                 PARENT_REF="ref@ann", LINGUISTIC_TYPE_REF="tx"),
            tier("ft@ann", referring("c1", "b1", "eso fue"),
                 PARENT_REF="tx@ann", LINGUISTIC_TYPE_REF="ft"),
        ),
        "eaf",
    )  # fmt: skip
    speech = [(s.words, s.speaker, s.end) for s in transcript if s.kind == "segment"]
    assert speech == [(("so", "it", "was"), "ann", 0.5)]


def test_translations_below_are_no_words_whatever_their_type(read_text: ReadText) -> None:
    transcript = read_text(
        document(
            tier("transcription", aligned("a1", "t0", "t500", "eso fue")),
            tier("translation", referring("b1", "a1", "it was"),
                 PARENT_REF="transcription", LINGUISTIC_TYPE_REF="wordtoword"),
        ),
        "eaf",
    )  # fmt: skip
    assert {s.tier: s.kind for s in transcript} == {
        "transcription": "segment",
        "translation": "event",
    }


def test_tiers_without_annotations_beside_others_are_empty(read_text: ReadText) -> None:
    assert list(read_text(document(tier("ann"), tier("bob")), "eaf")) == []
