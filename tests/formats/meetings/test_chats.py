"""Messages of chats, and what the program says among them."""

from __future__ import annotations

from formats.meetings.turns.chats import is_notice, mark_of_edit
from tests.each_case import each_case
from tests.formats.meetings.said import turns

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
