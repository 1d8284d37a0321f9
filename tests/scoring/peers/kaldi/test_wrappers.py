"""A scoring script in Kaldi's manner finds our tools on its PATH."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.cli.nist.sctk import PROGRAMS
from scoring.cli.peers.kaldi import main as kaldi
from scoring.peers.kaldi.wrappers import WRAPPERS, script

SCORE = """\
#!/bin/sh -eu
dir=$1
mkdir -p $dir/wer_details
for wip in 0.0 0.5; do
  compute-wer --text --mode=present ark:$dir/test_filt.txt ark,p:- < $dir/hyp.$wip > $dir/wer_7_$wip 2>&1
done
align-text --special-symbol="'***'" ark:$dir/test_filt.txt ark:$dir/hyp.0.0 ark,t:- \\
  | wer_per_utt_details.pl --special-symbol "'***'" | tee $dir/wer_details/per_utt \\
  | wer_per_spk_details.pl $dir/utt2spk > $dir/wer_details/per_spk
wer_ops_details.pl --special-symbol "'***'" < $dir/wer_details/per_utt \\
  | LC_ALL=C sort -b -i -k 1,1 -k 4,4rn -k 2,2 -k 3,3 > $dir/wer_details/ops
compute-wer-bootci --mode=present ark:$dir/test_filt.txt ark:$dir/hyp.0.0 > $dir/wer_details/wer_bootci
"""


@pytest.mark.skipif(not os.path.exists("/bin/sh"), reason="needs a shell")
def test_a_scoring_script(tmp_path: Path) -> None:
    assert kaldi(["install", "--into", str(tmp_path / "bin")]) == 0
    scoring = tmp_path / "scoring"
    scoring.mkdir()
    (scoring / "test_filt.txt").write_text("u1 a b c\nu2 d e\n", "utf-8")
    (scoring / "hyp.0.0").write_text("u1 a c\nu2 d e\n", "utf-8")
    (scoring / "hyp.0.5").write_text("u1 a b c\nu2 d e x\n", "utf-8")
    (scoring / "utt2spk").write_text("u1 A\nu2 B\n", "utf-8")
    (tmp_path / "score.sh").write_text(SCORE, "utf-8")
    environment = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}
    words = ["/bin/sh", "-eu", "score.sh", "scoring"]
    done = subprocess.run(
        words, cwd=tmp_path, env=environment, capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr

    def text(name: str) -> str:
        return (scoring / name).read_text("utf-8")

    assert text("wer_7_0.0") == (
        "compute-wer --text --mode=present ark:scoring/test_filt.txt ark,p:- \n"
        "%WER 20.00 [ 1 / 5, 0 ins, 1 del, 0 sub ]\n"
        "%SER 50.00 [ 1 / 2 ]\n"
        "Scored 2 sentences, 0 not present in hyp.\n"
    )
    assert "%WER 20.00 [ 1 / 5, 1 ins, 0 del, 0 sub ]" in text("wer_7_0.5")
    assert text("wer_details/per_utt").splitlines()[:4] == [
        "u1 ref  a    b    c",
        "u1 hyp  a  '***'  c",
        "u1 op   C    D    C",
        "u1 #csid 2 0 0 1",
    ]
    assert text("wer_details/per_spk").splitlines()[-1].split() == (
        ["SUM", "sys", "2", "5", "80.00", "0.00", "0.00", "20.00", "20.00", "50.00"]
    )
    assert text("wer_details/ops").splitlines()[-1].split() == ["deletion", "b", "'***'", "1"]
    assert text("wer_details/wer_bootci").startswith("Set1: %WER ")


PATH_SH = """\
export KALDI_ROOT=`pwd`/../../..
[ -f $KALDI_ROOT/tools/env.sh ] && . $KALDI_ROOT/tools/env.sh
export PATH=$PWD/utils/:$KALDI_ROOT/tools/openfst/bin:$PWD:$PATH
[ ! -f $KALDI_ROOT/tools/config/common_path.sh ] && echo "no common_path.sh" && exit 1
. $KALDI_ROOT/tools/config/common_path.sh
export LC_ALL=C
"""
COMMON_PATH = "export PATH=$KALDI_ROOT/src/bin:$KALDI_ROOT/src/fstbin:$PATH\n"
RECIPE = """\
. ./path.sh
compute-wer --text --mode=present ark:ref ark,p:hyp
align-text --special-symbol="'***'" ark:ref ark:hyp ark,t:- \\
  | utils/scoring/wer_per_utt_details.pl --special-symbol "'***'" | tail -n 1
