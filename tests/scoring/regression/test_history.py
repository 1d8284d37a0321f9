"""The history of runs: found again, compared, moved, and never half written."""

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import scoring
from scoring.cli.messages import OTHER_RULES
from scoring.cli.scoring import main
from scoring.regression.history import History, HistoryError, RecordedRun, tags_of
from tests.each_case import each_case
from tests.formats.checks import message_text

ROOT = Path(__file__).resolve().parents[3]
OLD = scoring.wer(["a b c d"] * 9, ["a x y d"] * 8 + ["a b c d"])
NEW = scoring.wer(["a b c d"] * 9, ["a b c x"] + ["a b c d"] * 8)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


@pytest.fixture
def two(path: Path) -> Path:
    with History(path, create=True) as history:
        history.record(OLD, {"model": "v1", "set": "dev"})
        history.record(NEW, {"model": "v2", "set": "dev"})
    return path


def numbers(runs: list[RecordedRun]) -> list[int]:
    return [run.number for run in runs]


def test_a_run_shows_itself(two: Path) -> None:
    with History(two) as history:
        first = history.find("1")
    at = first.recorded_at
    assert repr(first) == f"<run 1, {at}, {first.name} (model=v1, set=dev): 16 of 36, 44.44 %>"
    assert f"{at}, {first.name.replace('<', '&lt;').replace('>', '&gt;')} (" in first._repr_html_()
    assert "signature: wer|unit:word|" in first._repr_html_()


def test_a_run_is_what_was_recorded(two: Path) -> None:
    with History(two) as history:
        first, second = history.runs()
        assert (first.tags, first.errors_and_tokens) == ({"model": "v1", "set": "dev"}, (16, 36))
        assert (second.rate, second.has_alignments) == (NEW.error_rate, True)
        assert history.table(first).statistics.tolist() == [
            [one.errors, one.reference_tokens] for one in OLD.per_utterance
        ]
        [again] = history.document(second).systems
        assert again.counts == NEW.counts
        assert [again.alignment_at(at) for at in range(9)] == [
            NEW.alignment_at(at) for at in range(9)
        ]
        assert numbers(history.runs({"model": "v2"})) == [2]
        assert numbers(history.runs({"model": "v2", "set": "test"})) == []


