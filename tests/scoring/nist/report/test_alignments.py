from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from scoring.alignment.system import LabelDefinition, System
from scoring.model.special_errors import SubsetLabelError
from scoring.nist.report import alignments, blocks, detail, labelled, sentences, sgml, summary
from scoring.nist.report.tables import TableDrawer
from tests.each_case import each_case
from tests.tables import table_of

EXPECTED = Path(__file__).parent / "expected"


def expected(name: str) -> str:
    return EXPECTED.joinpath(name).read_bytes().decode("latin-1")


def joined(chunks: Iterable[bytes]) -> str:
    return b"".join(chunks).decode("latin-1")


def test_pra(make_system: Callable[..., System]) -> None:
    system = make_system(
        {"anna": ["one/one two/two three/ four/for /five", ""], "ben": ["six/six"]}
    )
    assert joined(alignments.pra(system)) == expected("two_speakers.pra")


def test_case_is_kept_and_named_when_it_counts(make_system: Callable[..., System]) -> None:
    system = make_system({"a": ["Ab/ab"]}, attributes=' case_sense="1"')
    assert blocks.renderer(system).block(0, 1000, False).decode().split("\n")[2:5] == [
        "Attributes: Case_sensitve ",
        "REF:  Ab ",
        "HYP:  ab ",
    ]


def words_by_line(system: System, line_width: int) -> list[list[str]]:
    lines = blocks.renderer(system).block(0, line_width, False).decode().split("\n")
    return [line.split("REF:")[1].split() for line in lines if "REF:" in line]


@each_case(("line_width", "lines"), table_of(__file__, "line_breaks"))
def test_line_breaks(
    make_system: Callable[..., System], line_width: int, lines: list[list[str]]
) -> None:
    system = make_system({"s": ["alpha/alpha beta/beta gamma/gamma delta/delta"]})
    assert words_by_line(system, line_width) == lines


def test_a_continued_block(make_system: Callable[..., System]) -> None:
    system = make_system({"s": ["alpha/alpha beta/bet gamma/gamma delta/delta"]})
    assert blocks.renderer(system).block(0, 18, False).decode() == (
        "id: (s-001)\nScores: (#C #S #D #I) 3 1 0 0\n"
        "REF:  alpha BETA \nHYP:  alpha BET  \nEval:       S    \n"
        "\n>> REF:  gamma delta \n>> HYP:  gamma delta \n>> Eval:             \n"
    )


def test_stars_of_a_long_word(make_system: Callable[..., System]) -> None:
    word = "x" * 300
    system = make_system({"s": [f"/{word}"]})
    assert (
        f"REF:  {'*' * 300} \nHYP:  {'X' * 300} \n"
        in blocks.renderer(system).block(0, 1000, False).decode()
    )


def test_width_and_stars_go_by_the_word_before_its_case_is_changed(
    make_system: Callable[..., System],
) -> None:
    system = make_system({"s": ["a/a ii/ /b"]})
    system.vocabulary = system.vocabulary._replace(
        upper=lambda text: text.replace("i", "\xc4\xb0").replace("b", "B")
    )
    assert blocks.renderer(system).block(0, 1000, False).split(b"\n")[2:4] == [
        b"REF:  a \xc4\xb0\xc4\xb0 * ",
        b"HYP:  a ** B ",
    ]


def test_full_block_with_times_confidences_and_a_skipped_word(
    load_system: Callable[[str], System],
) -> None:
    system = load_system(expected("timed.nl.sgml"))
    assert blocks.renderer(system).block(0, 1000, True).decode() == expected("timed.block")
    report = joined(alignments.prf(system))
    assert report.startswith("NIST_TEXT_ALIGNMENT\nVERSION 0.1\n\n\n\t\tDUMP OF")
    assert report.endswith(
        "Speaker sentences   0:  a   utt# 0 of 1\n" + expected("timed.block") + "\n\n"
    )
    assert (
        "Optionally Deletable Flag Set\n\nSpeaker Count: 1\nSpeakers: \n    0:  a\n\n"
        "Utterance Label definitions:\n"
        '    Category: id: "0" title: "" description: ""\n'
        '    Label: id: "O" title: "Overall" description: "All"\n\n'
    ) in report


