"""Rules of subtitlers: cues worked out by hand, and the command that checks files by them."""

import json
from dataclasses import replace

import pytest

from formats.cli.messages import LINES_UNCHECKED, NO_SUBTITLES
from formats.schema.errors import FormatError, OptionError
from formats.schema.model import Segment
from formats.subtitles.messages import LINT_LANGUAGE, LINT_RULES
from formats.subtitles.rules import (
    RULE_SETS,
    ShownCue,
    check_cues,
    load_rules,
    rules_named,
    shown_cues,
    width,
)
from tests.each_case import each_case
from tests.formats.case import sample
from tests.formats.checks import message_text, remark_line
from tests.formats.conftest import RunCommand, WriteFile
from tests.formats.subtitles.test_youtube import ROLLING
from tests.remarks import pattern_of, printed, says

MILLISECOND = 1_000_000
NETFLIX, CHILDREN, BBC = "netflix", "netflix-children", "bbc"

# rules, begin and end in ms, lines, and the codes with value that are expected
CUES: list[tuple[str, int | None, int | None, tuple[str, ...], list[tuple[str, float | None]]]] = [
    # 40 characters in 2 s are 20 per second, 41 are 20.5
    (NETFLIX, 0, 2000, ("x" * 40,), []),
    (NETFLIX, 0, 2000, ("x" * 41,), [("NETFLIX-CPS", 20.5)]),
    # 40 / 1.999 is 20.01, but 1.999 s may be 2 s; 40 / 1.998 is 20.02 and 1.998 s may be 1.999 s
    (NETFLIX, 0, 1999, ("x" * 40,), []),
    (NETFLIX, 0, 1998, ("x" * 40,), [("NETFLIX-CPS", 20.02)]),
    # blanks count, line breaks do not: 17 + 17 in 2 s are 17 per second
    (CHILDREN, 0, 2000, ("a b c d e f g h i", "j k l m n o p q r"), []),
    (CHILDREN, 0, 2000, ("x" * 35,), [("NETFLIX-CHILDREN-CPS", 17.5)]),
    # accents that combine and joiners take no place, a full-width character takes one
    (NETFLIX, 0, 2100, ("e\u0301" * 42,), []),
    (NETFLIX, 0, 2100, ("字" * 42,), []),
    (NETFLIX, 0, 7000, ("字" * 43,), [("NETFLIX-LINE-LENGTH", 43)]),
    (NETFLIX, 0, 7000, ("x" * 42, "y" * 42), []),
    (NETFLIX, 0, 7000, ("a", "b", "c"), [("NETFLIX-LINES", 3)]),
    # 20 frames of 24 per second are 833.3 ms, which SubRip rounds to 833
    (NETFLIX, 0, 833, ("Hi.",), []),
    (NETFLIX, 0, 832, ("Hi.",), [("NETFLIX-MIN-DURATION", 0.832)]),
    (NETFLIX, 0, 7001, ("Hi.",), []),
    (NETFLIX, 0, 7002, ("Hi.",), [("NETFLIX-MAX-DURATION", 7.002)]),
    # too short, too fast and too long at once: 43 / 0.5 is 86
    (
        NETFLIX, 0, 500, ("x" * 43,),
        [("NETFLIX-MIN-DURATION", 0.5), ("NETFLIX-CPS", 86), ("NETFLIX-LINE-LENGTH", 43)],
    ),
    # 6 words in 2 s are 180 per minute, 7 are 210; the BBC rules neither duration
    (BBC, 0, 2000, ("one two three", "four five six"), []),
    (BBC, 0, 2000, ("one two three", "four five six seven"), [("BBC-WPM", 210)]),
    (BBC, 0, 60_000, ("x" * 37,), []),
    (BBC, 0, 400, ("x" * 38,), [("BBC-LINE-LENGTH", 38)]),
    # without times only lines are checked
    (NETFLIX, 1000, None, ("a", "b", "c"), [("CUE-TIMES", None), ("NETFLIX-LINES", 3)]),
    (BBC, None, None, ("Hi.",), [("CUE-TIMES", None)]),
    (BBC, 1000, 1000, ("Hi.",), [("CUE-TIMES", None)]),
]  # fmt: skip


