"""Texts with times: what is beside the turns, and numbers that are no times."""

from __future__ import annotations

import itertools

import pytest

import formats
from formats.meetings.messages import TIMES_ARE_PAGES
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, named, turns
from tests.remarks import fields_of

NAMES = ("Ann Ex", "Ben")
CHAPTERS = "0:00 Welcome\n0:40 The bridge\n1:20 Roads and rails\n2:40 The end\n"
TALK = [
    (NAMES[n % 2], 12 * n, f"{text[:-1]}, number {n}{text[-1]}") for n, text in enumerate(2 * SAID)
]


def clock(seconds: int) -> str:
    """Return a time as minutes and seconds."""
    return f"{seconds // 60}:{seconds % 60:02}"


def talk(form: str) -> str:
    """Return a text in which the names say the sentences at their times."""
    return "".join(form.format(n=name, t=clock(start), x=text) for name, start, text in TALK)


@pytest.mark.share(3)
@pytest.mark.parametrize(
    ("form", "title", "sign"),
    [
        *itertools.product(
            ["{t} {x}\n", "[{t}] {x}\n", "{t}\n{x}\n", "{n}  {t}\n{x}\n\n", "[{t}] {n}: {x}\n"],
            ["", "Chapters:\n", "## Kapitel\n\n", "Timestamps\n"],
            ["", "- "],
        )
    ],
)
def test_chapters_below_or_above_a_talk_are_no_speech(form: str, title: str, sign: str) -> None:
    speech, said_once = talk(form), [text for _, _, text in TALK]
    chapters = title + "".join(f"{sign}{line}\n" for line in CHAPTERS.splitlines())
    for text in (f"{speech}\n{chapters}", f"{chapters}\n{speech}"):
        assert [words for _, _, words in turns(text)] == said_once


def test_chapters_with_a_title_are_below_a_talk_without_times() -> None:
    speech = "".join(f"{name}: {text}\n" for name, _, text in TALK)
    read = turns(f"{speech}\nChapters\n{CHAPTERS}")
    assert [words for _, _, words in read] == [text for _, _, text in TALK]


def test_a_second_recording_in_brief_lines_is_no_list_of_chapters() -> None:
    lines = [text.rstrip(".?,").lower() for _, _, text in TALK]
    text = "".join(f"[{clock(4 * n)}] {line}\n" for n, line in enumerate(lines))
    again = "".join(f"[{clock(4 * n)}] {line}\n" for n, line in enumerate(lines[:5]))
    assert len(turns(text + again)) == len(lines) + 5


PAGED = [(4, line) for line in (2, 4, 7, 9, 12, 14, 18, 22)] + [
    (5, n) for n in (1, 3, 6, 8, 12, 14)
]


@pytest.mark.parametrize(
    "form", ["[{p}:{n:02}] {s}. {x}\n", "({p}:{n:02}) {s}. {x}\n", "{p}:{n:02} {s}. {x}\n"]
)
def test_pages_and_lines_of_a_hearing_are_no_times(form: str) -> None:
    texts = [f"{SAID[k % 8][:-1]}, number {k}." for k in range(len(PAGED))]
    rows = enumerate(zip(PAGED, texts, strict=True))
    text = "".join(form.format(p=p, n=n, s="QA"[k % 2], x=x) for k, ((p, n), x) in rows)
    transcript = formats.read(named(text))
    read = [(s.speaker, s.start, " ".join(s.words)) for s in transcript]
    assert read == [("QA"[k % 2], None, x) for k, x in enumerate(texts)]
    assert fields_of(transcript.diagnostics, TIMES_ARE_PAGES)[0]["count"] == len(PAGED)


def test_regular_times_are_times() -> None:
    text = "".join(f"[{clock(20 * n)}] {'QA'[n % 2]}. {SAID[n % 8]}\n" for n in range(16))
    assert [start for _, start, _ in turns(text)] == [20.0 * n for n in range(16)]


@each_case(
    "form",
    [
        "{t} | {n}: {x}\n", "({t}) | {n}\n{x}\n", "[{t}] | {n}\n{x}\n\n", "{n} | ({t})\n{x}\n\n",
        "{n}\n\n{t}\n\n{x}\n\n",
    ],
)  # fmt: skip
def test_bars_and_blank_lines_between_names_times_and_texts(form: str) -> None:
    assert turns(talk(form)) == [(name, float(start), text) for name, start, text in TALK]


