"""Meetings on the road: read, laid out by each measure, scored, reported."""

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import scoring
from formats.schema import words_of
from formats.schema.errors import FormatError
from formats.schema.messages import Advice
from scoring.cli.messages import FEW_SESSIONS, IDLE_WITHOUT
from scoring.cli.scoring import EXCEEDED, main
from scoring.drawing.blocks import Table
from scoring.model.errors import InputError
from scoring.options import Measure
from scoring.pages.sessions import sessions_of
from scoring.peers import meeteval
from scoring.regression.messages import OTHER_MEASURE, SPEAKERS_OF_SESSIONS
from scoring.results.hashes import with_hashes
from scoring.score.messages import NO_SPEAKERS, SESSION, TOO_LARGE
from scoring.sides.matching import MatchingError
from scoring.sides.matching.sessions import MEASURES
from scoring.sides.messages import (
    EMPTY_SESSION,
    NO_EXACT_SEARCH,
    NO_SESSION,
    PARTIAL_SESSION,
    Message,
)
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.judges.meeteval.run import meeting
from tests.remarks import said, says
from tests.scoring.score.test_schema import check

REFERENCE = """\
rec1 1 Alice 0.0 2.0 hello how are you
rec1 1 Bob 2.0 4.0 i am fine
rec1 1 Alice 4.0 6.0 good to hear
rec2 1 Carl 0.0 2.0 one two three
"""
HYPOTHESIS = """\
rec1 1 s1 0.0 2.0 hello how are you
rec1 1 s2 2.1 4.0 i am mine
rec1 1 s2 4.0 6.0 good to hear
rec2 1 s1 0.0 2.0 one two three
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return written(tmp_path, REFERENCE, HYPOTHESIS)


def written(folder: Path, *texts: str) -> tuple[Path, Path]:
    paths = folder / "reference.stm", folder / "hypothesis.stm"
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


def stm_of(side: Sequence[Mapping[str, Any]]) -> str:
    """The segments of a drawn meeting in order of time."""
    return "".join(
        f"s 1 {turn['speaker']} {turn['start_time']} {turn['end_time']} {turn['words']}\n"
        for turn in sorted(side, key=lambda turn: turn["start_time"])
    )


@pytest.mark.parametrize(
    ("measure", "errors"),
    [("cp", 7), ("tcp", 7), ("orc", 1), ("tcorc", 1), ("mimo", 1), ("dicp", 1), ("ditcp", 1)],
)
def test_each_measure(files: tuple[Path, Path], measure: Measure, errors: int) -> None:
    rates = scoring.wer(*files, meeting=measure)
    assert rates.counts.errors == errors
    assert [one.errors for one in rates.sessions] == [errors, 0]
    assert rates.counts.reference_tokens == 13
    assert rates.counts.hypothesis_tokens == 13
    assert f"|meeting:{measure}" in rates.signature


def idle_text(option: str) -> str:
    """What a command says of an option that needs a measure of many speakers."""
    fields = {"option": Advice(option, ""), "needed": [Advice("meeting", "")]}
    return message_text(IDLE_WITHOUT, **fields)


def test_jobs_give_the_same_meetings(tmp_path: Path) -> None:
    """Results of threads are those of one, in the same order."""
    chosen = random.Random(1)
    turns = [
        f"m{number} 1 {chosen.choice('AB')} {at} {at + 1} {' '.join(chosen.choices('abc', k=3))}"
        for number in range(9)
        for at in range(6)
    ]
    heard = [turn.replace("a", "b") for turn in turns]
    reference, hypothesis = written(
        tmp_path, *("\n".join([*lines, ""]) for lines in (turns, heard))
    )
    for measure in words_of(Measure):
        one = scoring.wer(reference, hypothesis, meeting=measure)
        more = scoring.wer(reference, hypothesis, meeting=measure, jobs=4)
        assert [*more] == [*one]
        assert more.sessions == one.sessions


def test_every_word_is_counted_under_its_speaker(files: tuple[Path, Path]) -> None:
    for measure in MEASURES:
        rates = scoring.wer(*files, meeting=measure)  # type: ignore[call-overload]
        words = {name: one.counts.reference_tokens for name, one in rates.by("speaker").items()}
        assert {name: words[name] for name in ("Alice", "Bob", "Carl")} == {
            "Alice": 7,
            "Bob": 3,
            "Carl": 3,
        }


def test_numbers_are_those_of_meeteval_from_the_same_file(tmp_path: Path) -> None:
    names = {
        "cp": "cpwer",
        "tcp": "tcpwer",
        "orc": "orcwer",
        "tcorc": "tcorcwer",
        "mimo": "mimower",
        "dicp": "dicpwer",
        "ditcp": "ditcpwer",
    }
    for seed in range(12):
        files = written(tmp_path, *map(stm_of, meeting(random.Random(seed))))
        for measure, name in names.items():
            rates = scoring.wer(*files, meeting=measure, collar=0.5, like="meeteval")  # type: ignore[call-overload]
            options = {"collar": 0.5} if "t" in measure else {}
            [expected] = getattr(meeteval, name)(*files, **options).values()
            [session] = rates.sessions
            found = (session.errors, session.insertions, session.deletions, session.substitutions)
            assert found == (
                expected.errors,
                expected.insertions,
                expected.deletions,
                expected.substitutions,
            )
            assert found[0] == rates.counts.errors


def test_automatic_choice_says_why(tmp_path: Path) -> None:
    rates = scoring.wer(*written(tmp_path, REFERENCE, HYPOTHESIS), meeting="auto")
    assert said(rates.remarks) == [("MEASURE.tcp", {"title": "tcpWER"})]


@pytest.mark.parametrize("measure", ["cp", "tcp", "dicp", "ditcp"])
def test_a_hypothesis_without_speakers_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], measure: Measure
) -> None:
    reference, words = tmp_path / "reference.stm", tmp_path / "words.ctm"
    reference.write_text("m 1 A 0 2 a b\nm 1 B 2 4 c d\n")
    words.write_text("m 1 0 1 a\nm 1 1 1 b\nm 1 2 1 c\nm 1 3 1 x\n")
    with pytest.raises(InputError) as caught:
        scoring.wer(reference, words, meeting=measure)
    assert caught.value.path == str(words)
    assert main(["wer", str(reference), str(words), "--meeting", measure]) == 2
    shown = capfd.readouterr()
    assert shown.out == ""
    for way in ("--meeting auto", "--hypothesis-option speakers=turns.rttm"):
        assert way in caught.value.problem
        assert way in shown.err
    assert main(["wer", str(reference), str(words), "--meeting", measure, "--plan"]) == 2
    assert scoring.wer(reference, words, meeting="auto").counts.errors == 1
    turns = tmp_path / "turns.rttm"
    lines = [f"SPEAKER m 1 {2 * n} 2 <NA> <NA> s{n} <NA> <NA>\n" for n in range(2)]
    turns.write_text("".join(lines))
    options = {"speakers": str(turns)}
    rates = scoring.wer(reference, words, meeting=measure, hypothesis_options=options)
    assert rates.counts.errors == 1
    captions = tmp_path / "m.srt"
    captions.write_text("1\n00:00:00,000 --> 00:00:04,000\na b c d\n")
    with pytest.raises(InputError, match="--meeting auto") as of_captions:
        scoring.wer(reference, captions, meeting=measure)
    assert "turns" not in of_captions.value.problem  # its reader takes none


@pytest.mark.parametrize("measure", ["cp", "tcp", "dicp", "ditcp"])
def test_a_reference_without_speakers_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], measure: Measure
) -> None:
    words, hypothesis = tmp_path / "words.ctm", tmp_path / "hypothesis.stm"
    words.write_text("m 1 0 1 a\nm 1 1 1 b\nm 1 2 1 c\nm 1 3 1 x\n")
    hypothesis.write_text("m 1 A 0 2 a b\nm 1 B 2 4 c d\n")
    with pytest.raises(InputError) as caught:
        scoring.wer(words, hypothesis, meeting=measure)
    assert caught.value.path == str(words)
    assert main(["wer", str(words), str(hypothesis), "--meeting", measure]) == 2
    shown = capfd.readouterr()
    assert shown.out == ""
    for way in ("--meeting auto", "--reference-option speakers=turns.rttm"):
        assert way in shown.err
    assert main(["wer", str(words), str(hypothesis), "--meeting", measure, "--plan"]) == 2
    rates = scoring.wer(words, hypothesis, meeting="auto")
    assert rates.counts.errors == 1
    assert said(rates.remarks) == [("MEASURE.tcorc-reference", {"title": "tcORC-WER"})]
    # channels are streams, and one speaker needs no names
    hypothesis.write_text("m 1 A 0 2 a b\nm 1 A 2 4 c d\n")
    assert scoring.wer(words, hypothesis, meeting=measure).counts.errors == 1
    hypothesis.write_text("m 1 A 0 2 a b\nm 1 B 2 4 c d\n")
    words.write_text("m 1 0 1 a\nm 1 1 1 b\nm 2 2 1 c\nm 2 3 1 x\n")
    assert scoring.wer(words, hypothesis, meeting=measure).counts.errors == 1


def test_one_stream_is_enough_for_one_speaker(tmp_path: Path) -> None:
    reference, words = tmp_path / "reference.stm", tmp_path / "words.ctm"
    reference.write_text("m 1 A 0 2 a b\nm 1 A 2 4 c d\n")
    words.write_text("m 1 0 1 a\nm 1 1 1 b\nm 1 2 1 c\n")
    assert scoring.wer(reference, words, meeting="cp").counts.errors == 1
    reference.write_text("m 1 A 0 2 a b\nm 1 B 2 4 c d\n")
    words.write_text("m 1 0 1 a\nm 1 1 1 b\nm 2 2 1 c\n")
    assert scoring.wer(reference, words, meeting="cp").counts.errors == 1
    # channels of another session are no streams of this one
    reference.write_text("m 1 A 0 2 a b\nm 1 B 2 4 c d\nn 1 A 0 2 a b\nn 1 B 2 4 c d\n")
    words.write_text("m 1 0 1 a\nm 1 1 1 b\nm 2 2 1 c\nn 1 0 1 a\nn 1 1 1 b\nn 1 2 1 c\n")
    with pytest.raises(InputError) as refused:
        scoring.wer(reference, words, meeting="cp")
    assert refused.value.value is not None
    assert refused.value.value.entry.code == NO_SPEAKERS.code
    assert refused.value.value.fields["side"] == "hypothesis"
    reference.write_text("m 1 A 0 2 a b\nm 1 B 2 4 c d\n")
    words.write_text("")
    assert scoring.wer(reference, words, meeting="cp", hypothesis_format="ctm").counts.errors == 4


def test_each_of_several_files_is_a_stream(tmp_path: Path) -> None:
    reference = tmp_path / "reference.stm"
    reference.write_text("m 1 A 0 2 a b\nm 1 B 0 2 c d\n")
    lines = {"one": "m 1 0 1 a\nm 1 1 1 b\n", "two": "m 1 0 1 c\nm 2 1 1 d\n"}
    paths = [tmp_path / f"{name}.ctm" for name in lines]
    for path, text in zip(paths, lines.values(), strict=True):
        path.write_text(text)
    rates = scoring.wer(reference, paths, meeting="auto")  # type: ignore[call-overload]
    assert rates.matching_summary.matched_by == "segment"
    assert rates.sessions[0].assignment == ("one", "two-1")
    assert rates.counts.errors == 2
    alone = scoring.wer(reference, paths[1], meeting="orc")
    assert set(map(str, alone.sessions[0].assignment)) <= {"1", "2"}


def test_times_are_compared_exactly(tmp_path: Path) -> None:
    files = written(tmp_path, "s 1 A 0 1 a\n", "s 1 X 1.4 1.4 a\n")
    assert scoring.wer(*files, meeting="tcp", collar="0.4s").counts.errors == 2
    assert scoring.wer(*files, meeting="tcp", collar="0.400000001").counts.errors == 0


def test_what_labels_and_times_cost(files: tuple[Path, Path]) -> None:
    rates = scoring.wer(*files, meeting="tcp", explain=True)
    assert (rates.sessions[0].label_errors, rates.sessions[0].time_errors) == (6, 0)
    [table, *_] = sessions_of(rates)
    assert isinstance(table, Table)
    assert table.headings[-2:] == ("labels", "times")
    assert [row[-2:] for row in table.rows] == [("6", "0"), ("0", "0"), ("6", "0")]
    unknown = next(sessions_of(scoring.wer(*files, meeting="orc", explain=True)))
    assert isinstance(unknown, Table)
    assert "labels" not in unknown.headings


@pytest.mark.parametrize(("name", "is_near"), [("meet1", True), ("Meet01", True), ("x", False)])
def test_a_session_of_another_spelling_is_suggested(
    name: str, is_near: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = "{} 1 anna 0.0 2.0 hello there\n"
    paths = [tmp_path / "ref.stm", tmp_path / "hyp.stm"]
    paths[0].write_text(line.format("Meet1"))
    paths[1].write_text(line.format(name))
    words = ["wer", *map(str, paths), "--meeting", "cpwer"]
    assert main(words) == 2
    errors = capsys.readouterr().err
    assert "[SESSIONS]" in errors
    assert ('"Meet1"' in errors) == (f'"{name}"' in errors) == is_near
    paths[1].write_text(line.format("Meet1"))
    assert main(words) == 0


def test_sessions_without_partner_are_named(files: tuple[Path, Path]) -> None:
    files[1].write_text("".join(HYPOTHESIS.splitlines(keepends=True)[:3]))
    with pytest.raises(MatchingError, match=r"lacks 1 session of .*: rec2 \(--missing"):
        scoring.wer(*files, meeting="cp", missing="error")
    rates = scoring.wer(*files, meeting="cp")
    assert rates.counts == scoring.wer(*files, meeting="cp", missing="delete").counts
    assert (rates.counts.deletions, rates.matching_summary.reference_only.number) == (6, 1)
    assert len(scoring.wer(*files, meeting="cp", missing="skip").sessions) == 1
    with pytest.raises(MatchingError, match=r": rec2 \(--allow-unmatched"):
        scoring.wer(files[1], files[0], meeting="cp")


def test_a_renamed_session_is_told_for_both_sides(files: tuple[Path, Path]) -> None:
    files[1].write_text(HYPOTHESIS.replace("rec2", "rec3"))
    both = r"1 session is not in .*: rec3; and .* lacks 1 session of .*: rec2 \(sessions"
    with pytest.raises(MatchingError, match=both):
        scoring.wer(*files, meeting="cp")
    rates = scoring.wer(*files, meeting="cp", allow_unmatched=True)
    assert rates.matching_summary.reference_only.number == 1


def test_refusals(files: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected times of each of the 4 words"):
        scoring.wer(*files, meeting="tcp", hypothesis_times="words")
    with pytest.raises(InputError, match="expected a file with speakers"):
        scoring.wer("a b", "a c", meeting="cp")
    with pytest.raises(ValueError, match="collar: expected seconds such as 5s, found '5 m'"):
        scoring.wer(*files, meeting="tcp", collar="5 m")
    with pytest.raises((InputError, FormatError)):
        scoring.wer(*written(tmp_path, "s 1 A 2 1 a\n", "s 1 X 0 1 a\n"), meeting="cp")


def too_large(folder: Path, more: Sequence[str] = ("", "")) -> tuple[Path, Path]:
    """A session too large for exact measures of segments, with other lines before it."""
    chance = random.Random(2)

    def side(names: str, count: int) -> str:
        return "".join(
            f"s 1 {name} {at} {at + 1} {' '.join(chance.choice('abc') for _ in range(60))}\n"
            for at in range(count)
            for name in names
        )

    return written(folder, more[0] + side("AB", 6), more[1] + side("12345", 6))


def test_too_large_for_an_exact_answer(tmp_path: Path) -> None:
    files = too_large(tmp_path)
    with pytest.raises(MatchingError) as error:
        scoring.wer(*files, meeting="orc", search="exact")
    assert error.value.value is not None
    assert error.value.value.entry == TOO_LARGE
    assert error.value.value.fields["reason"].fields["measure"] == "ORC"
    rates = scoring.wer(*files, meeting="orc")
    [session] = rates.sessions
    assert not session.exact
    assert session.errors is not None
    assert 0 < session.at_least <= session.errors
    [(key, fields)] = said(rates.remarks)
    numbers = {"errors": session.errors, "least": session.at_least}
    assert (key, fields) == ("SESSION.greedy", {"path": str(files[0]), "session": "s", **numbers})


def test_greedy_searches_of_several_sessions_are_one_warning(tmp_path: Path) -> None:
    """With the sums of all, and the measure that is exact by means of the times."""
    files = too_large(tmp_path)
    for file in files:
        text = Path(file).read_text()
        again = [text.replace("s 1 ", f"s{number} 1 ") for number in range(1, 7)]
        Path(file).write_text("".join([text, *again]))
    rates = scoring.wer(*files, meeting="orc")
    [remark] = [each for each in rates.remarks if getattr(each, "code", "") == "SESSION"]
    assert isinstance(remark, Message)
    assert remark.entry.variant == "greedy-orc-sessions"
    sums = [sum(getattr(each, name) for each in rates.sessions) for name in ("errors", "at_least")]
    assert [remark.fields[name] for name in ("sessions", "errors", "least")] == [7, *sums]
    assert remark.fields["names"] == ["s", "s1", "s2", "s3", "s4", "…"]
    assert [advice.flag for advice in remark.advice] == ["--meeting tcorc"]


@pytest.mark.parametrize("measure", ["orc", "mimo"])
def test_sessions_that_are_too_large_are_named_and_the_rest_is_scored(
    tmp_path: Path, measure: Measure, capfd: pytest.CaptureFixture[str]
) -> None:
    files = too_large(tmp_path, (REFERENCE, HYPOTHESIS))
    paths, out = list(map(str, files)), tmp_path / "rates.json"
    arguments = ["wer", *paths, "--meeting", measure, "--json", str(out)]
    arguments += ["--exact"] if measure == "orc" else []
    assert main(arguments) == EXCEEDED
    shown = capfd.readouterr()
    assert "s        declined    720    -    -    -       -       -" in shown.out
    [system] = json.loads(out.read_text())["systems"]
    assert [one["state"] for one in system["sessions"]] == ["scored", "scored", "declined"]
    why = system["sessions"][2]["reason"]
    assert (why["code"], why["variant"]) == (NO_EXACT_SEARCH.code, NO_EXACT_SEARCH.variant)
    assert why["fields"]["measure"] == measure.upper()
    about = {"path": paths[0], "session": "s", "state": "declined", "reason": why["text"]}
    assert f"scoring: warning: {message_text(TOO_LARGE, **about)} [{TOO_LARGE.code}]\n" in shown.err
    assert system["counts"]["reference_count"] == 13
    with pytest.warns(scoring.UnscoredHypothesisWarning):
        rates = scoring.wer(*files, meeting=measure, search="exact")
    [(key, fields)] = said(rates.remarks)
    assert (key, {**fields, "reason": str(fields["reason"])}) == (TOO_LARGE.key, about)
    assert rates.counts.errors == 1
    capfd.readouterr()
    assert main([*arguments[:5], "--greedy"]) == 0
    [line, *_] = capfd.readouterr().out.splitlines()
    assert (line[:4], line.endswith("sub ] [UPPER BOUND]")) == ("%WER", True)
    [*_, session] = scoring.wer(*files, meeting=measure, search="greedy").sessions
    assert session.errors is not None
    assert not session.exact
    assert session.at_least <= session.errors < 720 + 1800


def test_mimo_found_greedily_is_an_assignment_of_mimo(tmp_path: Path) -> None:
    for seed in range(8):
        files = written(tmp_path, *map(stm_of, meeting(random.Random(seed))))
        [found] = scoring.wer(*files, meeting="mimo", search="greedy").sessions
        [exact] = scoring.wer(*files, meeting="mimo").sessions
        [orc] = scoring.wer(*files, meeting="orc").sessions
        assert found.errors == orc.errors
        assert exact.errors is not None
        assert found.errors is not None
        assert found.at_least <= exact.errors <= found.errors
        speakers, others = (
            sorted(str(pair[0]) for pair in one.assignment if isinstance(pair, tuple))
            for one in (found, exact)
        )
        assert speakers == others


STATES = (
    ("", "missing", Message(NO_SESSION)),
    ("rec2 1 s1 0.0 2.0\n", "empty", Message(EMPTY_SESSION, {"side": "hypothesis"})),
    (
        "rec2 1 s1 80 82 one two three\n",
        "partial",
        Message(PARTIAL_SESSION, {"place": "first", "seconds": 80}),
    ),
)


@pytest.mark.parametrize(("line", "state", "reason"), STATES, ids=[one[1] for one in STATES])
def test_what_lacks_is_named_and_in_the_exit_status(
    files: tuple[Path, Path],
    line: str,
    state: str,
    reason: Message,
    capfd: pytest.CaptureFixture[str],
) -> None:
    files[1].write_text("".join(HYPOTHESIS.splitlines(keepends=True)[:3]) + line)
    arguments = ["wer", *map(str, files), "--meeting", "cp"]
    assert main(arguments) == EXCEEDED
    assert "rec2" in capfd.readouterr().err
    assert main([*arguments, "--missing", "delete"]) == 0
    shown = capfd.readouterr()
    fields = {"path": files[0], "session": "rec2", "state": state}
    assert message_text(SESSION, **fields, reason=reason) in shown.err
    assert f"exact, {state}" in shown.out


def test_a_session_without_words_in_the_reference_is_named(
    files: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    files[0].write_text(REFERENCE.replace("one two three", ""))
    arguments = ["wer", *map(str, files), "--meeting", "cp"]
    assert main(arguments) == EXCEEDED
    about = {"path": files[0], "session": "rec2", "state": "empty"}
    empty = message_text(SESSION, **about, reason=Message(EMPTY_SESSION, {"side": "reference"}))
    assert f"scoring: warning: {empty}" in capfd.readouterr().err
    assert main([*arguments, "--allow-empty"]) == 0


@pytest.mark.parametrize("measure", list(MEASURES))
def test_shards_of_sessions_are_what_one_run_is(
    files: tuple[Path, Path], tmp_path: Path, measure: Measure, capfd: pytest.CaptureFixture[str]
) -> None:
    whole, again = tmp_path / "whole.json", tmp_path / "again.json"
    arguments = ["wer", *map(str, files), "--meeting", measure, "--speaker-errors"]
    parts = []
    for number in (1, 2, 3):
        parts.append(str(tmp_path / f"{number}.json"))
        assert main([*arguments, "--shard", f"{number}/3", "--shard-output", parts[-1]]) == 0
    assert main([*arguments, "--json", str(whole)]) == 0
    shown = capfd.readouterr().out
    assert ("\n(labels and times: the errors that " in shown) == ("  labels  times\n" in shown)
    assert main(["merge", *parts[::-1], "--json", str(again)]) == 0
    assert capfd.readouterr().out == shown
    assert whole.read_bytes() == again.read_bytes()


@pytest.mark.parametrize("measure", list(MEASURES))
def test_a_saved_result_is_what_it_was(
    files: tuple[Path, Path], tmp_path: Path, measure: Measure
) -> None:
    rates = scoring.wer(*files, meeting=measure, explain=True, by=["recording"])
    rates.save(tmp_path / "rates.json")
    again = scoring.load(tmp_path / "rates.json")
    assert again.sessions == rates.sessions
    assert again.session_of == rates.session_of
    assert again.aligned == rates.aligned
    assert again.to_json() == with_hashes(rates).to_json()
    assert str(again) == str(rates)
    assert again.report("rsum") == rates.report("rsum")
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "rates.json").read_bytes()


def test_a_record_whose_sessions_are_not_its_utterances_is_refused(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    path = tmp_path / "rates.json"
    scoring.wer(*files, meeting="cp").save(path)
    text = path.read_text()
    for old, new, told in (
        (
            '"errors": 7, "insertions": 3',
            '"errors": 6, "insertions": 2',
            "counts in session 'rec1'",
        ),
        ('"session": "rec2", "correct"', '"session": "rec3", "correct"', "found one of 'rec3'"),
    ):
        assert old in text
        path.write_text(text.replace(old, new))
        with pytest.raises(InputError, match=told):
            scoring.load(path)


def test_times_are_what_measures_with_times_add(files: tuple[Path, Path]) -> None:
    files[1].write_text(HYPOTHESIS.replace("4.0 6.0", "64.0 66.0"))
    for measure in ("tcorc", "tcmimo", "ditcp", "tcp"):
        timed = scoring.wer(*files, meeting=measure, explain=True).sessions[0]
        plain = scoring.wer(*files, meeting=MEASURES_WITHOUT_TIMES[measure]).sessions[0]  # type: ignore[call-overload]
        assert timed.errors is not None
        assert plain.errors is not None
        assert timed.time_errors == timed.errors - plain.errors
    assert timed.label_errors is not None
    assert scoring.wer(*files, meeting="orc", explain=True).sessions[0].time_errors is None


MEASURES_WITHOUT_TIMES = {"tcorc": "orc", "tcmimo": "mimo", "ditcp": "dicp", "tcp": "cp"}


OTHER = HYPOTHESIS.replace("mine", "fine").replace("one two", "one too many")


@pytest.mark.parametrize("measure", list(MEASURES))
def test_two_systems_are_compared_by_sessions(
    files: tuple[Path, Path], tmp_path: Path, measure: Measure, capfd: pytest.CaptureFixture[str]
) -> None:
    other, out = tmp_path / "other.stm", tmp_path / "out.json"
    # a stream of nobody, which the other side has not
    other.write_text(OTHER + "rec1 1 s9 7 8 well\n")
    paths = list(map(str, files))
    transcripts = ["--reference", paths[0], paths[1], str(other)]
    arguments = ["compare", *transcripts, "--meeting", measure, "--json", str(out)]
    assert main([*arguments, "--fail-increase", "0pt"]) == EXCEEDED
    few = message_text(FEW_SESSIONS, path=other, sessions=2)
    assert f"scoring: warning: {few}" in capfd.readouterr().err
    found = check(out, "comparison-1.json")
    systems = [scoring.wer(files[0], path, meeting=measure) for path in (files[1], other)]
    assert [found["overall"][side]["errors"] for side in ("baseline", "new")] == [
        rates.counts.errors for rates in systems
    ]
    assert found["utterance_count"] == 2
    assert found["difference"]["block"] == "session"
    assert [one["name"] for one in found["speakers"]][:3] == ["Alice", "Bob", "Carl"]
    assert sum(one["error_change"] for one in found["speakers"]) == found["overall"]["error_change"]
    both = scoring.compare(*systems)
    assert both.bootstrap is not None
    assert both.bootstrap.difference.estimate == found["difference"]["estimate"]
    assert both.block == "session"
    assert "2 units by session" in str(scoring.confidence_interval(systems[0]))
    records: list[str] = []
    for rates in systems:
        records.append(str(tmp_path / f"{len(records)}.json.gz"))
        rates.save(records[-1])
    history = str(tmp_path / "runs.db")
    for path in (paths[1], str(other)):
        assert main(["wer", paths[0], path, "--meeting", measure, "--record", history]) == 0
    runs = ["--baseline-tag", "1", "--new-tag", "2", "--json", str(out)]
    assert main(["compare", history, history, *runs]) == 0
    assert check(out, "comparison-1.json")["overall"] == found["overall"]
    again = tmp_path / "again.json"
    assert main(["compare", *records, "--json", str(again)]) == 0
    told = check(again, "comparison-1.json")
    for name in ("signature", "overall", "difference", "tests", "speakers", "worse"):
        assert told[name] == found[name]


def test_results_of_other_measures_are_not_compared(
    files: tuple[Path, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    paths = [str(tmp_path / f"{measure}.json") for measure in ("cp", "orc")]
    for path in paths:
        scoring.wer(*files, meeting=Path(path).stem).save(path)  # type: ignore[call-overload]
    assert main(["compare", *paths]) == 2
    fields = {"path": paths[1], "other": paths[0], "expected": "cp", "found": "orc"}
    assert message_text(OTHER_MEASURE, **fields) in capfd.readouterr().err
    hypothesis = str(files[1])
    assert main(["compare", paths[0], hypothesis, "--meeting", "cp"]) == 0
    assert main(["compare", paths[0], hypothesis, "--meeting", "orc"]) == 2
    assert "--meeting: expected cp, as the result was scored" in capfd.readouterr().err
    transcripts = ["--reference", str(files[0]), paths[0], hypothesis]
    assert main(["compare", *transcripts, "--meeting", "cp", "--profile", "kaldi"]) == 0
    assert main(["compare", *transcripts, "--meeting", "cp", "--block", "speaker"]) == 2
    assert message_text(SPEAKERS_OF_SESSIONS) in capfd.readouterr().err
    assert main(["compare", *transcripts, "--exact"]) == 0
    idle = idle_text("exact")
    assert f"scoring: note: {idle}" in capfd.readouterr().err
    idle = idle_text("collar")
    words = ["--reference", str(files[0]), hypothesis, hypothesis]
    assert main(["compare", *words, "--collar", "1"]) == 0
    assert capfd.readouterr().err.count(f"scoring: note: {idle}") == 1
    timed = str(tmp_path / "tcp.json")
    scoring.wer(*files, meeting="tcp", collar=1).save(timed)
    for arguments in ([*words, "--meeting", "tcp"], [timed, hypothesis]):
        assert main(["compare", *arguments, "--collar", "1"]) == 0
        assert idle not in capfd.readouterr().err


def test_a_declined_session_is_in_the_status_of_a_comparison(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    files = too_large(tmp_path, (REFERENCE, HYPOTHESIS))
    other = tmp_path / "other.stm"
    other.write_text(files[1].read_text())
    arguments = ["compare", "--reference", *map(str, (*files, other))]
    assert main([*arguments, "--meeting", "mimo"]) == EXCEEDED
    fields = {"path": files[0], "session": "s", "state": "declined"}
    assert says(capfd.readouterr().err, TOO_LARGE, **fields)


def test_the_command(
    files: tuple[Path, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    paths = list(map(str, files))
    out, who = tmp_path / "rates.json", tmp_path / "who.json"
    more = ["--json", str(out), "--assignment", str(who), "--confidence-interval"]
    assert (
        main(["wer", *paths, "--meeting", "cp", "--speaker-errors", "--fail-above", "50", *more])
        == EXCEEDED
    )
    shown = capfd.readouterr()
    assert "rec1     exact      10    1    3    3       7   70.00" in shown.out
    assert message_text(FEW_SESSIONS, path=paths[1], sessions=2) in shown.err
    [system] = json.loads(out.read_text())["systems"]
    assert system["sessions"][0]["assignment"] == [["Alice", "s1"], ["Bob", "s2"]]
    assert system["interval"]["block"] == "session"
    assert json.loads(who.read_text())["sessions"][1]["assignment"] == [["Carl", "s1"]]
    assert scoring.load(out).counts.errors == 7
    halves = []
    for name in ("s1", "s2"):
        halves.append(str(tmp_path / f"{name}.stm"))
        lines = [line for line in HYPOTHESIS.splitlines(keepends=True) if f" {name} " in line]
        Path(halves[-1]).write_text("".join(lines))
    assert main(["wer", paths[0], *halves, "--meeting", "cp", "--exact"]) == 0
    assert "%WER 53.85 [ 7 / 13" in capfd.readouterr().out
    assert main(["wer", *paths, "--meeting", "tcorc", "-o", "pralign", "stdout"]) == 0
    dump = capfd.readouterr().out
    assert "i am fine" in dump
    assert (
        "id: (Bob-000)\nFile: rec1\nChannel: 1\nHyp speaker: s2\nScores: (#C #S #D #I) 2 1 0 0\n"
        "Attributes: Case_sensitve \nRef times: t1= 2.00 t2= 4.00\nHyp times: t1= 2.10 t2= 4.00\n"
    ) in dump
    assert main(["wer", *paths, "--greedy"]) == 0
    idle = idle_text("greedy")
    assert f"scoring: note: {idle}" in capfd.readouterr().err
    assert main(["wer", *paths, "--collar", "1"]) == 0
    idle = idle_text("collar")
    assert f"scoring: note: {idle}" in capfd.readouterr().err


READINGS = {
    "r.stm": """\
