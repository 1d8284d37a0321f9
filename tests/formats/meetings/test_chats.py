"""Messages of chats, and what the program says among them."""

from __future__ import annotations

import formats
from formats.meetings.turns.chats import mark_of_edit
from formats.meetings.turns.dated_messages import with_dates_before_names
from formats.reading.chat_notices import is_notice
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, named, turns

NOTICES = """
    <Media omitted>
    <Medien ausgeschlossen>
    <attached: 00000012-PHOTO.jpg>
    <メディアは含まれていません>
    IMG-20240603-WA0001.jpg (file attached)
    PTT-20240603-WA0002.opus (Datei angehängt)
    image omitted
    View once voice message omitted
    Contact card omitted
    This message was deleted
    This message was deleted.
    You deleted this message
    Mensagem apagada
    Missed voice call
    null
"""
MESSAGES = """
    <div>
    List<String> a
    he omitted it
    so (as I said)
    a.jpg
    I deleted this message
    was the image omitted?
    <3
    see a.pdf (it is long) and tell me
"""


@each_case("text", filter(None, map(str.strip, NOTICES.splitlines())))
def test_what_the_program_writes_is_no_message(text: str) -> None:
    assert is_notice(text)


@each_case("text", filter(None, map(str.strip, MESSAGES.splitlines())))
def test_messages_are_no_notices(text: str) -> None:
    assert not is_notice(text)
    assert not mark_of_edit(text)


@each_case("form", ["[03/06/2024, {t}] {n}: {x}\n", "03/06/2024, {t} - {n}: {x}\n",
                    "[2024-06-03 {t}] {n}: {x}\n"])  # fmt: skip
def test_notices_and_marks_of_edits_are_left_out_of_chats(form: str) -> None:
    rows = [("Ann Ex", "so it is \u200e<This message was edited>"), ("Ben", "<Media omitted>"),
            ("Ann Ex", "well\nthen we go <Mensagem editada>"), ("Ben", "image omitted"),
            ("Ann Ex", "This message was deleted"), ("Ben", "bye now")]  # fmt: skip
    text = "".join(form.format(t=f"12:3{n}", n=name, x=x) for n, (name, x) in enumerate(rows))
    said = [
        ("Ann Ex", 0.0, "so it is"),
        ("Ann Ex", 120.0, "well then we go"),
        ("Ben", 300.0, "bye now"),
    ]
    assert turns(text) == said


@each_case("form", ["[03/06/24, {t}] {n}:{x}", "03/06/24, {t} - {n}:{x}", "{t} {n}:{x}"])
def test_pictures_at_the_end_of_names_belong_to_them(form: str) -> None:
    names = ["Ann Ex", "Ben 🌸"] * 12
    rows = [
        form.format(t=f"{8 + n // 6}:{n % 6}5:3{n % 10}", n=name, x=" well 🎈" if n != 9 else "")
        for n, name in enumerate(names)
    ]
    said = turns("\n".join(rows))
    assert {name for name, *_ in said} == {"Ann Ex", "Ben 🌸"}
    assert {text for *_, text in said} <= {"well 🎈", ""}


@each_case("sign", ["", "-", "🌸", "🌸 …"])
def test_pictures_without_a_colon_end_no_names(sign: str) -> None:
    rows = [
        f"[0:{n:02}] {'Ann' if n % 2 else 'Ben'} {sign} so it was {'no' * n}" for n in range(20)
    ]
    assert all("it was" in text for *_, text in turns("\n".join(rows)))


