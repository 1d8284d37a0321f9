"""What recipes do with SCTK's programs, in a tree like theirs where only ours are installed."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from scoring.cli.nist.sctk import PROGRAMS
from scoring.cli.peers.kaldi import main as kaldi
from tests.each_case import each_case
from tests.judge import MISSING, judge
from tests.judges.hub.hubscr import LABELS, MAP, Case, run_ours

AT = "tools/sctk/bin"
TOOLS = ("sh", "cat", "cp", "dirname", "grep", "mkdir", "sed", "tail")
STM = LABELS + b"f A amy 0 2 <o,f> the grey boat\nf A bob 2 4 <o,m> no today (uh)\n"
CTM = b"f A 2.5 0.2 no 1.0\nf A 0.1 0.2 the 0.9\nf A 0.5 0.2 gray 0.9\nf A 1.0 0.3 goat 0.2\n"
EXTENDED = b"".join(line + b" lex amy\n" for line in CTM.splitlines()) + b"f A 3 .1 x NA fp amy\n"
RTTM = b"SPEAKER f 1 0.00 2.00 <NA> <NA> amy <NA>\nSPEAKER f 1 2.00 2.00 <NA> <NA> bob <NA>\n"
FILES = {"glm": MAP, "stm": STM, "name.ctm": CTM, "lex.ctm": EXTENDED, "b.ctm": CTM}
# As recipes have them; the folder of the programs is DIR, whose value they give to -p.
ENGLISH = "-V -l english -h hub5 -g data/glm -r"
OVERLAPPING = "-G -v -m 1:2 -o4 -a -C -B 8192 -p DIR -V -l english -h rt-stt"
LINES = (
    f"-p DIR {ENGLISH} exp/score_10/stm exp/score_10/name.ctm",
    f"-p DIR {ENGLISH} exp/score_10_0.5/stm exp/score_10_0.5/name.ctm",
    f"-p DIR {ENGLISH} exp/score_10/stm exp/score_10/ctm.filt",
    f"-p DIR {ENGLISH} data/stm exp/b.ctm.filt.conv",
    f"-p DIR {ENGLISH} exp/stm.swbd exp/hyp.ctm.swbd",
    f"-p DIR {ENGLISH} ROOT/exp/stm ROOT/exp/name.ctm.calibrated",
    f"-p DIR -v {ENGLISH} exp/ascore_10/stm exp/ascore_10/name.ctm",
    "-p DIR -v -l english -h hub5 -g data/glm -r exp/ref.stm exp/score_10/rec.ctm",
    "-p DIR -l english -h hub5 -g data/glm -r exp/ref.stm exp/name.ctm",
    "-p DIR -V -l english -h hub4 -g data/glm -r exp/stm exp/name.ctm",
    "-p DIR -V -l spanish -h hub5 -g data/glm -r exp/stm exp/name.ctm",
    "-p DIR -V -l mandarin -h hub5 -g data/glm -r exp/stm exp/name.ctm",
    "-p DIR -V -d -H -T -l arabic -h hub5 -g data/glm -r exp/stm exp/name.ctm",
    "-p DIR -V -l english -h rt-stt -g data/glm -r exp/stm exp/lex.ctm",
    "-V -l english -h hub5 -g data/glm -r exp/stm exp/name.ctm exp/b.ctm",
    f"{OVERLAPPING} -g data/glm -r exp/ascore_10/stm exp/ascore_10/name_o4.ctm",
    f"{OVERLAPPING} -g data/glm -r exp/ref.stm exp/lex.ctm",
)
# Segments, words, and percent right, substituted, deleted: the, gray, no and the hesitation that
# may be left out are right, goat is wrong, to and day are missing.
ENGLISH_TOTAL = ["2", "7", "57.1", "14.3", "28.6"]
# Mandarin is not sorted; the case of Arabic is kept, so that the map finds no words.
TOTALS = {11: ["2", "7", "14.3", "42.9", "42.9"], 12: ["2", "7", "42.9", "28.6", "28.6"]}
SCRIPT = """\
hubscr=$KALDI_ROOT/tools/sctk/bin/hubscr.pl
[ ! -f $hubscr ] && echo "no scoring program at $hubscr" && exit 1
hubdir=`dirname $hubscr`
mkdir -p exp/score_10
cp data/stm exp/score_10/ && $hubscr -p $hubdir -V -l english -h hub5 -g data/glm \\
  -r exp/score_10/stm exp/score_10/name.ctm > exp/log || exit 1