def check(
    rules: str, *cues: ShownCue, precision: int = MILLISECOND, fps: float = 24
) -> list[tuple[int, str, float | None]]:
    """Number, code and value of each finding."""
    findings = check_cues(cues, rules_named(rules), precision=precision, frames_per_second=fps)
    return [(finding.cue, finding.code, finding.value) for finding in findings]


def cue(number: int, begin: int | None, end: int | None, *lines: str) -> ShownCue:
    """A cue with times in milliseconds."""
    start, finish = (None if time is None else time * MILLISECOND for time in (begin, end))
    return ShownCue(number, number, start, finish, lines or ("Hi.",))


@each_case(("rules", "begin", "end", "lines", "expected"), CUES)
def test_a_cue_worked_out_by_hand(
    rules: str,
    begin: int | None,
    end: int | None,
    lines: tuple[str, ...],
    expected: list[tuple[str, float | None]],
) -> None:
    findings = check(rules, cue(1, begin, end, *lines))
    assert sorted(findings, key=repr) == sorted([(1, *row) for row in expected], key=repr)


@each_case(
    ("rules", "begin", "expected"),
    [
        # two frames of 24 per second are 83.3 ms
        (NETFLIX, 2083, []),
        (NETFLIX, 2082, [(2, "NETFLIX-GAP", 0.082)]),
        (NETFLIX, 2000, [(2, "NETFLIX-GAP", 0)]),
        (NETFLIX, 1500, [(2, "NETFLIX-OVERLAP", 0.5)]),
        (BBC, 2000, []),
        (BBC, 2500, [(2, "BBC-GAP", 0.5)]),
        (BBC, 3000, []),
        (BBC, 1500, []),
    ],
)
def test_gaps_and_overlaps(rules: str, begin: int, expected: list[tuple[int, str, float]]) -> None:
    first, second = cue(1, 0, 2000), cue(2, begin, begin + 2000)
    # 82 ms may be 83 ms, and still are no two frames
    assert check(rules, first, second) == expected
    # the order of the file does not matter
    numbers = [(3 - number, code, value) for number, code, value in expected]
    assert check(rules, second._replace(number=1), first._replace(number=2)) == numbers


def test_frames_are_those_of_the_video() -> None:
    cues = cue(1, 0, 2000), cue(2, 2080, 4000)
    assert check(NETFLIX, *cues, fps=25) == []
    assert check(NETFLIX, *cues, fps=24) == [(2, "NETFLIX-GAP", 0.08)]


def test_the_cue_that_ends_last_is_the_neighbour() -> None:
    cues = cue(1, 0, 6000), cue(2, 1000, 2000), cue(3, 3000, 4000), cue(4, 7000, None)
    assert check(NETFLIX, *cues) == [
        (2, "NETFLIX-OVERLAP", 5.0), (3, "NETFLIX-OVERLAP", 3.0), (4, "CUE-TIMES", None),
    ]  # fmt: skip


def test_centiseconds_are_less_exact() -> None:
    # 5/6 s are 0.83 s in ASS
    assert check(NETFLIX, cue(1, 0, 830)) == [(1, "NETFLIX-MIN-DURATION", 0.83)]
    assert check(NETFLIX, cue(1, 0, 830), precision=10 * MILLISECOND) == []


def test_no_cues_have_no_findings() -> None:
    assert all(check(rules.title) == [] for rules in RULE_SETS)


def test_characters_that_are_seen() -> None:
    assert [width(text) for text in ("", "a b", "e\u0301", "a\u200d\u200fb", "Ａ")] == [
        0,
        3,
        1,
        2,
        1,
    ]


def test_rules_have_names_and_dates() -> None:
    for rules in RULE_SETS:
        assert rules_named(rules.name) is rules_named(rules.title.upper()) is rules
    for name in ("", "netflix@", "netflix@1999-01", "ebu-tt-d"):
        with pytest.raises(OptionError, match=pattern_of(LINT_RULES, text=name)):
            rules_named(name)


