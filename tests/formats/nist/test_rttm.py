"""rttm: records, turns and their words, odd files, checks, writing."""

from io import BytesIO, StringIO
from pathlib import Path

import pytest

import formats
from formats import ConversionError, FormatError, LossError, Segment, Token, Transcript
from formats.io.messages import COMMENT, NAME_WITH_BLANKS, NO_END
from formats.nist.messages import (
    RTTM_CONFIDENCE,
    RTTM_DUPLICATE,
    RTTM_ESTIMATED,
    RTTM_FIELDS,
    RTTM_LOOKAHEAD,
    RTTM_OVERLAP,
    RTTM_POINT,
    RTTM_SPEAKER,
    RTTM_SUBTYPE,
    RTTM_VALUE,
)
from tests.each_case import each_case
from tests.formats.checks import message_of, message_text, remark_line
from tests.formats.conftest import ReadText

TURN = "SPEAKER rec1 1 0.5 1.75 <NA> <NA> anne <NA> <NA>\n"


def remarks(transcript: Transcript, *severities: str) -> list[str]:
    return [str(d) for d in transcript.diagnostics if d.severity in (severities or ("warning",))]


def written(*segments: Segment, **options: object) -> tuple[list[str], list[str]]:
    output = StringIO()
    losses = formats.write(Transcript(segments), output, "rttm", **options)  # type: ignore[arg-type]
    return output.getvalue().splitlines(), [str(loss) for loss in losses]


def test_speech_is_all_that_is_left_on_request() -> None:
    turn = Segment.of("a", ["x"], channel="1", speaker="bob", start=1, end=2, starts=[1], ends=[2])
    other = Segment.of("a", [], channel="1", speaker="amy", start=1.5, end=3)
    other = other.replace(properties=(("gender", "f"),))
    region = Segment.of("a", [], channel="1", start=0, end=9).replace(kind="ignored")
    lines, losses = written(other, region, turn, speech_only=True)
    assert lines == [
        "SPKR-INFO a 1 <NA> <NA> <NA> unknown speech <NA> <NA>",
        "SPEAKER a 1 1.000 1.000 <NA> <NA> speech <NA> <NA>",
        "SPEAKER a 1 1.500 1.500 <NA> <NA> speech <NA> <NA>",
    ]
    assert sorted(losses) == sorted(
        [
            "order of segments: 2 (sorted by recording, channel and start)",
            "properties: 1 (only speech is written)",
            "speakers: 2 (only speech is written)",
            "ignored regions: 1 (only speech is written)",
            "words: 1 (only turns are written)",
        ]
    )


def test_words_belong_to_the_turn_of_their_speaker(read_text: ReadText) -> None:
    text = (
        "LEXEME rec1 1 0.750 0.300 world FRAG anne <NA> <NA>\n"
        "LEXEME rec1 1 0.500 0.250 hello lex anne 0.98 <NA>\n"
        "LEXEME rec1 1 1.000 0.250 yes lex bob <NA> <NA>\n"
        "LEXEME rec1 1 2.200 0.0505 edge lex anne <NA> <NA>\n"
        "LEXEME rec1 1 2.250 0.250 late lex anne <NA> <NA>\n" + TURN
    )
    turn, bob, late = read_text(text, "rttm")
    assert (turn.start, turn.end, turn.speaker, turn.line) == (0.5, 2.25, "anne", 6)
    assert turn.tokens == (
        Token("hello", 500_000_000, 750_000_000, 0.98),
        Token("world", 750_000_000, 1_050_000_000, None, "FRAG"),
        Token("edge", 2_200_000_000, 2_250_500_000),
    )
    assert (bob.words, bob.start, bob.speaker) == (("yes",), None, "bob")
    assert (late.words, late.start, late.speaker) == (("late",), None, "anne")


def test_a_word_in_an_enclosing_turn(read_text: ReadText) -> None:
    text = (
        "SPEAKER r 1 0 10 <NA> <NA> a <NA> <NA>\nSPEAKER r 1 1 1 <NA> <NA> a <NA> <NA>\n"
        "LEXEME r 1 4 1 x lex a <NA> <NA>\n"
    )
    first, second = read_text(text, "rttm")
    assert (first.words, second.words) == (("x",), ())


