"""Objects of pysubs2 and textgrid as sides."""

from pathlib import Path
from typing import Any

import pysubs2
import pytest
import textgrid

import sclite_kit as sk
from scoring.sides.given import file_of
from scoring.tasks.speakers.der.score import der


def subtitles(*texts: str, name: str = "") -> pysubs2.SSAFile:
    file = pysubs2.SSAFile()
    for number, text in enumerate(texts):
        file.append(pysubs2.SSAEvent(number * 2000, number * 2000 + 1500, text, name=name))
    return file


def grid(*texts: str, tier: str = "anne") -> Any:
    intervals = textgrid.IntervalTier(tier, 0, 20)
    for number, text in enumerate(texts):
        intervals.add(number * 2.0, number * 2 + 1.5, text)
    made = textgrid.TextGrid(None, 0, 20)
    made.append(intervals)
    return made


REFERENCE = ("hello big world", "how are you")
HYPOTHESIS = ("hello bad world", "how you")


def test_two_objects_are_scored() -> None:
    rates = sk.wer(subtitles(*REFERENCE), grid(*HYPOTHESIS))
    assert rates.error_rate == pytest.approx(2 / 6)
    assert (rates.reference.path, rates.hypothesis.path) == ("<SSAFile>", "<TextGrid>")
    assert sk.wer(grid(*REFERENCE), subtitles(*HYPOTHESIS)).error_rate == rates.error_rate
    assert sk.cer(subtitles(*REFERENCE), grid(*REFERENCE)).error_rate == 0


def test_an_object_and_a_file(tmp_path: Path) -> None:
    path = tmp_path / "talk.srt"
    subtitles(*REFERENCE).save(str(path))
    assert sk.wer(path, grid(*HYPOTHESIS)).error_rate == pytest.approx(2 / 6)
    assert sk.wer(grid(*HYPOTHESIS), path).error_rate == pytest.approx(2 / 5)


def test_options_go_with_an_object_in_a_file() -> None:
    made = grid(*REFERENCE)
    made.append(grid("not", "said", tier="notes").tiers[0])
    file = sk.File(made, options={"tier_map": "notes=skip"})
    assert sk.wer(file, subtitles(*HYPOTHESIS)).error_rate == pytest.approx(2 / 6)
    assert (file.name, sk.File("a.ctm").name) == (None, "a.ctm")


def test_other_things_are_no_files() -> None:
    assert [file_of(side) for side in ("a", ["a"], {"a": "b"}, 3, None)] == [None] * 5


def test_references_comparison_and_speakers() -> None:
    both = sk.References([subtitles(*HYPOTHESIS), subtitles(*REFERENCE)])
    assert sk.wer(both, grid(*REFERENCE)).error_rate == 0
    result = sk.compare(subtitles(*HYPOTHESIS), grid(*REFERENCE), reference=subtitles(*REFERENCE))
    assert "points" in str(result)
    with pytest.raises(TypeError, match="a hypothesis needs a reference"):
        sk.compare(subtitles(*HYPOTHESIS), grid(*REFERENCE))
    turns = sk.File(grid(*REFERENCE), options={"speaker_from": "tier"})
    assert der(subtitles(*REFERENCE, name="anne"), turns).error_rate == 0
