"""Turns with bare generic names, names in brackets, dates without meaning, and notices."""

from tests.formats.meetings.said import SAID, Turn, turns

SIX = SAID[:6]


def spoken(*names: str | None) -> list[Turn]:
    return [(name, None, text) for name, text in zip(names, SIX, strict=False)]


def test_a_generic_name_without_its_number_is_a_name_among_others() -> None:
    names = ("Speaker 1", "Speaker 2", "Speaker", "Speaker 1", "Speaker", "Speaker 2")
    text = "".join(f"{name}\n{said}\n\n" for name, said in zip(names, SIX, strict=True))
    assert turns(text) == spoken(*names)


def test_a_name_in_brackets_behind_a_generic_name_is_the_speaker() -> None:
    named = [("Speaker1", "Ann"), ("Speaker2", "Bob Roe")] * 3
    text = "".join(f"{a}: ({b}) {said}\n" for (a, b), said in zip(named, SIX, strict=True))
    assert turns(text) == spoken(*(name for _, name in named))
    laughs = text.replace("(Bob Roe)", "(Ann)")
    assert [turn[0] for turn in turns(laughs)] == ["Speaker1", "Speaker2"] * 3


def test_what_programs_write_for_no_name_is_no_speaker() -> None:
    text = "".join(
        f"[00:0{n}] {'N/A' if n % 2 else 'Speaker 1'}: {said}\n" for n, said in enumerate(SIX)
    )
    assert [turn[0] for turn in turns(text)] == ["Speaker 1", None] * 3


def test_chats_may_have_points_in_times_of_day() -> None:
    text = "".join(
        f"05/11/2018, 9.5{n} - {'Ann' if n % 2 else '+49 170 0000'}: {said}\n"
        for n, said in enumerate(SIX)
    )
    read = turns(text)
    assert [turn[:2] for turn in read[:2]] == [("+49 170 0000", 0), ("Ann", 60)]
    assert [turn[2] for turn in read] == SIX


def test_the_date_1970_01_01_before_times_is_no_date() -> None:
    text = "".join(f"1970-01-01 00:00:{5 * n:02}: {said}\n" for n, said in enumerate(SIX))
    assert turns(text) == [(None, 5.0 * n, said) for n, said in enumerate(SIX)]


def test_two_spans_over_texts_are_turns() -> None:
    text = f"00:00 -> 00:10\n{' '.join(SIX)}\n\n00:10 -> 00:12\n{SIX[0]}\n"
    assert turns(text) == [(None, 0, " ".join(SIX)), (None, 10, SIX[0])]
    back = text.replace("00:10 -> 00:12", "00:01 -> 00:02")
    assert len(turns(back)) == 1


def test_questions_and_answers_need_no_other_sign() -> None:
    text = "".join(f"{'QA'[n % 2]}. {said}\n" for n, said in enumerate(SIX)).replace("-", "")
    assert turns(text) == spoken(*"QAQAQA")


def test_notices_of_services_in_brackets_are_not_read() -> None:
    notice = "(Transcribed by TurboScribe.ai - Go Unlimited to remove this message)\n"
    names = ["Speaker 1", "Speaker 2"] * 3
    text = "".join(f"[{name}]\n{said}\n\n" for name, said in zip(names, SIX, strict=True))
    assert turns(f"{notice}\n{text}{notice}") == spoken(*names)


def test_words_of_mathematics_are_no_speakers() -> None:
    words = ["Definition", "Theorem", "Proof"] * 2
    text = "".join(f"{word}: {said}\n\n" for word, said in zip(words, SIX, strict=True))
    assert [turn[0] for turn in turns(text)] == [None]


def test_names_with_titles_begin_indented_paragraphs_of_wrapped_lines() -> None:
    below = "the committee has heard that before, and it will hear it again on\nMonday.\n"
    again = "    First, the road beside it will not be closed, as far as we know,\nthis year.\n"
    names = ("Mr. Doe", "The Chairman", "Ms. Roe")
    text = "A HEARING\n\n" + "".join(
        f"    {names[n % 3]}. Thank you. We want to say a word about the bridge, and\n{below}{again}"
        for n in range(24)
    )
    read = turns(text)
    assert [turn[0] for turn in read] == [*names] * 8
    assert {len(turn[2].split()) for turn in read} == {42}


def test_fields_that_begin_each_part_of_a_text_are_no_speakers() -> None:
    head = "Candidate Name: Ann Lee\nInterview Date: 2025-01-14\nPosition Applied: Engineer\n\n"
    talk = "".join(
        f"{name}: {said}\n" for name, said in zip(("Host", "Guest") * 3, SIX, strict=True)
    )
    assert turns(f"{head}{talk}\n---\n\n" * 3) == spoken(*("Host", "Guest") * 3) * 3


def test_a_word_of_fields_among_speakers_and_names_between_rules_stay_names() -> None:
    names = ("Title Editor", "Guest", "Title Editor", "Guest", "Guest", "Host")
    text = "".join(f"{name}: {said}\n" for name, said in zip(names, SIX, strict=True))
    assert turns(text) == spoken(*names)
    pairs = ["Ann", "Bob"] * 3
    ruled = "".join(f"--- {name} ---\n{said}\n\n" for name, said in zip(pairs, SIX, strict=True))
    assert turns(ruled) == spoken(*pairs)


def test_two_slashes_may_stand_between_names_and_texts() -> None:
    names = ("Ann Lee", "Bob Roe") * 3
    text = "".join(f"{name} // {said}\n" for name, said in zip(names, SIX, strict=True))
    assert turns(text) == spoken(*names)
