"""Functions of installed modules as steps: what they return, their versions, who may run them."""

import sys
from pathlib import Path

import pytest

import scoring
from scoring.cli.scoring import main
from scoring.model.errors import InputError
from scoring.serve.errors import InvalidFieldError
from scoring.serve.methods import Methods
from scoring.text.named_functions import NamedFunction
from scoring.text.pipeline_files import as_pipeline, pipeline_of_record, recorded_pipeline


@pytest.fixture
def segmenter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "cutting_for_tests.py"
    path.write_text(
        "def characters(text):\n    return list(text.replace(' ', ''))\n"
        "def number(text):\n    return 3\n"
        "VALUE = 1\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, path.stem, raising=False)
    return path


def test_a_segmenter_cuts_both_sides(segmenter: Path) -> None:
    rates = scoring.wer("ab c", "a bd", normalize="python:cutting_for_tests:characters")
    assert rates.counts == scoring.wer("a b c", "a b d").counts
    assert "norm:python(cutting_for_tests_characters_sha256_" in rates.signature
    segmenter.write_text(segmenter.read_text() + "# changed\n")
    again = scoring.wer("ab c", "a bd", normalize="python:cutting_for_tests:characters")
    assert again.signature != rates.signature


def test_the_signature_has_the_version_of_the_package() -> None:
    from importlib.metadata import version

    signature = as_pipeline("python:regex:escape").signature
    assert signature.startswith(f"python(regex_escape_regex_{version('regex')})#")
    assert "Python_3." in as_pipeline("python:textwrap:dedent").signature


def test_a_distribution_declares_its_modules_or_lists_their_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, file, text in (
        ("Declares-It", "top_level.txt", "cutting_one\ncutting_two\n"),
        ("Lists-It", "RECORD", "cutting_three/cut.py,,\ncutting_four.py,,\ncutting_five.txt,,\n"),
    ):
        folder = tmp_path / f"{name.replace('-', '_')}-1.2.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
        (folder / file).write_text(text)
    for module in ("cutting_two", "cutting_three", "cutting_four", "cutting_five", "cutting"):
        (tmp_path / f"{module}.py").write_text("cut = str.split\n")
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    for module in ("cutting_two", "cutting_three", "cutting_four"):
        name = "Declares-It" if module == "cutting_two" else "Lists-It"
        assert NamedFunction(f"{module}:cut").origin == f"{module}:cut {name} 1.2"
    for module in ("cutting_five", "cutting"):
        assert NamedFunction(f"{module}:cut").origin.startswith(f"{module}:cut sha256 ")


def test_the_command_takes_it(
    segmenter: Path, current_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("r.trn", "h.trn"):
        (current_folder / name).write_text("ab c (u-1)\n")
    sides = ["wer", "r.trn", "h.trn", "--normalize"]
    assert main([*sides, "python:cutting_for_tests:characters"]) == 0
    assert "[ 0 / 3," in capsys.readouterr().out
    assert main([*sides, "python:cutting_for_tests:nothing"]) == 2
    assert "expected a function of an installed module" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        ("python:nosuchmodule:f", "expected a function of an installed module"),
        ("python:cutting_for_tests", "expected python:MODULE:FUNCTION"),
        ("python:cutting_for_tests:VALUE", "expected a function, found"),
    ],
)
def test_what_is_no_function_is_an_error(segmenter: Path, rule: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        as_pipeline(rule)


def test_a_result_that_is_no_text_is_an_error(segmenter: Path) -> None:
    with pytest.raises(TypeError, match="expected a text or a list of words, found int"):
        as_pipeline("python:cutting_for_tests:number")("a")


def test_requests_files_and_records_run_no_functions(segmenter: Path, tmp_path: Path) -> None:
    rule = "python:cutting_for_tests:characters"
    for given in (rule, [rule], {"step": "python", "function": "cutting_for_tests:characters"}):
        with pytest.raises(InvalidFieldError):
            Methods()("normalize", {"text": "a", "normalize": given})
    file = tmp_path / "rules.json"
    file.write_text(f'{{"steps": ["{rule}"]}}')
    with pytest.raises(InputError, match=r"step 1: .* found 'python:"):
        as_pipeline(file)
    with pytest.raises(ValueError, match="which cannot be loaded from it"):
        pipeline_of_record(recorded_pipeline(as_pipeline(rule)))
