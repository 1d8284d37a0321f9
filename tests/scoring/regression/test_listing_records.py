"""Every number that other toolkits record is checked: none changes unseen."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.cli.scoring import main
from scoring.regression.evidence import DIFFERS, EQUAL, NOT_CHECKED, EvidenceError
from scoring.regression.opening import open_version
from scoring.score.record_reader import RecordError
from tests.each_case import each_case
from tests.scoring.regression.test_results import MANIFEST, RECOGS, SPEECHBRAIN, WENET, written

ERRS = """\
%WER = 50.00
Errors: 1 insertions, 1 deletions, 1 substitutions, over 6 reference words (4 correct)
Search below for sections starting with PER-UTTERANCE DETAILS:, SUBSTITUTIONS: and so on

PER-UTTERANCE DETAILS: corr or (ref->hyp)
sea-1-0:\tTHE (TIDE->SIDE) IS (LET'S->*)
sea-2-0:\tHIGH (*->AND) NOW

SUBSTITUTIONS: count ref -> hyp
1   TIDE -> SIDE

DELETIONS: count ref
1   LET'S

INSERTIONS: count hyp
1   AND

PER-WORD STATS: word  corr tot_errs count_in_ref count_in_hyp
TIDE   0 1 1 0
SIDE   0 1 0 1
LET'S   0 1 1 0
AND   0 1 0 1
THE   1 0 1 1
NOW   1 0 1 1
IS   1 0 1 1
HIGH   1 0 1 1
"""
RATES = [
    {"wer": 0.5, "tokens": 4, "ins_rate": 0.0, "del_rate": 0.25, "sub_rate": 0.25},
    {"wer": 0.5, "tokens": 2, "ins_rate": 0.5, "del_rate": 0.0, "sub_rate": 0.0},
]
# as fstalign writes them: six words, one each substituted, deleted, inserted
SIDE_BY_SIDE = "\n".join(
    [
        "\t".join(
            (f"{'ref_token':>20}", f"{'hyp_token':20}", "IsErr", "Class", "Wer_Tag_Entities")
        ),
        *(
            "\t".join((f"{left:>20}", f"{right:20}", "ERR" * (left != right), "", ""))
            for left, right in (
                ("the", "the"),
                ("tide", "side"),
                ("is", "is"),
                ("let's", "<del>"),
                ("high", "high"),
                ("<ins>", "and"),
                ("now", "now"),
            )
        ),
        "-" * 60,
        f"{'Line':>20}\t{'Group':20}",
        *(
            f"{line:>20}\t{group}"
            for line, group in ((3, "tide <-> side"), (5, "let's <-> ***"), (7, "*** <-> and"))
        ),
        "",
    ]
)
BEST: dict[str, float] = {"insertions": 1, "deletions": 1, "substitutions": 1, "numErrors": 3}
BEST |= {"numWordsInReference": 6, "wer": 0.5, "precision": 0.6666667, "recall": 0.6666667}
WORD: dict[str, float] = dict.fromkeys(
    ("correct", "insertions", "deletions", "substitutions_fp"), 0
)
WORD |= {"substitutions_fn": 1, "precision": 0.0, "recall": 0.0}
LOG: dict[str, Any] = {"wer": {"bestWER": BEST, "classWER": {}, "unigrams": {"tide": WORD}}}
NUMBER = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w.-])")
RECORDED: dict[str, dict[str, str]] = {
    "icefall": {
        "recogs-test-greedy-epoch-1.txt": RECOGS,
        "errs-test-greedy-epoch-1.txt": ERRS,
        "wer-summary-test-epoch-1.txt": "settings\tWER\ngreedy\t50.0\n",
    },
    "SpeechBrain": {"wer_test.txt": SPEECHBRAIN},
    "WeNet": {"wer": WENET},
    "fstalign": {"talk.sbs": SIDE_BY_SIDE, "log.json": json.dumps(LOG)},
    "NeMo": {
        "test.json": "".join(
            json.dumps({**json.loads(line), **rates}) + "\n"
            for line, rates in zip(MANIFEST.splitlines(), RATES, strict=True)
        )
    },
}


def states(side: Path) -> set[str]:
    try:
        return {check.state for check in open_version(str(side)).checks}
    except (EvidenceError, RecordError):
        return {DIFFERS}


@each_case("kind", RECORDED)
def test_no_number_changes_unseen(kind: str, tmp_path: Path) -> None:
    files = RECORDED[kind]
    written(tmp_path, **files)
    side = tmp_path / "test.json" if kind == "NeMo" else tmp_path
    assert states(side) == {EQUAL}
    changed = 0
    for name, text in files.items():
        for match in NUMBER.finditer(text):
            if text[: match.start()].endswith('"duration": '):
                continue
            more = f"{float(match[0]) + 0.01:.2f}" if "." in match[0] else str(int(match[0]) + 1)
            (tmp_path / name).write_text(text[: match.start()] + more + text[match.end() :])
            assert DIFFERS in states(side), text[match.start() - 30 : match.end() + 10]
            changed += 1
        (tmp_path / name).write_text(text)
    assert changed >= 10


def test_what_side_by_side_rows_do_not_show_is_listed(tmp_path: Path) -> None:
    log = {"wer": {**LOG["wer"], "speakerWER": {"1": BEST}}}
    written(tmp_path, **{"talk.sbs": SIDE_BY_SIDE, "log.json": json.dumps(log)})
    assert states(tmp_path) == {EQUAL, NOT_CHECKED}
    # of two files, nobody knows which one a log is of
    written(tmp_path, **{"other.sbs": SIDE_BY_SIDE, "log.json": json.dumps(LOG)})
    assert states(tmp_path / "talk.sbs") == {EQUAL, NOT_CHECKED}
    written(tmp_path, **{"talk.sbs": SIDE_BY_SIDE.replace("ERR", "", 1)})
    assert DIFFERS in states(tmp_path / "talk.sbs")


def test_a_number_of_our_record_is_not_the_one_of_its_alignments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, **{"ref.trn": "a b (s-1)\nc d (t-1)\n", "hyp.trn": "a x (s-1)\nc (t-1)\n"})
    path = tmp_path / "out.json"
    sides = [str(tmp_path / name) for name in ("ref.trn", "hyp.trn")]
    assert main(["wer", *sides, "--json", str(path), "--quiet"]) == 0
    capsys.readouterr()
    assert states(path) == {EQUAL}
    record = json.loads(path.read_text())
    [system] = record["systems"]
    for place, name in (
        (system["counts"], "errors"),
        (system["rates"], "error_rate"),
        (system["sentences"], "with_errors"),
        (system["speakers"][0], "errors"),
        (system["account"], "reference_utterances"),
    ):
        place[name] += 1
        path.write_text(json.dumps(record))
        assert DIFFERS in states(path), name
        place[name] -= 1


def test_words_that_speechbrain_counts_without_letters(tmp_path: Path) -> None:
    """A decoder that wrote an empty word: SpeechBrain counts it, so does the result."""
    text = SPEECHBRAIN.replace("HIGH ;  AND  ; NOW", "HIGH ;       ; NOW")
    assert text != SPEECHBRAIN
    written(tmp_path, **{"wer_test.txt": text})
    side = open_version(str(tmp_path))
    assert {check.state for check in side.checks} == {EQUAL}
    assert side.rates.counts.insertions == 1


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        # kinds that fit cannot be told from other ties; a letter of an edit is seen
        (lambda text: text.replace(" =  ;  S   ; =  ;   D", " =  ;  =   ; =  ;   D"), DIFFERS),
        (lambda text: text.replace("0 not present", "1 not present"), DIFFERS),
    ],
)
def test_edits_and_absent_utterances(
    change: Callable[[str], str], seen: str, tmp_path: Path
) -> None:
    assert change(SPEECHBRAIN) != SPEECHBRAIN
    written(tmp_path, **{"wer_test.txt": change(SPEECHBRAIN)})
    assert seen in states(tmp_path)


def test_measures_of_unknown_origin_are_listed(tmp_path: Path) -> None:
    rows = [{**json.loads(line), "wer_punct": 0.5} for line in MANIFEST.splitlines()]
    (tmp_path / "test.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
    [check] = open_version(str(tmp_path / "test.json")).checks
    assert (check.state, bool(check.remark)) == (NOT_CHECKED, True)
