"""A scoring script in Kaldi's manner finds our tools on its PATH."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.errors import ScoringError
from scoring.kaldi.wrappers import WRAPPERS, install_wrappers, script

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
    install_wrappers(tmp_path / "bin")
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


def test_wrappers_run_this_python(tmp_path: Path) -> None:
    paths = install_wrappers(tmp_path / "new" / "bin")
    assert [path.name for path in paths] == list(WRAPPERS)
    for path in paths:
        assert path.read_text("utf-8").startswith(f"#!{sys.executable}\n")
        assert path.stat().st_mode & stat.S_IXUSR
    assert install_wrappers(tmp_path / "new" / "bin") == paths


def test_what_is_not_ours_stays(tmp_path: Path) -> None:
    (tmp_path / "align-text").write_bytes(b"\x7fELF\xff")
    with pytest.raises(ScoringError, match="align-text: is there and was not written by us"):
        install_wrappers(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["align-text"]


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