grep Sum exp/score_10/name.ctm.filt.sys
export PATH=$hubdir:$PATH
sed 's/^/  /' data/stm | hubscr.pl sortSTM | hamzaNorm.pl -i stm -- - - \\
  | tanweenFilt.pl -a -i stm -- - - | csrfilt.sh -s -i stm -t hyp data/glm | tail -n 1
cat exp/rttm | md-eval.pl -1 -c 0.25 -r data/rttm -s - 2> exp/der.log | grep OVERALL
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree like Kaldi's in which SCTK was never compiled."""
    root = tmp_path_factory.mktemp("kaldi")
    for folder in ("src/bin", "tools", "egs/mini/s5/utils/scoring", "egs/mini/s5/data"):
        (root / folder).mkdir(parents=True)
    assert kaldi(["install", "--into", str(root)]) == 0
    return root


def test_all_programs_are_where_recipes_look(tree: Path) -> None:
    assert {*os.listdir(tree / AT)} == {*PROGRAMS}
    assert {*PROGRAMS} >= {"sclite", "sc_stats", "rover", "asclite", "rfilter1", "csrfilt.sh"}
    assert {*PROGRAMS} >= {"hubscr.pl", "hamzaNorm.pl", "tanweenFilt.pl", "md-eval.pl"}
    assert all(os.access(tree / AT / name, os.X_OK) for name in PROGRAMS)


@each_case("line", LINES)
def test_command_line(line: str, tree: Path) -> None:
    """Every line scores, into the files that recipes look at afterwards."""
    arguments = shlex.split(line.replace("DIR", str(tree / AT)).replace("ROOT/", ""))
    *_, reference = arguments[: arguments.index("-r") + 2]
    hypotheses = arguments[arguments.index("-r") + 2 :]
    contents = {one: EXTENDED if "lex" in one else CTM for one in hypotheses}
    ran = run_ours(Case(arguments, {"data/glm": MAP, reference: STM, **contents}))
    assert (ran.status, b"Traceback" in ran.stderr) == (0, False), ran.stderr
    for one in hypotheses:
        summary = ran.files[f"{one}.filt.sys"].decode()
        (total,) = (row for row in summary.splitlines() if "Sum" in row)
        assert re.findall(r"[\d.]+", total)[:5] == TOTALS.get(LINES.index(line), ENGLISH_TOTAL)
        assert {f"{one}.filt{suffix}" for suffix in (".raw", ".dtl", ".pra", ".prf", ".sgml")} <= {
            *ran.files
        }
    assert ("Ensemble.sys" in ran.files) == (len(hypotheses) > 1)


