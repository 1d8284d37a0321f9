from collections.abc import Callable

import pytest

from scoring.alignment.system import System
from scoring.nist.report import confidence


def silent(text: str) -> None:
    raise AssertionError(f"unexpected warning {text!r}")


def system_of(
    load_system: Callable[[str], System], right: list[float], wrong: list[float]
) -> System:
    slots = [f'C\n"x"\n"x"\n{one:f}' for one in right] + [f'I\n\n"y"\n{one:f}' for one in wrong]
    return load_system(
        '<SYSTEM title="my title" ref_fname="r" hyp_fname="h" creation_date="now" format="2.4" '
        'frag_corr="FALSE" opt_del="FALSE" weight_ali="FALSE" weight_filename="">\n'
        f'<SPEAKER id="a">\n<PATH id="(a-1)" word_cnt="{len(slots)}" sequence="0" '
        'word_aux="h_conf">\n' + "\n".join(slots) + "\n</PATH>\n</SPEAKER>\n</SYSTEM>\n"
    )


def test_det_curve(load_system: Callable[[str], System]) -> None:
    script, data = confidence.det(system_of(load_system, [0.5, 0.75], [0.25, 0.6]), "dir/root")
    assert (script.suffix, data.suffix) == (".det.plt", ".det.dat.00")
    # 0.6 of the incorrect words lies below 0.75: it goes first, then the correct word
    assert data.content == b"-3.290527 0.000000\n-8.126360 0.000000\n0.000000 0.000000\n"
    assert b"set title 'DET plot for dir/root'\n" in script.content
    assert b"'dir/root.det.dat.00' using 2:1 title \"my title\" with lines\n" in script.content


def test_det_without_correct_words(load_system: Callable[[str], System]) -> None:
    _, data = confidence.det(system_of(load_system, [], [0.25, 0.6, 0.7]), "r")
    assert data.content == b"-3.290527 0.000000\nnan 0.430727\n"


@pytest.mark.parametrize("right", [[], [0.5, 0.75]])
def test_det_without_incorrect_words(
    load_system: Callable[[str], System], right: list[float]
) -> None:
    with pytest.raises(confidence.NoIncorrectWordError, match="found none"):
        confidence.det(system_of(load_system, right, []), "r")


def test_det_of_one_correct_word_is_empty(load_system: Callable[[str], System]) -> None:
    _, data = confidence.det(system_of(load_system, [0.5], []), "r")
    assert data.content == b""


def test_ten_bins(load_system: Callable[[str], System]) -> None:
    warnings: list[str] = []
    system = system_of(load_system, [1.0, 0.95, -0.05, 0.699999], [0.05, 1.01, -0.5])
    data, script = confidence.binned_histogram(system, "r", warnings.append)
    assert warnings == ["Warning: 2 Confidence scores out of binning range 0.000000:1.000000\n"]
    lines = data.content.decode().split("\n")
    assert lines[0] == "0.0500 50.000000 1 1 0.1"
    assert lines[6] == "0.6500 100.000000 1 1 0.1"
    assert lines[9] == "0.9500 100.000000 1 1 0.1"
    assert lines[10:] == [""]
    assert (data.suffix, script.suffix) == (".bhist.dat1", ".bhist.plt")


def test_a_hundred_bins(load_system: Callable[[str], System]) -> None:
    data, script = confidence.histogram(system_of(load_system, [0.5], [0.5, 0.505]), "r", silent)
    lines = data.content.decode().split("\n")
    assert lines[100] == "0.500000 3.000000 1.000000 2.000000"
    assert lines[101] == "0.510000 3.000000 1.000000 2.000000"
    assert len(lines) == 201
    assert b"set title  'Confidence scores for r'\n" in script.content


def test_bins_of_as_many_words(load_system: Callable[[str], System]) -> None:
    data, _ = confidence.scaled_histogram(
        system_of(load_system, [number / 64 for number in range(42)], [1.0]), "r"
    )
    lines = data.content.decode().split("\n")[:-1]
    assert len(lines) == 21
    assert lines[0] == "0.007812 100.000000 1 1 0.015625"
    # 43 words: twenty pairs, then the three that remain; the share is of single precision
    assert lines[-1] == "0.812500 66.666669 1 1 0.375000"


def test_too_few_words_for_bins(load_system: Callable[[str], System]) -> None:
    data, _ = confidence.scaled_histogram(system_of(load_system, [0.5] * 10, [0.5] * 9), "r")
    assert data.content == b""
