"""A label is not a word unless it is speech: silence in label files, tiers of prosody."""

import formats
from formats import Transcript
from formats.annotation.messages import TIER_FEATURES, TIER_LAYER_CODES, TIER_SIGNS
from formats.reading.silence import SILENCES, classes_of
from tests.each_case import each_case
from tests.formats.checks import codes
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


def spans(tiers: dict[str, list[tuple[float, float, str]]]) -> str:
    """A TextGrid in short notation, of labels with their times."""
    lines = [GRID.format(size=len(tiers)).rstrip()]
    for name, labels in tiers.items():
        lines += ['"IntervalTier"', f'"{name}"', "0", "3", f"{len(labels)}"]
        for start, end, label in labels:
            lines += [f"{start}", f"{end}", f'"{label}"']
    return "\n".join(lines) + "\n"


def words(transcript: Transcript) -> list[str]:
    return [word for s in transcript if s.kind == "segment" for word in s.words]


@each_case("label", sorted(SILENCES))
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


def test_a_tier_of_prosody_alone_is_read_unless_it_has_signs(read_text: ReadText) -> None:
    assert words(read_text(grid({"Accent": ["strong", "weak"]}), "textgrid")) == ["strong", "weak"]
    transcript = read_text(grid({"vowels": ["v", "v"]}), "textgrid")
    assert [segment.kind for segment in transcript] == ["event"] * 2
    assert TIER_LAYER_CODES.code in codes(transcript)


def test_numbers_and_assignments_beside_speech_are_no_words(read_text: ReadText) -> None:
    spoken = [f"so it was {place}" for place in ("here", "there", "up", "down", "in", "out")]
    numbers = ["1", "2.5", "-3", "4", "5", "6"]
    states = [f"a=x{n}, on=true" for n in range(6)]
    tiers = {"anne": spoken, "score": numbers, "state": states}
    transcript = read_text(grid(tiers), "textgrid")
    assert {s.tier for s in transcript if s.kind != "event"} == {"anne"}
    assert codes(transcript).count(TIER_LAYER_CODES.code) == 2
    alone = read_text(grid({"digits": numbers, "more": numbers}), "textgrid")
    assert words(alone) == numbers * 2


def test_features_behind_labels_are_not_read(read_text: ReadText) -> None:
    labels = ['so{ ""dur"" = ""0.2"", ""f0"" = ""110"" }', '{ ""n"" = ""3"" }', "was {here}"]
    transcript = read_text(grid({"talk": labels}), "textgrid")
    assert words(transcript) == ["so", "was", "{here}"]
    assert codes(transcript) == [TIER_FEATURES.code]


def test_silences_alone_are_no_words_beside_speech(read_text: ReadText) -> None:
    transcript = read_text(grid({"IP": ["SIL", "SIL"], "words": ["so", "it"]}), "textgrid")
    assert words(transcript) == ["so", "it"]


def test_texts_that_differ_in_numbers_look_like_classes() -> None:
    labels = [f"Person {n} found." for n in range(12)] + [f"Person {n} lost." for n in range(12)]
    assert classes_of(labels) == (24, ["Person 0 found.", "Person 0 lost."])
    assert classes_of(["left", "right"] * 2 + ["up"] * 2, least=2)[1] == ["left", "right", "up"]


def test_labels_as_short_as_phones_are_warned_of(read_text: ReadText) -> None:
    phones = ["p", "k", "oH", "w", "a", "iH", "t", "e"]
    transcript = read_text(grid({"SEGMENT": phones}), "textgrid")
    assert codes(transcript) == [TIER_SIGNS.code]
    assert not codes(read_text(grid({"anne": [*phones, "well"]}), "textgrid"))


def test_notes_are_no_speech_beside_words(read_text: ReadText) -> None:
    transcript = read_text(
        grid({"words": ["so", "it"], "Errors": ["loud silence", "."]}), "textgrid"
    )
    assert words(transcript) == ["so", "it"]


@each_case("label", ["...", "-", "_", "#", "*", "<p:>", "[silence]", "(pause)"])
def test_signs_and_names_of_silence_are_no_words(label: str, read_text: ReadText) -> None:
    transcript = read_text(grid({"anne": [label, "so it was", label]}), "textgrid")
    assert words(transcript) == ["so", "it", "was"]


def test_a_tier_of_the_words_of_another_is_a_tier_of_words(read_text: ReadText) -> None:
    texts = ["so it was", "never mind", "and then"]
    halves = [(float(n), n + 1.0, text) for n, text in enumerate(texts)]
    parts = [
        (n + k / len(text.split()), n + (k + 1) / len(text.split()), word)
        for n, text in enumerate(texts)
        for k, word in enumerate(text.split())
    ]
    transcript = read_text(spans({"frase": halves, "palabras": parts}), "textgrid")
    assert [" ".join(s.words) for s in transcript] == texts
    assert all(s.starts is not None for s in transcript)


def test_other_texts_at_the_times_of_utterances_are_told_apart(read_text: ReadText) -> None:
    said = [
        (float(n), n + 1.0, text) for n, text in enumerate(("so it was", "never mind", "and then"))
    ]
    meant = [
        (float(n), n + 1.0, text)
        for n, text in enumerate(("es war so", "macht nichts", "und dann"))
    ]
    transcript = read_text(spans({"utterances": said, "Deutsch": meant}), "textgrid")
    spoken = [" ".join(s.words) for s in transcript if s.kind == "segment"]
    assert spoken == [text for *_, text in said]
    assert codes(transcript) == ["TIER-LAYER"]
