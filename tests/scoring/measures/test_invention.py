"""Loops, inventions, runs, odd lengths, phrases, scripts: cases, and plain computations."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.cli.scoring import main
from scoring.measures import measure
from scoring.measures.invention import RUNS, count_runs
from scoring.measures.script import expected_scripts, letters_of
from scoring.measures.view import View
from scoring.pages import FEWEST
from scoring.pages.hint import invention_hint
from scoring.pages.messages import INVENTED
from scoring.results import Rates
from scoring.results.counted import Sums
from scoring.results.repeats import find_loops, loops_of, pieces_of
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.scoring.measures.corpora import counted
from tests.scoring.measures.golden import cases


def tokens(text: str) -> list[str]:
    return [piece for word in text.split() for piece in pieces_of(word)]


@each_case(("name", "given", "expected"), cases("own-definitions", "loops/"))
def test_worked_examples_of_loops(name: str, given: Any, expected: Any) -> None:
    heard = tokens(given["hypothesis"])
    loops = loops_of(heard, tokens(given["reference"]))
    assert expected == [
        {
            "start": loop.start,
            "unit": " ".join(heard[loop.start : loop.start + loop.length]),
            "copies": loop.copies,
            "copies_in_reference": loop.spoken,
            "excess_words": loop.excess,
        }
        for loop in loops
    ]
    part = counted("loops", [given["reference"], ""], [given["hypothesis"], "no no no no"])
    assert part.columns.totals()["excess_words"] == 3 + sum(x["excess_words"] for x in expected)
    sizes = [len(x["unit"].split()) * x["copies"] for x in expected if x["excess_words"]]
    assert part["longest_loop"] == max([4, *sizes])
    assert part["spoken_loops"] == sum(not loop["excess_words"] for loop in expected)


@pytest.mark.parametrize(("name", "given", "expected"), cases("own-definitions", "repetition-4/"))
def test_worked_examples_of_repetition(name: str, given: Any, expected: Any) -> None:
    part = counted("repetition", [""], [given["hypothesis"]])
    totals = part.columns.totals()
    numbers = [totals["ngrams"], totals["different"], part["repetition_4"]]
    assert numbers == [expected["ngrams"], expected["unique"], expected["repetition"]]


@each_case(("name", "given", "expected"), cases("own-definitions", "runs/"))
def test_worked_examples_of_runs(name: str, given: Any, expected: Any) -> None:
    letters = given["edits"]
    rates: Rates = scoring.wer(["a"], ["a"])
    codes = bytes(map("CSDI".index, letters))
    said, heard = ((letters.count("C") + letters.count(edit)) * ("x",) for edit in "DI")
    rates.aligned = scoring.Alignments.of([scoring.Alignment(codes, said, heard, 0.0)])
    view = View(rates)
    view.settings = {"run": given["at_least"]}
    totals = Sums({name: int(column.sum()) for name, column in count_runs(view).items()})
    for letter, kind in (("I", "insertion"), ("D", "deletion")):
        sizes = [size for edit, _, size in expected if edit == letter]
        assert (totals[f"{kind}_runs"], totals[f"{kind}_run_words"]) == (len(sizes), sum(sizes))
        assert RUNS.value(totals)[f"longest_{kind}_run"] == max(sizes, default=0)


@each_case(("name", "given", "expected"), cases("own-definitions", "script/"))
def test_worked_examples_of_scripts(name: str, given: Any, expected: Any) -> None:
    part = counted("script", ["x"], [given["hypothesis"]], script=given["expected"])
    totals = part.columns.totals()
    numbers = [totals["letters"], totals["foreign"], part["foreign_share"]]
    assert numbers == [expected["letters"], expected["other"], expected["share"]]


@pytest.mark.parametrize(("name", "given", "expected"), cases("repetition-compression"))
def test_compression_ratio_of_whisper(name: str, given: str, expected: Any) -> None:
    import zlib

    part = counted("compression", [["x"]], [[given] if given else []])
    totals = part.columns.totals()
    assert totals["bytes"] == expected["bytes"]
    if given and zlib.ZLIB_RUNTIME_VERSION.startswith("1."):  # zlib-ng has other lengths
        assert totals["compressed"] == expected["compressed"]
        assert part["compression_ratio"] == expected["ratio"]
        assert totals["above"] == expected["above_2.4"]


def test_statistics_of_whisper(tmp_path: Path) -> None:
    """Those of all segments of a recording, also if its words were cut to segments of a reference."""
    segments = [
        {"start": 0, "end": 2, "text": " a b", "avg_logprob": -1.5, "no_speech_prob": 0.6},
        {"start": 2, "end": 4, "text": " c", "avg_logprob": -1, "compression_ratio": 2.5},
    ]
    (tmp_path / "talk.json").write_text(json.dumps({"text": "", "segments": segments}))
    (tmp_path / "talk.stm").write_text(STM.format(0, 1, "a") + STM.format(1, 4, "b c"))
    sides = [tmp_path / "talk.stm", tmp_path / "talk.json"]
    part = scoring.wer(*sides, cut="plain-alignment", measures=["compression"]).measured[
        "compression"
    ]
    names = ("compression_ratio_share", "avg_logprob_share", "no_speech_prob_share")
    assert [part[name] for name in names] == [1, 0.5, 0]
    assert part.columns.sums["avg_logprob_segments"].tolist() == [2, 0]
    assert counted("compression", ["a"], ["a"])["avg_logprob_share"] is None
    manifest = tmp_path / "talk.jsonl"
    manifest.write_text(
        '{"audio_filepath": "a.wav", "text": "a", "pred_text": "a", "avg_logprob": "low"}\n'
    )
    with pytest.raises(scoring.ScoringError, match="expected a number as avg_logprob, found 'low'"):
        scoring.wer(manifest, manifest, measures=["compression"])


def plain_loops(heard: list[str], said: list[str]) -> int:
    """The excess words of loops, by the text of the definition."""
    excess, place = 0, 0
    while place < len(heard):
        for size in range(1, 25):
            unit = heard[place : place + size]
            copies = 1
            while heard[place + copies * size : place + (copies + 1) * size] == unit:
                copies += 1
            if len(unit) == size and copies >= (4 if size == 1 else 3):
                spoken = 0
                for number in range(1, len(said) + 1):
                    text = f" {' '.join(said)} "
                    if f" {' '.join(unit * number)} " in text:
                        spoken = number
                excess += size * max(0, copies - max(1, spoken))
                place += copies * size
                break
        else:
            place += 1
    return excess


def test_loops_are_those_of_the_definition() -> None:
    draw = random.Random(5)
    for _ in range(300):
        heard = [draw.choice("abc") for _ in range(draw.randrange(30))]
        said = [draw.choice("abc") for _ in range(draw.randrange(12))]
        assert sum(loop.excess for loop in loops_of(heard, said)) == plain_loops(heard, said)
        more = [*heard, *heard[-1:] * 9]
        again = [*more, *more[-1:]]
        excess = [sum(loop.excess for loop in loops_of(side, said)) for side in (more, again)]
        assert excess[0] <= excess[1], "another copy never lowers the excess"


def test_loops_are_searched_in_words_as_read() -> None:
    utterances = {"u1": "one two", "u2": "no"}
    answers = {"u1": "one two", "u2": "No, no no NO no!"}
    rates = scoring.wer(utterances, answers, normalize=["plain"], measures=["loops"])
    assert rates.measured["loops"].columns.totals()["excess_words"] == 4
    # of five words one is right, which is the last one, an excess word
    assert rates.measured["loops"]["loop_error_share"] == 3 / 4
    assert rates.sources is None
    joined = scoring.wer({"u": "five"}, {"u": "five five five five"}, normalize=["plain"])
    with pytest.raises(scoring.ScoringError, match="expected the words as read"):
        measure(joined, "loops")


def test_loops_of_scripts_without_blanks() -> None:
    assert counted("loops", ["はい"], ["ははははは"])["loop_rate"] == 0
    assert counted("loops", ["はい"], ["はははははは"]).columns.totals()["excess_words"] == 5
    assert find_loops(tokens("ありがとう" * 3))[0].length == 5
    # beside words of other scripts, too
    assert find_loops(tokens("OK OK OK OK ははははは")) == find_loops(tokens("OK " * 4))


def test_settings() -> None:
    answer = ["no no no no"]
    assert counted("loops", ["no"], answer)["loop_rate"] == 1
    assert counted("loops", ["no"], answer, loop="8,3,16")["loop_rate"] == 0
    assert counted("loops", ["no"], answer, loop="8,3,16").signature == "loops(loop:(8, 3, 16))"
    for value in ("8", 8, None, [8, 3]):
        with pytest.raises(ValueError, match="loop: expected COPIES,COPIES,WORDS"):
            counted("loops", ["no"], answer, loop=value)
    with pytest.raises(ValueError, match="expected loop, found 'limit'"):
        counted("loops", ["no"], answer, limit="8")
    for script in ("Klingon-", "", "Latn,", 5):
        with pytest.raises(ValueError, match="script: expected scripts such as"):
            counted("script", ["no"], answer, script=script)


def test_silence_and_lengths() -> None:
    part = counted("silence", ["", "a b", "—"], ["thanks for watching", "a b", ""])
    assert list(part.values.values()) == [0.5, 0.6, None, 1]
    part = counted("empty", ["a b c", "d", ""], ["", "e", ""])
    assert list(part.values.values()) == [1 / 2, 3 / 4, 3 / 4]
    words = ["w " * size for size in (5, 25, 40)]
    part = counted("length", words, [words[1], "", words[1]])
    assert [part["too_long_share"], part["too_short_share"]] == [1 / 3, 1 / 3]
    assert part.columns.sums["words_apart"].tolist() == [20, 25, 0]


def test_numbers_per_hour_count_where_times_are_known(tmp_path: Path) -> None:
    times = [{"start": 0, "end": 36}, {}, {"start": 40, "end": 76}, {}]
    for side, words in (("r", ["no", "no", "", ""]), ("h", ["no no no no no"] * 4)):
        rows = zip("abcd", words, times, strict=True)
        lines = [json.dumps({"id": name, "text": text, **span}) for name, text, span in rows]
        (tmp_path / f"{side}.jsonl").write_text("\n".join(lines))
    names = ["loops", "silence"]
    counts = scoring.wer(tmp_path / "r.jsonl", tmp_path / "h.jsonl", measures=names).measured
    assert counts["loops"]["loops_per_hour"] == 2 / (72 / 3600)
    assert counts["silence"]["invented_per_hour"] == 5 / (36 / 3600)


def test_phrases(tmp_path: Path) -> None:
    path = tmp_path / "phrases.txt"
    path.write_text("# known\nThanks for watching!\nBye.\nBye\n")
    sides = ["we say bye"], ["We say bye, bye. Thanks for watching"]
    part = counted("phrases", *sides, phrases=str(path))
    totals = part.columns.totals()
    assert (totals["heard"], totals["said"], totals["invented"]) == (3, 1, 2)
    assert part.values == counted("phrases", *sides, phrases=["bye", "thanks for watching"]).values
    assert counted("phrases", *sides)["invented_phrases"] == 0


def test_scripts() -> None:
    assert letters_of("naïve") == {"Latin": 5}
    assert expected_scripts({"Latin": 96, "Greek": 4}) == {"Latin"}
    assert counted("script", ["カー はい"], ["カーカー"])["foreign_share"] == 0
    part = counted("script", ["yes we can", "no"], ["да", "no"])
    assert [part["foreign_share"], part["foreign_answer_share"]] == [0.5, 0.5]


STM = "talk 1 anne {0} {1} {2}\n"


def test_words_in_gaps(tmp_path: Path) -> None:
    """A word half a second after a segment is in the gap; one within 0.25 s is not."""
    reference, hypothesis = tmp_path / "r.stm", tmp_path / "h.ctm"
    reference.write_text(STM.format(0, 2, "good morning") + STM.format(10, 12, "hello there"))
    words = [(0.1, "good"), (0.9, "morning"), (2.05, "well"), (10.2, "hello"), (11, "there")]
    lines = [f"talk 1 {time} 0.2 {word}\n" for time, word in words]
    hypothesis.write_text("".join(lines))
    settings: dict[str, Any] = {"measures": ["gaps"]}
    near = scoring.wer(reference, hypothesis, **settings).measured["gaps"].columns.totals()
    assert (near["gap_words"], near["gap_milliseconds"]) == (0, 7500)
    lines.insert(3, "talk 1 5.0 0.2 thanks\n")
    hypothesis.write_text("".join(lines))
    part = scoring.wer(reference, hypothesis, **settings).measured["gaps"]
    assert part.columns.totals()["gap_words"] == 1
    assert part["gap_words_per_minute"] == 60_000 / 7500
    assert part["gap_share"] == 0.5


@each_case(
    ("flags", "status", "text"),
    [
        ("gaps", 2, "measure gaps: expected times of the reference's segments"),
        ("loops,case --fail-measure loops.longest_loop=5 --fail-measure case.recall=50", 0, ""),
        ("loops --fail-measure loops.longest_loop=4", 3, "the longest loop 5 is above 4\n"),
        ("loops --fail-measure loops.loop_rate=99.9", 3, "with a loop 100.00 % is above 99.9 %\n"),
        ("case --fail-measure case.recall=51", 3, "case: recall 50.00 % is below 51 %\n"),
        ("loops --fail-measure loops.loops_per_hour=1", 2, "no number loops.loops_per_hour"),
        ("runs --fail-measure loops.loop_rate=1", 2, "loops.loop_rate=1 needs --measures loops"),
        ("loops --fail-measure loops.longest=1", 2, "expected loops.NUMBER=LIMIT with loop_rate, "),
        ("loops --fail-measure loop.rate=1", 2, "did you mean loops"),
        ("loops --fail-measure loops", 2, "expected MEASURE.NUMBER=LIMIT, found 'loops'"),
        ("emptyy", 2, "did you mean empty"),
        ("empty --measure-option limit=2", 2, "no setting of these measures"),
    ],
)
def test_gates(
    flags: str, status: int, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r.txt").write_text("u A B no\n")
    (tmp_path / "h.txt").write_text("u A b no no No, no no\n")
    paths = [str(tmp_path / "r.txt"), str(tmp_path / "h.txt")]
    assert main(["wer", *paths, "--normalize", "plain", "--measures", *flags.split()]) == status
    output, errors = capsys.readouterr()
    assert text in errors
    if flags.startswith("loops") and status != 2:  # lists words as read
        assert "A b no no No, no no" in output
    if "needs --measures" in text:  # of `wer`; compared results may bring their measures
        return
    sides = [paths[0], paths[1], "--reference", paths[0]]
    assert main(["compare", *sides, "--measures", *flags.split()]) == status
    output, errors = capsys.readouterr()
    if status == 3:  # the report has the reason, standard error only the name
        assert text.strip() in output
        assert "the report has the reasons" in errors
    else:
        assert text in errors


def test_limits_of_merged_shards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shard, limit = str(tmp_path / "s"), ["--fail-measure", "loops.longest_loop=4"]
    paths = [str(tmp_path / "r"), str(tmp_path / "h")]
    for path, words in zip(paths, ("A", "A no no no no no"), strict=True):
        Path(path).write_text(f"u {words}\n")
    for more, status in ((["--measures", "loops"], 3), ([], 2)):
        assert main(["cer", *paths, *more, "--shard", "1/1", "--shard-output", shard]) == 0
        assert main(["merge", shard, *limit]) == status
    assert main(["cer", *paths, "--measures", "loops", *limit]) == 3
    assert capsys.readouterr().err.endswith("loops: words of the longest loop 5 is above 4\n")


def test_line_of_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Loops, silence and runs above one per cent of the errors; each error counts once."""
    references = {"u-1": "yes", "u-2": "", "u-3": "a b", "u-4": "a b c d e"}
    answers = {"u-1": "yes no No, no no no no", "u-2": "thanks", "u-3": "a b", "u-4": "x b c d e"}
    for name, side in (("r", references), ("h", answers)):
        (tmp_path / name).write_text("".join(f"{key} {text}\n" for key, text in side.items()))
    paths = [str(tmp_path / "r"), str(tmp_path / "h")]
    assert main(["wer", *paths]) == 0
    text = capsys.readouterr().out
    fields = {"number": 7, "errors": 8, "percent": "87.50", "names": ["u-1", "u-2"]}
    assert f"{message_text(INVENTED, **fields)}\n" in text
    rates = scoring.wer(references, answers)
    errors = measure(rates, "loops").columns.totals()["loop_errors"]
    assert errors == 5  # one copy of the six is expected
    assert measure(rates, "runs").columns.totals()["insertion_run_words"] == 6
    assert main(["wer", *paths, "--normalize", "lowercase"]) == 0
    assert "invented" not in capsys.readouterr().out
    few = {"u-1": "yes no no no no no"}
    many = {f"v-{row}": "a b c d e f g h" for row in range(200)}
    wrong = dict.fromkeys(many, "a a b c c d e f")
    assert invention_hint(scoring.wer({**references, **many}, {**few, **wrong}), FEWEST) is None
    assert invention_hint(scoring.wer(references, answers, unit="char"), FEWEST) is None
