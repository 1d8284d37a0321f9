"""The same talk in formats that know different things of times, names and channels."""

import json
from pathlib import Path

import pytest

from formats import Segment
from formats.schema.messages import Message
from scoring import wer
from scoring.model.counts import Counts
from scoring.options import Interpolation
from scoring.sides.matching import MatchingError
from scoring.sides.messages import NOTHING_IN_COMMON, ONLY_TIMES
from tests.each_case import each_case
from tests.remarks import pattern_of, said
from tests.scoring.sides.matching.test_any_two_files import SAID, Talk
from tests.scoring.sides.matching.test_any_two_files import written as written_at

TIMED = (
    *("ass", "audacity", "csv", "ctm", "eaf", "htk", "jsonl", "lhotse", "mlf"),
    *("nemo", "rttm", "seglst", "srt", "stm", "textgrid", "trs", "ttml", "vtt", "whisper"),
    "whisperx",
)
UNTIMED = ("trn", "kaldi", "txt-lines", "commonvoice")


def talk(channel: str | None = "1", recording: str = "talk", unit: int = 1) -> list[Segment]:
    return Talk(SAID, recording, channel).segments(unit=unit)


def written(folder: Path, name: str, segments: list[Segment]) -> Path:
    options = {"rttm_words": True} if name == "rttm" else {}
    return written_at(folder / f"talk.{name}", name, segments, **options)


@pytest.mark.share(4)
@pytest.mark.parametrize("one", ["stm", "ctm", "srt", "textgrid", "seglst", "lhotse"])
@each_case("other", TIMED)
def test_the_rate_does_not_depend_on_the_format(tmp_path: Path, one: str, other: str) -> None:
    for reference, hypothesis in ((one, other), (other, one)):
        rates = wer(
            reference=written(tmp_path, reference, talk()),
            hypothesis=written(tmp_path, hypothesis, talk()),
            reference_format=reference,
            hypothesis_format=hypothesis,
            interpolate="chars",
        )
        assert rates.counts == Counts(16, 0, 0, 0)


@each_case("name", TIMED)
def test_a_plain_text_is_compared_as_one_text(tmp_path: Path, name: str) -> None:
    text = tmp_path / "words.txt"
    text.write_text(" ".join(said for *_, said in SAID) + "\n", "utf-8")
    other = written(tmp_path, name, talk())
    for reference, hypothesis in ((text, other), (other, text)):
        formats_of = {text: "txt", other: name}
        rates = wer(
            reference=reference,
            hypothesis=hypothesis,
            reference_format=formats_of[reference],
            hypothesis_format=formats_of[hypothesis],
        )
        assert rates.counts == Counts(16, 0, 0, 0)
        assert rates.matching_summary.matched_by == "file"


def test_a_text_is_cut_at_the_segments_of_the_reference(tmp_path: Path) -> None:
    text = tmp_path / "words.txt"
    text.write_text("good morning thank you", "utf-8")
    spoken = [*talk(), Segment.of("talk", ["noise"], start=7, end=8, kind="ignored", channel="1")]
    rates = wer(reference=written(tmp_path, "stm", spoken), hypothesis=text)
    assert [one.letters for one in rates.aligned] == ["CCDDD", "CCDD", "DDDDDDD"]
    assert rates.speakers == ["anne", "bob", "anne"]
    assert rates.matching_summary.matched_by == "file"
    assert said(rates.remarks) == [("IGNORED-REGION.unplaced", {"path": str(text), "words": 4})]


@pytest.mark.parametrize("name", UNTIMED)
def test_utterances_without_times_need_identifiers(tmp_path: Path, name: str) -> None:
    reference, hypothesis = written(tmp_path, name, talk()), written(tmp_path, "ctm", talk())
    with pytest.raises(MatchingError, match=pattern_of(ONLY_TIMES)):
        wer(reference=reference, hypothesis=hypothesis, reference_format=name)


def test_rows_without_identifiers_are_matched_in_order(tmp_path: Path) -> None:
    named, rows = tmp_path / "a.trn", tmp_path / "b.csv"
    named.write_text("good morning (anne-1)\nthank you (bob-1)\n", "utf-8")
    rows.write_text("text,who\ngood evening,x\nthank you,y\n", "utf-8")
    for sides in ((named, rows), (rows, named)):
        rates = wer(reference=sides[0], hypothesis=sides[1])
        assert rates.counts == Counts(3, 1, 0, 0)
        assert rates.matching_summary.matched_by == "position"
        assert said(rates.remarks) == [("MATCHED-BY.position", {"path": str(rows)})]
    rows.write_text("text,who\ngood evening,x\n", "utf-8")
    with pytest.raises(MatchingError, match=pattern_of(NOTHING_IN_COMMON)):
        wer(reference=named, hypothesis=rows)


