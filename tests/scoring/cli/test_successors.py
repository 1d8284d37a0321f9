"""Names that were removed: suggestions come from one table before they come from spelling."""

import importlib
import subprocess
import sys

import pytest

import sclite_kit
import scoring
from formats.cli import main as formats_main
from formats.schema import successors
from scoring.cli.scoring import COMMANDS, main


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ("docs --site", "scoring docs PAGE"),
        ("wer a b --junit c", "scoring compare --junit"),
        ("kws validate x", "formats validate"),
        ("kws check-termlist x", "formats validate"),
        ("kaldi install-wrappers", "install"),
        ("convert a b", "formats convert"),
        ("diff a b -o c", "--output"),
    ],
)
def test_a_command_names_the_successor(
    arguments: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments.split()) == 2
    assert f"did you mean {meant}?" in capsys.readouterr().err


def test_formats_names_the_successor(capsys: pytest.CaptureFixture[str]) -> None:
    assert formats_main(["validate", "--nist", "x"]) == 2
    assert "--nist (did you mean ctmValidator.pl?)" in capsys.readouterr().err


def test_an_option_of_another_program_is_suggested_by_spelling(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["wer", "a", "b", "--nist"]) == 2
    assert "ctmValidator" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("statement", "meant"),
    [
        ("import scoring.labels.aggregation", "scoring.tasks.labels"),
        ("import scoring.tasks.labels.aggregation", "scoring.tasks.labels.confusion"),
        ("from scoring import compat", "scoring.peers"),
        ("import sclite_kit.scoring.labels", "scoring.tasks.labels"),
        ("import formats.model", "formats.schema.model"),
    ],
)
def test_the_import_of_a_removed_module_names_the_successor(statement: str, meant: str) -> None:
    with pytest.raises(ImportError, match=rf"; did you mean {meant}\?$"):
        exec(statement, {})


def test_attributes_name_the_successor() -> None:
    with pytest.raises(AttributeError, match=r"; did you mean scoring\.edit_distance_batch\?$"):
        scoring.batch_error_rate  # noqa: B018
    with pytest.raises(AttributeError, match=r"'sclite_kit'.*; did you mean scoring\.wer\?$"):
        sclite_kit.TokenErrorRate  # noqa: B018
    result = scoring.wer("a b", "a c")
    with pytest.raises(AttributeError, match=r"'corpus'; did you mean corpus_rate\?$"):
        result.corpus  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError, match=r"'ErrorRates' object has no attribute 'nothing'$"):
        result.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_python_adds_no_suggestion_by_spelling() -> None:
    code = "import scoring; scoring.compat"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.endswith("has no attribute 'compat'; did you mean scoring.peers?\n")


def test_removed_names_are_gone_and_successors_are_there() -> None:
    result = scoring.wer("a", "a")
    for name, successor in successors.PYTHON.items():
        if name.startswith("scoring.ErrorRates."):
            assert not hasattr(result, name.rpartition(".")[2])
            assert hasattr(result, successor)
            continue
        with pytest.raises((ModuleNotFoundError, AttributeError), match="did you mean"):
            attribute_or_module(name)
        assert attribute_or_module(successor)
    for name, successor in successors.COMMANDS.items():
        assert name.removeprefix("scoring ") not in COMMANDS
        assert successor


def attribute_or_module(name: str) -> object:
    owner, _, last = name.rpartition(".")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as problem:
        if "did you mean" in str(problem):
            raise
        return getattr(importlib.import_module(owner), last)
