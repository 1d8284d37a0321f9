"""A label is not a word unless it is speech: silence in label files, tiers of prosody."""

import pytest

import formats
from formats import Transcript
from formats.reading.silence import SILENCES
from tests.formats.conftest import ReadText
from tests.remarks import said

GRID = """File type = "ooTextFile"
Object class = "TextGrid"

0
3
<exists>
{size}
"""


def grid(tiers: dict[str, list[str]]) -> str:
    """A TextGrid in short notation, each label a second long."""
    lines = [GRID.format(size=len(tiers)).rstrip()]
    for name, labels in tiers.items():
        lines += ['"IntervalTier"', f'"{name}"', "0", f"{len(labels)}", f"{len(labels)}"]
        for number, label in enumerate(labels):
            lines += [f"{number}", f"{number + 1}", f'"{label}"']
    return "\n".join(lines) + "\n"


def words(transcript: Transcript) -> list[str]:
    return [word for s in transcript if s.kind == "segment" for word in s.words]


@pytest.mark.parametrize("label", sorted(SILENCES))
def test_silence_is_no_word(label: str, read_text: ReadText) -> None:
    assert words(read_text(f"0 1 hello\n1 2 {label}\n2 3 you\n", "htk")) == ["hello", "you"]
    mlf = f'#!MLF!#\n"*/a.lab"\n0 1 hello\n1 2 {label}\n2 3 you\n.\n'
    assert words(read_text(mlf, "mlf")) == ["hello", "you"]
    assert words(read_text(f"0\t1\thello\n1\t2\t{label}\n", "audacity")) == ["hello"]
    tier = grid({"Words": ["hello", label.upper(), "you"]})
    transcript = read_text(tier, "textgrid")
    assert words(transcript) == ["hello", "you"]
    assert [d.code for d in transcript.diagnostics] == ["TIER-SILENCE"]


def test_a_tier_of_nothing_else_keeps_its_labels(read_text: ReadText) -> None:
    assert words(read_text(grid({"anne": ["sil", "sil"]}), "textgrid")) == ["sil", "sil"]


def test_a_word_that_names_silence_is_a_loss_in_tiers_and_labels() -> None:
    transcript = Transcript(
        [formats.Segment("a", (word,), start_ns=n, end_ns=n + 10**9)
         for n, word in ((0, "sil"), (10**9, "hello"))]
    )  # fmt: skip
    for name in ("textgrid", "audacity"):
        from io import BytesIO

        losses = formats.write(transcript, BytesIO(), name)
        assert ("words", 1) in [(loss.what, loss.count) for loss in losses], name


def test_prosody_and_pronunciation_are_no_speech_beside_words(read_text: ReadText) -> None:
    tiers = {"words": ["hello", "you"], "dictionaryPron": ["h.l", "y"], "Accent": ["S", "W"]}
    transcript = read_text(grid(tiers), "textgrid")
    assert words(transcript) == ["hello", "you"]
    assert [key for key, _ in said(transcript.diagnostics)] == ["TIER-LAYER.named"] * 2
    named = [fields["tier"] for _, fields in said(transcript.diagnostics)]
    assert named == ["dictionaryPron", "Accent"]


def test_a_tier_of_prosody_alone_is_read(read_text: ReadText) -> None:
    assert words(read_text(grid({"Accent": ["S", "W"]}), "textgrid")) == ["S", "W"]