def test_other_types(read_text: ReadText) -> None:
    text = (
        "spkr-info r 1 <NA> <NA> <NA> adult_male a <NA> <NA>\n"
        "segment r 1 0 9 <NA> eval <NA> <NA>\n"
        "NOSCORE r 1 0 1 <NA> <NA> <NA> <NA> <NA>\n"
        "NO_RT_METADATA r 1 1 1 <NA> <NA> <NA> <NA> <NA>\n"
        "NON-SPEECH r 1 2 1 <NA> music <NA> <NA> <NA>\n"
        "NON-LEX r 1 3 1 ha laugh a 0.5 0.25\n"
        "IP r 1 4 <NA> <NA> edit&filler a <NA> <NA>\n"
        "A/P r 1 5 1 <NA> <NA> a <NA> <NA>\n"
        "LEXEME r 1 6 1 <NA> lex a <NA> <NA>\n"
    )
    transcript = read_text(text, "rttm")
    assert [(s.kind, s.tier, s.words, s.start, s.end) for s in transcript] == [
        ("scored", None, (), 0.0, 9.0),
        ("ignored", None, (), 0.0, 1.0),
        ("ignored", "NO_RT_METADATA", (), 1.0, 2.0),
        ("event", "NON-SPEECH", ("music",), 2.0, 3.0),
        ("event", "NON-LEX", ("laugh",), 3.0, 4.0),
        ("event", "IP", ("edit&filler",), 4.0, 4.0),
        ("event", "A/P", (), 5.0, 6.0),
        ("event", "LEXEME", ("lex",), 6.0, 7.0),
    ]
    assert transcript[0].properties == (("subtype", "eval"),)
    assert transcript[4].properties == (
        ("gender", "adult_male"), ("lookahead", "0.25"), ("orthography", "ha"),
    )  # fmt: skip
    assert transcript[4].confidence == 0.5
    lines, losses = written(*transcript)
    assert losses == ["properties: 4 (--speaker-info writes the gender)"]
    lines, losses = written(*transcript, speaker_info=True)
    assert losses == []
    assert sorted(read_text("\n".join(lines), "rttm"), key=repr) == sorted(transcript, key=repr)


@each_case(
    ("text", "message"),
    [
        ("SPEAKER r 1 0 1 <NA> <NA> a\n",
         remark_line(RTTM_FIELDS, 1)),
        ("SPKR-INFO r 1 0 1 <NA> child a <NA>\n",
         remark_line(RTTM_VALUE, 1)),
        ("CB r 1 0 1 <NA> clausal a <NA>\n",
         remark_line(RTTM_POINT, 1, 10, type='CB', text='1')),
        ("NON-SPEECH r 1 0 1 <NA> laugh a <NA>\n",
         remark_line(RTTM_SUBTYPE, 1, 25, subtype='laugh', type='NON-SPEECH', expected='music, noise, other')),
        (TURN + "SPEAKER rec1 1 2 1 <NA> <NA> anne <NA>\n",
         remark_line(RTTM_OVERLAP, 2, before=1)),
    ],
)  # fmt: skip
def test_warnings(read_text: ReadText, text: str, message: str) -> None:
    assert remarks(read_text(text, "rttm")) == [message]


@each_case(
    ("text", "message"),
    [
        ("SPEAKER r 1 0.5* 1 <NA> <NA> a <NA>\n",
         remark_line(RTTM_ESTIMATED, 1, 13)),
        ("SPEAKER r 1 0.5 1 <NA> <NA> a 1.5\n",
         remark_line(RTTM_CONFIDENCE, 1, 31, text='1.5')),
        ("LEXEME r 1 0.5 1 x lex a <NA> 0.1\n",
         remark_line(RTTM_LOOKAHEAD, 1, type='LEXEME')),
        ("SPKR-INFO r 1 <NA> <NA> <NA> child a <NA>\n",
         remark_line(RTTM_SPEAKER, 1, name='a')),
        (2 * "SPKR-INFO r 1 <NA> <NA> <NA> child anne <NA>\n" + TURN.replace("rec1", "r"),
         remark_line(RTTM_DUPLICATE, 2, first=1)),
        ("# a comment\n", remark_line(COMMENT, 1)),
    ],
)  # fmt: skip
def test_notes(read_text: ReadText, text: str, message: str) -> None:
    assert remarks(read_text(text, "rttm"), "note", "warning") == [message]