@each_case("form, step", [
    ("{seconds}\n{name}\n{text}\n\n", 61),
    ("2024-06-0{day} 12:{minute}:05\n{name}\n{text}\n\n", 60),
    ("2024-06-0{day} 12:{minute}:05\n{name}:\n{text}\n\n", 60),
    ("[06/0{day}/2024, 12:{minute} PM]\n{name}\n{text}\n\n", 60),
    ("Jun {day}, 2024 12:{minute}:05 PM\n{name}\n{text}\n\n", 60),
        ("2024-06-0{day} 12:{minute}:05\n{name}\n{text}\n", 60),
        ("2024-06-0{day} 12:{minute}:05\n{name}: {text}\n\n", 60),
        ("{name}\nJun {day}, 2024 12:{minute} PM\n{text}\n\n", 60),
        ("{name}\n{text}\nJun 0{day}, 2024, 12:{minute} PM\n\n", 60),
        ("From: {name} (+41791230{minute})\nSent: 2024-06-03T12:{minute}:05.1Z\n\n{text}\n\n", 60),
        ("From: {name}\nDate: Mon, 3 Jun 2024 12:{minute}:05 +0200\nTo: all\n{text}\n\n", 60),
])  # fmt: skip
def test_a_date_a_name_and_words_on_their_lines_are_a_message(form: str, step: int) -> None:
    """The date may be a count of seconds; the names may be those of a chat."""
    names = ["ann_1", "Ben", "g-w1"]
    text = "".join(
        form.format(seconds=1_600_000_000 + 61 * n, day=3, minute=10 + n, name=names[n % 3], text=x)
        for n, x in enumerate(SAID)
    )
    assert turns(text) == [(names[n % 3], float(step * n), x) for n, x in enumerate(SAID)]


