from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from scoring.alignment.system import System
from scoring.nist.report import summary
from scoring.nist.report.entropy import cross_entropies
from scoring.nist.report.rounding import by_speaker
from scoring.nist.report.tables import TableDrawer

THREE_SPEAKERS = {
    "anna": ["one/one two/two three/ four/for", "five/five"],
    "ben": ["six/six seven/seven /eight"],
    "none": ["/nine"],
}

EXPECTED = Path(__file__).parent / "expected"


def silent(text: str) -> None:
    raise AssertionError(f"unexpected warning {text!r}")


def expected(name: str) -> str:
    return EXPECTED.joinpath(name).read_bytes().decode("latin-1")


def text_of(
    report: Callable[[System, TableDrawer, Callable[[str], None]], Iterable[bytes]], system: System
) -> str:
    return b"".join(report(system, TableDrawer(), silent)).decode("latin-1")


def test_percentages(make_system: Callable[..., System]) -> None:
    assert text_of(summary.percentages, make_system(THREE_SPEAKERS)) == expected(
        "three_speakers.sys"
    )


def test_counts(make_system: Callable[..., System]) -> None:
    assert text_of(summary.raw, make_system(THREE_SPEAKERS)) == expected("three_speakers.raw")


def test_of_two_speakers_without_reference_the_second_takes_part_in_the_mean(
    make_system: Callable[..., System],
) -> None:
    # entries 0 and then 1 of what is left are deleted: the second speaker's count survives
    system = make_system({"z1": ["/x"], "z2": ["/x /x /x"], "a": ["b/b"]})
    mean = next(line for line in text_of(summary.percentages, system).split("\n") if "Mean" in line)
    assert mean.split("|")[3].split() == ["0.0+", "0.0+", "0.0+", "3.0+", "3.0+", "66.7"]


def test_character_scoring_names_the_column(make_system: Callable[..., System]) -> None:
    system = make_system({"a": ["b/b"]}, attributes=' char_align="1"')
    assert "| # Snt # Chr |" in text_of(summary.percentages, system)


def test_an_empty_system_makes_a_table(make_system: Callable[..., System]) -> None:
    assert "| Sum/Avg|    0      0 |  0.0 " in text_of(summary.percentages, make_system({}))
    assert "| Sum  |    0      0 |    0 " in text_of(summary.raw, make_system({}))


def test_weights_are_needed_for_weighted_scores(make_system: Callable[..., System]) -> None:
    with pytest.raises(ValueError, match="word weights of system 'title'"):
        text_of(summary.weighted, make_system({"a": ["b/b"]}))


def weighted_system(load_system: Callable[[str], System]) -> System:
    def path(name: str, number: int, slots: str, count: int) -> str:
        return (
            f'<SPEAKER id="{name}">\n<PATH id="({name}-1)" word_cnt="{count}" '
            f'sequence="{number}" hyp_weight="1" ref_weight="1" word_aux="r_weight,h_weight">\n'
            f"{slots}\n</PATH>\n</SPEAKER>\n"
        )

    return load_system(
        '<SYSTEM title="title" ref_fname="r" hyp_fname="h" creation_date="now" format="2.4" '
        'frag_corr="FALSE" opt_del="FALSE" weight_ali="TRUE" weight_filename="w Column W">\n'
        + path("a", 0, 'C\n"x"\n"x"\n2.75\n2.75\nD\n"y"\n\n1.5\n', 2)
        + path("b", 1, 'C\n"x"\n"x"\n2.75\n2.75\nS\n"x"\n"y"\n2.75\n1.5', 2)
        + "</SYSTEM>\n"
    )


def test_weighted_totals_are_cut_after_every_speaker(load_system: Callable[[str], System]) -> None:
    text = text_of(summary.weighted, weighted_system(load_system))
    assert "             ** Weights defined by file: 'w Column W'" in text
    lines = [line.split("|") for line in text.split("\n") if line.count("|") == 4]
    rows = {cells[1].strip(): cells[3].split() for cells in lines}
    assert rows["a"] == ["64.7", "0.0", "35.3", "0.0", "35.3", "100.0"]
    assert rows["b"] == ["50.0", "77.3", "0.0", "0.0", "77.3", "100.0"]
    # correct 2.75 -> 2, 4.75 -> 4; reference 4.25 -> 4, 9.5 -> 9; substitutions 4; deletions 1
    assert rows["Sum/Avg"] == ["44.4", "44.4", "11.1", "0.0", "55.6", "100.0"]


def confident(conf: list[str], number: int = 0) -> str:
    slots = [f'C\n"x"\n"x"\n{conf[0]}', *(f'I\n\n"y"\n{one}' for one in conf[1:])]
    return (
        f'<PATH id="(a-{number})" word_cnt="{len(conf)}" sequence="{number}" word_aux="h_conf">\n'
        + "\n".join(slots)
        + "\n</PATH>\n"
    )


def with_paths(paths: str) -> str:
    return (
        '<SYSTEM title="title" ref_fname="r" hyp_fname="h" creation_date="now" format="2.4" '
        'frag_corr="FALSE" opt_del="FALSE" weight_ali="FALSE" weight_filename="">\n'
        f'<SPEAKER id="a">\n{paths}</SPEAKER>\n</SYSTEM>\n'
    )


def test_cross_entropy_of_two_words(load_system: Callable[[str], System]) -> None:
    # one right at 0.5, one wrong at 0.5: the confidences say nothing, the entropy is all left
    system = load_system(with_paths(confident(["0.5", "0.5"])))
    counts = [tally.counts for tally in by_speaker(system)]
    entropies = cross_entropies(system, counts, silent)
    assert entropies is not None
    assert entropies.overall == pytest.approx(0.0)
    # H = 2, log2(0.75) + log2(0.5) = -1.41504
    better = load_system(with_paths(confident(["0.75", "0.5"])))
    entropies = cross_entropies(better, counts, silent)
    assert entropies is not None
    assert entropies.speakers == [pytest.approx(0.29248, abs=1e-5)]


def test_without_a_wrong_word_the_cross_entropy_is_the_smallest_int(
    load_system: Callable[[str], System],
) -> None:
    text = text_of(summary.percentages, load_system(with_paths(confident(["0.5"]))))
    assert text.count("-2147483.648 |") == 5


def test_confidences_out_of_range_and_on_some_utterances(
    load_system: Callable[[str], System],
) -> None:
    warnings: list[str] = []
    system = load_system(with_paths(confident(["1.5", "0.5"])))
    list(summary.percentages(system, TableDrawer(), warnings.append))
    assert warnings == ["Warning: 1 of 2 confidence scores were not in the range (0.0,1.0)\n"]
    bare = '<PATH id="(a-1)" word_cnt="1" sequence="1">\nC\n"x"\n"x"\n</PATH>\n'
    system = load_system(with_paths(confident(["0.5"]) + bare))
    warnings.clear()
    text = b"".join(summary.raw(system, TableDrawer(), warnings.append)).decode()
    assert warnings == ["Warning: Ignoring confidence scores in output\n"]
    assert "NCE" not in text
