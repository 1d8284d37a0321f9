"""Names of plays that are words elsewhere, roles below brief texts, and who comes and goes."""

import pytest

from tests.formats.meetings.said import SAID, turns

VERSES = [(said, f"and the nurse and the prince {text.lower()}") for said in SAID for text in SAID]
ALL = ["Ann", "Nurse", "Ben", "Prince", "Dora"]


def column(names: list[str], name_indent: str = "  ", verse_indent: str = "    ") -> str:
    """Return a play with a name, a full stop and a verse, and a second verse below it."""
    return "".join(
        f"{name_indent}{names[n % len(names)]}. {first}\n{verse_indent}{second}\n"
        for n, (first, second) in enumerate(VERSES)
    )


@pytest.mark.parametrize("indents", [("  ", "    "), ("", "  "), ("    ", "")])
def test_names_in_a_column_of_names_may_be_words_elsewhere(indents: tuple[str, str]) -> None:
    found = turns("ACT I\n\n" + column(ALL, *indents))
    assert [name for name, *_ in found] == [ALL[n % 5] for n in range(len(VERSES))]
    assert [words for *_, words in found] == [f"{first} {second}" for first, second in VERSES]


def test_a_name_in_a_column_of_names_may_occur_once() -> None:
    once = "  Boy. I come late.\n"
    found = turns("ACT I\n\n" + column(ALL) + once + column(ALL))
    assert [words for name, _, words in found if name == "Boy"] == ["I come late."]


def test_a_word_that_begins_a_verse_is_no_name() -> None:
    """Verses and names have one indent: only what is nowhere a word in small letters is a name."""
    found = turns("ACT I\n\n" + column(ALL, "  ", "  "))
    assert {name for name, *_ in found} == {"Ann", "Ben", "Dora"}


def test_answers_and_directions_in_a_column_of_names_are_no_names() -> None:
    odd = "  Yes. So it is.\n  Enter Ben. A bell rings.\n"
    found = turns("ACT I\n\n" + column(ALL) + odd + column(ALL))
    assert {name for name, *_ in found} == {*ALL}


@pytest.mark.parametrize("brief", ["Thank you.", "Thank you, Senator.", "Yes."])
def test_a_role_below_a_name_may_be_above_a_brief_text(brief: str) -> None:
    said = [brief if n % 3 == 0 else text for n, text in enumerate(SAID * 3)]
    names = [("LEE", "DOE", "ROE")[n % 3] for n in range(len(said))]
    text = "".join(
        f"{name}\nMODERATOR\n\n{x}\n" if name == "LEE" else f"{name}\n\n{x}\n"
        for name, x in zip(names, said, strict=True)
    )
    assert [(name, words) for name, _, words in turns(text)] == list(zip(names, said, strict=True))


@pytest.mark.parametrize("way", ["Exit", "Exeunt", "Exeunt all", "Enter Ben", "Enter an old Man"])
def test_who_comes_and_goes_is_no_speaker(way: str) -> None:
    text = "ACT I\n\n" + "".join(
        f"{'AB'[n % 2]}NN\n\n    {said}\n\n" + (f"    {way}\n\n" if n % 4 == 3 else "")
        for n, said in enumerate(SAID * 3)
    )
    expected = [("AB"[n % 2] + "NN", said) for n, said in enumerate(SAID * 3)]
    assert [(name, words) for name, _, words in turns(text)] == expected


@pytest.mark.parametrize("solos", [0, 1])
def test_a_chorus_of_a_long_play_speaks_beside_one_solo(solos: int) -> None:
    names = ["FAY", "BRAM", "CHORUS", "SYBIL"]
    text = "".join(f"{names[n % 4]}:\n{said}\n\n" for n, said in enumerate(SAID * 8))
    found = turns(text + "SOLO:\nla la\n\nFAY:\nEnough.\n\n" * solos)
    assert sum(name == "CHORUS" for name, *_ in found) == 16


def test_scenes_may_have_headings_in_small_letters() -> None:
    names = ["ANN", "BEN"]
    said = [f"{names[n % 2]}\n{text}\n" for n, text in enumerate(SAID * 2)]
    title = "title: The bridge\n\nTHE BRIDGE\nby Ann Ex\n\n"
    text = title + "\n".join([*said[:2], "int. a hall, at night\n", *said[2:]])
    expected = [(names[n % 2], said) for n, said in enumerate(SAID * 2)]
    assert [(name, words) for name, _, words in turns(text)] == expected