def test_messages_below_their_dates_may_have_several_lines_and_days() -> None:
    text = "".join(
        f"2024-06-0{3 + n // 4} 12:{10 + n}:05\n{('ann', 'ben')[n % 2]}\n{x}\nand so\n\n"
        for n, x in enumerate(SAID)
    )
    assert turns(text) == [
        (("ann", "ben")[n % 2], 60.0 * n + 86400 * (n // 4), f"{x} and so")
        for n, x in enumerate(SAID)
    ]


def test_dates_over_other_lines_are_no_messages() -> None:
    """A diary has dates over paragraphs, and a log has no names."""
    diary = [(1, ""), *((n, x) for n, x in enumerate(SAID, 2))]
    lines = [row for n, x in diary for row in ((n, f"2024-06-03 12:{10 + n}"), (n, x), (n, ""))]
    assert with_dates_before_names(lines) is lines
    log = [
        row for n, x in diary
        for row in ((n, f"2024-06-03 12:{10 + n}:00"), (n, "ERROR"), (n, x), (n, ""))
    ]  # fmt: skip
    assert with_dates_before_names(log) is log


def test_the_length_beside_each_time_is_no_end() -> None:
    """A player shows where it is and how long the recording is."""
    for form in ("0:{n}5 / 1:20\n{x}\n", "00:{n}5 / 01:20 {x}\n"):
        text = "".join(form.format(n=n, x=x) for n, x in enumerate(SAID[:5]))
        transcript = formats.read(named(text))
        assert {segment.end for segment in transcript} == {None}
        assert "TIME-LENGTH" in [d.code for d in transcript.diagnostics]


@each_case("form", ["## {}\n{}", "**{}:**\n{}", "{}:\n{}", "### {}\n\n{}"])
def test_two_turns_of_a_chat_with_a_program(form: str) -> None:
    """A question and an answer are a chat if both names are roles of one."""
    for names in (("User", "Assistant"), ("You", "ChatGPT"), ("user", "chatgpt")):
        if names[0].islower() and "#" not in form:
            continue
        text = "\n\n".join(form.format(name, x) for name, x in zip(names, SAID[1:3], strict=True))
        assert turns(text) == [(names[0], None, SAID[1]), (names[1], None, SAID[2])]


def test_headings_in_small_letters_that_return_are_names() -> None:
    text = "\n\n".join(f"## {('alice', 'bob')[n % 2]}\n{x}" for n, x in enumerate(SAID))
    assert turns(text) == [(("alice", "bob")[n % 2], None, x) for n, x in enumerate(SAID)]
    parts = "\n\n".join(f"## {x.split()[0].lower()}\n{x}" for x in dict.fromkeys(SAID[:4]))
    assert {name for name, *_ in turns(parts)} == {None}


def test_segments_with_their_numbers_and_times_are_no_counted_lines() -> None:
    text = "".join(f"Segment {n}: {3 * n}.0 - {3 * n + 2}.5\n{x}\n\n" for n, x in enumerate(SAID))
    assert turns(text) == [(None, 3.0 * n, x) for n, x in enumerate(SAID)]


def test_messages_of_the_first_hour_of_a_day_count_from_the_first() -> None:
    text = "".join(f"[2024-06-03 00:{10 + n}:05] <ann{n % 2}> {x}\n" for n, x in enumerate(SAID))
    assert turns(text) == [(f"ann{n % 2}", 60.0 * n, x) for n, x in enumerate(SAID)]


def test_says_behind_all_names_is_no_part_of_them() -> None:
    text = "".join(f"{('Ann', 'Ben')[n % 2]} says: {x}\n" for n, x in enumerate(SAID))
    assert {name for name, *_ in turns(text)} == {"Ann", "Ben"}


def test_a_date_alone_inside_a_message_is_said() -> None:
    said = [f"[0{n}/06/2026, 09:0{n}:10] {'AB'[n % 2]}nn: {SAID[n]}\n" for n in range(1, 8)]
    text = "".join([*said[:4], "Sat 6 June\n6 juni\n", *said[4:]])
    assert turns(text)[3][2].endswith("Sat 6 June 6 juni")


def test_a_chat_whose_commas_and_colons_became_semicolons() -> None:
    text = (
        "[14/02/2024; 04;06;10] Ann Ex; Good morning; all of you\n"
        "[14/02/2024; 04;07;12] ; Ben Lee; At the bridge\nor at home?\n"
        "[14/02/2024; 04;09;00] Ann Ex; So when do we meet?\n"
        "[14/02/2024; 05;10;30] ; Ben Lee; At nine; I think.\n"
    )
    assert turns(text) == [
        ("Ann Ex", 0.0, "Good morning; all of you"),
        ("Ben Lee", 62.0, "At the bridge or at home?"),
        ("Ann Ex", 170.0, "So when do we meet?"),
        ("Ben Lee", 3860.0, "At nine; I think."),
    ]


@each_case(
    "form",
    [
        "From {} To Everyone:",
        "From {} to Everyone:",
        "von {} an Alle:",
        "Von {} an Alle:",
        "De {} à Tous:",
        "De  {}  a  Todos:",
        "De {} para Todos:",
        "Da {} a Tutti:",
        "Van {} aan Iedereen:",
        "Od {} do Wszyscy:",
        "От {} до Все:",
        "開始 {} 宛先 全員:",
    ],
)
def test_messages_of_zoom_to_everybody(form: str) -> None:
    names = ["Ann Ex", "Ben Roe"] * 4
    text = "".join(
        f"11:0{n}:57 {form.format(name)}\n\t{line}\n"
        for n, (name, line) in enumerate(zip(names, SAID, strict=True))
    )
    assert turns(text) == [
        (name, 60.0 * n, line) for n, (name, line) in enumerate(zip(names, SAID, strict=True))
    ]


@each_case(
    "sender, private",
    [
        ("From", "to {}(Privately)"),
        ("De", "a {}(En privado)"),
        ("De", "para {}(Privado)"),
        ("Von", "an {}(Privat)"),
        ("Van", "aan {}(Privé)"),
    ],
)
def test_messages_of_zoom_without_receivers(sender: str, private: str) -> None:
    names = ["Ann Ex", "Ben Roe"] * 4
    text = "".join(
        f"11:0{n}:57\t {sender}  {name} {'' if n != 3 else private.format('Ann Ex')}: {line}\n"
        for n, (name, line) in enumerate(zip(names, SAID, strict=True))
    )
    assert turns(text) == [
        (name, 60.0 * n, line) for n, (name, line) in enumerate(zip(names, SAID, strict=True))
    ]


@each_case(
    "form, private",
    [
        (
            "2024-05-01 {} 발신자: {} 수신자: 모두:",
            "2024-05-01 {} 발신자: {} 수신자: Ann Ex(개인):",
        ),
        ("{}\tGönderen {} Alıcı Herkes:", "{}\tGönderen {} Alıcı Ann Ex(Doğrudan):"),
        ("{} 发件人 {} 收件人 所有人：", "{} 发件人 {} 收件人 Ann Ex（私聊）："),
        ("2024-05-01 {} Von: {} An: Alle Personen:", "2024-05-01 {} Von: {} An: Ann Ex:"),
        ("{} {} kaikille Kaikki:", "{} {} kaikille Ann Ex:"),
    ],
)
def test_words_before_senders_and_receivers_of_any_language(form: str, private: str) -> None:
    names = ["Ann Ex", "Ben Roe"] * 4
    text = "".join(
        f"{(private if n == 3 else form).format(f'11:0{n}:57', name)}\n\t{line}\n"
        for n, (name, line) in enumerate(zip(names, SAID, strict=True))
    )
    assert turns(text) == [
        (name, 60.0 * n, line) for n, (name, line) in enumerate(zip(names, SAID, strict=True))
    ]


@each_case(
    "reply, reaction",
    [
        ('Replying to "{}..."', 'Reacted to "{}" with \N{THUMBS UP SIGN}'),
        ("'{}'에 회신", "'{}...'에 반응"),
        ("Antwort auf „{}“", "Reaktion auf „{}“"),
        ("回复“{}”", "对“{}”做出回应"),
    ],
)
def test_quotations_of_earlier_messages_are_no_words(reply: str, reaction: str) -> None:
    lines = [f"\t{line}" for line in SAID]
    for n in (2, 4):
        lines[n] = f"\t{reply.format(SAID[n - 1][:20])}\n\t\n{lines[n]}"
        lines[n + 1] += f"\n\t{reaction.format(SAID[n][:15])}"
    text = "".join(
        f"11:0{n}:57 From {name} to Everyone:\n{line}\n"
        for n, (name, line) in enumerate(zip(["Ann Ex", "Ben Roe"] * 4, lines, strict=True))
    )
    assert [words for _, _, words in turns(text)] == SAID


def test_other_quotations_in_chats_are_words() -> None:
    lines = [*SAID[:6], 'she said "please go"', 'he said "no"']
    text = "".join(
        f"11:0{n}:57 From {name} to Everyone:\n\t{line}\n"
        for n, (name, line) in enumerate(zip(["Ann Ex", "Ben Roe"] * 4, lines, strict=True))
    )
    assert [words for _, _, words in turns(text)] == lines


def test_a_name_that_begins_like_the_sender_of_a_message_stays() -> None:
    names = ["De Boer", "Ben Roe"] * 4
    text = "".join(
        f"11:0{n}:57 {name} : {line}\n"
        for n, (name, line) in enumerate(zip(names, SAID, strict=True))
    )
    assert turns(text) == [
        (name, 60.0 * n, line) for n, (name, line) in enumerate(zip(names, SAID, strict=True))
    ]


@each_case("stamp", ["01-May-24 10:0{} AM", "2024-05-01 10:0{}", "5/1/2024 10:0{} AM"])
def test_names_of_users_with_points_below_dates(stamp: str) -> None:
    names = ["ann_ex", "ben.roe", "ann_ex", "Cy Lee"] * 2
    text = "".join(
        f"[{stamp.format(n + 1)}] {name}\n{line}\n\n"
        for n, (name, line) in enumerate(zip(names, SAID, strict=True))
    )
    attached = f"{SAID[2]}\n\n{{Attachments}}\nhttps://example.org/a.png\n"
    text = f"{60 * '='}\nChannel: club\n{60 * '='}\n\n{text.replace(SAID[2], attached)}"
    assert turns(text) == [
        (name, 60.0 * n, line) for n, (name, line) in enumerate(zip(names, SAID, strict=True))
    ]


@each_case("form", ["03/06/2024, {t} - {n}: {x}\n", "[{t}] {n}: {x}\n"])
def test_times_in_messages_do_not_change_what_the_times_of_messages_are(form: str) -> None:
    said = [*SAID, "Today 8:52 pm it was", "It took 10:20:30 in all", *SAID]
    text = "".join(
        form.format(t=f"{17 + n // 3}:{20 * (n % 3):02}", n=("Ann", "Ben", "Cy")[n % 3], x=x)
        for n, x in enumerate(said[:18])
    )
    without = text.replace("8:52 pm", "late").replace("10:20:30", "long")
    times = [start or 0.0 for _, start, _ in turns(text)]
    assert times == [start or 0.0 for _, start, _ in turns(without)] == sorted(times)
    assert (len(times), times[-1] > times[0]) == (18, True)