def test_prf_is_in_the_order_of_alignment_or_by_speaker_without_numbers(
    make_system: Callable[..., System],
) -> None:
    system = make_system({"a": ["x/x", "x/x"], "b": ["y/y"]})
    old = system.utterances

    def heads(sequences: list[int]) -> list[str]:
        system.utterances = old._replace(sequences=sequences)
        return [line for line in joined(alignments.prf(system)).split("\n") if "sentences" in line]

    assert heads([0, 2, 1]) == [
        "Speaker sentences   0:  a   utt# 0 of 2",
        "Speaker sentences   1:  b   utt# 0 of 1",
        "Speaker sentences   0:  a   utt# 1 of 2",
    ]
    assert heads([-1, -1, -1]) == [
        "Speaker sentences   0:  a   #utts: 2",
        "Speaker sentences   1:  b   #utts: 1",
    ]


def test_prf_without_utterances(make_system: Callable[..., System]) -> None:
    assert joined(alignments.prf(make_system({}))).endswith(
        "Speaker Count: 0\nSpeakers: \n\n\nNo utterances found\n"
    )


def test_sentences(make_system: Callable[..., System]) -> None:
    system = make_system({"ann": ["z/z"], "ben": ["a/a b/c /d", "/e"]})
    assert joined(sentences.render(system, 1)) == expected("ben.snt")
    assert [name for name, _ in sentences.by_speaker(system)] == ["ann", "ben"]


def test_details(make_system: Callable[..., System]) -> None:
    system = make_system({"ben": ["a/x ab/c ab/c /y", ""]})
    assert joined(dict(detail.by_speaker(system))["ben"]) == expected("ben.spk")
    overall = joined(detail.overall(system))
    assert overall.startswith("DETAILED OVERALL REPORT FOR THE SYSTEM: title\n\nSENTENCE RECOG")
    assert overall.split("\n\n", 1)[1] == expected("ben.spk").split("\n\n", 1)[1]


def test_details_without_reference_words(make_system: Callable[..., System]) -> None:
    text = joined(detail.overall(make_system({"a": ["/x"]})))
    assert "Percent Total Error       =  UNDEF%   (   1)\n" in text
    assert "Percent Word Accuracy     =  UNDEF%\n" in text


def test_sgml_is_what_was_read(load_system: Callable[[str], System]) -> None:
    system = load_system(expected("timed.nl.sgml"))
    assert joined(sgml.render(system, newline_separated=True)) == expected("timed.nl.sgml")
    assert joined(sgml.render(system)).split("\n")[-5] == (
        'C,"the","the",1.000+1.250,0.500000:C,"(uh)","",0.000+0.000,0.000000:'
        'D,"cat;t1;",,,:I,,"a\\;b",2.000+2.500,1.000000'
    )


def test_sgml_of_unknown_names(make_system: Callable[..., System]) -> None:
    system = make_system({})
    system.reference_name = system.hypothesis_name = system.creation_date = None
    assert 'ref_fname="(null)" hyp_fname="(null)" creation_date="(null)"' in joined(
        sgml.render(system)
    )


def labelled_system(make_system: Callable[..., System], labels: list[str | None]) -> System:
    system = make_system({"a": ["b/b", "c/d"], "e": ["/f", "g/g"]})
    system.utterances = system.utterances._replace(labels=labels)
    system.labels = [
        LabelDefinition("O", "Overall", "Everything"),
        LabelDefinition("M", "Her//mother", ""),
    ]
    system.categories = [LabelDefinition("0", "", ""), LabelDefinition("1", "Who", "")]
    return system


def lur(system: System) -> str:
    return joined(labelled.render(system, TableDrawer()))


def test_labelled_utterances(make_system: Callable[..., System]) -> None:
    system = labelled_system(make_system, ["<o>", "<O,m>", "<,m>", None])
    assert lur(system) == expected("labelled.lur")


def test_a_summary_before_it_centres_the_labelled_report(
    make_system: Callable[..., System],
) -> None:
    system = labelled_system(make_system, ["<o>", None, None, None])
    drawer = TableDrawer()
    list(labelled.render(system, drawer))
    assert not drawer.centring
    list(summary.raw(system, drawer, lambda text: None))
    assert joined(labelled.render(system, drawer)).startswith("    ")


@pytest.mark.parametrize(("labels", "message"), table_of(__file__, "labels_sclite_refuses"))
def test_labels_sclite_refuses(
    make_system: Callable[..., System], labels: list[str | None], message: str
) -> None:
    with pytest.raises(SubsetLabelError) as caught:
        lur(labelled_system(make_system, labels))
    assert str(caught.value) == message
