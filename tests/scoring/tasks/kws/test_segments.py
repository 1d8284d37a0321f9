import pytest

from formats.keywords.model import Detection, Excerpt
from scoring.tasks.kws.audio import Audio
from scoring.tasks.kws.conditions import by_source_type
from scoring.tasks.kws.evaluation import score
from scoring.tasks.kws.parameters import F4DE, SOUND, Parameters, SearchRules
from scoring.tasks.kws.references import Reference
from scoring.tasks.kws.reports import alignment_lines, keyword_report
from scoring.tasks.kws.segments import Segmentation
from scoring.tasks.kws.word_table import SpeakerTurn
from tests.scoring.tasks.kws.cases import SEGMENTS


def cut(*turns: tuple[float, float], end: float = 60.0) -> list[tuple[float, float, bool]]:
    audio = Audio([Excerpt("f", "1", 0, end)], SOUND)
    segmentation = Segmentation(
        audio, [SpeakerTurn("f", "1", begin, stop - begin, "S") for begin, stop in turns]
    )
    ticks = audio.clock.ticks
    return [(s.begin / ticks, s.end / ticks, bool(s.speakers)) for s in segmentation.segments]


def test_the_cuts() -> None:
    turns = [(t.begin, t.begin + t.duration) for t in SEGMENTS.turns]
    assert [segment[:2] for segment in cut(*turns)] == [
        (0, 2), (2, 10), (10, 12), (12, 25), (25, 30), (30, 35), (35, 40), (40, 60),
    ]  # fmt: skip
    assert cut(end=5) == [(0, 5, False)]
    # a turn that is not wholly inside does not cut; one at the very begin leaves no silence
    assert cut((0, 2), (4, 6), end=5) == [(0, 2, True), (2, 5, False)]
    assert cut((1, 4), (2, 3), (3.5, 5), end=5) == [(0, 1, False), (1, 5, True)]


def test_a_word_belongs_to_its_speakers_segment() -> None:
    audio = Audio([Excerpt("f", "1", 0, 10)], SOUND)
    turns = [
        SpeakerTurn("f", "1", 1, 2, "A"),
        SpeakerTurn("f", "1", 2, 3, "B"),
        SpeakerTurn("f", "1", 6, 1, "A"),
    ]
    segmentation = Segmentation(audio, turns)
    clock = audio.clock

    def segment(begin: float, end: float, speaker: str | None) -> int:
        return segmentation.of_words(0, clock.time(begin), clock.time(end), speaker)

    assert segment(4, 5, "A") == 1
    assert segment(4, 5, "C") == -1
    assert segment(4, 5.5, "A") == -1
    assert segment(5.2, 5.4, None) == -1
    assert segment(6, 7, None) == 3


def test_the_outcomes_show_segments_as_references() -> None:
    scores = score(
        SEGMENTS.excerpts,
        SEGMENTS.keywords,
        SEGMENTS.detections,
        SEGMENTS.words,
        turns=SEGMENTS.turns,
        parameters=Parameters(segments=True),
    )
    assert list(alignment_lines(scores))[1:] == [
        ",rec,1,KW-1,alpha,2,10.0000,8.0,8.5,0.9,YES,CORR",
        ",rec,1,KW-1,alpha,12,25.0000,19.0,19.5,0.3,NO,MISS",
        ",rec,1,KW-1,alpha,35,40.0000,,,,,MISS",
        ",rec,1,KW-1,alpha,,,31.0,31.5,0.2,NO,CORR!DET",
        ",rec,1,KW-1,alpha,,,50.0,50.5,0.6,YES,FA",
        ",rec,1,KW-2,bravo charlie,12,25.0000,13.0,14,0.8,YES,CORR",
        ",rec,1,KW-2,bravo charlie,,,34.5,35.5,0.75,YES,FA",
    ]
    account = scores.alignment.account
    assert (account.outscored, account.references_repeated, account.references_outside) == (1, 1, 1)


@pytest.mark.parametrize(("rules", "text"), [(F4DE, "0"), (SOUND, "NA")], ids=["f4de", "sound"])
def test_a_keyword_in_every_segment(rules: SearchRules, text: str) -> None:
    scores = score(
        [Excerpt("f", "1", 0, 3)],
        {"K": "k", "L": "l"},
        [Detection("K", "f", "1", 1.1, 0.1, 0.5, True)],
        turns=[SpeakerTurn("f", "1", 0, 3, "S")],
        references=[Reference("K", "f", "1", 1.0, 1.5)],
        parameters=Parameters(segments=True, rules=rules, with_untargeted=True),
    )
    first, second = scores.overall.keywords
    assert (first.p_fa, first.twv, second.p_fa) == (None, None, 0.0)
    assert scores.overall.actual.p_fa == 0.0
    rows = list(keyword_report([scores.overall]).lines("CSV"))
    assert rows[1] == f'"Keyword|K","k","1","1","0","0","0","NA","{text}"," 0.000"'


def test_segments_of_a_type() -> None:
    excerpts = [Excerpt("f", "1", 0, 10, "bnews"), Excerpt("f", "1", 20, 10, "cts")]
    turns = [SpeakerTurn("f", "1", 2, 2, "S"), SpeakerTurn("f", "1", 22, 2, "S")]
    references = [Reference("K", "f", "1", 2.0, 2.5), Reference("K", "f", "1", 22.0, 22.5)]

    def sizes(rules: SearchRules) -> list[tuple[str, int, int]]:
        scores = score(
            excerpts, {"K": "k"}, [], turns=turns, references=references,
            parameters=Parameters(segments=True, rules=rules),
        )  # fmt: skip
        groups, _ = scores.groups(by_source_type(["bnews", "cts"]))
        return [(g.trials.name, g.trials.trials, g.keywords[0].targets) for g in groups]

    assert sizes(SOUND) == [("bnews", 3, 1), ("cts", 3, 1)]
    # the original takes the type of the first excerpt for all
    assert sizes(F4DE) == [("bnews", 6, 2)]
