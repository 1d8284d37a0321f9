"""Texts whose times, and the names beside them, are in a form of their own."""

from __future__ import annotations

import pytest

import formats
from formats.meetings.messages import TOO_SLOW
from formats.meetings.turns.plain import with_names_beside_times
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, named, turns

NAMES = ["Ann Ex", "Ben Hill"]
LABELS = ["SPEAKER_00", "SPEAKER_01"]
STARTS = [4.5, 9.25, 14.5, 16.0, 21.75, 65.5, 68.0, 73.25]
ENDS = [*STARTS[1:], 79.0]


def clock(time: float, form: str = "{h:02}:{m:02}:{s:06.3f}") -> str:
    """Return a time as hours, minutes and seconds."""
    return form.format(h=0, m=int(time // 60), s=time % 60)


def talk(form: str, names: list[str], time: str = "{h:02}:{m:02}:{s:06.3f}") -> str:
    """Return a text in which the names say the sentences at their times."""
    return "".join(
        form.format(
            n=names[k % 2], a=clock(STARTS[k], time), b=clock(ENDS[k], time),
            s=STARTS[k], e=ENDS[k], x=x, i="".join(word[0] for word in names[k % 2].split()),
        )
        for k, x in enumerate(SAID)
    )  # fmt: skip


def read(names: list[str] | None) -> list[tuple[str | None, float, str]]:
    """Return what `turns` should return for a talk."""
    return [(names[k % 2] if names else None, STARTS[k], x) for k, x in enumerate(SAID)]


@each_case(
    "form",
    [
        "{n} {s:.3f}  {x}\n",
        "{n} {s:.2f}s {x}\n",
        "{n} {s:.2f}: {x}\n",
        "{n} {s:.2f} {e:.2f} {x}\n",
        "{n} {s:.2f} - {e:.2f}: {x}\n",
        "{n} {s:.2f}s -> {e:.2f}s {x}\n",
        "{n} at {s:.2f}s: {x}\n",
        "{n} @ {s:.2f}s: {x}\n",
        "{n}, {s:.2f} - {e:.2f}: {x}\n",
    ],
)
def test_seconds_behind_generic_names(form: str) -> None:
    assert turns(talk(form, LABELS)) == read(LABELS)


@each_case("form", ["{n} at {s:.2f}s: {x}\n", "{n} at {s:.2f}s - {e:.2f}s: {x}\n\n"])
def test_seconds_behind_names_and_at(form: str) -> None:
    assert turns(talk(form, NAMES)) == read(NAMES)


@each_case(
    "form",
    [
        "[{a} --> {b}] {x}\n",
        "[{a} -> {b}]  {x}\n",
        "[ {a} ] {x}\n",
        "({a}) {x}\n\n",
    ],
)
def test_times_with_blanks_between_their_parts(form: str) -> None:
    for time in ("{h:02}: {m:02}: {s:06.3f}", "{h:02} : {m:02} : {s:06.3f}"):
        assert turns(talk(form, NAMES, time)) == read(None)
    assert turns(talk("[{a}] {n}: {x}\n", NAMES, "{h:02}: {m:02}: {s:06.3f}")) == read(NAMES)


@each_case("last", ["1:20 - [End]", "1:20 - End", "[1:20] [End of recording]", "1:20 THE END"])
def test_the_end_is_no_speech_behind_its_time(last: str) -> None:
    titles = ["The bridge in May", "What of the road", "Thanks to both"]
    forms = ("{} - {}\n\n{}\n\n", "[{}] {}\n\n{}\n\n")
    for form in forms[: 1 if last[0] == "1" else 2]:
        rows = zip(["0:00", "0:20", "0:50"], titles, (SAID[:3], SAID[3:6], SAID[6:]), strict=True)
        text = "".join(form.format(time, title, " ".join(x)) for time, title, x in rows)
        segments = list(formats.read(named(f"{text}{last}\n")))
        assert [" ".join(s.words) for s in segments] == [
            " ".join(x) for x in (SAID[:3], SAID[3:6], SAID[6:])
        ]
        assert segments[-1].end == 80.0


@each_case("form", ["{n}\n{t}\n{c}\n{n} {t}\n{x}\n\n", "{i}\n{n}\n{t}{c}\n{n} {t}\n{x}\n"])
def test_names_and_times_that_pages_repeat(form: str) -> None:
    text = "".join(
        form.format(
            n=NAMES[k % 2], i=("AE", "BH")[k % 2], x=x, c=f"0:{10 + k:02}", t=f"{10 + k} seconds"
        )
        for k, x in enumerate(SAID)
    )
    assert turns(text) == [(NAMES[k % 2], 10.0 + k, x) for k, x in enumerate(SAID)]


@each_case("form", ["{n} ({s:.2f}): {x}\n", "{n} {a} - {b} {x}\n", "{n} {a} {x}\n"])
def test_times_in_parentheses_or_with_an_end_behind_generic_names(form: str) -> None:
    assert turns(talk(form, LABELS)) == read(LABELS)


CHAPTERS = ["0:00 {} The bridge in May", "0:14 {} What of the road", "1:08 {} Thanks to both"]
PARTS = [SAID[:2], SAID[2:6], SAID[6:]]


@each_case("form", ["{t} - {x}", "[{t}] {x}", "## {t} {x}", "{x} ({t})", "--- {t} {x} ---"])
def test_titles_of_chapters_are_no_speech_over_turns(form: str) -> None:
    titles = [line.split(" {} ") for line in CHAPTERS]
    parts = [form.format(t=t, x=x) + "\n\n" for t, x in titles]
    for part, said in enumerate(PARTS):
        for k, x in enumerate(said):
            parts[part] += f"{NAMES[k % 2]}: {x}\n\n"
    times = [0.0, None, 14.0, None, None, None, 68.0, None]
    names = [NAMES[k % 2] for said in PARTS for k in range(len(said))]
    assert turns("".join(parts)) == list(zip(names, times, SAID, strict=True))


@each_case("form", ["{t} - {x}", "[{t}] {x}", "**{t} | {x}**", "{x} [{t}]", "({t}) {x}"])
def test_titles_of_chapters_are_no_speech_over_a_talk(form: str) -> None:
    titles = [line.split(" {} ") for line in CHAPTERS]
    text = "".join(
        f"{form.format(t=t, x=x)}\n\n" + "".join(f"{line}\n\n" for line in said)
        for (t, x), said in zip(titles, PARTS, strict=True)
    )
    assert turns(text) == [
        (None, time, " ".join(said)) for time, said in zip([0.0, 14.0, 68.0], PARTS, strict=True)
    ]


def test_names_with_times_are_no_titles_of_chapters() -> None:
    names = ["Ann van Esten", "Ben Hill"]
    assert turns(talk("{a} {n}\n{x}\n\n", names)) == read(names)


@each_case(
    "line", ["Page 2 of 4", "[laughter]", "--- The road ---", "## The road", "* * *", "[...]"]
)
def test_lines_between_times_in_brackets_are_no_speech(line: str) -> None:
    for blank in ("", "\n"):
        lines = talk("[{a}] {x}\n" + blank, NAMES).splitlines(keepends=True)
        text = "".join([*lines[:6], f"\n{line}\n\n", *lines[6:], f"\n{line}\n\n", lines[-1]])
        assert [words for _, _, words in turns(text)][: len(SAID)] == SAID


@each_case("rest", ["(silence)", "[PAUSE]", "*** Ben Hill left"])
def test_times_without_a_name_are_of_the_speaker_above(rest: str) -> None:
    text = talk("[{a}] {n}: {x}\n", NAMES)
    lines = text.splitlines(keepends=True)
    unnamed = "".join([*lines[:3], f"[00:00:15.000] {rest}\n", *lines[3:]])
    assert turns(unnamed) == read(NAMES)
    more = "".join([*lines[:3], "[00:00:15.000] And so on.\n", *lines[3:]])
    assert turns(more)[3] == (NAMES[0], 15.0, "And so on.")


@each_case("form", ["{n}{t}\n{x}\n\n", "{n}:{t}\n{x}\n\n"])
def test_times_directly_behind_names(form: str) -> None:
    text = "".join(form.format(n=NAMES[k % 2], t=f"0:{10 + k}", x=x) for k, x in enumerate(SAID))
    assert turns(text) == [(NAMES[k % 2], 10.0 + k, x) for k, x in enumerate(SAID)]


@each_case(
    "hours",
    [(0, 0, 0, 0, 0, 1, 1, 1), (0, 0, 0, 0, 1, 1, 2, 2)],
)
def test_numbers_behind_numbered_names_are_hours_if_times_increase(hours: tuple[int, ...]) -> None:
    names, starts = ["SPEAKER 1", "SPEAKER 2"], [3600.0 * h + 10 + k for k, h in enumerate(hours)]
    heads = [f"{names[k % 2]} {h}:00:{10 + k}" for k, h in enumerate(hours)]
    text = "".join(f"{head}\n{x}\n\n" for head, x in zip(heads, SAID, strict=True))
    assert turns(text) == [(names[k % 2], starts[k], x) for k, x in enumerate(SAID)]


def test_numbers_before_minutes_are_of_the_name_if_times_would_decrease() -> None:
    names = ["Speaker 1", "Speaker 2"]
    text = "".join(f"{names[k % 2]}:00:{10 + k}\n{x}\n\n" for k, x in enumerate(SAID))
    assert turns(text) == [(names[k % 2], 10.0 + k, x) for k, x in enumerate(SAID)]


@each_case(
    "form",
    [
        "[{n}] [오전 9:{m:02}] {x}\n",
        "[上午 9:{m:02}] {n}: {x}\n",
        "[2025-11-03T09:{m:02}:00Z] {n}: {x}\n",
        "(9:{m:02}:00 AM) {n}: {x}\n",
    ],
)
def test_times_of_day_in_other_forms(form: str) -> None:
    text = "".join(form.format(n=NAMES[k % 2], m=k, x=x) for k, x in enumerate(SAID))
    assert turns(text) == [(NAMES[k % 2], 60.0 * k, x) for k, x in enumerate(SAID)]


def test_fields_above_turns_of_the_same_names_are_no_turns() -> None:
    text = "CALL: 21\nAGENT: Ann Ex (ID 5)\nCUSTOMER: Ben H.\n\n"
    text += talk("[{a}] {n}: {x}\n", ["AGENT", "CUSTOMER"])
    assert turns(text) == read(["AGENT", "CUSTOMER"])


@each_case("mark", ["12'05", "[12'05'']", "12’05"])
def test_minutes_and_seconds_with_primes(mark: str) -> None:
    text = "".join(
        f"{mark.replace('12', str(k)).replace('05', f'{5 + k:02}')} {NAMES[k % 2]}: {x}\n"
        for k, x in enumerate(SAID)
    )
    assert [start for _, start, _ in turns(text)] == [61.0 * k + 5 for k in range(len(SAID))]


@each_case(
    ("rows", "rate"),
    [("05 20 12", 25), ("05 29 12", 30), ("05 29 41", 60), ("05 29 85", 100)],
)
def test_the_largest_frame_shows_the_rate(rows: str, rate: int) -> None:
    frames = [rows.split()[k % 3] for k in range(len(SAID))]
    text = "".join(
        f"00:00:{2 * k + 4:02}:{frames[k]} {NAMES[k % 2]}\n{x}\n\n" for k, x in enumerate(SAID)
    )
    for sign in (":", ";"):
        read = turns(text.replace(":", sign))
        assert [name for name, _, _ in read] == [NAMES[k % 2] for k in range(len(SAID))]
        for k, (_, start, _) in enumerate(read):
            assert start == pytest.approx(2 * k + 4 + int(frames[k]) / rate, abs=1e-6)


@each_case("form", ["[{a}] {n}: {x}\n", "[{a}] {n}: {x}\n\n"])
def test_sentences_with_times_above_the_first_name_are_speech(form: str) -> None:
    opening, _, rest = form.partition("{a}")
    above = f"{opening}00:00:01.500{rest[0]} Can you all hear us?\n"
    names = ["ANN EX", "BEN HILL"]
    assert turns(f"{above}{talk(form, names)}") == [
        (None, 1.5, "Can you all hear us?"), *read(names)
    ]  # fmt: skip
    listed = "".join(f"{opening}00:00:{t}{rest[0]} We hear of it.\n" for t in ("01.500", "50.000"))
    assert turns(f"Points\n{listed}\n{talk(form, names)}") == read(names)


@each_case("clause", ["A short word on the bridge", "The last thing that I heard"])
def test_a_sentence_with_a_colon_behind_a_time_has_no_name(clause: str) -> None:
    lines = talk("({a}) {n}: {x}\n", NAMES).splitlines(keepends=True)
    text = "".join([*lines[:3], f"(00:00:15.000) {clause}: it is old.\n", *lines[3:]])
    assert turns(text)[3] == (NAMES[0], 15.0, f"{clause}: it is old.")


def test_a_direction_in_square_brackets_behind_a_name_is_its_role() -> None:
    lines = talk("[{a}] {n}: {x}\n", NAMES).splitlines(keepends=True)
    lines[0] = lines[0].replace("Ann Ex:", "Ann Ex [to Ben]:")
    lines[4] = lines[4].replace("Ann Ex:", "Ann Ex [to all]:")
    segments = list(formats.read(named("".join(lines))))
    assert [s.speaker for s in segments] == [NAMES[k % 2] for k in range(len(SAID))]
    assert dict(segments[0].properties)["role"] == "to Ben"


@each_case("form", ["@{n} {t}{x}\n\n", "@{n} {t}{x}\n", "[{t}]{n}：{x}\n"])
def test_a_digit_directly_behind_a_time_begins_the_text(form: str) -> None:
    said = [
        "我们开始吧。",
        "好的，谢谢。",
        "2.0的版本怎么样？",
        "还可以。",
        "3个人在看。",
        "知道了。",
    ]
    rows = list(enumerate(said))
    text = "".join(
        form.format(n=("王明", "李红")[k % 2], t=f"00:00:{10 + k}", x=x) for k, x in rows
    )
    assert turns(text) == [(("王明", "李红")[k % 2], 10.0 + k, x) for k, x in rows]


@each_case("form", ["{n} {t}\n{x}\n\n", "{n}{t}\n{x}\n\n", "[{t}] {n}: {x}\n", "{t} {n}\n{x}\n\n"])
def test_several_messages_in_a_minute_have_times_of_day(form: str) -> None:
    minutes = [7, 7, 7, 8, 11, 11, 13, 13, 13, 13, 27, 28, 28, 31, 31, 31, 46, 46, 47, 47, 47]
    text = "".join(
        form.format(n=NAMES[k % 2], t=f"09:{minute:02}", x=SAID[k % len(SAID)])
        for k, minute in enumerate(minutes)
    )
    assert [start for _, start, _ in turns(text)] == [60.0 * (m - 7) for m in minutes]
    pairs = "".join(
        form.format(n=NAMES[k % 2], t=f"09:{7 + 5 * (k // 2):02}", x=SAID[k % len(SAID)])
        for k in range(len(minutes) - 1)
    )
    assert turns(pairs)[0][1] == 9 * 60 + 7
    parts = text
    for minute in sorted({*minutes}, reverse=True):
        second = 10 * minute
        parts = parts.replace(f"09:{minute:02}", f"{second // 60:02}:{second % 60 + 2:02}")
    assert turns(parts)[0][1] == 72


@each_case("form", ["{n} {d} {t}\n{x}\n\n", "{n} {d} {t}\n{x}\n", "{d} {t} {n}\n{x}\n\n"])
@each_case("day", ["2024/5/1", "2024-05-01", "01.05.2024"])
def test_dates_beside_names_alone_are_those_of_a_chat(form: str, day: str) -> None:
    names = ["Tiwo", "小明", "Ann Lee", "云(123)"]
    minutes = [0, 0, 1, 4, 4, 4, 9, 30]
    text = "".join(
        form.format(n=names[k % 4], d=day, t=f"08:{41 + m % 19:02}", x=SAID[k % len(SAID)])
        for k, m in enumerate(minutes[:7])
    )
    assert [(name, start) for name, start, _ in turns(text)] == [
        (names[k % 4], 60.0 * m) for k, m in enumerate(minutes[:7])
    ]
    journal = "".join(f"Notes of {day} 08:{41 + m}\n{' '.join(SAID)}\n\n" for m in minutes[:7])
    assert len(turns(journal)) == 1
    log = "".join(f"{day} 08:{41 + k}:05 {'Start' if k % 2 else 'Stop'}\n" for k in range(12))
    assert len(turns(log)) == 1


@each_case("form", ["{t} {x}\n\n", "{t}  {x}\n", "[{t}] {x}\n\n", "{t} - {x}\n\n"])
def test_times_before_texts_among_times_alone_begin_turns(form: str) -> None:
    alone = "[{t}]\n{x}\n\n" if form[0] == "[" else "{t}\n{x}\n\n"
    rows = [(10 + 3 * k, SAID[k % len(SAID)]) for k in range(16)]
    text = "".join(
        (form if k in (2, 7, 12) else alone).format(t=f"0:{t}", x=x)
        for k, (t, x) in enumerate(rows)
    )
    assert turns(text) == [(None, float(t), x) for t, x in rows]
    other = text.replace("0:16 ", "8:16 ").replace("0:31 ", "8:31 ").replace("0:46 ", "8:46 ")
    assert len(turns(other)) < len(rows) or form[0] == "["


@each_case("title", ["The hearing of May", "Is the road open?"])
def test_a_short_sentence_above_the_first_time_is_speech_and_a_title_is_none(title: str) -> None:
    text = talk("[{a}]\n{x}\n\n", NAMES)
    said = "You are hearing the news."
    assert turns(f"{said}\n\n{text}") == [(None, None, said), *read(None)]
    assert turns(f"{title}\n\n{text}") == read(None)


@each_case("form", ["0:{k:02}\n{x}\n{f}: {n}\n\n", "[00:00:{k:02}]\n{x}\n{f}: {n}\n\n"])
def test_names_as_fields_below_texts_with_times(form: str) -> None:
    said = [
        form.format(k=k, x=x, f="Speaker", n=["Agent", "Client"][k % 2]) for k, x in enumerate(SAID)
    ]
    read = [(["Agent", "Client"][k % 2], float(k), x) for k, x in enumerate(SAID)]
    assert turns("".join(said)) == read
    unnamed = said[1].replace("Speaker: Client\n", "")
    assert turns("".join([said[0], unnamed, *said[2:]])) == [
        read[0],
        ("Agent", *read[1][1:]),
        *read[2:],
    ]


@each_case("last", ["Speaker: {x}", "Speaker: word {k}", "Topic: bridges"])
def test_fields_below_texts_with_times_that_are_no_names(last: str) -> None:
    text = "".join(
        f"0:{k:02}\n{x}\n{last.format(x=x[:-1], k='abcdefgh'[k])}\n\n" for k, x in enumerate(SAID)
    )
    lines = [*enumerate(text.splitlines(), 1)]
    assert with_names_beside_times(lines) is lines


def test_a_schedule_is_doubted() -> None:
    times = ["09:00", "09:30", "10:00", "11:00", "11:30", "13:00", "14:00"]
    items = ["Coffee", "Opening", "The river and the town", "Break", "Bridges", "Lunch", "Roads"]
    text = "".join(f"{time} {item}\n" for time, item in zip(times, items, strict=True))
    assert TOO_SLOW.code in [d.code for d in formats.read(named(text)).diagnostics]
    said = text.replace("Lunch", " ".join(["so it was and so on we went"] * 20))
    assert TOO_SLOW.code not in [d.code for d in formats.read(named(said)).diagnostics]