def test_a_table_with_times_is_aligned_with_another_format(tmp_path: Path) -> None:
    other = written(tmp_path, "textgrid", talk(None))
    rows = tmp_path / "human.csv"
    lines = [f"{s.start_ns / 1e9},{s.end_ns / 1e9},{' '.join(s.words)}\n" for s in talk()]  # type: ignore[operator]
    rows.write_text("start,end,text\n" + "".join(lines), "utf-8")
    for sides in ((rows, other), (other, rows)):
        rates = wer(reference=sides[0], hypothesis=sides[1])
        assert rates.counts.errors == 0
        assert rates.matching_summary.matched_by in ("time", "recording")


def test_a_recording_may_be_an_utterance(tmp_path: Path) -> None:
    reference = tmp_path / "ref.trn"
    reference.write_text("good morning (anne-1)\nthank you (bob-1)\n", "utf-8")
    hypothesis = tmp_path / "hyp.ctm"
    hypothesis.write_text(
        "anne-1 1 0.0 0.5 good\nanne-1 1 0.5 0.5 morning\nbob-1 1 0.1 0.2 thank\n", "utf-8"
    )
    rates = wer(reference=reference, hypothesis=hypothesis)
    assert rates.counts == Counts(3, 0, 1, 0)
    assert rates.matching_summary.matched_by == "identifier"


def test_a_channel_without_name_is_called_1(tmp_path: Path) -> None:
    reference = written(tmp_path, "stm", [*talk("A"), *talk("B")])
    hypothesis = written(tmp_path, "whisper", talk(None))
    rates = wer(reference=reference, hypothesis=hypothesis, channel_aliases={"1": "B"})
    assert rates.counts == Counts(16, 0, 16, 0)
    assert rates.matching_summary.reference_only.identifiers[0] == "talk-A-0001"


@pytest.mark.parametrize(
    ("unit", "name"),
    [(10, "tenths of a second"), (1000, "milliseconds"), (16000, "samples")],
)
def test_times_in_another_unit_are_told(tmp_path: Path, unit: int, name: str) -> None:
    reference = written(tmp_path, "stm", talk())
    hypothesis = written(tmp_path, "ctm", talk(unit=unit))
    (key, fields), *_ = said(wer(reference=reference, hypothesis=hypothesis).remarks)
    assert (key, fields["path"], fields["factor"]) == ("UNIT-OF-TIMES", str(hypothesis), unit)
    assert fields["latest"] == pytest.approx(6.995 * unit)
    assert (fields["reference"], fields["unit"]) == (pytest.approx(6.995), name)
    rates = wer(reference=hypothesis, hypothesis=reference, interpolate="chars")
    key, fields = said(rates.remarks)[-1]
    assert (key, fields["factor"], fields["unit"]) == ("UNIT-OF-TIMES.reference", unit, name)


def chunks(folder: Path, *parts: tuple[str, float, float | None]) -> Path:
    """JSON of Whisper with these stretches."""
    listed = [{"text": f" {text}", "timestamp": [start, end]} for text, start, end in parts]
    path = folder / "talk.json"
    path.write_text(json.dumps({"text": "", "chunks": listed}), "utf-8")
    return path


def test_the_last_chunk_may_lack_its_end(tmp_path: Path) -> None:
    first, *rest = (text for *_, text in SAID)
    path = chunks(tmp_path, (first, 0.5, 2.5), (" ".join(rest), 3.0, None))
    other = written(tmp_path, "stm", talk())
    for sides in ((other, path), (path, other)):
        rates = wer(*sides, interpolate="chars")
        assert rates.counts == Counts(16, 0, 0, 0)
    assert len(rates) == 2


def test_the_last_word_may_lack_its_end(tmp_path: Path) -> None:
    path = chunks(tmp_path, ("good", 0.5, 0.8), ("morning", 0.8, None))
    reference = tmp_path / "talk.stm"
    reference.write_text("talk 1 anne 0.5 2.25 good morning\n", "utf-8")
    ways: list[tuple[Interpolation, str]] = [("none", "recording"), ("uniform", "time")]
    for interpolate, way in ways:
        rates = wer(reference, path, interpolate=interpolate)
        assert (rates.counts, rates.matching_summary.matched_by) == (Counts(2, 0, 0, 0), way)


