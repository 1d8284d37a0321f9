"""The same recording in ordinary files: every pair gives the same four errors without any option."""

import json
import re
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import formats
import sclite_kit as sk
from formats import Segment, Token, Transcript
from formats.schema.messages import Entry
from scoring.cli.nist.sclite import main as sclite
from scoring.cli.scoring import main as scoring
from scoring.model.counts import Counts
from scoring.sides.matching import MatchingError
from scoring.sides.messages import (
    CHANNELS_EXPECTED,
    CHANNELS_OF_HYPOTHESIS,
    OTHER_CHANNELS,
    OTHER_RECORDINGS,
    RECORDING_EXPECTED,
)
from tests.each_case import each_case
from tests.remarks import pattern_of, said, says

SAID = (
    ("anne", 0.5, 2.5, "good morning to you all"),
    ("bob", 3.0, 4.5, "thank you very much"),
    ("anne", 5.0, 7.0, "let us begin with the first item"),
)
# one word is wrong in the first segment, one too many and one too few in the second, one is wrong
# in the third
HEARD = (
    ("x", 0.5, 2.5, "good evening to you all"),
    ("x", 3.0, 4.5, "thank you uh very"),
    ("x", 5.0, 7.0, "let us begin with the last item"),
)
ERRORS = Counts(13, 2, 1, 1)
# The same words in other segments: how many words each has.
OTHER_CUTS = (3, 4, 7, 2)

Turns = Sequence[tuple[str, float, float, str]]


class Talk(NamedTuple):
    """How a recording is written: its name in the file, its channel, what words and segments."""

    turns: Turns
    recording: str = "talk"
    channel: str | None = None

    def segments(self, cuts: Sequence[int] = (), unit: int = 1) -> list[Segment]:
        """The segments, or the words in segments of other sizes; times multiplied by a unit."""
        tokens: list[list[Token]] = []
        for _, start, end, text in self.turns:
            words = text.split()
            step = int((end - start) / len(words) * 1000) * 1_000_000
            first = int(start * 1000) * 1_000_000
            tokens.append(
                [
                    Token(word, (first + at * step) * unit, (first + (at + 1) * step) * unit)
                    for at, word in enumerate(words)
                ]
            )
        speakers: list[str | None] = [speaker for speaker, *_ in self.turns]
        if cuts:
            every = [token for group in tokens for token in group]
            tokens = [every[sum(cuts[:at]) : sum(cuts[: at + 1])] for at in range(len(cuts))]
            speakers = [None] * len(cuts)
        return [
            Segment.from_items(
                self.recording,
                group,
                channel=self.channel,
                speaker=speaker,
                start_ns=group[0].start_ns,
                end_ns=group[-1].end_ns,
            )
            for group, speaker in zip(tokens, speakers, strict=True)
        ]

    def text(self, joint: str) -> str:
        """The words alone."""
        return joint.join(text for *_, text in self.turns) + "\n"


def write(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, "utf-8")
    return path


