"""Plays and talks in several languages: heads, acts, directions, and names alone over verses."""

import formats
from tests.each_case import each_case
from tests.formats.checks import codes
from tests.formats.meetings.said import SAID, named, turns

LINES = [line for line in SAID for _ in range(3)]
PEOPLE = ["ANNA", "BRUNO", "CLARA"]
NOTICE = (
    "This text is given away by the old library of the town.\n"
    "You may copy it if you keep this notice with each copy of it.\n"
    "THE LIBRARY GIVES NO WARRANTY FOR THE TEXT OR FOR THE MEDIUM IT IS ON.\n\n"
)


def hanging(name: str, line: str) -> str:
    """Return a turn whose second line is indented more than its first."""
    first, sign, rest = line.partition(", ")
    return f"  {name}. {first}{sign.rstrip()}\n" + (f"    {rest}\n" if rest else "")


@each_case("notices", [0, 1, 5])
def test_a_play_below_a_long_head(notices: int) -> None:
    """The notice, the persons, the titles and the directions of a play are not spoken."""
    text = f"{notices * NOTICE}THE BRIDGE\n\n  ANNA, a weaver\n  BRUNO, her brother\n\n"
    text += "<<THIS TEXT IS OF THE LIBRARY,\nAND MAY BE COPIED.>>\n\nACT I. SCENE I.\nA room.\n\n"
    for n, line in enumerate(LINES):
        text += hanging(PEOPLE[n % 3], line)
        text += "\nSCENE II.\nA road.\n\nEnter CLARA.\n\n" if n == 11 else ""
    assert turns(text) == [(PEOPLE[n % 3], None, line) for n, line in enumerate(LINES)]


@each_case(
    ("act", "scene", "direction"),
    [
        ("ERSTER AKT", "Zweite Szene", "Vorhang."),
        ("Erster Aufzug", "ZWEITER AUFTRITT", "(Ab.)"),
        ("ACTE PREMIER", "SCÈNE II", "Entre CLARA."),
        ("ACTO PRIMERO", "ESCENA II", "Vase CLARA."),
        ("ATTO PRIMO", "SCENA II", "Entra CLARA."),
        ("ДЕЙСТВИЕ ПЕРВОЕ", "ЯВЛЕНИЕ II", "Входит КЛАРА."),
        ("Действие 1", "Картина вторая", "Занавес."),
        ("第一幕", "第二场", "（下）"),
        ("제1막", "제2장", "(나간다)"),
    ],
)
@each_case("form", ["{n}. {x}\n\n", "{n}.\n{x}\n\n", "{n}: {x}\n\n"])
def test_titles_and_directions_of_plays(form: str, act: str, scene: str, direction: str) -> None:
    """Titles of acts and scenes, and what persons do, are not spoken."""
    text = f"{act}\n\n"
    for n, line in enumerate(LINES):
        text += form.format(n=PEOPLE[n % 3], x=line)
        text += f"{direction}\n\n{scene}\n\n" if n % 8 == 3 else ""
    assert turns(text) == [(PEOPLE[n % 3], None, line) for n, line in enumerate(LINES)]


@each_case("gap", ["\n", "\n\n"])
def test_names_with_a_full_stop_over_verses(gap: str) -> None:
    """A name with a full stop is alone over verses, and is nowhere a word in small letters."""
    names = ["Лиза", "Борисов", "Княгиня"]
    verses = [("Где вы были вчера,", "когда упал мост?"), ("Я был дома,", "и не слышал.")]
    text = "НОЧЬ.\n\nКомната у реки.\n\n"
    text += "\n\n".join(f"{names[n % 3]}.{gap}" + "\n".join(verses[n % 2]) for n in range(18))
    expected = [(names[n % 3], None, " ".join(verses[n % 2])) for n in range(18)]
    assert turns(text) == expected
    answers = text.replace("Лиза.", "Вчера.", 2)
    assert {name for name, *_ in turns(answers)}.isdisjoint({"Вчера"})