def test_no_times_at_all_are_not_worked_out(tmp_path: Path) -> None:
    reference = written(tmp_path, "stm", talk())
    path = tmp_path / "talk.jsonl"
    path.write_text(
        '{"recording": "talk", "start": 0.5, "end": 2.25, "text": "good morning"}\n'
        '{"recording": "talk", "text": "to you all"}\n',
        "utf-8",
    )
    rates = wer(reference=reference, hypothesis=path, interpolate="chars")
    assert (rates.counts, rates.matching_summary.matched_by) == (Counts(5, 0, 11, 0), "recording")


@pytest.mark.parametrize("name", ["kaldi", "kaldi-text", "Kaldi"])
def test_texts_and_directories_of_kaldi(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "text").write_text("u1 good morning\nu2 thank you\n", "utf-8")
    (folder / "utt2spk").write_text("u1 anne\nu2 bob\n", "utf-8")
    for reference in (folder, folder / "text"):
        rates = wer(
            reference=reference,
            hypothesis=folder / "text",
            reference_format=name,
            hypothesis_format=name,
        )
        assert rates.counts == Counts(4, 0, 0, 0)
    assert list(wer(reference=folder, hypothesis=folder / "text").per_speaker()) == ["anne", "bob"]


def test_channels_are_named_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from scoring.cli.scoring import main

    sides = [written(tmp_path, "stm", talk("A")), written(tmp_path, "ctm", talk("B"))]
    assert main(["wer", *map(str, sides)]) == 2
    assert "--channel-alias B=A" in capsys.readouterr().err
    assert main(["wer", *map(str, sides), "--channel-alias", "B=A"]) == 0
    assert "%WER 0.00 [ 0 / 16, 0 ins, 0 del, 0 sub ]" in capsys.readouterr().out
    assert main(["wer", *map(str, sides), "--channel-alias", "0"]) == 2
    assert "expected HYP=REF as in 0=A, found '0'" in capsys.readouterr().err


def test_display_forms_are_scored_when_told(tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    words = (
        '{"word": "it\'s", "start": 0.5, "end": 0.8, "punct": "It\'s"}, '
        '{"word": "fifty", "start": 0.8, "end": 1.2, "punct": "50."}'
    )
    path.write_text(f'{{"punct": "It\'s 50.", "words": [{words}]}}', "utf-8")
    reference = tmp_path / "talk.stm"
    reference.write_text("talk 1 anne 0.5 2.25 It's 50.\n", "utf-8")
    assert wer(reference=reference, hypothesis=path).counts == Counts(0, 2, 0, 0)
    rates = wer(reference=reference, hypothesis=path, text_view="display")
    assert rates.counts == Counts(2, 0, 0, 0)
    assert said(rates.remarks)[0] == ("TEXT-VIEW", {"path": str(path), "words": 2})
    with pytest.raises(ValueError, match="text_view: expected lexical or display, found 'both'"):
        wer(reference=reference, hypothesis=path, text_view="both")  # type: ignore[call-overload]


def test_tiers_that_say_the_same_are_told(tmp_path: Path) -> None:
    layers = [
        Segment.of("talk", said.split(), start=start, end=end, tier=tier, speaker=tier)
        for tier in ("spoken", "written")
        for _, start, end, said in SAID
    ]
    turns = [
        Segment.of("talk", said.split(), start=start, end=end, tier=speaker, speaker=speaker)
        for speaker, start, end, said in SAID
    ]
    reference = written(tmp_path, "stm", talk())
    path = written(tmp_path, "textgrid", layers)
    rates = wer(reference=reference, hypothesis=path, interpolate="chars")
    assert rates.counts.insertions == 16
    [told] = [remark for remark in rates.remarks if remark.code == "TIERS"]
    fields = {"tier": "spoken", "other": "written", "side": "hypothesis"}
    assert said([told]) == [("TIERS", {"path": str(path), **fields})]
    assert isinstance(told, Message)
    assert told.advice == (("hypothesis_option", "tier_map=written=skip"),)
    options = {"tier_map": "written=skip"}
    rates = wer(
        reference=reference, hypothesis=path, interpolate="chars", hypothesis_options=options
    )
    assert rates.counts == Counts(16, 0, 0, 0)
    path = written(tmp_path, "textgrid", turns)
    remarks = wer(reference=reference, hypothesis=path, interpolate="chars").remarks
    assert not [remark for remark in remarks if remark.code == "TIERS"]