def written(path: Path, name: str, segments: Sequence[Segment], **options: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    formats.write(Transcript(segments), path, name, **options)  # type: ignore[arg-type]
    return path


def whisper(talk: Talk, with_words: bool) -> str:
    """What Whisper writes."""
    segments = []
    for number, one in enumerate(talk.segments()):
        segment: dict[str, object] = {
            "id": number, "seek": 0, "start": (one.start_ns or 0) / 1e9,
            "end": (one.end_ns or 0) / 1e9, "text": " " + " ".join(one.words),
            "tokens": [1], "temperature": 0.0, "avg_logprob": -0.2, "compression_ratio": 1.2,
            "no_speech_prob": 0.01,
        }  # fmt: skip
        if with_words:
            segment["words"] = [
                {"word": f" {word.text}", "start": (word.start_ns or 0) / 1e9,
                 "end": (word.end_ns or 0) / 1e9, "probability": 0.9}
                for word in one.items() if isinstance(word, Token)
            ]  # fmt: skip
        segments.append(segment)
    text = " " + talk.text(" ").strip()
    return json.dumps({"text": text, "segments": segments, "language": "en"})


def amazon(talk: Talk) -> str:
    """What Amazon Transcribe writes."""
    items = [
        {"type": "pronunciation", "start_time": f"{(word.start_ns or 0) / 1e9:.3f}",
         "end_time": f"{(word.end_ns or 0) / 1e9:.3f}",
         "alternatives": [{"confidence": "0.9", "content": word.text}]}
        for one in talk.segments() for word in one.items() if isinstance(word, Token)
    ]  # fmt: skip
    results = {"transcripts": [{"transcript": talk.text(" ").strip()}], "items": items}
    return json.dumps({"jobName": "j", "accountId": "1", "results": results, "status": "COMPLETED"})


def without_words(segment: Segment) -> Segment:
    """The segment with no times of words."""
    return segment.with_items([Token(word) for word in segment.words])


def tier_of_words(talk: Talk) -> list[Segment]:
    return [
        Segment.from_items(talk.recording, [word], start_ns=word.start_ns, end_ns=word.end_ns,
                           speaker="words", tier="words")
        for one in talk.segments() for word in one.items() if isinstance(word, Token)
    ]  # fmt: skip


Writer = Callable[[Path], Path]
REFERENCES: dict[str, Writer] = {
    "stm A": lambda at: written(at / "talk.stm", "stm", Talk(SAID, channel="A").segments()),
    "stm 1": lambda at: written(at / "talk.stm", "stm", Talk(SAID, channel="1").segments()),
    "TextGrid": lambda at: written(at / "talk.TextGrid", "textgrid", Talk(SAID).segments()),
    "srt": lambda at: written(at / "talk.srt", "srt", Talk(SAID).segments()),
    "Whisper": lambda at: write(at / "talk.json", whisper(Talk(SAID), False)),
    "txt": lambda at: write(at / "talk.txt", Talk(SAID).text(" ")),
}
HEARD_TALK = Talk(HEARD)
HYPOTHESES: dict[str, Writer] = {
    "srt": lambda at: written(at / "talk.srt", "srt", HEARD_TALK.segments()),
    "srt, other cuts": lambda at: written(at / "talk.srt", "srt", HEARD_TALK.segments(OTHER_CUTS)),
    "vtt": lambda at: written(at / "talk.vtt", "vtt", HEARD_TALK.segments(OTHER_CUTS)),
    "Whisper with words": lambda at: write(at / "talk.json", whisper(HEARD_TALK, True)),
    "Whisper": lambda at: write(at / "talk.json", whisper(HEARD_TALK, False)),
    "TextGrid": lambda at: written(
        at / "talk.TextGrid", "textgrid", [without_words(one) for one in HEARD_TALK.segments()]
    ),
    "TextGrid of words": lambda at: written(
        at / "talk.TextGrid", "textgrid", tier_of_words(HEARD_TALK)
    ),
    "Amazon": lambda at: write(at / "talk.json", amazon(HEARD_TALK)),
    "ctm 1": lambda at: ctm(at, "talk", "1"),
    "ctm 0": lambda at: ctm(at, "talk", "0"),
    "ctm with a path": lambda at: ctm(at, "data/wav/talk", "1"),
    "ctm with a media suffix": lambda at: ctm(at, "talk.wav", "1"),
    "srt of another name": lambda at: written(at / "system.srt", "srt", HEARD_TALK.segments()),
    "txt of one line": lambda at: write(at / "talk.txt", HEARD_TALK.text(" ")),
    "txt of many lines": lambda at: write(at / "talk.txt", HEARD_TALK.text("\n")),
}


CAPTIONS = {"srt", "Whisper"}
TIMED = {"Whisper with words", "TextGrid of words", "Amazon"}


def ctm(folder: Path, recording: str, channel: str) -> Path:
    return written(folder / "talk.ctm", "ctm", Talk(HEARD, recording, channel).segments())


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Path], dict[str, Path]]:
    """The files of both sides, each in a folder of its own."""
    folder = tmp_path_factory.mktemp("sides")

    def files(side: str, writers: dict[str, Writer]) -> dict[str, Path]:
        return {
            name: write_side(folder / f"{side}{number}")
            for number, (name, write_side) in enumerate(writers.items())
        }

    return files("ref", REFERENCES), files("hyp", HYPOTHESES)