def test_a_few_times_inside_one_paragraph_below_a_head() -> None:
    inside = " ".join(f"[{clock(4 * n)}] {text}" for n, text in enumerate(SAID[:4]))
    read = turns(f"# The hearing\n\nRecorded in May\n\n{inside}\n")
    assert read == [(None, 4.0 * n, text) for n, text in enumerate(SAID[:4])]


def test_times_with_frames_inside_a_few_texts_are_no_frames_of_the_turns() -> None:
    text = talk("{n}: ({t})\n{x}\n\n").replace("number 3.", "number 3. [both 00:00:24:07]", 1)
    transcript = formats.read(named(text))
    assert len(list(transcript)) == len(TALK)
    assert "FRAMES-ASSUMED" not in [remark.code for remark in transcript.diagnostics]


def test_codes_of_colours_are_no_words() -> None:
    text = "".join(f"\x01\x1b[96m\x02{name}: \x01\x1b[0m\x02{words}\n" for name, _, words in TALK)
    assert turns(text) == [(name, None, words) for name, _, words in TALK]


def test_columns_of_a_page_are_reported_beside_names() -> None:
    rows = zip(SAID * 2, SAID[3:] + SAID + SAID[:3], strict=True)
    lines = [f"{left[:30]:40}{right[:30]}\n" for left, right in rows]
    lines[::5] = [f"Ann: {line}" for line in lines[::5]]
    transcript = formats.read(named("".join(lines)), "txt")
    list(transcript)
    assert {"SPEAKER-TEXT?", "TXT-LAYOUT"} <= {remark.code for remark in transcript.diagnostics}


HEADS_ONCE = [
    "{b}-{e}，{n}：", "{b}-{e}, {n}:", "[{b} - {e}] {n}:", "{b} - {e} {n}:", "({b} --> {e}) {n}:"
]  # fmt: skip


@each_case("head, sign", itertools.product(HEADS_ONCE, ["\n", "\n\n    "]))
def test_each_of_a_few_persons_may_speak_once(head: str, sign: str) -> None:
    for names in (("speaker0", "speaker1", "speaker2"), ("Anna", "Ben", "Carl Ex")):
        spans = [("00:00:00", "00:00:10"), ("00:00:10", "00:00:19"), ("00:00:19", "00:00:29")]
        text = "".join(
            f"{head.format(b=begin, e=end, n=name)}{sign}{said}\n\n"
            for (begin, end), name, said in zip(spans, names, SAID, strict=False)
        )
        assert [(who, words) for who, _, words in turns(text)] == [*zip(names, SAID, strict=False)]


def test_titles_of_chapters_over_summaries_are_no_speakers() -> None:
    lines = [
        f"{n:02}:00 - {n + 9:02}:00 {x}:\n" for n, x in ((0, "Intro"), (9, "Tax"), (18, "End"))
    ]
    text = "\n".join(f"{line}What we do about it in {n} words.\n" for n, line in enumerate(lines))
    assert not {who for who, _, _ in turns(text)} & {"Intro", "Tax", "End"}


@each_case("form", [
    "[01/05/2024 {t}] {n}: {x}\n", "[01/05/24, {t}] {n}: {x}\n", "01/05/24, {t} - {n}: {x}\n"
])  # fmt: skip
def test_a_chat_has_names_with_a_blank_at_the_end_and_persons_who_write_once(form: str) -> None:
    names = ["Ann Ex", "Eva Maria da Costa e Silva ", "Ben", *(f"Zoe {a}o" for a in "BCDFGHKLM")]
    order = [names[n % 3] for n in range(10)] + names[3:]
    clocks = [f"10:{n:02}:00" for n in range(len(order))]
    text = "".join(
        form.format(t=t, n=name, x=SAID[n % 7][:-1])
        for n, (t, name) in enumerate(zip(clocks, order, strict=False))
    )
    assert [who for who, _, _ in turns(text)] == [name.strip() for name in order]


