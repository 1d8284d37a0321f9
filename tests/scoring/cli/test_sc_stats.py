"""Our sc_stats against the original: stored runs, random ensembles, and what it refuses."""

import shlex
from pathlib import Path

import pytest

from scoring.cli.nist.sc_stats import ScStatsUsageError, parse
from tests.each_case import each_case
from tests.golden_case import Golden, golden_cases
from tests.judge import MISSING
from tests.judge import judge as original
from tests.judges.sc_stats.generate import Case, generate
from tests.judges.sc_stats.programs import parts_of, run_original, run_ours
from tests.judges.sc_stats.scored import scored_case
from tests.judges.sclite.compare import Outcome, unified_difference
from tests.tables import table_of

GOLDENS = golden_cases("sc_stats")
needs_judge = pytest.mark.skipif(original("sclite") is None, reason=MISSING)
SEED, CASES, SCORED_CASES = 20, 20, 5
ONE = (
    b'<SYSTEM title="%s" >\n<SPEAKER id="a" >\n<PATH id="(a-1)" word_cnt="9" >\n%s\n</PATH>\n'
    b"</SPEAKER>\n</SYSTEM>\n"
)
RIGHT, WRONG = b'C,"x","x"', b'S,"x","y"'


def ran(arguments: str, stdin: bytes = b"") -> Outcome:
    outcome = run_ours(Case("one", tuple(shlex.split(arguments)), stdin))
    assert b"Traceback" not in outcome.stderr
    return outcome


def test_there_are_goldens_of_every_product() -> None:
    suffixes = {Path(name).suffix for case in GOLDENS for name in case.expected}
    products = {".mapsswe", ".sign", ".wilc", ".mcn", ".anovar", ".unified", ".sts", ".range"}
    assert products | {".sys", ".raw", ".es", ".res", ".prn", ".lur", ".plt"} <= suffixes


@each_case("case", GOLDENS, ids=lambda case: case.name)
def test_golden(case: Golden) -> None:
    files = case.expected
    status = int(files.pop("status"))
    expected = Outcome(status, files.pop("stdout"), files.pop("stderr", b""), files)
    result = run_ours(Case(case.name, tuple(case.arguments), case.parts["stdin"]))
    text = unified_difference(parts_of(expected), parts_of(result))
    assert not text, f"{case.name}: {case.text('what')}\n{text}"


def judge(case: Case, command: str) -> bool:
    truth, result = run_original(case), run_ours(case)
    assert b"Traceback" not in result.stderr, result.stderr.decode()
    assert result.finished
    if not truth.finished:
        return False
    text = unified_difference(parts_of(truth), parts_of(result))
    assert not text, f"tests/judges/sc_stats/run.py {command}: {shlex.join(case.arguments)}\n{text}"
    return True


@needs_judge
def test_random_ensembles_give_the_same_bytes() -> None:
    judged = sum(
        judge(generate(SEED, number), f"--seed {SEED} --first {number} --cases 1")
        for number in range(CASES)
    )
    assert judged > CASES * 3 // 4


@needs_judge
def test_systems_scored_by_the_original_give_the_same_bytes() -> None:
    judged = sum(
        judge(scored_case(SEED, number), f"--scored --seed {SEED} --first {number} --cases 1")
        for number in range(SCORED_CASES)
    )
    assert judged > SCORED_CASES * 3 // 4


def test_the_generator_repeats_itself() -> None:
    assert generate(SEED, 3) == generate(SEED, 3)
    assert generate(SEED, 3).stdin != generate(SEED + 1, 3).stdin


@each_case(("arguments", "tests"), table_of(__file__, "which_tests_are_selected"))
def test_which_tests_are_selected(arguments: str, tests: set[str]) -> None:
    assert parse(arguments.split(), print).tests == tests


@each_case(("arguments", "message"), table_of(__file__, "command_lines_the_original_refuses"))
def test_command_lines_the_original_refuses(arguments: str, message: str) -> None:
    with pytest.raises(ScStatsUsageError) as caught:
        parse(arguments.split(), print)
    assert str(caught.value).endswith(f"sc_stats: {message}\n\n")
    assert ran(arguments).status == 1


def test_an_argument_that_is_no_option_is_named_on_standard_output() -> None:
    outcome = ran("-p --help")
    assert (outcome.status, outcome.stdout) == (1, b"Illegal argument: --help\n")
    assert outcome.stderr.startswith(b"sc_stats: <OPTIONS>\n")


@pytest.mark.parametrize("report", ["sum", "rsum", "prn", "lur"])
def test_reports_the_original_crashes_on_without_a_system(report: str) -> None:
    outcome = ran(f"-p -r {report}")
    assert outcome.status == 1
    assert outcome.stderr == b"sc_stats: standard input: expected alignments, found no system\n"
    assert not outcome.files