@pytest.mark.parametrize(
    ("guide", "german", "arabic"),
    [
        ("netflix", 17, 20),
        ("netflix-children", 13, 17),
        ("netflix-sdh", 20, 23),
        ("netflix-sdh-children", 17, 20),
    ],
)
def test_reading_speeds_depend_on_the_language(guide: str, german: int, arabic: int) -> None:
    """The other limits of the guide are the same in these languages."""
    speeds = {"de": german, "de-AT": german, "DE": german, "ar": arabic}
    for language, most_cps in speeds.items():
        rules = rules_named(guide, language)
        code = language[:2].lower()
        assert rules == replace(rules_named(guide), language=code, most_cps=most_cps)
    assert rules_named(guide, "en") == rules_named(guide)


@pytest.mark.parametrize(
    ("guide", "language"), [("netflix", "ja"), ("bbc", "de"), ("bbc", "x"), ("ard-zdf", "en")]
)
def test_a_language_without_limits_is_an_error(guide: str, language: str) -> None:
    """Netflix counts half-width characters of Japanese by half, which `width` does not."""
    with pytest.raises(OptionError, match=pattern_of(LINT_LANGUAGE, language=language)):
        rules_named(guide, language)


def test_a_guide_of_one_s_own_has_the_speeds_of_its_language(write_file: WriteFile) -> None:
    write_file("house.toml", 'name = "house"\nbased-on = "netflix"\nlanguage = "de"\n')
    rules = rules_named("@house.toml", "de")
    assert (rules.most_cps, rules.full_title) == (17, "house for German")
    with pytest.raises(OptionError, match=pattern_of(LINT_LANGUAGE, language="fr")):
        rules_named("@house.toml", "fr")


def test_segments_of_one_cue_are_one_cue() -> None:
    voices = [
        Segment.of("a", [word], start=1, end=2, speaker=word, line=3) for word in ("Hi", "Yo")
    ]
    pieces = [Segment.of("a", ["x"], start=n, end=n + 1, line=9) for n in (3, 4)]
    (first, *others) = shown_cues([*voices, *pieces])
    assert first == (1, 3, 1_000_000_000, 2_000_000_000, ("Hi", "Yo"), False)
    assert [(c.number, c.lines, c.has_lines) for c in others] == [
        (2, ("x",), True),
        (3, ("x",), True),
    ]
    (_, second) = shown_cues([*voices, *pieces], by_line=True)
    assert second == (2, 9, 3_000_000_000, 5_000_000_000, ("x", "x"), False)
    # segments without lines are never joined
    assert len(list(shown_cues([segment.replace(line=None) for segment in voices]))) == 2


SRT = sample("rules-srt.txt")
GAP = "a.srt:7: cue 2: 0 s after cue 1, at least 0.083 [NETFLIX-GAP]\n"


