"""Results of other toolkits: read as sides, checked, rejected where they are damaged."""

import json
import shutil
from pathlib import Path

import pytest

from scoring.cli.nist.sclite import main as sclite
from scoring.cli.scoring import main
from scoring.model.counts import Counts
from scoring.options import Options
from scoring.regression.evidence import EvidenceError, ScoredVersion
from scoring.regression.opening import open_version
from scoring.regression.toolkit_results import read_totals
from scoring.sides.layouts import is_result
from tests.each_case import each_case
from tests.golden_case import Golden, golden_cases
from tests.tables import table_of

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
# the same words in every layout: 6 of the reference, a substitution, a deletion, an insertion
RECOGS = """\
sea-1-0:\tref=['THE', 'TIDE', 'IS', "LET'S"]
sea-1-0:\thyp=['THE', 'SIDE', 'IS']

sea-2-0:\tref=['HIGH', 'NOW']
sea-2-0:\thyp=['HIGH', 'AND', 'NOW']

"""
ERRS = """\
%WER = 50.00
Errors: 1 insertions, 1 deletions, 1 substitutions, over 6 reference words (4 correct)
"""
BAR = "=" * 80
KALDI = """\
%WER 50.00 [ 3 / 6, 1 ins, 1 del, 1 sub ]
%SER 100.00 [ 2 / 2 ]
Scored 2 sentences, 0 not present in hyp.
"""
SPEECHBRAIN = f"""\
{KALDI}{BAR}
ALIGNMENTS

Format:
<utterance-id>, WER DETAILS
<eps> ; reference  ; on ; the ; first ;  line
  I   ;     S      ; =  ;  =  ;   S   ;   D  \n\
 and  ; hypothesis ; on ; the ; third ; <eps>
{BAR}
sea-1-0, %WER 50.00 [ 2 / 4, 0 ins, 1 del, 1 sub ]
THE ; TIDE ; IS ; LET'S
 =  ;  S   ; =  ;   D  \n\
THE ; SIDE ; IS ; <eps>
{BAR}
sea-2-0, %WER 50.00 [ 1 / 2, 1 ins, 0 del, 0 sub ]
HIGH ; <eps> ; NOW
 =   ;   I   ;  = \n\
HIGH ;  AND  ; NOW
"""
WENET = """\

utt: sea-1-0
WER: 50.00 % N=4 C=2 S=1 D=1 I=0
lab: THE TIDE IS \n\
rec: THE SIDE IS \n\

lab: LET'S \n\
rec:       \n\

utt: sea-2-0
WER: 50.00 % N=2 C=2 S=0 D=0 I=1
lab: HIGH     NOW \n\
rec: HIGH AND NOW \n\

===========================================================================

Overall -> 50.00 % N=6 C=4 S=1 D=1 I=1
Other -> 50.00 % N=6 C=4 S=1 D=1 I=1
===========================================================================
"""
MANIFEST = (
    '{"audio_filepath": "sea-1-0.wav", "duration": 1.5, "text": "THE TIDE IS LET\'S", '
    '"pred_text": "THE SIDE IS"}\n'
    '{"audio_filepath": "sea-2-0.wav", "duration": 1.0, "text": "HIGH NOW", '
    '"pred_text": "HIGH AND NOW"}\n'
)
COUNTS = Counts(4, 1, 1, 1)
FILES = {
    "recogs-test.txt": RECOGS,
    "wer_test.txt": SPEECHBRAIN,
    "wer": WENET,
    "test.json": MANIFEST,
}


def scored(path: Path) -> ScoredVersion:
    side = open_version(str(path), Options(profile="kaldi"))
    assert isinstance(side, ScoredVersion)
    return side


def golden(group: str, name: str) -> Golden:
    return next(row for row in golden_cases(group) if row.name == name)