def test_a_recipe_runs_with_nothing_of_sctk_on_its_path(tree: Path, tmp_path: Path) -> None:
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found is not None
        (bin_ / tool).symlink_to(found)
    recipe = tree / "egs" / "mini" / "s5"
    (recipe / "exp" / "score_10").mkdir(parents=True)
    for name, content in (
        ("data/glm", MAP),
        ("data/stm", STM),
        ("data/rttm", RTTM),
        ("exp/rttm", RTTM.replace(b"2.00 2.00", b"2.00 1.50")),
        ("exp/score_10/name.ctm", CTM),
        ("score.sh", SCRIPT.encode()),
    ):
        (recipe / name).write_bytes(content)
    done = subprocess.run(
        [bin_ / "sh", "-eu", "score.sh"],
        cwd=recipe,
        env={"PATH": str(bin_), "KALDI_ROOT": str(tree)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    summed, filtered, errors = done.stdout.splitlines()
    assert summed.split()[:2] == ["|", "Sum/Avg|"]
    assert filtered.split()[5:] == ["<o,m>", "no", "TO", "DAY", "(%HESITATION)"]
    # of 3 s without collars 0.25 s are missed
    assert "= 8.33 percent" in errors, errors


def test_overlapping_speech_is_scored_and_drawn_without_any_path(
    tree: Path, tmp_path: Path
) -> None:
    """Its helpers, asclite among them, are found where nothing is in the PATH."""
    files = {"data/glm": MAP, "r.stm": STM.replace(b"bob 2 4", b"bob 1 4"), "h.ctm": EXTENDED}
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    words = f"{OVERLAPPING.replace('DIR', str(tree / AT))} -g data/glm -r r.stm h.ctm"
    done = subprocess.run(
        [tree / AT / "hubscr.pl", *shlex.split(words)],
        cwd=tmp_path,
        env={"PATH": str(tmp_path / "none")},
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    log, pages = tmp_path / "h.ctm.filt.aligninfo.csv", tmp_path / "h.ctm.filt.alignments"
    assert sorted(os.listdir(pages))[:2] == ["f_A.html", "index.html"]
    assert b"[ALIGNMENT] YES," in log.read_bytes()
    summary = (tmp_path / "h.ctm.filt.sys").read_text()
    (total,) = (row for row in summary.splitlines() if "Sum" in row)
    assert re.findall(r"[\d.]+", total)[:5] == ENGLISH_TOTAL


def test_pages_are_drawn_of_a_log_with_warnings(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "r.stm").write_text("f A ann 4 5 c\nf A ann 1 2 a\nf A ann 2.5 3 b\n")
    (tmp_path / "h.ctm").write_text("f A 1.1 0.3 a\nf A 2.6 0.3 b\nf A 4.1 0.3 c\n")
    asclite = [str(tree / AT / "asclite"), "-r", "r.stm", "stm", "-h", "h.ctm", "ctm", "-f", "6"]
    done = subprocess.run(
        [*asclite, "-noisg", "-o", "sgml", "-O", "."], cwd=tmp_path, capture_output=True
    )
    assert done.returncode == 0
    assert b"not scored" in done.stderr
    (tmp_path / "log").write_bytes(done.stderr)
    aligned = [line for line in done.stderr.splitlines() if line.startswith(b"[ALIGNMENT] ")]
    (tmp_path / "bare").write_bytes(b"\n".join(aligned) + b"\n")
    for name in ("log", "bare"):
        drawn = subprocess.run(
            [tree / AT / "align2html.pl", "-a", name, "-o", f"of-{name}"],
            cwd=tmp_path,
            capture_output=True,
        )
        assert (drawn.returncode, drawn.stderr) == (0, b"")
    pages = {path.name: path.read_bytes() for path in (tmp_path / "of-log").iterdir()}
    assert {"index.html", "f_A.html"} < {*pages}
    assert pages == {path.name: path.read_bytes() for path in (tmp_path / "of-bare").iterdir()}


@pytest.mark.skipif(judge("hubscr.pl") is None, reason=MISSING)
def test_the_original_chain_takes_our_programs_for_its_own(tree: Path, tmp_path: Path) -> None:
    """It asks every helper for its version before it begins."""
    program = judge("hubscr.pl")
    assert program is not None
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    words = ["-p", str(tree / AT), "-l", "english", "-h", "hub5", "-g", "glm", "-r", "stm"]
    done = subprocess.run(
        [program, *words, "name.ctm", "b.ctm"],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    ours = run_ours(Case([*words, "name.ctm", "b.ctm"], FILES))
    assert ours.stdout == done.stdout
    for name in ("name.ctm.filt", "stm.filt", "Ensemble.sys"):
        assert ours.files[name] == (tmp_path / name).read_bytes()