$KALDI_ROOT/tools/sctk/bin/sclite -r r.trn trn -h h.trn trn -i rm -o rsum stdout | grep Sum
"""
ORIGINAL = '#!/bin/sh\ncat > /dev/null < /dev/null\necho "Sum: original $(basename "$0")"\n'


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree like Kaldi's: compiled, with a recipe that links to the scripts of another."""
    root = tmp_path / "kaldi"
    recipe = root / "egs" / "mini" / "s5"
    scripts = root / "egs" / "wsj" / "s5" / "utils" / "scoring"
    sctk = root / "tools" / "sctk-2.4.12" / "bin"
    for folder in (root / "src" / "bin", root / "tools" / "config", recipe, scripts, sctk):
        folder.mkdir(parents=True)
    (root / "tools" / "sctk").symlink_to("sctk-2.4.12")
    (recipe / "utils").symlink_to("../../wsj/s5/utils")
    (root / "tools" / "config" / "common_path.sh").write_text(COMMON_PATH, "utf-8")
    for name in WRAPPERS:
        path = (scripts if name.endswith(".pl") else root / "src" / "bin") / name
        path.write_text(ORIGINAL, "utf-8")
        path.chmod(0o755)
    (sctk / "sclite").write_text(ORIGINAL, "utf-8")
    (sctk / "sclite").chmod(0o755)
    for name, text in (
        ("path.sh", PATH_SH),
        ("recipe.sh", RECIPE),
        ("ref", "a-1 x y\n"),
        ("hyp", "a-1 x\n"),
        ("r.trn", "x y (a-1)\n"),
        ("h.trn", "x (a-1)\n"),
    ):
        (recipe / name).write_text(text, "utf-8")
    return root


def listing(tree: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(tree)): path.read_bytes()
        for path in sorted(tree.rglob("*"))
        if path.is_file()
    }


def result_of_recipe(tree: Path) -> str:
    done = subprocess.run(
        ["/bin/sh", "recipe.sh"],
        cwd=tree / "egs" / "mini" / "s5",
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_installed_into_a_tree_a_recipe_runs_ours_and_after_undo_the_originals(
    tree: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Its path.sh puts the tree's programs first, and scripts are called by path."""
    before = listing(tree)
    install = ["install", "--into", str(tree)]
    assert result_of_recipe(tree).count("original") == 3
    assert kaldi([*install, "--dry-run"]) == 0
    assert listing(tree) == before
    planned = capfdbinary.readouterr().out
    assert kaldi(install) == 0
    assert capfdbinary.readouterr().out == planned.replace(b"would write", b"wrote")
    assert planned.count(b", the original is ") == 7
    assert len(planned.splitlines()) == len(WRAPPERS) + len(PROGRAMS)
    assert b"/tools/sctk/bin/sclite, the original is sclite.before-sclite-kit\n" in planned
    ours = result_of_recipe(tree)
    assert ours.startswith("%WER 50.00 [ 1 / 2, 0 ins, 1 del, 0 sub ]\n")
    assert "a-1 #csid 1 0 0 1\n" in ours
    assert "Sum" in ours
    assert "original" not in ours
    assert kaldi(install) == 0  # again: ours are no originals
    assert result_of_recipe(tree) == ours
    assert kaldi([*install, "--undo"]) == 0
    assert listing(tree) == before
    capfdbinary.readouterr()
    assert kaldi([*install, "--undo"]) == 0
    assert capfdbinary.readouterr().out == b""


def test_undo_leaves_what_was_made_anew(
    tree: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    install = ["install", "--into", str(tree)]
    assert kaldi(install) == 0
    made = tree / "src" / "bin" / "compute-wer"
    made.write_text("made anew", "utf-8")
    assert kaldi([*install, "--undo"]) == 0
    assert b"it is not ours any more" in capfdbinary.readouterr().out
    assert made.read_text("utf-8") == "made anew"
    assert kaldi(install) == 2
    assert (
        b"another original is kept as compute-wer.before-sclite-kit" in capfdbinary.readouterr().err
    )


def test_a_folder_with_other_files_that_is_no_tree_of_kaldis_is_refused(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (tmp_path / "align-text").write_bytes(b"\x7fELF\xff")
    assert kaldi(["install", "--into", str(tmp_path)]) == 2
    assert b"found no folder src/bin, but other files" in capfdbinary.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["align-text"]


def test_wrappers_of_a_new_folder_run_this_python(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "bin"
    for _ in range(2):  # again: ours are no other files
        assert kaldi(["install", "--into", str(folder)]) == 0
        assert {path.name for path in folder.iterdir()} == set(WRAPPERS)
    for path in folder.iterdir():
        assert path.read_text("utf-8").startswith(f"#!{sys.executable}\n")
        assert path.stat().st_mode & stat.S_IXUSR
    assert kaldi(["install", "--into", str(folder), "--undo"]) == 0
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(not os.path.exists("/bin/sh"), reason="needs a shell")
def test_a_python_that_the_first_line_cannot_name(tmp_path: Path) -> None:
    python = tmp_path / "it's a python"
    python.symlink_to(sys.executable)
    wrapper = tmp_path / "compute-wer"
    wrapper.write_text(script("compute-wer", str(python)), "utf-8")
    wrapper.chmod(0o755)
    done = subprocess.run([wrapper, "--help"], capture_output=True, check=False)
    assert done.returncode == 0
    assert b"Usage: compute-wer" in done.stderr