@each_case("hypothesis", HYPOTHESES)
@each_case("reference", REFERENCES)
def test_any_two_files_give_the_same_errors(
    sides: tuple[dict[str, Path], dict[str, Path]], reference: str, hypothesis: str
) -> None:
    left, right = sides[0][reference], sides[1][hypothesis]
    rates = sk.wer(left, right)
    assert rates.counts == ERRORS, (rates.matching_summary, rates.remarks)
    assert not [remark for remark in rates.remarks if remark.severity == "warning"]
    by = "recording"
    if reference == "txt" or hypothesis.startswith("txt"):
        by = "file"
    elif (hypothesis in TIMED or hypothesis.startswith("ctm")) and reference not in CAPTIONS:
        by = "time"
    assert rates.matching_summary.matched_by == by
    if reference != "txt":
        assert [one.errors for one in rates.per_utterance] == [1, 2, 1]
    kept = sk.wer(left, right, keep_sources=True)
    assert kept.counts == rates.counts
    assert kept.sources is not None
    assert [one and one.words for one in kept.sources.hypotheses] == list(kept.aligned.hypotheses)


SUM = re.compile(r"\| *Sum +\| +3 +16 +\| +13 +2 +1 +1 +4 +3 +\|")
FRONTENDS = [("srt", "srt, other cuts"), ("stm A", "txt of one line"), ("Whisper", "ctm 0")]


@pytest.mark.parametrize(("reference", "hypothesis"), FRONTENDS)
def test_commands_agree(
    tmp_path: Path, reference: str, hypothesis: str, capfd: pytest.CaptureFixture[str]
) -> None:
    left = str(REFERENCES[reference](tmp_path / "ref"))
    right = str(HYPOTHESES[hypothesis](tmp_path / "hyp"))
    assert scoring(["wer", left, right]) == 0
    output = capfd.readouterr().out
    assert "%WER 25.00 [ 4 / 16, 1 ins, 1 del, 2 sub ]" in output
    assert scoring(["diff", left, right]) == 0
    output = capfd.readouterr().out
    assert "2 substitutions, 1 deletions, 1 insertions in 16 words, 25.00 %" in output
    assert scoring(["compare", right, left, "--reference", left]) == 0
    assert re.search(r"^error rate % +25\.00 +0\.00 ", capfd.readouterr().out, re.MULTILINE)
    assert scoring(["wer", left, right, "--quiet", "-o", "rsum", "pra", "stdout"]) == 0
    output, errors = capfd.readouterr()
    assert errors == ""
    assert SUM.search(output)
    scores = [line for line in output.splitlines() if line.startswith("Scores:")]
    # by speaker, where the reference names them
    expected = [f"Scores: (#C #S #D #I) {each}" for each in ("3 0 1 1", "4 1 0 0", "6 1 0 0")]
    assert sorted(scores) == expected