@each_case("form", [
    "{b} {e} {x}\n", "talk.wav {b} {e} {x}\n", "{k}.5310 {b} {e} {x}\n"
])  # fmt: skip
def test_two_whole_numbers_before_texts_are_milliseconds_at_the_pace_of_speech(form: str) -> None:
    starts = [300 + 2500 * n for n in range(len(SAID))]
    text = "".join(
        form.format(k=2 * start + 700, b=start, e=start + 2400, x=said)
        for start, said in zip(starts, SAID, strict=True)
    )
    assert turns(text) == [
        (None, start / 1000, said) for start, said in zip(starts, SAID, strict=True)
    ]


@each_case("pairs", [
    [(n, 10 * n + 100) for n in range(8)],  # amounts
    [(1990 + 3 * n, 1993 + 3 * n) for n in range(8)],  # years
    [(10 * n, 10 * n + 10) for n in range(8)],  # verses
    [(2400 * n, 2400 * n + 5000) for n in range(8)],  # overlapping
    [(90_000 - 2500 * n, 92_000 - 2500 * n) for n in range(8)],  # backwards
    [(300_000 * n, 300_000 * n + 2500) for n in range(8)][::2],  # too few
])  # fmt: skip
def test_other_whole_numbers_before_texts_are_no_times(pairs: list[tuple[int, int]]) -> None:
    text = "".join(f"{b} {e} {x[:7]}\n" for (b, e), x in zip(pairs, SAID, strict=False))
    assert {start for _, start, _ in turns(text)} == {None}


def test_a_short_paragraph_that_goes_on_in_the_next_turn_is_no_title() -> None:
    rows = [f"{NAMES[n % 2]}: {text}\n\n" for n, text in enumerate(SAID)]
    text = "".join([*rows[:4], "Why does pausing\n\n", "Ben: help?\n\n", *rows[4:]])
    assert (NAMES[1], None, f"{SAID[3]} Why does pausing") in turns(text)
    title = "".join([*rows[:4], "Why We Pause\n\n", "Ben: So it is.\n\n", *rows[4:]])
    assert (NAMES[1], None, SAID[3]) in turns(title)


@each_case("form", ["[{t}] {n}: {x}\n", "{t} {n}: {x}\n", "{n}: {x}\n"])
def test_names_of_sounds_without_words_are_no_speakers(form: str) -> None:
    rows = [(NAMES[n % 2], text) for n, text in enumerate(SAID)]
    rows[2:2] = [("APPLAUSE", "")]
    rows[5:5] = [("Laughter", "")]
    text = "".join(form.format(t=clock(9 * n), n=name, x=x) for n, (name, x) in enumerate(rows))
    assert [(who, words) for who, _, words in turns(text)] == [row for row in rows if row[1]]


CAPTIONS = [text.lower().rstrip(".?") for text in SAID] * 2


@each_case("title, are_titles", [
    ("The bridge", True), ("Chapter 2: the bridge", True), ("the bridge is open", False),
    ("The bridge is open.", False),
])  # fmt: skip
def test_titles_of_chapters_between_captions_are_no_words(title: str, are_titles: bool) -> None:
    lines = [f"{clock(5 * n)}\n{text}\n" for n, text in enumerate(CAPTIONS)]
    read = turns("".join([*lines[:7], f"{title}\n", *lines[7:]]))
    said = [*CAPTIONS[:6], CAPTIONS[6] if are_titles else f"{CAPTIONS[6]} {title}", *CAPTIONS[7:]]
    assert [words for _, _, words in read] == said


HAN = ["大家好，欢迎来到我们的节目", "今天我们谈谈大海和它的波浪", "很好", "让我们从今天的第一个问题开始",
       "今年之前我从来没有见过大海", "你觉得怎么样", "那是我一生中见过的最美的东西"]  # fmt: skip


@each_case("form, unit", [
    ("[{b:.2f} - {e:.2f}] {x}\n", 1), ("{b:.2f}s -> {e:.2f}s: {x}\n", 1),
    ("{b:.0f} {e:.0f} {x}\n", 1000),
])  # fmt: skip
def test_the_pace_of_scripts_without_blanks_is_that_of_their_characters(
    form: str, unit: int
) -> None:
    text = "".join(
        form.format(b=unit * 6 * n, e=unit * (6 * n + 5.8), x=x) for n, x in enumerate(HAN)
    )
    assert turns(text) == [(None, 6 * n, said) for n, said in enumerate(HAN)]