def test_lines_have_limits_and_groups(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The limit follows the run accepted last; one page has lines, runs and the last comparison."""
    speakers = {f"{at:06d}": "ann" if at % 3 else "ben" for at in range(1, 10)}
    results = [
        scoring.wer(
            ["a b c d"] * 9, ["a b c x"] * wrong + ["a b c d"] * (9 - wrong), speakers=speakers
        )
        for wrong in (2, 3, 4, 4)
    ]
    with History(path, create=True) as history:
        for number, result in enumerate(results):
            history.record(result, {"pinned": "yes" if number == 2 else "no"})
    command = ["history", "trend", str(path), "--limit", "40%"]
    assert main(command) == 0
    assert "above the limit: 2" in capsys.readouterr().out  # runs 2 and 3, not 4
    page = tmp_path / "page.html"
    assert (
        main(["history", "export", str(path), "--limit", "4pt", "--groups", "--html", str(page)])
        == 0
    )
    assert capsys.readouterr().out == ""
    text = page.read_text("utf-8")
    # in drawings for three widths of screens
    assert text.partition(">speaker=")[0].count('class="mark failed"') == 3
    assert all(f">speaker={name}</h" in text for name in ("ann", "ben"))
    assert "Run 4 against run 3" in text
    # marks lead to the comparison of their run, or to its row
    links = re.findall(r'<a href="#(run-[0-9])"', text)
    places = dict.fromkeys(re.findall(r'<(\w+) id="(run-[0-9])"', text))
    assert [*dict.fromkeys(links)] == ["run-1", "run-2", "run-3", "run-4"]
    assert {*places} == {("tr", "run-1"), ("tr", "run-2"), ("tr", "run-3"), ("h2", "run-4")}
    both = ["history", "export", str(path), "--html", str(page), "--output", str(tmp_path / "all")]
    assert main(both) == 0
    assert len((tmp_path / "all").read_text().splitlines()) == 4
    assert main(["history", "trend", str(path), "--limit", "5"]) == 2
    assert "which of 5% and 5pt is meant?" in capsys.readouterr().err


def test_runs_are_found(two: Path) -> None:
    wanted = {
        "1": 1,
        "": 2,
        "@latest": 2,
        "@first": 1,
        "@best": 2,
        "set=dev": 2,
        "set=dev@first": 1,
        "set=dev,model=v1": 1,
    }
    with History(two) as history:
        assert {text: history.find(text).number for text in wanted} == wanted
        for text, problem in {
            "3": "expected run 3, found none",
            "set=test": "expected a run with the tags set=test, found none",
            "@worst": "expected @latest, @first, @best, @accepted, found '@worst'",
            "set=dev@accepted": "expected an accepted run with the tags set=dev, found none",
            "dev": "tag: expected NAME=VALUE without comma and @, for example model=v3",
        }.items():
            with pytest.raises(HistoryError, match=problem):
                history.find(text)


def test_a_baseline_is_the_run_accepted_last(path: Path) -> None:
    """A choice among several runs is reported; a run is no baseline of its own."""
    with History(path, create=True) as history:
        for tags in ({"set": "a", "pinned": "yes"}, {"set": "a"}, {"set": "b"}, {"set": "b"}):
            history.record(OLD if len(tags) == 2 else NEW, tags, alignments=False)
        wanted = {
            "pinned=yes": (1, None),
            "2": (2, None),
            "set=a@first": (1, None),
            "set=a@accepted": (1, None),
            "set=a@best": (2, "MOVING-BASELINE.best"),
            "set=a@latest": (2, "MOVING-BASELINE.latest"),
            "set=a": (1, "BASELINE"),
            "set=b": (4, "MOVING-BASELINE.unaccepted"),
            "": (1, "BASELINE"),
        }
        found = {}
        for text in wanted:
            choice = history.baseline(text)
            note = choice.note(history.path)
            found[text] = (choice.run.number, note and note.entry.key)
        assert found == wanted
        last = history.find("")
        assert history.baseline("set=b", last)[:3] == (history.find("3"), 1, "")
        assert history.baseline("set=b@latest", last).run.number == 3
        assert history.baseline("4", last).run == last


def test_the_best_of_runs_without_words(path: Path) -> None:
    empty = scoring.wer([""], ["a"])
    with History(path, create=True) as history:
        history.record(empty)
        with pytest.raises(HistoryError, match="expected a run with reference tokens, found none"):
            history.find("@best")


@each_case("text", ["a", "=b", "a=", "a=b,c", "a@b=c"])
def test_tags(text: str) -> None:
    with pytest.raises(HistoryError, match="for example model=v3"):
        tags_of([text])
    with pytest.raises(HistoryError, match="expected one value of a, found 'b' and 'c'"):
        tags_of(["a=b", "a=c"])


def test_alignments_may_be_left_out(path: Path) -> None:
    with History(path, create=True) as history:
        run = history.record(OLD, alignments=False)
        assert not run.has_alignments
        assert history.table(run).statistics.sum(axis=0).tolist() == [16, 36]
        with pytest.raises(HistoryError, match="found none, because they were not recorded"):
            history.document(run)


def test_runs_move_and_are_known_again(two: Path, tmp_path: Path) -> None:
    with History(two) as history, History(tmp_path / "all.db", create=True) as other:
        lines = list(history.export(history.runs()))
        assert other.admit(lines, "a.jsonl") == (2, 0)
        assert other.admit(lines, "a.jsonl") == (0, 2)
        assert [run[1:] for run in other.runs()] == [run[1:] for run in history.runs()]
        assert list(other.export(other.runs())) == lines


def test_a_bad_line_takes_nothing_in(two: Path, tmp_path: Path) -> None:
    with History(two) as history, History(tmp_path / "all.db", create=True) as other:
        good = next(iter(history.export(history.runs())))
        record = json.loads(good)
        bad = [b"{}", b"[", b"\xff", good.replace(b"sclite-kit/run", b"sclite-kit/fun")]
        for name, value in {"summary": {}, "alignments": {"schema": 1}, "tags": {"a": 1}}.items():
            bad.append(json.dumps({**record, name: value}).encode())
        for name, total in (("errors", 16), ("reference_count", 36)):
            wrong = json.loads(good)
            wrong["summary"]["counts"][name] += 1
            problem = rf"^a\.jsonl:1: .* counts\.{name}: expected {total}, .* found {total + 1}$"
            with pytest.raises(HistoryError, match=problem):
                other.admit([json.dumps(wrong).encode()], "a.jsonl")
        record["utterances"]["errors"].pop()
        bad += [json.dumps(record).encode(), b'{"a":' * 100_000]
        for line in bad:
            with pytest.raises(
                HistoryError, match=r"^a\.jsonl:2: expected a run that was exported"
            ):
                other.admit([good, line], "a.jsonl")
        assert other.runs() == []


def test_numbers_beyond_64_bits(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with History(two) as history:
        for number in ("9" * 18, "9" * 19, "1" + "0" * 30, "1" * 5000):
            with pytest.raises(HistoryError, match=r"expected (run 9+, found none|a run number)"):
                history.find(number)
        assert history.find("0" * 5000 + "2").number == 2
    for words in (["show", str(two), "9" * 30], ["compare", str(two), "9" * 30, "1"]):
        assert main(["history", *words]) == 2
        assert "expected a run number below 1000000000000000000" in capsys.readouterr().err


def test_empty_files_are_new_histories(path: Path, tmp_path: Path) -> None:
    path.touch()
    with History(path) as history:
        assert history.runs() == []
    # what a full disk leaves of the first run: the journal's kind and no tables
    husk = tmp_path / "husk.db"
    base = sqlite3.connect(husk)
    base.execute("PRAGMA journal_mode = WAL")
    base.close()
    assert husk.stat().st_size
    trn = tmp_path / "r.trn"
    trn.write_text("a b (s-1)\n")
    for number in (1, 2):
        assert main(["wer", str(trn), str(trn), "--record", str(husk)]) == 0
        with History(husk) as history:
            assert len(history.runs()) == number


def test_flipped_bits_are_found(two: Path) -> None:
    with History(two) as history:
        kept = [(run, history.table(run).statistics.tolist()) for run in history.runs()]
        base = sqlite3.connect(two)
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        base.close()
    whole, problems = two.read_bytes(), set()
    for place in range(100, len(whole), 401):
        two.write_bytes(whole[:place] + bytes([whole[place] ^ 0x04]) + whole[place + 1 :])
        for number in (1, 2):
            try:
                with History(two) as history:
                    run = history.find(str(number))
                    columns = history.table(run).statistics.tolist()
            except HistoryError as problem:
                problems.add(problem.problem)
                continue
            assert (run, columns) == kept[number - 1]
    assert "run 1: a damaged run: its checksum differs" in problems


def test_forgetting(two: Path) -> None:
    with History(two) as history:
        history.remove(history.runs({"model": "v1"}), only_alignments=True)
        assert [run.has_alignments for run in history.runs()] == [False, True]
        history.remove(history.runs({"model": "v1"}))
        assert numbers(history.runs()) == [2]
        assert history.record(OLD).number == 3
    with sqlite3.connect(two) as base:
        assert base.execute("SELECT count(*) FROM tags").fetchone() == (2,)
    base.close()


def test_the_reference_of_several_runs_is_kept_once(two: Path) -> None:
    def parts() -> int:
        with sqlite3.connect(two) as base:
            number: int = base.execute("SELECT count(*) FROM parts").fetchone()[0]
        base.close()
        return number

    with History(two) as history:
        assert parts() == 1
        document = history.document(history.find("2"))
        history.remove([history.find("1")])
        assert parts() == 1
        again = history.document(history.find("2"))
        assert list(again.systems[0].aligned.references) == list(
            document.systems[0].aligned.references
        )
        history.remove([history.find("2")], only_alignments=True)
        assert parts() == 0


def test_files_that_are_no_histories(tmp_path: Path) -> None:
    with pytest.raises(HistoryError, match="expected a history of runs, found no file"):
        History(tmp_path / "none.db")
    (tmp_path / "text").write_text("a (s-1)\n" * 1000)
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE a (b)")
    other.close()
    for create in (False, True):
        with pytest.raises(HistoryError, match="file is not a database"):
            History(tmp_path / "text", create=create)
        with pytest.raises(HistoryError, match="found another database"):
            History(tmp_path / "other.db", create=create)
    with pytest.raises(HistoryError, match=r"runs\.db: expected an existing folder"):
        History(tmp_path / "nowhere" / "runs.db", create=True)
    assert (tmp_path / "text").read_text() == "a (s-1)\n" * 1000


def test_a_history_of_another_layout(two: Path) -> None:
    for layout, newer in ((2, ""), (7, ", which a newer release of sclite-kit wrote")):
        base = sqlite3.connect(two)
        base.execute(f"PRAGMA user_version = {layout}")
        base.close()
        with pytest.raises(HistoryError) as rejected:
            History(two)
        expected = f"{two}: expected a history of layout 6, found {layout}{newer}"
        assert str(rejected.value) == expected


def test_intervals_are_stored(two: Path) -> None:
    other = scoring.Resampling(seed=5, interval="percentile")
    with History(two) as history:
        run = history.find("1")
        intervals = [history.interval(run), history.interval(run, other)]
    base = sqlite3.connect(two)
    with base:
        base.execute("UPDATE runs SET utterances = x'00'")
    with History(two) as history:
        assert [history.interval(run), history.interval(run, other)] == intervals
        assert None not in intervals
        with base:
            base.execute("UPDATE intervals SET interval = x'00'")
        with pytest.raises(HistoryError, match="run 1: a damaged interval"):
            history.interval(run)
    base.close()


def test_a_long_trend(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with History(path, create=True) as history:
        for number in range(70):
            history.record(OLD if number < 40 else NEW, alignments=False)
    assert main(["history", "trend", str(path)]) == 0
    lead, line, _, *rows = capsys.readouterr().out.splitlines()
    assert line.endswith("(last 60 of 70)  44.44 → 2.78 %, lowest 2.78 % (run 41)")
    changes = [row.split()[0] for row in rows[:70] if " p = " in row or " p < " in row]
    assert changes == ["41"]
    assert [row.rpartition(": ")[2] for row in rows[70:72]] == ["40 runs)", "30 runs)"]
    assert rows[72].startswith("(1 change point: one test of the whole series")
    assert lead.startswith("Run 70 against run 1: -41.67 points, p = 0.0")
    assert main(["history", "trend", str(path), "--against", "60"]) == 0
    assert capsys.readouterr().out.startswith("Run 70 against run 60: +0.00 points")


def test_damaged_runs(two: Path) -> None:
    base = sqlite3.connect(two)
    with base:
        base.execute("UPDATE runs SET utterances = x'00', alignments = x'00'")
    with History(two) as history:
        run = history.find("1")
        for read in (history.table, history.document):
            with pytest.raises(HistoryError, match="run 1: damaged"):
                read(run)
    with base:
        base.execute("UPDATE runs SET summary = '{}'")
    base.close()
    with History(two) as history, pytest.raises(HistoryError, match="a damaged run"):
        history.runs()


WRITERS, RUNS, VICTIMS = 4, 25, 2
WRITER = """
import sys, scoring
from scoring.regression.history import History
rates = scoring.wer(["a b c"] * 5, ["a c"] * 5)
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    with History(sys.argv[1], create=True) as history:
        run = history.record(rates, {"writer": sys.argv[2], "number": str(number)})
    print(run.number, flush=True)
"""


def writer(path: Path, name: str, runs: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(runs)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def collected(one: subprocess.Popen[str], victim_after: int | None, told: list[str]) -> None:
    """What a writer tells; one that is to be a victim is killed after so many lines."""
    assert one.stdout is not None
    for line in one.stdout:
        if line.endswith("\n"):  # a line that is cut off is no acknowledgement
            told.append(line.strip())
        if len(told) == victim_after:
            one.send_signal(signal.SIGKILL)


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed otherwise there")
def test_writers_side_by_side_lose_nothing(path: Path) -> None:
    """Some are killed at work: what they have told is there, nothing is there by half."""
    drawn = random.Random(8)
    killed = dict(
        zip(
            drawn.sample(range(WRITERS), VICTIMS),
            drawn.sample(range(5, RUNS), VICTIMS),
            strict=True,
        )
    )
    # victims would go on without end, so that each is killed at work, however late
    writers = [
        writer(path, str(number), 10**9 if number in killed else RUNS) for number in range(WRITERS)
    ]
    told: list[list[str]] = [[] for _ in writers]
    for one in writers:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    threads = [
        threading.Thread(target=collected, args=(one, killed.get(number), told[number]))
        for number, one in enumerate(writers)
    ]
    for thread in threads:
        thread.start()
    for one in writers:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.close()
    for thread, one in zip(threads, writers, strict=True):
        thread.join()
        one.wait()
    with History(path) as history:
        found = history.runs()
        assert len({run.number for run in found}) == len(found)
        for number, one in enumerate(writers):
            own = {str(run.number): run for run in found if run.tags["writer"] == str(number)}
            assert [run.tags["number"] for run in own.values()] == list(map(str, range(len(own))))
            assert set(told[number]) <= own.keys()
            if number not in killed:
                assert (one.returncode, len(own), len(told[number])) == (0, RUNS, RUNS)
            else:
                # one more may have been written before it could be told
                assert one.returncode == -signal.SIGKILL
                assert killed[number] <= len(told[number]) <= len(own) <= len(told[number]) + 1
        assert all(history.table(run).statistics.tolist() == [[1, 3]] * 5 for run in found)
        for run in drawn.sample(found, 20):
            assert history.document(run).systems[0].counts.errors == 5
    with sqlite3.connect(path) as base:
        assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    base.close()


def test_commands(two: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*words: str) -> tuple[int, str, str]:
        return main(["history", *words]), *capsys.readouterr()

    history = str(two)
    status, output, errors = said("list", history, "--json", "-")
    assert (status, errors) == (0, "")
    assert [run["run"] for run in json.loads(output)["runs"]] == [1, 2]
    assert "model=v2 set=dev" in said("list", history, "--markdown", "-")[1]
    assert "<table" in said("trend", history, "--html", "-")[1]
    status, output, _ = said("show", history, "model=v1")
    assert "rate: 44.44 %: 16 errors in 36 words (16 sub, 0 del, 0 ins)" in output
    assert said("show", history, "9") == (
        2,
        "",
        f"scoring: error: {history}: expected run 9, found none\n",
    )
    status, output, _ = said("compare", history, "1", "2", "--test", "sign", "--test", "mcnemar")
    assert status == 0
    assert [line.partition(":")[0] for line in output.splitlines()[-3:-1]] == ["sign", "mcnemar"]
    assert said("prune", history, "--keep", "1")[1] == ""
    done = said("prune", history, "--before", "2999-01-01", "--tag", "model=v1", "--dry-run")
    assert done[1].startswith("would remove run 1: ")
    assert said("prune", history, "--keep", "0", "--tag", "model=v1")[1].startswith("removed run 1")
    assert said("list", history)[1].count("model=") == 1
    assert said("prune", history)[0] == 2
    assert said("list", history, "--tag", "x")[0] == 2
    assert said("list", str(tmp_path / "none"))[0] == 2
    assert not (tmp_path / "none").exists()


def rules_of(rates: scoring.ErrorRates) -> str:
    """The signature without the version."""
    return rates.signature.rpartition("|")[0]


def test_runs_of_other_rules_are_not_compared_unless_asked(
    two: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = scoring.wer(["a b c d"] * 9, ["a b c d"] * 9, profile="kaldi")
    with History(two) as history:
        history.record(other)
    command = ["history", "compare", str(two), "1", "3"]
    assert main(command) == 2
    capsys.readouterr()
    assert main([*command, "--remarks", "json"]) == 2
    record = json.loads(capsys.readouterr().err)
    assert record["fields"] == {"expected": rules_of(OLD), "found": rules_of(other)}
    assert record["advice"] == [{"option": "allow", "value": "rules"}]
    assert main([*command, "--allow", "rules"]) == 0
    note = message_text(OTHER_RULES, baseline=rules_of(OLD), new=rules_of(other))
    assert f"note: {note}" in capsys.readouterr().err
    assert main(["history", "trend", str(two)]) == 0
    assert capsys.readouterr().out.splitlines()[5].endswith("other rules")


def test_what_cannot_be_recorded_is_told_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.trn").write_text("a b (s-1)\n")
    Path("h.trn").write_text("a c (s-1)\n")
    Path("text").write_text("no history")
    run = ["wer", "r.trn", "h.trn"]
    for words, problem in {
        ("--record", "text"): "text: expected a history file",
        ("--record", "r.trn"): "r.trn",
        ("--record", "-"): "--record: expected the name of a file, found -",
        ("--record", "gone/x.db"): "--record: expected an existing folder, found 'gone/x.db'",
        ("--record", "/dev/full"): "/dev/full: expected a regular file for the history of runs",
        ("--tag", "a=b"): "--tag and --without-alignments need --record",
        (
            "--record",
            "x.db",
            "--tag",
            "a",
        ): "tag: expected NAME=VALUE without comma and @, for example model=v3",
    }.items():
        assert main([*run, *words]) == 2
        output, errors = capsys.readouterr()
        assert (output, problem in errors) == ("", True), errors
    assert main([*run, "--record", "x.db", "--tag", "a=b", "--json", "x.json"]) == 0
    [kept] = json.loads(Path("x.json").read_text())["systems"]
    with History("x.db") as history:
        [one] = history.runs()
        assert one.summary["reference"] == kept["reference"]
    assert Path("r.trn").read_text() == "a b (s-1)\n"
    assert main(["compare", "x.db", "h.trn", "--new-tag", "a=b"]) == 2
    assert "--new-tag: expected a history of runs, found transcripts" in capsys.readouterr().err


def test_names_that_are_no_text(path: Path) -> None:
    odd = scoring.wer({"s-\udce9": "a"}, {"s-\udce9": "b"})
    with History(path, create=True) as history:
        assert history.table(history.record(odd)).statistics.tolist() == [[1, 1]]


def test_runs_of_other_rules_are_no_baseline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history = str(tmp_path / "runs.db")
    reference, hypothesis = tmp_path / "ref.trn", tmp_path / "hyp.trn"
    reference.write_text("A b c (u-1)\nd e f (u-2)\n")
    hypothesis.write_text("a x c (u-1)\nd e f (u-2)\n")
    for choices in ([], ["--ignore-case"], ["--ignore-case"]):
        line = ["wer", str(reference), str(hypothesis), *choices, "--record", history]
        assert main(line) == 0
    page = tmp_path / "page.html"
    assert main(["history", "export", history, "--html", str(page)]) == 0
    assert "the same as the first run with these rules, run 2" in page.read_text("utf-8")
    capsys.readouterr()
    assert main(["history", "trend", history]) == 0
    assert "Run 3 against run 2" in capsys.readouterr().out