@pytest.mark.parametrize("sign", [" .", "?", "."])
def test_a_second_name_in_nearly_every_line_may_have_no_blank_before(sign: str) -> None:
    asked = [text.rstrip(".?") for text in SAID]
    lines = [
        f"Asker: {text}{sign}Roe: {said}"
        for text, said in zip(asked * 2, SAID[::-1] * 2, strict=False)
    ]
    end = sign.strip()
    expected = [
        turn
        for text, said in zip(asked * 2, SAID[::-1] * 2, strict=False)
        for turn in (("Asker", f"{text}{end}"), ("Roe", said))
    ]
    assert [(name, words) for name, _, words in turns("\n".join(lines))] == expected


@pytest.mark.parametrize("item", ["1.Pros: ", "1. Pros: ", "www.Pros: "])
def test_items_inside_lines_are_no_names(item: str) -> None:
    lines = [f"{'AB'[n % 2]}nn: {item if n < 4 else ''}{said}" for n, said in enumerate(SAID * 3)]
    assert {name for name, *_ in turns("\n".join(lines))} == {"Ann", "Bnn"}


def test_items_in_all_lines_are_no_names() -> None:
    lines = [f"{'AB'[n % 2]}nn: so it is 1.Pros: {said}" for n, said in enumerate(SAID * 3)]
    assert {name for name, *_ in turns("\n".join(lines))} == {"Ann", "Bnn"}


def play_in_columns() -> str:
    """A play with names in one column, verse in another, and directions far behind both."""
    names = ["Ann.", "Ben.", "Cy."]
    turns = "".join(
        f"  {names[n % 3]} {said}\n    And so it is with me{n}.\n"
        for n, said in enumerate(SAID * 3)
    )
    return f"ACT I. Scene I.\nBern. A bridge.\n\nEnter Ann and Ben.\n\n{turns}"


def test_verse_directly_below_a_direction_is_speech() -> None:
    text = play_in_columns() + (
        "  Ann. So be it.                                    Exit.\n"
        "                                Exeunt Ben and Cy.\n"
        "    And now the river, and the bridge.\n"
        "                                          Lifts her hand.\n"
        "    (So I was told) I go.\n"
        "\nScene II.\nBern. The hall of the old house.\n\nEnter Ben.\n\n  Ben. Well.\n"
    )
    found = turns(text)
    assert found[-2:] == [
        ("Ann", None, "So be it. And now the river, and the bridge. (So I was told) I go."),
        ("Ben", None, "Well."),
    ]
    assert {name for name, *_ in found} == {"Ann", "Ben", "Cy"}


def test_a_long_direction_at_the_margin_goes_on() -> None:
    text = play_in_columns() + (
        "\nEnter a crowd with lamps, and Cy, who\nlooks at the river.\n\n  Ann. So be it.\n"
    )
    assert turns(text)[-2][2].endswith("And so it is with me23.")


@pytest.mark.parametrize("count", [3, 1])
def test_speakers_inside_lines_begin_turns_if_they_are_several(count: int) -> None:
    names = ["Crew", "Ann", "Ben"]
    lines = [
        f"{names[n % 3]}: {said}" + (f" {names[n % 2]}: Well. Ben: Oh." if n < count else "")
        for n, said in enumerate(SAID * 2)
    ]
    expected = [
        part
        for n, said in enumerate(SAID * 2)
        for part in ([said, "Well.", "Oh."] if n < count == 3 else [said])
    ]
    found = [words for _, _, words in turns("\n".join(lines))]
    assert found == expected if count == 3 else found[0].endswith("Crew: Well. Ben: Oh.")


def test_dashes_above_the_first_name_are_turns_if_they_are_between_names_too() -> None:
    dashed = "".join(f"- {said}\n" for said in SAID)
    named = "".join(f"spk_{n % 2}: {said}\n- {SAID[n]}\n" for n, said in enumerate(SAID[:7], 1))
    found = turns(dashed + named)
    assert found[0] == (None, None, SAID[0])
    assert [name for name, *_ in found[8:10]] == ["spk_1", None]
    assert not any(words.startswith("-") for *_, words in found)


def test_items_of_a_turn_are_no_turns() -> None:
    named = "".join(f"spk_{n % 3}: {said}\n- {SAID[n]}\n" for n, said in enumerate(SAID))
    assert None not in {name for name, *_ in turns(named)}