def test_sclite_takes_other_formats_and_the_same_segments(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    left = REFERENCES["srt"](tmp_path / "ref")
    right = HYPOTHESES["vtt"](tmp_path / "hyp")
    assert sclite(["-r", str(left), "srt", "-h", str(right), "vtt", "-o", "rsum", "stdout"]) == 0
    assert SUM.search(capfd.readouterr().out)


REJECTED: dict[str, tuple[Writer, Writer, Entry, dict[str, Any]]] = {
    "another caller": (
        REFERENCES["stm A"],
        lambda at: ctm(at, "talk", "B"),
        OTHER_CHANNELS,
        {"path": "hyp", "reference": "ref", "target": "A", "channel": "B", "recording": "talk"},
    ),
    "channel 1 and channel 2": (
        REFERENCES["stm 1"],
        lambda at: ctm(at, "talk", "2"),
        OTHER_CHANNELS,
        {"path": "hyp", "reference": "ref", "target": "1", "channel": "2", "recording": "talk"},
    ),
    "unset and two channels": (
        lambda at: written(at / "talk.stm", "stm", [
            *Talk(SAID, channel="1").segments(), *Talk(SAID, channel="2").segments()
        ]),
        HYPOTHESES["srt"],
        CHANNELS_OF_HYPOTHESIS,
        {"path": "hyp", "partner": "ref", "recording": "talk", "names": ["1", "2"], "only": "1"},
    ),
    "two channels and unset": (
        REFERENCES["srt"],
        lambda at: written(at / "talk.ctm", "ctm", [
            *Talk(HEARD, channel="A").segments(), *Talk(HEARD, channel="B").segments()
        ]),
        CHANNELS_EXPECTED,
        {"path": "ref", "partner": "hyp", "recording": "talk", "names": ["A", "B"]},
    ),
    "two recordings and another": (
        lambda at: written(at / "talk.stm", "stm", [
            *Talk(SAID, "walk").segments(), *Talk(SAID, "walk2").segments()
        ]),
        HYPOTHESES["srt"],
        OTHER_RECORDINGS,
        {
            "path": "hyp", "reference": "ref", "what": "recordings",
            "ours": ["walk", "walk2"], "theirs": ["talk"],
        },
    ),
}  # fmt: skip


@each_case("name", REJECTED)
def test_pairs_with_two_readings_are_rejected(tmp_path: Path, name: str) -> None:
    reference, hypothesis, entry, fields = REJECTED[name]
    left, right = reference(tmp_path / "ref"), hypothesis(tmp_path / "hyp")
    with pytest.raises((MatchingError, formats.FormatError)) as caught:
        sk.wer(left, right)
    files = {"ref": str(left), "hyp": str(right)}
    names: list[str] = [key for key in ("path", "reference", "partner") if key in fields]
    paths: dict[str, str] = {key: files[fields[key]] for key in names}
    assert says(str(caught.value), entry, **{**fields, **paths})


def test_offsets_whose_unit_is_open_are_rejected(tmp_path: Path) -> None:
    left = REFERENCES["srt"](tmp_path / "ref")
    words = [{"word": "good", "start_offset": 25, "end_offset": 40}]
    right = write(tmp_path / "hyp" / "talk.json", json.dumps(words))
    with pytest.raises(formats.FormatError) as caught:
        sk.wer(left, right)
    assert caught.value.value is not None
    assert said([caught.value.value]) == [
        ("TIME-UNIT.open", {"path": "$", "member": "start_offset", "words": 1})
    ]
    assert str(caught.value).startswith(f"{right}:1:1: $: ")


def test_recordings_of_different_names_are_taken_for_each_other_with_a_warning(
    tmp_path: Path,
) -> None:
    left = written(tmp_path / "talk.stm", "stm", Talk(SAID).segments())
    right = ctm(tmp_path, "speech", "1")
    rates = sk.wer(left, right)
    assert rates.counts == ERRORS
    fields = {"path": str(right), "recording": "speech", "target": "talk"}
    assert said(rates.remarks) == [("ONLY-RECORDING.named", fields)]
    with pytest.raises(
        MatchingError, match=pattern_of(RECORDING_EXPECTED, target="talk", recording="speech")
    ):
        sk.wer(left, right, missing="error")
    assert (
        sk.wer(left, HYPOTHESES["srt of another name"](tmp_path), missing="error").counts == ERRORS
    )


def test_notes_name_recordings_and_channels_with_other_names(tmp_path: Path) -> None:
    left = REFERENCES["stm A"](tmp_path / "ref")
    rates = sk.wer(left, ctm(tmp_path, "wav/Talk.WAV", "0"))
    (key, recordings), (channel_key, channel) = said(rates.remarks)
    sides = {"path": str(tmp_path / "talk.ctm"), "reference": str(left)}
    assert (key, channel_key) == ("RECORDINGS-MATCHED", "ONLY-CHANNEL")
    names = {"recording": "wav/Talk.WAV", "target": "talk"}
    assert said(recordings.pop("names")) == [("RECORDINGS-MATCHED.name", names)]
    assert recordings == sides
    assert channel == {**sides, "channel": "0", "target": "A", "recording": "talk"}


def test_names_that_differ_in_case_alone_stay_apart(tmp_path: Path) -> None:
    turns = [*Talk(SAID, "f1").segments(), *Talk(SAID, "F1").segments()]
    rates = sk.wer(written(tmp_path / "ref.stm", "stm", turns), ctm(tmp_path, "f1.wav", "1"))
    assert rates.counts == ERRORS + Counts(0, 0, 16, 0)
    assert rates.matching_summary.reference_only.number == 3


def test_normalisation_and_units_do_not_depend_on_where_texts_are_cut(tmp_path: Path) -> None:
    said = (("x", 0.0, 1.0, "it was twenty"), ("x", 1.0, 2.0, "five uh euros"), ("x", 2, 3, "uh"))
    left = written(tmp_path / "talk.srt", "srt", [without_words(o) for o in Talk(said).segments()])
    same = written(tmp_path / "hyp" / "talk.srt", "srt", Talk(said).segments((5, 2)))
    for steps in (["lowercase"], ["numbers"], ["plain", "contractions", "numbers"]):
        for unit in ("word", "char", "grapheme") if steps == ["lowercase"] else ("word",):
            rates = sk.wer(left, same, normalize=steps, unit=unit, keep_sources=True)
            assert (rates.counts.errors, len(rates)) == (0, 3)
            assert rates.sources is not None
            kept = [one.words for one in rates.sources.hypotheses if one is not None]
            assert tuple(chain.from_iterable(kept)) == (
                "it",
                "was",
                "twenty",
                "five",
                "uh",
                "euros",
                "uh",
            )


def test_alternatives_of_the_reference_are_cut_with_their_segment(tmp_path: Path) -> None:
    lines = "t A x 0 1 a { b c / d } e\nt A x 1 2 (uh) f\nt A x 2 3 { g / @ }\n"
    left = write(tmp_path / "t.stm", lines)
    cue = "1\n00:00:00,000 --> 00:00:03,000\n{}\n"
    right = write(tmp_path / "t.srt", cue.format("a d x e f"))
    rates = sk.wer(left, right, forgive_optional=True)
    assert [one.letters for one in rates.aligned] == ["CCIC", "CC", ""]
    assert rates.counts == Counts(5, 0, 0, 1)
    lines = "t A x 0 1 { a / b }\nt A x 1 2 { c d / a }\nt A x 2 3 a { @ / { b / c d } }\n"
    left = write(tmp_path / "t.stm", lines)
    for heard, words in (
        ("b c d a", [("b",), ("c", "d"), ("a",)]),
        ("b a x a c d", [("b",), ("a",), ("a", "c", "d")]),
    ):
        rates = sk.wer(left, write(tmp_path / "t.txt", heard))
        assert list(rates.aligned.references) == words


def test_segments_add_up_to_the_recording(tmp_path: Path) -> None:
    generator = Random(7)
    for number in range(40):
        words = [[generator.choice("abc") for _ in range(size)] for size in (3, 0, 4, 1, 5)]
        heard = [generator.choice("abc") for _ in range(generator.randrange(18))]
        lines = [f"t A x {at} {at + 1} {' '.join(one)}\n" for at, one in enumerate(words)]
        left = write(tmp_path / f"{number}.stm", "".join(lines))
        rates = sk.wer(left, write(tmp_path / f"{number}.txt", " ".join(heard) + "\n"))
        whole = sk.wer([list(chain.from_iterable(words))], [heard])
        assert rates.counts == whole.counts
        assert rates.aligned.edits == whole.aligned.edits
        again = sk.align_batch(rates.aligned.references, rates.aligned.hypotheses)
        assert again.counts.total().errors <= rates.counts.errors
        assert [len(one) for one in rates.aligned.references] == list(map(len, words))


def test_ignored_regions_are_left_out_of_untimed_words(tmp_path: Path) -> None:
    ignored = "IGNORE_TIME_SEGMENT_IN_SCORING"
    left = write(tmp_path / "t.stm", f"t A x 0 2 a b\nt A x 2 4 {ignored}\nt A x 4 6 c d\n")
    cues = ("0,000 --> 00:00:02,000\na b", "2,100 --> 00:00:03,900\nx y z",
            "3,500 --> 00:00:06,000\nc d")  # fmt: skip
    content = "\n\n".join(f"{at}\n00:00:0{cue}" for at, cue in enumerate(cues, 1)) + "\n"
    right = write(tmp_path / "t.srt", content)
    rates = sk.wer(left, right)
    assert (rates.counts, rates.matching_summary.ignored_words) == (Counts(4, 0, 0, 0), 3)
    warnings = [remark for remark in rates.remarks if remark.severity == "warning"]
    assert said(warnings) == [("IGNORED-REGION.crossing", {"path": str(right), "words": 2})]


def test_cues_in_two_languages_are_warned_of(tmp_path: Path) -> None:
    left = REFERENCES["srt"](tmp_path / "ref")
    times = "00:00:01,000 --> 00:00:02,000"
    right = write(tmp_path / "talk.srt", f"1\n{times}\ngood day\n\n2\n{times}\nguten tag\n")
    warnings = [one for one in sk.wer(left, right).remarks if one.code == "SAME-TIMES"]
    fields = {"pairs": 1, "words": "good day", "other": "guten tag", "line": 2, "other_line": 6}
    assert said(warnings) == [("SAME-TIMES.lines", {"path": str(right), **fields})]


def test_an_empty_text_is_deletions(tmp_path: Path) -> None:
    right = write(tmp_path / "talk.txt", "")
    for name, reference in REFERENCES.items():
        assert sk.wer(reference(tmp_path / "ref"), right).counts == Counts(0, 0, 16, 0), name
    with pytest.raises(MatchingError):
        sk.wer(REFERENCES["txt"](tmp_path / "ref"), right, missing="error")


def test_jobs_and_missing_recordings_do_not_change_the_cut(tmp_path: Path) -> None:
    turns = [*Talk(SAID, "a").segments(), *Talk(SAID, "b").segments()]
    left = written(tmp_path / "ref.stm", "stm", turns)
    write(tmp_path / "hyp" / "a.txt", HEARD_TALK.text(" "))
    write(tmp_path / "hyp" / "c.txt", "one two\n")
    for jobs in (1, 2):
        choices = {"jobs": jobs, "allow_unmatched": True}
        rates = sk.wer(left, tmp_path / "hyp", **choices)  # type: ignore[call-overload]
        assert rates.counts == ERRORS + Counts(0, 0, 16, 0)
        assert rates.matching_summary.reference_only.identifiers == (
            "b-1-0001",
            "b-1-0002",
            "b-1-0003",
        )
        assert rates.matching_summary.hypothesis_only.identifiers == ("c",)
        rates = sk.wer(left, tmp_path / "hyp", missing="skip", **choices)  # type: ignore[call-overload]
        assert (rates.counts, len(rates)) == (ERRORS, 3)
        assert rates.matching_summary.skipped_words == 16


def test_a_text_in_python_is_that_of_the_only_recording(tmp_path: Path) -> None:
    said, heard = Talk(SAID).text(" "), HEARD_TALK.text(" ")
    for reference in REFERENCES.values():
        for text in (heard, [heard]):
            assert sk.wer(reference(tmp_path / "ref"), text).counts == ERRORS
    for name, hypothesis in HYPOTHESES.items():
        if not name.startswith("txt"):
            assert sk.wer(said, hypothesis(tmp_path / "hyp")).counts == ERRORS


@each_case("name", ["srt", "vtt", "ass", "ttml", "stm", "csv", "seglst", "eaf", "trs"])
def test_the_notes_are_the_same_for_every_format(tmp_path: Path, name: str) -> None:
    segments = Talk(SAID).segments()
    left = written(tmp_path / f"a.{name}", name, segments)
    right = written(tmp_path / "b.srt", "srt", segments)
    about = {"path": str(right)}
    names = {"recording": "b", "target": formats.read(left)[0].recording}
    assert said(sk.wer(left, right).remarks) == [
        ("ONLY-RECORDING", {**about, **names}),
        ("MATCHED-BY.recording", about),
    ]
