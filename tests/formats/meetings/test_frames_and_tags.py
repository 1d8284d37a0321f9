"""Times with frames in brackets before texts."""

import pytest

from tests.formats.meetings.said import SAID, turns

PLACES = [(4 * n, (7 * n) % 25) for n in range(len(SAID))]


@pytest.mark.parametrize("sign", [":", ";"])
@pytest.mark.parametrize("behind", ["]", "]:"])
@pytest.mark.parametrize("hour", ["00", "16"])
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
