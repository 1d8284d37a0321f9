"""Times with frames in brackets before texts, and tags in the texts of turns."""

import pytest

import formats
from formats.meetings.messages import TAGS_LEFT
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, named, turns
from tests.remarks import fields_of

PLACES = [(4 * n, (7 * n) % 25) for n in range(len(SAID))]


@each_case("sign", [":", ";"])
@each_case("behind", ["]", "]:"])
@each_case("hour", ["00", "16"])
def test_single_times_with_frames_in_brackets_begin_turns(
    hour: str, behind: str, sign: str
) -> None:
    """They are read like the same times without brackets, and are no times of day."""
    text = "".join(
        f"[{hour}:03:{seconds:02}{sign}{frames:02}{behind} {said}\n"
        for (seconds, frames), said in zip(PLACES, SAID, strict=True)
    )
    begin = int(hour) * 3600 + 180
    assert turns(text) == [
        (None, begin + seconds + frames / 25, said)
        for (seconds, frames), said in zip(PLACES, SAID, strict=True)
    ]


def test_names_behind_times_with_frames_are_still_speakers() -> None:
    text = "".join(f"[00:03:{4 * n:02}:10] {'AB'[n % 2]}nn: {s}\n" for n, s in enumerate(SAID))
    assert [speaker for speaker, *_ in turns(text)] == ["Ann", "Bnn"] * 4


@each_case(
    ("tagged", "count"),
    [
        ('<emotion value="calm"/> {}', 8),
        ("{} <break time='3s' />", 8),
        ('<prosody rate="slow" pitch="+2st">{}</prosody>', 16),
        ("<v Dr Roe>{}", 8),
        ("<i>{}</i>", 16),
    ],
)
def test_tags_in_the_texts_of_turns_are_no_words(tagged: str, count: int) -> None:
    text = "".join(f"{'AB'[n % 2]}nn: {tagged.format(s)}\n" for n, s in enumerate(SAID))
    assert turns(text) == [("AB"[n % 2] + "nn", None, said) for n, said in enumerate(SAID)]
    transcript = formats.read(named(text))
    (fields,) = fields_of(transcript.diagnostics, TAGS_LEFT)
    assert fields["count"] == count


def test_a_sound_in_angle_brackets_is_no_tag() -> None:
    text = "".join(f"{'AB'[n % 2]}nn: <laugh> {s}\n" for n, s in enumerate(SAID))
    assert turns(text)[0] == ("Ann", None, f"<laugh> {SAID[0]}")


def test_a_name_in_tags_behind_times_is_still_the_speaker() -> None:
    text = "".join(f"[00:00:{4 * n:02}] <v Ann>{s}\n" for n, s in enumerate(SAID))
    assert turns(text) == [("Ann", 4 * n, said) for n, said in enumerate(SAID)]


def test_tags_in_turns_as_they_are_written_are_no_words() -> None:
    text = '[0:12] Ann: <tag a="b"/> so\n[0:15] Bob: it was\n'
    assert turns(text) == [("Ann", 12, "so"), ("Bob", 15, "it was")]


def test_time_codes_between_turns_are_the_starts_of_the_next() -> None:
    names = ("Ann", "Ben")
    parts = [f"{names[n % 2]}: {line}\n\n" for n, line in enumerate(SAID)]
    parts[2] = f"00:00:12:15\n\n{parts[2]}"
    parts[4] = f"00:00:20:00 – 00:01:30:00\n\n[no audio]\n\n{parts[4]}"
    parts[6] = f"00:02:00:05\n\n{parts[6]}"
    read = formats.read(named("".join(parts)), fps="30")
    assert [" ".join(s.words) for s in read] == SAID
    assert [s.start for s in read] == [
        *(None, None, 12.5, None, 90.0, None),
        *(pytest.approx(120 + 5 / 30), None),
    ]


def test_numbers_with_a_word_between_them_refer_to_books() -> None:
    text = "".join(f"GEN 3.{n} = Exod 5.{n}\nGEN and so it was\n\n" for n in range(31, 37))
    assert {start for _, start, _ in turns(text)} == {None}
