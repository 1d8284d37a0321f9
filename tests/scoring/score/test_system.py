"""The scores of any two files as sclite's reports want them."""

from pathlib import Path

import pytest

from scoring import confidence_interval, wer
from scoring.alignment.system import System
from scoring.model.counts import Counts
from scoring.nist.report.registry import REPORTS, ReportSettings
from scoring.nist.report.sgml import render
from scoring.nist.report.tables import TableDrawer
from scoring.nist.session import ScoreRequest, Session
from scoring.nist.sgml.reader import read_systems
from scoring.nist.transcripts.input_files import TranscriptFile
from tests.each_case import each_case

TRN = (
    "hello {a/b} World (uh) (S1_x-1)\nfoo @ bar (s2_x-2)\n",
    "hello b World (S1_x-1)\nfoo (s2_x-2)\n",
)
STM = (
    ';; LABEL "O" "Overall" "all"\n'
    "Rec A Spk1 0.0 2.0 <O> hello world this\n"
    "Rec A spk2 2.0 4.0 <O> is a test\n"
    "Rec A Spk1 4.0 6.0 <O> of Things\n",
    "Rec A 0.1 0.2 hello 0.9\nRec A 0.5 0.2 word 0.8\nRec A 0.9 0.2 this 0.31\n"
    "Rec A 2.1 0.2 is 0.9\nRec A 2.5 0.2 a 0.9\nRec A 2.8 0.2 best 0.9\n"
    "Rec A 4.1 0.2 off 0.9\nRec A 4.5 0.2 Things 0.9\n",
)
CTM = (STM[1], STM[1].replace("best", "test").replace("word", "ward"))


def reports(system: System) -> dict[str, bytes]:
    system.creation_date = "today"
    settings = ReportSettings(TableDrawer(), print, 1000)
    return {
        part.suffix: b"".join(part.content)
        for report in REPORTS
        if report.skipped(system) is None
        for part in report.parts(system, settings)
    }


@each_case("ignore_case", [False, True], ids=["case", "no-case"])
@each_case(
    ("formats", "texts"),
    [(("trn", "trn"), TRN), (("stm", "ctm"), STM), (("ctm", "ctm"), CTM)],
    ids=["trn", "stm", "ctm"],
)
def test_the_reports_are_those_of_sclite(
    formats: tuple[str, str], texts: tuple[str, str], ignore_case: bool, tmp_path: Path
) -> None:
    paths = [tmp_path / f"{side}.{form}" for side, form in zip("rh", formats, strict=True)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, "utf-8")
    rates = wer(*paths, keep_sources=True, ignore_case=ignore_case, forgive_optional=True)
    request = ScoreRequest("spu_id", case_sensitive=not ignore_case, optional_deletable=True)
    sources = [
        TranscriptFile(str(path), form, str(path))
        for path, form in zip(paths, formats, strict=True)
    ]
    scored = Session(request, print).score(*sources)
    list(scored.progress)
    found = reports(rates.system())
    assert found == reports(scored.system)
    assert len(found) >= 10


def test_what_sclite_scored_is_a_result_like_any_other(tmp_path: Path) -> None:
    """Its words, its edits and its names are those of `wer`, be it read back from SGML or not."""
    paths = [tmp_path / "r.trn", tmp_path / "h.trn"]
    for path, text in zip(paths, TRN, strict=True):
        path.write_text(text)
    ours = wer(*paths, forgive_optional=True, keep_sources=True)
    request = ScoreRequest("spu_id", case_sensitive=True, optional_deletable=True)
    sources = [TranscriptFile(str(path), "trn", str(path)) for path in paths]
    system = Session(request, print).score(*sources).system
    assert ours.aligned == system
    assert system.select(range(1)) == ours.slice(0, 1).aligned
    written = b"".join(render(system))
    for scored in (system, *read_systems(written, print, print)):
        assert (scored.counts, scored.names) == (ours.aligned.counts, ours.identifiers)
        assert [pair.letters for pair in scored] == [pair.letters for pair in ours.aligned]
        assert scored.references[0] == ("hello", "b", "World", "uh")
        interval = confidence_interval(scored)
        assert str(interval) == str(confidence_interval(ours._replace(aligned=scored)))
    assert ours._replace(aligned=system).report("pralign") == ours.report("pralign")


def test_systems_with_equal_alignments_are_two() -> None:
    """Their confidences may differ: what is computed from these is kept for each."""
    systems = [wer("a b", "a c").system() for _ in range(2)]
    assert len(set(systems)) == 2
    assert list(systems[0]) == list(systems[1])


def test_lists_of_texts_have_reports_too() -> None:
    system = wer(["a b", "new york"], ["a x", "new york"]).system("mine", first_sequence=5)
    assert system.title == "mine"
    assert system.utterances.identifiers == ["(000001)", "(000002)"]
    assert list(system.utterances.sequences) == [5, 6]
    assert system.counts[0] == Counts(1, 1, 0, 0)
    assert b"(000001)" in reports(system)[".pra"]


def test_words_are_in_one_piece_and_of_bytes() -> None:
    system = wer([["new york", "čaj", "a\tb", ""]], [["x", "ČAJ", "y"]]).system()
    texts = [kind.text.encode("latin-1").decode() for kind in system.vocabulary.types]
    assert texts == ["new_york", "čaj", "a\\tb", "_", "x", "ČAJ", "y"]
    assert system.vocabulary.upper("čaj".encode().decode("latin-1")) == "ČAJ".encode().decode(
        "latin-1"
    )


@pytest.mark.parametrize("choice", [{"normalize": "lowercase"}, {"unit": "char"}], ids=str)
def test_words_that_were_made_of_others_have_the_times_of_those(
    choice: dict[str, str], tmp_path: Path
) -> None:
    reference, hypothesis = tmp_path / "r.stm", tmp_path / "h.ctm"
    reference.write_text(STM[0])
    hypothesis.write_text(STM[1])
    system = wer(reference, hypothesis, keep_sources=True, **choice).system()  # type: ignore[call-overload]
    written = reports(system)[".nl.sgml"].decode()
    assert [line.count("h_t1") for line in written.split("\n") if "PATH id" in line] == [1, 1, 1]
    at = system.hypothesis.begins[2]
    things = [
        system.hypothesis.starts[place]
        for place in range(at, system.hypothesis.ends[2])
        if system.hypothesis.starts is not None
    ]
    assert sorted(set(things)) == [4.1, 4.5]
    assert "NCE" in reports(system)[".sys"].decode()


def test_words_that_may_be_made_of_several_have_no_times(tmp_path: Path) -> None:
    reference, hypothesis = tmp_path / "r.stm", tmp_path / "h.ctm"
    reference.write_text("f 1 s 0 9 55 miles\nf 1 s 9 19 away\n")
    hypothesis.write_text(
        "f 1 1 1 fifty 0.9\nf 1 3 1 five 0.9\nf 1 5 1 miles 0.9\nf 1 10 1 away 0.9\n"
    )

    def as_digits(text: str) -> str:
        return text.replace("fifty five", "55")

    rates = wer(reference, hypothesis, keep_sources=True, normalize=as_digits)
    assert rates.counts == Counts(3, 0, 0, 0)
    written = reports(rates.system())[".nl.sgml"].decode()
    assert [line.count("h_t1") for line in written.split("\n") if "PATH id" in line] == [0, 1]


def test_characters_are_headed_so() -> None:
    assert b"# Chr" in reports(wer("ab", "ac", unit="char").system())[".sys"]