def test_merging_turns(read_text: ReadText) -> None:
    text = TURN + "SPEAKER rec1 1 2 1 <NA> <NA> anne <NA>\nLEXEME rec1 1 2 1 x lex anne <NA>\n"
    (turn,) = read_text(text, "rttm", rttm_merge=True)
    assert (turn.start, turn.end, turn.words) == (0.5, 3.0, ("x",))


def test_alternations_of_sctk(read_text: ReadText) -> None:
    text = (
        "LEXEME r 1 0 2 {_um_/_uh_her_} lex a 0.5 <NA>\nLEXEME r 1 2 2 how_are lex a <NA> <NA>\n"
        "LEXEME r 1 4 1 you lex a <NA> <NA>\n"
    )
    (plain,) = read_text(text, "rttm")
    assert plain.words == ("{_um_/_uh_her_}", "how_are", "you")
    (rich,) = read_text(text, "rttm", rttm_sctk=True)
    assert repr(rich) == "<Segment r channel=1 speaker=a: ('um' / 'uh' 'her') 'how' 'are' 'you'>"
    assert rich.starts == (2.0, 3.0, 4.0)
    assert rich.interpolated == (True, True, False)
    assert [token.confidence for _, said in rich.alternations for token in said.tokens()] == [
        0.5, 0.5, 0.5,
    ]  # fmt: skip


def test_writing(read_text: ReadText) -> None:
    turn = Segment.of(
        "rec1", ["a"], channel="1", speaker="anne", start=0.5, end=2.0005, starts=[0.6],
        ends=[0.70049], properties={"gender": "f"}, labels=["F"],
    )  # fmt: skip
    region = Segment.of("rec0", channel="A", start=1, end=2, kind="scored")
    lines, losses = written(turn, region, rttm_words=True, speaker_info=True)
    assert lines == [
        "SPKR-INFO rec1 1 <NA> <NA> <NA> adult_female anne <NA> <NA>",
        "SEGMENT rec0 A 1.000 1.000 <NA> <NA> <NA> <NA> <NA>",
        "SPEAKER rec1 1 0.500 1.500 <NA> <NA> anne <NA> <NA>",
        "LEXEME rec1 1 0.600 0.100 a lex anne <NA> <NA>",
    ]
    assert losses == [
        "labels: 1", "decimals of times: 2 (rounded to 3 decimals)",
        "order of segments: 2 (sorted by recording, channel and start)",
    ]  # fmt: skip
    lines, losses = written(turn)
    assert lines == ["SPEAKER rec1 1 0.500 1.500 <NA> <NA> anne <NA> <NA>"]
    assert "words: 1 (only turns are written)" in losses


def test_turns_need_no_words_with_times() -> None:
    turn = Segment.of("rec", ["a", "b"], channel="1", speaker="anne", start=1, end=2)
    lines, losses = written(turn)
    assert lines == ["SPEAKER rec 1 1.000 1.000 <NA> <NA> anne <NA> <NA>"]
    assert losses == ["words: 2 (only turns are written)"]
    half = turn.replace(starts_ns=(10**9, None), ends_ns=(15 * 10**8, None))
    lines, losses = written(half, rttm_words=True)
    assert lines[1:] == ["LEXEME rec 1 1.000 0.500 a lex anne <NA> <NA>"]
    assert losses == ["words: 1 (the words have no times)"]


def test_a_layer_about_a_speaker_is_no_event_of_the_recording() -> None:
    layer = Segment.of("r", ["T"], speaker="anne", tier="xds@anne", kind="event", start=1, end=2)
    lines, losses = written(layer)
    assert lines == []
    assert "events: 1 (labels of a layer about a speaker are not written)" in losses


def test_events_of_other_formats_get_a_type() -> None:
    common = {"channel": "1", "start": 1.0, "end": 2.0, "kind": "event"}
    lines, losses = written(
        Segment.of("r", ["laugh"], **common),  # type: ignore[arg-type]
        Segment.of("r", ["door", "bell"], **common),  # type: ignore[arg-type]
    )
    assert [line.split()[0] + " " + line.split()[6] for line in lines] == [
        "NON-LEX laugh", "NON-SPEECH door_bell",
    ]  # fmt: skip
    assert losses == ['names of events: 1 (the words are joined by "_")']