def test_the_command_reports_findings(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.srt", SRT)
    summary = "a.srt: netflix@2025-12 for English, 2 cues, findings: 1\n"
    assert run_command("lint", "a.srt") == (3, GAP + summary, "")
    assert run_command("lint", "--quiet", "a.srt") == (3, GAP, "")
    # 7 words in 2 s are 210 per minute
    text = "a.srt:2: cue 1: 210 words per minute, at most 180 [BBC-WPM]\n"
    assert run_command("lint", "--quiet", "a.srt", "--rules", "bbc") == (3, text, "")


def test_the_command_reports_json(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.srt", SRT)
    status, output, errors = run_command("lint", "a.srt", "--json", "-")
    assert (status, errors) == (3, "")
    report = json.loads(output)
    assert report["version"] == 1
    assert [cue["text"] for cue in report["files"][0].pop("shown")][1] == "Hi."
    assert report["files"] == [
        {
            "path": "a.srt", "format": "srt", "rule_set": "netflix@2025-12", "language": "en",
            "cues": 2, "skipped": 0, "cues_without_lines": 0, "end": 4.0,
            "findings": [
                {
                    "code": "NETFLIX-GAP", "cue": 2, "line": 7, "value": 0.0, "limit": 0.083,
                    "text": "0 s after cue 1, at least 0.083", "start": 3.0, "end": 4.0,
                }
            ],
        }
    ]  # fmt: skip


CLEAN = "00:00:01{}000 --> 00:00:03{}000\nGood evening\n"


@each_case(
    ("name", "text", "count"),
    [
        ("a.srt", "1\n" + CLEAN.format(",", ","), 1),
        ("a.vtt", "WEBVTT\n\n" + CLEAN.format(".", "."), 1),
        ("a.vtt", "WEBVTT\n", 0),
        ("a.srt", "", 0),
        (
            "a.ttml",
            '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="3s">Good<br/>'
            'evening</p></div></body></tt>',
            1,
        ),
        (
            "a.ass",
            "[Script Info]\n[Events]\nFormat: Start, End, Text\n"
            "Dialogue: 0:00:01.00,0:00:01.83,{\\i1}Good\\Nevening\n",
            1,
        ),
    ],
)  # fmt: skip
def test_clean_files(
    write_file: WriteFile, run_command: RunCommand, name: str, text: str, count: int
) -> None:
    write_file(name, text)
    status, output, _ = run_command("lint", name)
    assert (status, output) == (
        0,
        f"{name}: netflix@2025-12 for English, {count} cue{'s' * (count != 1)}, findings: 0\n",
    )


def test_bad_input_is_an_error(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.srt", SRT)
    write_file("bad.srt", "1\n00:00:01,000 --> soon\nHi.\n\n" + SRT)
    status, output, errors = run_command("lint", "bad.srt")
    # the other cues are checked nevertheless
    assert (status, output.count("[NETFLIX-GAP]")) == (2, 1)
    assert errors.startswith("formats: error: bad.srt:2:")
    assert run_command("lint", "none.srt", "a.srt")[0] == 2
    assert run_command("lint", "a.srt", "--rules", "ebu-tt-d") == (
        2, "", f"formats: error: {message_text(LINT_RULES, names=[rules.title for rules in RULE_SETS], text='ebu-tt-d')} [LINT-RULES]\n",
    )  # fmt: skip
    for rate in ("0", "x", "nan", "inf"):
        status, _, errors = run_command("lint", "a.srt", "--video-fps", rate)
        assert (status, "expected 1 to 1000 frames per second" in errors) == (2, True)


OWN = 'name = "house"\nbased-on = "netflix"\nmost-cps = 12.5\nleast-gap-frames = false\n'


def test_a_guide_of_one_s_own_is_a_file(write_file: WriteFile, run_command: RunCommand) -> None:
    """The other limits are those of the guide that it is based on."""
    write_file("house.toml", OWN)
    rules = load_rules("house.toml")
    assert rules == replace(
        rules_named("netflix"), name="house", date="", most_cps=12.5, least_gap_frames=None
    )
    write_file("a.srt", "1\n00:00:01,000 --> 00:00:03,000\n" + "x" * 26 + "\n")
    assert run_command("lint", "a.srt", "--rules", "@house.toml")[:2] == (
        3,
        "a.srt:2: cue 1: 13 characters per second, at most 12.5 [HOUSE-CPS]\n"
        "a.srt: house for English, 1 cue, findings: 1\n",
    )
    assert run_command("lint", "a.srt", "--rules", "netflix")[0] == 0
    output = run_command("lint", "a.srt", "--rules", "@house.toml", "--json", "-")[1]
    [report] = json.loads(output)["files"]
    shown = {"start": 1, "end": 3, "character_count": 26, "word_count": 1, "text": "x" * 26}
    assert report["shown"] == [{"cue": 1, "line": 2, **shown}]


@pytest.mark.parametrize(
    ("milliseconds", "letters", "text"),
    [
        (1340, 44, "32.8 characters per second, at most 20"),
        (6985, 140, "20.04 characters per second, at most 20"),
        (1000, 44, "44 characters per second, at most 20"),
    ],
)
def test_speeds_have_one_decimal_unless_they_would_meet_their_limit(
    write_file: WriteFile, run_command: RunCommand, milliseconds: int, letters: int, text: str
) -> None:
    end = f"00:00:0{1 + milliseconds // 1000},{milliseconds % 1000:03}"
    write_file("a.srt", f"1\n00:00:01,000 --> {end}\n{'x' * letters}\n")
    status, output, _ = run_command("lint", "a.srt", "--rules", "netflix")
    assert (status, text in output) == (3, True), output


@each_case(
    ("text", "line", "expected"),
    [
        ("most-cps = 3\n", 1, "the key name"),
        ('name = "a"\nmost-cps = "3"\n', 2, "a number of at least 0, or false"),
        ('name = "a"\nmost-cps = true\n', 2, "a number of at least 0, or false"),
        ('name = "a"\nmost-lines = -1\n', 2, "a number of at least 0, or false"),
        ('name = "a"\nmay-touch = 1\n', 2, "true or false"),
        ('name = "a b"\n', 1, "a text without blanks"),
        ('name = "a"\n\nmost-words = 3\n', 3, "keys out of name, date, language, most-cps"),
        ('name = "a"\nbased-on = "bbc"\nlanguage = "de"\n', 3, "one of en"),
        ('name = "a"\nbased-on = "nrk"\n', 2, "one of netflix, netflix@2025-12"),
        ('name = "a\n', 1, "rules for subtitles in TOML"),
    ],
)
def test_a_wrong_guide_is_an_error_with_its_place(
    write_file: WriteFile, text: str, line: int, expected: str
) -> None:
    write_file("house.toml", text)
    with pytest.raises(FormatError) as caught:
        load_rules("house.toml")
    assert (caught.value.path, caught.value.line) == ("house.toml", line)
    assert str(caught.value.expected).startswith(expected)


def test_the_nearest_key_is_suggested(write_file: WriteFile) -> None:
    write_file("house.toml", 'name = "a"\nmax-cps = 3\n')
    with pytest.raises(FormatError, match="did you mean most-cps"):
        load_rules("house.toml")


def test_unknown_line_breaks_are_noted(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.lrc", f"[00:01.00]{'x' * 50}\n[00:04.00]you\n[00:06.00]\n")
    note = "formats: " + printed(remark_line(LINES_UNCHECKED, file="a.lrc", cues=2)) + "\n"
    status, output, errors = run_command("lint", "a.lrc")
    assert (status, errors) == (3, note)
    assert "LINE-LENGTH" not in output


def test_repetitions_of_youtube_are_shown(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.vtt", ROLLING)
    output = run_command("lint", "a.vtt")[1]
    assert f"{ROLLING.count('-->')} cues" in output


def test_a_file_without_texts_is_not_checked(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    write_file("turns.rttm", "SPEAKER rec 1 0.0 0.5 <NA> <NA> anne <NA> <NA>\n")
    status, output, errors = run_command("lint", "turns.rttm")
    assert (status, output) == (2, "")
    assert says(errors, NO_SUBTITLES, format="rttm")


@pytest.mark.parametrize(("guide", "limit"), [("ard-zdf", 15), ("ard-zdf-children", 11)])
def test_the_standard_of_german_broadcasters(
    guide: str, limit: int, write_file: WriteFile, run_command: RunCommand
) -> None:
    cues = (
        ("00:00:01,000 --> 00:00:01,900", "Ja, das war alles"),  # 17 characters in 0.9 s
        ("00:00:02,000 --> 00:00:09,000", "x" * 38),
        ("00:00:09,000 --> 00:00:11,000", "Ja."),
    )
    rows = (f"{number}\n{time}\n{words}\n\n" for number, (time, words) in enumerate(cues, 1))
    write_file("a.srt", "".join(rows))
    status, output, errors = run_command("lint", "a.srt", "--rules", guide)
    assert status == 3
    name = guide.upper()
    for finding in (
        f"cue 1: 18.9 characters per second, at most {limit} [{name}-CPS]",
        f"cue 1: 0.9 s, at least 1 [{name}-MIN-DURATION]",
        f"cue 2: 38 characters in a line, at most 37 [{name}-LINE-LENGTH]",
        f"cue 3: 0 s after cue 2, at least 0.042 [{name}-GAP]",
        f"{guide}@2015-03 for German, 3 cues, findings: 4",
    ):
        assert finding in output + errors