rec 1 A 0.0 1.0 we paid the bill
rec 1 A 1.0 2.0 fine twenty
rec 1 B 1.0 3.0 it's fine twenty five and {seventeen|some}
rec 1 A 2.0 3.0 five dollars 22 <*>
""",
    "h.stm": """\
rec 1 x 0.0 3.0 we paid the bill fine 25 dollars twenty two and so on
rec 1 y 1.0 3.0 it is fine 25 and 17
""",
}


@each_case("measure", MEASURES)
def test_every_measure_takes_readings_variants_and_wildcards(measure: Any, tmp_path: Path) -> None:
    for name, text in READINGS.items():
        (tmp_path / name).write_text(text)
    options: Any = {"meeting": measure, "variants": True, "normalize": "spoken-forms:lang=en"}
    rates = scoring.wer(tmp_path / "r.stm", tmp_path / "h.stm", **options, collar=1)
    [session] = rates.sessions
    # it's, which the step leaves as it is
    assert (session.errors, rates.counts.errors) == (2, 2)
    assert session.errors == session.at_least
    assert {place.kind for place in rates.forgiven} == {"cardinal"}
    for place in rates.forgiven:
        alignment = rates.alignment(place.utterance)
        words = alignment.reference if place.side == "reference" else alignment.hypothesis
        assert words[place.place : place.place + place.size] == place.chosen