def test_notices_and_times_of_a_sitting_are_no_words() -> None:
    said = "主席、各位同仁，大家好，今天我們討論這座橋。"
    texts = [f"{'王李'[n % 2]}委員：（10時{n}分）{said}\n" for n in range(8)]
    text = "".join([*texts[:4], "休息（10時49分）\n繼續開會（11時3分）\n", *texts[4:]])
    assert {words for *_, words in turns(text)} == {said}


def test_notices_of_a_sitting_in_japanese_are_no_words() -> None:
    said = "橋について質問いたします。五月に開きますか、お答えください。"
    names = ["議長", "田中花子君", "鈴木一郎君"]
    lines = [f"○{names[n % 3]}　{said}" for n in range(9)]
    lines[4:4] = ["　　　〔田中花子君登壇〕"]
    text = "\n".join([*lines, "　　　午後三時五分散会"])
    assert {words for *_, words in turns(text)} == {said}


def test_a_dash_without_blanks_behind_a_name_in_capitals() -> None:
    text = "".join(f"{('ANNA', 'MR. LEE')[n % 2]}—{line}\n" for n, line in enumerate(SAID))
    assert [name for name, _, _ in turns(text)] == ["ANNA", "MR. LEE"] * (len(SAID) // 2)


def test_a_dash_behind_other_capitals_is_of_the_text() -> None:
    text = "".join(f"{line} NATO—so they say—{line}\n" for line in SAID)
    assert {name for name, _, _ in turns(text)} == {None}


@pytest.mark.parametrize(
    ("scene", "name"),
    [
        ("SCENE I\tBern. A bridge.", "ANN\t"),
        ("Scena Secunda.\n\nEnter Ann, and Ben.", "ANN. "),
        ("Zweite Szene\n\nIm Wirtshaus. Der Wirt allein.", "ANN. "),
        ("SCÈNE II\n\nUne place.\n\nLe roi est assis.", "ANN. "),
        ("Stille.", "ANN. "),
        ("Пауза.", "ANN. "),
    ],
)
def test_settings_and_silences_of_plays_are_no_words(scene: str, name: str) -> None:
    names = [name, name.replace("ANN", "BEN")]
    lines = [f"{names[n % 2]}{said}\n" for n, said in enumerate(SAID * 2)]
    text = "".join(["ACT I\n\n", *lines[:7], f"\n{scene}\n\n", *lines[7:]])
    expected = [(["ANN", "BEN"][n % 2], said) for n, said in enumerate(SAID * 2)]
    assert [(name, words) for name, _, words in turns(text)] == expected


def test_titles_below_tags_of_chapters_are_no_words() -> None:
    turns_of = "".join(
        f'<SPEAKER ID={n} NAME="{"AB"[n % 2]}nn">\n{s}\n' for n, s in enumerate(SAID)
    )
    text = f"<CHAPTER ID=1>\nThe bridge\n{turns_of}<CHAPTER ID=2>\nRoads\n{turns_of}"
    assert [words for _, _, words in turns(text)] == SAID * 2


def test_a_solo_of_a_long_play_with_many_persons_speaks() -> None:
    names = [f"{x}{y}" for x in ("ANN", "BER", "CYR", "DIA") for y in ("A", "O", "IN")]
    text = "".join(f"{names[n % 12]}:\n{said}\n\n" for n, said in enumerate(SAID * 30))
    found = turns(text + "SOLO:\nSo it was.\n\nANNA:\nEnough.\n")
    assert ("SOLO", None, "So it was.") in found


@pytest.mark.parametrize(
    "remark", ["(CONT'D)", "(O.S.)", "(V.O.)", "(OFF)", "(CONT’D)", "(PART O.S.)"]
)
def test_remarks_of_scripts_behind_names_over_lines_without_blanks(remark: str) -> None:
    said = [
        ("ANN", "The van is at the bridge!"),
        ("BEN", "Then we walk there."),
        ("ANN", "Not in this rain, Ben."),
        (f"ANN {remark}", "Take the coats!"),
        (f"BEN {remark}", "Which coats do you mean?"),
        ("BEN", "There is no coat here."),
        ("ANN", "Look below the stairs."),
        (f"BEN {remark}", "I see nothing at all."),
        ("ANN", "So we get wet."),
    ]
    text = "".join(f"{name}\n{line}\n" for name, line in said * 2)
    assert [(name, line) for name, _, line in turns(text)] == [
        (name.split()[0], line) for name, line in said * 2
    ]