def written(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize("name", FILES)
def test_each_layout_is_two_sides(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, **{name: FILES[name]})
    opened_side = scored(tmp_path / name)
    assert opened_side.rates.counts == COUNTS
    assert [row.errors for row in opened_side.rates.per_utterance] == [2, 1]
    assert all(check.equal for check in opened_side.checks)
    assert sum(check.compared for check in opened_side.checks) == {
        "recogs-test.txt": 0,
        "wer_test.txt": 5,
        "wer": 5,
        "test.json": 0,
    }.get(name)
    assert main(["wer", str(tmp_path / name), "--profile", "kaldi"]) == 0
    assert "%WER 50.00 [ 3 / 6, 1 ins, 1 del, 1 sub ]" in capsys.readouterr().out


def test_icefall_is_checked_by_the_file_beside(tmp_path: Path) -> None:
    folder = written(tmp_path / "exp", **{"recogs-a.txt": RECOGS, "errs-a.txt": ERRS})
    [only] = scored(folder).checks
    assert (Path(only.what).name, only.compared, only.equal) == ("errs-a.txt", 2, True)
    (folder / "errs-a.txt").write_text(ERRS.replace("1 deletions", "2 deletions"))
    [only] = scored(folder).checks
    assert [row.where for row in only.differences] == ["Errors"]


def test_a_folder_with_several_results_names_them(tmp_path: Path) -> None:
    folder = written(tmp_path, **{"recogs-a.txt": RECOGS, "recogs-b.txt": RECOGS})
    with pytest.raises(EvidenceError) as refused:
        open_version(str(folder))
    problem = "expected one result, found 2; name one: recogs-a.txt, recogs-b.txt"
    assert str(refused.value) == f"{folder}: {problem}"


@each_case(
    ("name", "old", "new", "position", "problem"),
    table_of(__file__, "what_is_damaged_is_told_in_a_line"),
)
def test_what_is_damaged_is_told_in_a_line(
    name: str,
    old: str,
    new: str,
    position: str,
    problem: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = FILES[name]
    assert old in text
    path = written(tmp_path, **{name: text.replace(old, new)}) / name
    assert main(["compare", str(path), str(path)]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"scoring: error: {path}{position}: expected ")
    assert problem in line


def test_espnet_is_scored_as_sclite_does(tmp_path: Path) -> None:
    case = golden("sclite", "every-report-stdout")
    folder = tmp_path / "score_wer"
    folder.mkdir()
    for name, part in (
        ("ref.trn", "ref.trn"),
        ("hyp.trn", "hyp.trn"),
        ("result.txt", "expected/stdout"),
    ):
        (folder / name).write_bytes(case.parts[part])
    opened_side = open_version(str(folder))
    assert opened_side.rates.rules.profile == "sclite"
    states = {
        check.what.rpartition(" (")[2].rstrip(")"): check.state for check in opened_side.checks
    }
    unknown = {"lur", "prf", "sgml"}
    assert {name for name, state in states.items() if state == "not checked"} == unknown
    equal = {name for name, state in states.items() if state == "equal"}
    assert equal == states.keys() - unknown > {"sum", "rsum", "pralign", "dtl"}
    (folder / "hyp.trn").unlink()
    with pytest.raises(EvidenceError, match=r"hyp\.trn: expected the transcript of ESPnet beside"):
        open_version(str(folder))


def test_hubscr_leaves_sides(tmp_path: Path) -> None:
    case = golden("hub/hubscr", "01")
    for name, content in case.parts.items():
        if name.startswith("expected/h1"):
            (tmp_path / name.removeprefix("expected/")).write_bytes(content)
    opened_side = scored(tmp_path)
    assert opened_side.kind == "sclite SGML"
    assert all(check.equal for check in opened_side.checks)
    for suffix in ("sgml", "pra", "prf"):
        (tmp_path / f"h1.ctm.filt.{suffix}").unlink()
    with pytest.raises(EvidenceError, match="expected words, found sclite sums only"):
        open_version(str(tmp_path))


@each_case(
    "text",
    [
        KALDI.replace("3 / 6", f"{'9' * 5000} / 6"),
        KALDI.replace("3 / 6", "4 / 6"),
        "SYSTEM SUMMARY PERCENTAGES\n| Sum/Avg| 60 564 | 88.5 8.2 3.4 2.5 14.0 68.3 |\n",
        "| Sum | 2 6 | 4 1 1 1 3 2 |\n" * 2,
        "Overall -> 1 % N=0 C=0 S=0 D=0 I=1\n",
    ],
)
def test_sums_that_contradict_themselves_are_none(text: str) -> None:
    assert read_totals(text) is None


def test_other_encodings_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "recogs-a.txt"
    path.write_bytes(RECOGS.replace("TIDE", "TÄDE").encode("latin-1"))
    assert main(["wer", str(path), "--encoding", "utf-8"]) == 2
    assert f"{path}:1:24: expected UTF-8 text" in capsys.readouterr().err
    assert main(["wer", str(path), "--encoding", "latin-1", "--per-utterance"]) == 0
    assert "TÄDE" in capsys.readouterr().out


@each_case("command", ["wer", "compare"])
@each_case(
    ("text", "kind"),
    [
        (KALDI, "Kaldi"),
        (ERRS, "icefall"),
        ("Overall -> 50.00 % N=6 C=4 S=1 D=1 I=1\n", "WeNet"),
        ("SYSTEM SUMMARY PERCENTAGES\n", "sclite"),
    ],
)
def test_sums_without_words_are_rejected(
    command: str, text: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(written(tmp_path, wer_9=text) / "wer_9")
    assert main([command, *[path] * (1 + (command == "compare"))]) == 2
    [line] = capsys.readouterr().err.splitlines()
    wrong = f"expected words, found {kind} sums only (name what holds both transcripts)"
    assert line == f"scoring: error: {path}: {wrong}"


def test_kaldi_without_details_and_texts_has_no_words(tmp_path: Path) -> None:
    folder = tmp_path / "decode"
    shutil.copytree(DEMO / "kaldi_baseline", folder)
    shutil.rmtree(folder / "scoring_kaldi" / "wer_details")
    shutil.rmtree(folder / "scoring_kaldi" / "penalty_0.0")
    with pytest.raises(EvidenceError, match=r"recorded rates only .* 14\.01 % in wer_8_0\.0"):
        open_version(str(folder))


def test_transcripts_are_nobodys_result(tmp_path: Path) -> None:
    for name in ("reference.trn", "reference.stm", "improved.ctm", "kaldi_new.txt"):
        assert not is_result(str(DEMO / name))
    assert is_result(str(DEMO / "kaldi_baseline"))
    assert not is_result(str(tmp_path / "absent"))
    assert not is_result(str(written(tmp_path / "data", text="u a\n", **{"a.raw": "x"})))
    assert not is_result(str(written(tmp_path / "audio", **{"a.raw": "x", "b.raw": "y"})))


def test_optional_words_of_sclite_stay_optional(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of `-D -o sgml` gives its own rate to every command."""
    (tmp_path / "ref.trn").write_text("so (uh) we (er) begin (s-1)\nwe end (uh) here (s-2)\n")
    (tmp_path / "hyp.trn").write_text("so we er begun (s-1)\nwe end here (s-2)\n")
    sides = ["-r", str(tmp_path / "ref.trn"), "-h", str(tmp_path / "hyp.trn"), "trn"]
    command = [*sides, "-i", "spu_id", "-D", "-O", str(tmp_path), "-n", "out", "-o", "sgml"]
    assert sclite([*command, "-f", "0"]) == 0
    path = str(tmp_path / "out.sgml")
    capsys.readouterr()
    for words in ([path], [path, path], [path, str(tmp_path / "hyp.trn")]):
        assert main(["wer", *words]) == 0
        output = capsys.readouterr().out
        assert output.startswith("%WER 11.11 [ 1 / 9, 0 ins, 0 del, 1 sub ]")
        assert "|optional:forgiven|" in output
    assert main(["compare", path, str(tmp_path / "hyp.trn"), "--json", "-"]) == 0
    total = json.loads(capsys.readouterr().out)["overall"]
    assert [total[side]["errors"] for side in ("baseline", "new")] == [1, 1]