def test_names_in_a_text_without_blank_lines() -> None:
    """Names return below sentences; every fifth verse has its number, which is no word."""
    verses = [("where were you, Bruno,", "when the bridge fell?"), ("I was at home.",)]
    names, lines, count = ["Anna", "Bruno", "Clara"], list[str](), 0
    for n in range(24):
        lines.append(names[n % 3])
        for verse in verses[n % 2]:
            count += 1
            lines.append(f"{'' if count % 5 else count}{verse}")
    expected = [(names[n % 3], None, " ".join(verses[n % 2])) for n in range(24)]
    assert turns("\n".join(lines)) == expected
    song = "\n".join(["Anna", "oh Anna", "Bruno", "oh my"] * 6)
    assert {name for name, *_ in turns(song)} == {None}


def test_lines_of_action_behind_a_triangle() -> None:
    """A line behind △ tells what happens in a screenplay."""
    names = ["鲁妈", "四凤", "周萍"]
    text = "1—1场景：日，外，河边\n\n"
    for n in range(18):
        text += f"{names[n % 3]}：桥塌的时候你在哪里{n}？\n\n" + (
            "△她看着河水。\n\n" if n % 4 else ""
        )
    assert turns(text) == [(names[n % 3], None, f"桥塌的时候你在哪里{n}？") for n in range(18)]


@each_case("form", ["{n}　{x}\n", "●{n}　{x}\n", "◯{n}　{x}\n", "◆{n}　{x}\n\n"])
def test_names_before_a_wide_blank(form: str) -> None:
    """In Japanese, a wide blank may be all that is between a name and its text."""
    names = ["田中", "鈴木", "佐藤"]
    said = ["橋はいつ開きますか。", "五月に開きます。", "ありがとうございます。"]
    text = "".join(form.format(n=names[n % 3], x=said[n % 3]) for n in range(12))
    assert turns(text) == [(names[n % 3], None, said[n % 3]) for n in range(12)]


@each_case(
    ("first", "second", "asked", "answered"),
    [
        ("Interviewerin", "Befragte", "Wo waren Sie damals?", "Zu Hause, mit meiner Schwester."),
        ("聞き手", "語り手", "その日はどこにいましたか。", "家にいましたよ、妹と。"),
        ("면담자", "구술자", "그날 어디에 계셨어요?", "집에 있었어요, 동생하고."),
        ("المحاور", "الضيف", "أين كنت في ذلك اليوم؟", "كنت في البيت مع أختي."),
        ("Интервьюер", "Респондент", "Где вы были в тот день?", "Дома, вместе с сестрой."),
        ("采访者", "受访者", "那天你在哪里？", "我在家里，和我妹妹。"),
    ],
)
@each_case("head", ["", "{title}\n\n", "{label}: 2021\n\n"])
def test_roles_in_languages(head: str, first: str, second: str, asked: str, answered: str) -> None:
    """Few turns of two roles are turns, also below the head of a document."""
    text = head.format(title=asked.rstrip("?؟。？"), label="日期")
    text += f"{first}: {asked}\n{second}: {answered}\n" * 2
    assert turns(text) == [(first, None, asked), (second, None, answered)] * 2


def test_frame_of_a_book_around_a_play() -> None:
    """The lines around a published book are counted, and are not spoken."""
    text = "A notice.\n\n*** START OF THE PROJECT X EBOOK THE BRIDGE ***\n\nACT I\n\n"
    text += "".join(f"{PEOPLE[n % 3]}. {line}\n\n" for n, line in enumerate(LINES))
    text += "*** END OF THE PROJECT X EBOOK THE BRIDGE ***\n\nTHE TERMS. You may copy it.\n"
    transcript = formats.read(named(text))
    assert [s.speaker for s in transcript] == [PEOPLE[n % 3] for n in range(len(LINES))]
    assert transcript[-1].words[-1] == "today."
    assert "SPEAKER-TEXT-FOOTER" in codes(transcript)