@pytest.mark.parametrize(
    ("segment", "message"),
    [
        (Segment.of("r", ["a"], channel="1", starts=[1], ends=[0.5], line=7),
         '7: expected times in order for the word "a", found 1.0 to 0.5'),
        (Segment.of("r", ["<na>"], channel="1", starts=[1], ends=[2], line=7),
         '7: expected a word that the format can hold, found "<na>", which would be read as none'),
        (Segment.of("r", channel="1", start=-1, end=2, line=7),
         "7: expected a time of 0 or more, found -1.0"),
    ],
)  # fmt: skip
def test_what_cannot_be_written(segment: Segment, message: str) -> None:
    assert message_of(LossError, lambda: written(segment, rttm_words=True)) == message


def test_a_turn_needs_times() -> None:
    open_turn = Segment.of("r", channel="1", start=1, line=7)
    message = f"7: {message_text(NO_END, format='rttm')}"
    assert message_of(ConversionError, lambda: written(open_turn)) == message
    assert "--interpolate uniform" in message


def test_names_with_blanks_are_joined() -> None:
    turn = Segment.of("my talk", channel="1", speaker="Ann Lee", start=1, end=2)
    lines, losses = written(turn)
    assert lines == ["SPEAKER my_talk 1 1.000 1.000 <NA> <NA> Ann_Lee <NA> <NA>"]
    assert losses == ["names with blanks: 2 (joined by _)"]
    message = message_text(NAME_WITH_BLANKS, what="a speaker", name="Ann Lee")
    named = turn.replace(recording="talk")
    assert message_of(LossError, lambda: written(named, inner_space="error")) == message
    other = named.replace(speaker="Ann_Lee", line=3)
    message = '3: the speakers "Ann Lee" and "Ann_Lee" would both be written as Ann_Lee'
    assert message_of(ConversionError, lambda: written(named, other)).startswith(message)
    message = 'the speakers "Ann_Lee" and "Ann Lee" would both be written as Ann_Lee'
    assert message_of(ConversionError, lambda: written(other, named)).startswith(message)


NAMES = "Type,File ID,Channel ID,Turn Onset,Turn Duration,Orthography,Speaker Type,Speaker Name,Confidence Score"


def test_a_table_with_the_names_of_the_fields_is_rttm(tmp_path: Path) -> None:
    path = tmp_path / "turns.csv"
    path.write_text(
        f"{NAMES}\nSPEAKER,my talk,1,0.5,1.25,<NA>,<NA>,Ann Lee,<NA>\nSPEAKER,my talk,1,2,1,,,Bob,0.5\n"
    )
    transcript = formats.read(path)
    assert transcript.format == "rttm"
    assert [(x.recording, x.speaker, x.start_ns, x.end_ns, x.confidence) for x in transcript] == [
        ("my talk", "Ann Lee", 500_000_000, 1_750_000_000, None),
        ("my talk", "Bob", 2 * 10**9, 3 * 10**9, 0.5),
    ]


def test_an_error_in_a_table_names_its_row(tmp_path: Path) -> None:
    path = tmp_path / "turns.csv"
    path.write_text(f"{NAMES}\nSPEAKER,talk,1,0.5,x,<NA>,<NA>,Ann,<NA>\n")
    with pytest.raises(FormatError) as caught:
        formats.read(path)
    assert (caught.value.line, caught.value.column) == (2, 20)


def test_languages_are_read_like_speakers(read_text: ReadText) -> None:
    text = (
        "LANGUAGE a 1 0.5 1.0 <NA> <NA> L1 <NA> <NA>\nLANGUAGE a 1 1.5 0.5 <NA> <NA> L2 <NA> <NA>\n"
    )
    transcript = read_text(text, "rttm")
    assert [(s.speaker, s.start, s.end) for s in transcript] == [("L1", 0.5, 1.5), ("L2", 1.5, 2.0)]
    assert {d.code for d in transcript.diagnostics} == {"RTTM-LANGUAGE"}
    assert formats.detect(BytesIO(text.encode())) == "rttm"
