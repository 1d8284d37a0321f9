"""Names of which only some are bold, and identifiers before times in brackets."""

from pathlib import Path

import pytest

import formats

ASKED = ["So where was the van parked, then?", "And who drove it to the lake?",
         "What did he say about the boat?"]  # fmt: skip
TOLD = ["It was behind the house, I think.", "My brother did, when he called last night.",
        "Nothing at all, as ever."]  # fmt: skip


def turns(folder: Path, text: str) -> list[tuple[str | None, str]]:
    file = folder / "talk.txt"
    file.write_text(text)
    return [(s.speaker, " ".join(s.words)) for s in formats.read(file)]


def talk(question: str, answer: str) -> str:
    pairs = zip(ASKED, TOLD, strict=True)
    return "\n\n".join(f"{question.format(q)}\n\n{answer.format(a)}" for q, a in pairs)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("**Host:** {}", "Ann: {}"),
        ("**Host: {}**", "Ann: {}"),
        ("Host: {}", "**Ann:** {}"),
        ("**Host**: {}", "Ann: {}"),
    ],
)
def test_names_of_which_some_are_bold_are_speakers(
    question: str, answer: str, tmp_path: Path
) -> None:
    expected = [x for q, a in zip(ASKED, TOLD, strict=True) for x in (("Host", q), ("Ann", a))]
    assert turns(tmp_path, talk(question, answer)) == expected


def test_a_bold_name_with_a_role_is_a_speaker(tmp_path: Path) -> None:
    first = "**CARL OTT, CHAIR OF THE OLD CLUB:** Good evening to you all."
    speakers = turns(tmp_path, f"{first}\n\n{talk('Host: {}', 'Ann: {}')}")
    assert speakers[0] == ("CARL OTT", "Good evening to you all.")


def test_fields_beside_bold_names_are_no_speakers(tmp_path: Path) -> None:
    text = talk("**Host:** {}", "**Ann:** {}")
    assert {name for name, _ in turns(tmp_path, f"{text}\n\n{text}\n\nTip: none")} == {
        "Host",
        "Ann",
    }


def test_bold_words_in_prose_stay(tmp_path: Path) -> None:
    text = "**Note:** it was late.\n\nIt rained: nobody came.\n\nThe van was behind the house.\n"
    assert {name for name, _ in turns(tmp_path, text)} == {None}


def test_identifiers_before_times_in_brackets_are_those_of_utterances(tmp_path: Path) -> None:
    file = tmp_path / "talk.txt"
    lines = [f"Ses1_F00{n} [00{n}.2500-00{n}.7500]: {text}" for n, text in enumerate(ASKED + TOLD)]
    file.write_text("\n".join(lines))
    assert [(s.utterance, s.start, s.end) for s in formats.read(file)] == [
        (f"Ses1_F00{n}", n + 0.25, n + 0.75) for n in range(6)
    ]