def test_nothing_to_compare_is_said() -> None:
    outcome = ran("-p -t mcn")
    assert outcome.status == 0
    assert outcome.stderr == b"sc_stats: warning: standard input: found no system\n"


def test_no_segment_at_all_is_no_difference_and_said() -> None:
    """Two systems without an error, on which the original crashes."""
    outcome = ran("-p -v -t mapsswe", ONE % (b"first", RIGHT) + ONE % (b"second", RIGHT))
    assert outcome.status == 0
    report = outcome.files["Ensemble.stats.mapsswe"]
    assert b"(# segs: 0) (Seg per Sent: 0.000)" in report
    assert b"(mean:  -nan)" in report
    assert b"(Stat Diff: No)" in report
    assert b"sc_stats: warning: Ensemble.stats.mapsswe: a value that cannot" in outcome.stderr


def test_more_systems_than_speakers_are_analysed() -> None:
    systems = [ONE % (b"system-%d" % number, RIGHT) for number in range(3)]
    outcome = ran("-p -v -t anovar sign", b"".join(systems))
    assert outcome.status == 0
    assert outcome.files["Ensemble.stats.anovar"].count(b"ANALYSIS:") == 2


def test_systems_with_other_speakers_are_paired_by_position_and_said() -> None:
    other = ONE.replace(b'id="a"', b'id="b"')
    outcome = ran("-p -r sum -t sign", ONE % (b"first", WRONG) + other % (b"second", RIGHT))
    assert outcome.status == 0
    assert b"sc_stats: warning: system second has other speakers" in outcome.stderr
    assert b"100.0" in outcome.files["Ensemble.sys"]


def test_a_plot_of_confidences_without_an_error_is_refused() -> None:
    confident = (ONE % (b"first", RIGHT + b",0.9:" + RIGHT + b",0.8")).replace(
        b'word_cnt="9"', b'word_cnt="9" word_aux="h_conf"'
    )
    outcome = ran("-p -g det", confident)
    assert outcome.status == 1
    assert outcome.stderr.startswith(b"sc_stats: DET curve: expected an incorrect word")


def test_lines_too_narrow_for_the_titles_are_refused_as_by_the_original() -> None:
    title = b"t" * 120
    outcome = ran("-p -r prn", ONE % (title, RIGHT) + ONE % (b"second", WRONG))
    assert outcome.status == 1
    assert outcome.stderr.startswith(b"Error: Failed to add header data lines for PRN report.")
    assert ran("-p -r prn -l 200", ONE % (title, RIGHT) + ONE % (b"second", WRONG)).status == 0


def test_the_form_with_newlines_is_read() -> None:
    outcome = ran("-p -r es -n -", ONE % (b"first", RIGHT.replace(b",", b"\n")))
    assert b"| first  |   1       1   | 100.0" in outcome.stdout


def test_confidences_of_no_word_are_confidences() -> None:
    """No word of the hypothesis, and yet its utterance has confidences."""
    silent = (ONE % (b"first", b'D,"x",,')).replace(b'"9"', b'"9" word_aux="h_conf"')
    outcome = ran("-p -r es", silent)
    assert b"-2147483.648" in outcome.files["Ensemble.es"]
    assert b"a value that cannot be computed is shown as -2147483.648" in outcome.stderr


def test_a_report_written_over_another_is_said() -> None:
    outcome = ran("-p -n - -g grange grange2", ONE % (b"first", RIGHT) + ONE % (b"second", WRONG))
    assert outcome.stderr.count(b"overwritten by a later report of this run") == 8


def test_the_report_by_labels_keeps_its_blank_line_without_labels() -> None:
    """The rule that comes before the first label falls to the blank row where there is none."""
    outcome = ran("-p -r lur -n -", ONE % (b"first", WRONG))
    blank = b"|" + b" " * (len("| By System Test Subset Scoring Summary |") - 2) + b"|\n"
    head = outcome.stdout.partition(b"Scoring Summary |\n")[2].partition(b"|--")[0]
    assert head.count(blank) == 4 - 1


def test_margins_of_two_systems_without_a_common_speaker() -> None:
    # the original crashes
    def system(title: str, speaker: str) -> str:
        path = f'<PATH id="({speaker}-0)" word_cnt="1">\nC,"a","a"\n</PATH>'
        return (
            f'<SYSTEM title="{title}">\n<SPEAKER id="{speaker}">\n{path}\n</SPEAKER>\n</SYSTEM>\n'
        )

    stdin = (system("first", "ann") + system("second", "bob")).encode()
    outcome = run_ours(Case("margins", ("-p", "-t", "mapsswe_seg", "-n", "-"), stdin))
    assert (outcome.status, b"Traceback" in outcome.stderr) == (0, False)
    assert outcome.stdout.count(b"-nan") == 20
