"""What readers of NIST's formats refuse, and how sure they are of a beginning."""

from io import StringIO

import formats
from formats.detection import by_name
from formats.detection.head import Head
from formats.detection.spec import Sniff
from formats.nist.messages import UEM_OVERLAP
from tests.each_case import each_case
from tests.formats.checks import message_of, message_text

TURN = "SPEAKER rec1 1 0.5 1.75 <NA> <NA> anne <NA> <NA>\n"
FIELDS = "recording, channel, begin, duration, word and at most confidence, type and speaker"
KINDS = (
    "A/P, CB, EDIT, FILLER, IP, LEXEME, NON-LEX, NON-SPEECH, NOSCORE, NO_RT_METADATA, SEGMENT, "
    "SPEAKER, SPKR-INFO, SU"
)
GOOD = {
    "trn": "a (z-1)",
    "stm": "z 1 s 0 1 a",
    "ctm": "z 1 0 1 last",
    "rttm": "SPEAKER z 1 0.5 1.75 <NA> <NA> anne <NA> <NA>",
    "uem": "z 1 0 1",
}
REFUSED = {
    "trn": [
        ("a b c", '1:6: expected "(id)" at the end of the line, found no parentheses'),
        ("a (s-1", '1:7: expected ")" after the id, found the end of the line'),
        ("a s-1)", '1:6: expected "(" before the id, found ")"'),
        ("a ) b (s-1", '1:11: expected ")" after the id, found the end of the line'),
        ("a ()", '1:4: expected an id, found "()"'),
        ("a { b (s-1)", '1:3: expected "}" to close this "{", found the end of the text'),
        ("ok (s-1)\nno (s-1)",
         '2: expected a unique id, found "s-1", which line 1 has with other words'),
    ],
    "stm": [
        ("f 1 s 0", '1:8: expected recording, channel, speaker, begin and end, found 4 fields'),
        ("f", '1:2: expected recording, channel, speaker, begin and end, found 1 field'),
        ("f 1 s x 0 1 a", '1:7: expected begin time in seconds, found "x"'),
        ("f 1 s 0 1,5 a", '1:9: expected end time in seconds with a point, not a comma, found "1,5"'),
        ("f 1 s -1 1 a", '1:7: expected begin time of 0 or more, found "-1"'),
        ("f 1 s 2 1 a", '1:9: expected an end time of 2 or after, found "1"'),
        ("f 1 s 0 1 a { b", '1:13: expected "}" to close this "{", found the end of the text'),
        ("f 1 s 0 1 <o,p> { }", "1:17: expected a word or @ between braces, found none"),
    ],
    "ctm": [
        ("a 1 0 1", f"1:8: expected {FIELDS}, found 4 fields"),
        ("a", f"1:2: expected {FIELDS}, found 1 field"),
        ("a 1 0 1 x 1 lex s more", f"1:19: expected {FIELDS}, found 9 fields"),
        ("** x", f"1:5: expected {FIELDS}, found 2 fields"),
        ("a 1 zero 1 x", '1:5: expected begin time in seconds, found "zero"'),
        ("a 1 0 1,5 x", '1:7: expected duration in seconds with a point, not a comma, found "1,5"'),
        ("a 1 -0.5 1 x", '1:5: expected begin time of 0 or more, found "-0.5"'),
        ("a 1 1 -0.5 x", '1:7: expected duration of 0 or more, found "-0.5"'),
        ("a 1 0 1 x high", '1:11: expected a confidence or NA, found "high"'),
        ("a 1 0 1 x nan", '1:11: expected a confidence or NA, found "nan"'),
        ("a 1 0 1 x 1e999", '1:11: expected a confidence or NA, found "1e999"'),
        ("a 1 0 1 <ALT_END>", '1:9: expected <ALT_BEGIN> before <ALT_END>, found "<ALT_END>"'),
        ("a 1 0 1 <ALT>", '1:9: expected <ALT_BEGIN> before <ALT>, found "<ALT>"'),
        ("a 1 0 1 <ALTX>",
         '1:9: expected <ALT_BEGIN>, <ALT> or <ALT_END>, found "<ALTX>"'),
        ("a 1 * * <ALT_BEGIN>\na 1 * * <ALT_BEGIN>",
         "2:9: expected <ALT_END> for the <ALT_BEGIN> of line 1 first, found \"<ALT_BEGIN>\""),
        ("a 1 * * <ALT_BEGIN>\na 1 0 1 x\nb 1 0 1 y",
         "1: expected <ALT_END> for this <ALT_BEGIN>, found none in a 1"),
    ],
    "rttm": [
        ("TURN r 1 0 1 <NA> <NA> a <NA>", f'1:1: expected a type out of {KINDS}, found "TURN"'),
        ("SPEAKER r 1 0 1", "1:16: expected 9 or 10 fields, found 5 fields"),
        ("SPEAKER r 1 0 1 <NA> <NA> anne of kent <NA> <NA>",
         "1:40: expected 9 or 10 fields (names cannot hold blanks), found 12 fields"),
        ("SPEAKER r 1 x 1 <NA> <NA> a <NA>", '1:13: expected begin time in seconds, found "x"'),
        ("SPEAKER r 1 <NA> 1 <NA> <NA> a <NA>",
         '1:13: expected begin time in seconds, found "<NA>"'),
        ("SPEAKER r 1 0 -1 <NA> <NA> a <NA>", '1:15: expected duration of 0 or more, found "-1"'),
        ("SPEAKER r 1 0 1 <NA> <NA> a high", '1:29: expected a confidence or <NA>, found "high"'),
        ("SPKR-INFO r 1 <NA> <NA> <NA> child a <NA>\nSPKR-INFO r 1 <NA> <NA> <NA> unknown a <NA>",
         '2: expected one SPKR-INFO for a speaker, found another one for "a", whom line 1 calls '
         "child"),
    ],
    "uem": [
        ("r 1 0", "1:6: expected recording, channel, begin and end, found 3 fields"),
        ("r 1 0 1,5", '1:7: expected end time in seconds with a point, not a comma, found "1,5"'),
        ("r 1 x 1", '1:5: expected begin time in seconds, found "x"'),
        ("r 1 1 1", '1:7: expected an end time after 1, found "1"'),
        ("r 1 5 9\nr 1 0 5.1", f"1: {message_text(UEM_OVERLAP, before=2)}"),
    ],
}  # fmt: skip
SNIFFED = {
    "trn": [
        (["a (b-1)", ";; x", "", "(b-2)"], Sniff.SURE),
        (["a (b-1)", "b"], Sniff.NO),
        (["a (b-1)", "c (d-1)", "b"], Sniff.MAYBE),
        (["b) (c", "a (b) c)"], Sniff.NO),
        ([], Sniff.NO),
    ],
    "stm": [
        (["f 1 s 0 1 a", ";; x"], Sniff.SURE),
        (["f 1 s 0 1 a"] * 9 + ["x"], Sniff.SURE),
        (["f 1 s 0 1 a", "x"], Sniff.NO),
        (["f 1 s 1 0 a"], Sniff.NO),
        (["f 1 7 0.5 1.5 a"], Sniff.SURE),
        (["SPEAKER f 1 0.5 1.5 <NA> <NA> a <NA>"], Sniff.NO),
        (["f 1 7 0.5 1.5 a"] * 19 + ["x"], Sniff.MAYBE),
        (["f 1 0.5 0.2 4"], Sniff.MAYBE),
        ([], Sniff.NO),
    ],
    "ctm": [
        (["a 1 0 1 x", "; y", "a 1 * * <ALT>"], Sniff.SURE),
        (["a 1 0 1 x"] * 9 + ["y"], Sniff.SURE),
        (["a 1 0 1 x", "y"], Sniff.NO),
        (["a 1 0 1 5", "a 1 1 1 6"], Sniff.MAYBE),
        (["a 1 0 1 5"] * 3 + ["a 1 1 1 six"], Sniff.SURE),
        (["a 1 0 1 w 1 lex s 9"], Sniff.NO),
        ([], Sniff.NO),
    ],
    "rttm": [
        ([TURN, ";; x"], Sniff.SURE),
        ([TURN] * 19 + ["x"], Sniff.SURE),
        ([TURN] * 18 + ["x"], Sniff.NO),
        (["speaker r 1 0 1 <NA> <NA> a"], Sniff.SURE),
        (["SPEAKER one two"], Sniff.NO),
        ([], Sniff.NO),
    ],
    "uem": [
        (["r 1 0 1", "; x"], Sniff.SURE),
        (["r 1 0 1"] * 9 + ["x"], Sniff.SURE),
        (["r 1 1 0"], Sniff.NO),
        (["utt1 rec1 0 1"], Sniff.MAYBE),
        (["r 1 0 1 x"], Sniff.NO),
        ([], Sniff.NO),
    ],
}


@each_case(
    ("name", "text", "message"), [(name, *row) for name, rows in REFUSED.items() for row in rows]
)
def test_refusals(name: str, text: str, message: str) -> None:
    assert (
        message_of(formats.SyntaxFormatError, lambda: formats.read(StringIO(text), name))
        == f"<stream>:{message}"
    )
    lenient = formats.read(StringIO(f"{text}\n{GOOD[name]}\n"), name, tolerance="lenient")
    assert lenient[-1] == formats.read(StringIO(GOOD[name]), name)[0]
    errors = [d for d in lenient.diagnostics if d.severity == "error"]
    assert {d.code.partition("-")[0].lower() for d in errors} == {name}


@each_case(
    ("name", "lines", "answer"), [(name, *row) for name, rows in SNIFFED.items() for row in rows]
)
def test_sniff(name: str, lines: list[str], answer: Sniff) -> None:
    assert by_name(name).sniff(Head(lines)) is answer
