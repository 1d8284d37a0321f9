"""Reading back the alignments sclite writes as SGML."""

import random
from pathlib import Path

import pytest

from scoring.alignment import load_core
from scoring.alignment.system import System
from scoring.model.counts import Edit
from scoring.model.errors import InputError
from scoring.nist.report import sgml
from scoring.nist.session import ScoreRequest, Session
from scoring.nist.sgml.errors import ExchangeError
from scoring.nist.sgml.reader import read_systems
from scoring.nist.sgml.system_builder import SystemBuilder
from scoring.nist.transcripts.input_files import TranscriptFile
from tests.each_case import each_case
from tests.judge import MISSING, judge
from tests.judges.sgml.documents import damaged, document
from tests.judges.sgml.programs import original, ours, shown
from tests.judges.sgml.run import difference, generate

DEMO = Path(__file__).resolve().parents[4] / "resources" / "demo"
needs_judge = pytest.mark.skipif(judge("sclite") is None, reason=MISSING)
SEED, CASES = 3, 35
HEAD = '<SYSTEM title="t" >\n<SPEAKER id="s" >\n'


def fail(text: str) -> None:
    raise AssertionError(f"nothing was to be said, found {text!r}")


def read_one(data: bytes) -> System:
    (system,) = read_systems(data, fail, fail)
    return system


def scored(reference: str, hypothesis: str) -> System:
    files = [
        TranscriptFile(str(DEMO / name), name.rpartition(".")[2], name)
        for name in (reference, hypothesis)
    ]
    return Session(ScoreRequest(identifier_kind="spu_id"), lambda text: None).score(*files).system


@pytest.mark.parametrize("newlines", [False, True], ids=["colons", "newlines"])
@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [("reference.trn", "baseline.trn"), ("reference.stm", "improved.ctm")],
)
def test_what_we_write_is_read_back(reference: str, hypothesis: str, newlines: bool) -> None:
    system = scored(reference, hypothesis)
    again = read_one(b"".join(sgml.render(system, newline_separated=newlines)))
    # in SGML the utterances of a speaker stand together
    order = [utterance for group in system.utterances_of for utterance in group]
    assert again.speakers == system.speakers
    assert list(again.counts) == [system.counts[one] for one in order]
    for column in ("identifiers", "attributes", "sequences"):
        values = getattr(system.utterances, column)
        assert list(getattr(again.utterances, column)) == [values[one] for one in order]
    assert list(again) == [system[one] for one in order]
    assert again.labels == system.labels
    assert again.categories == system.categories
    assert b"".join(sgml.render(again)) == b"".join(sgml.render(system))


@each_case("number", range(20))
def test_the_form_with_newlines_says_the_same(number: int) -> None:
    said: list[str] = []
    texts = [document(random.Random(number), newlines=newlines) for newlines in (False, True)]
    forms = [read_systems(text.encode("latin-1"), said.append, fail) for text in texts]
    assert [system.edits for system in forms[0]] == [system.edits for system in forms[1]]
    rendered = [b"".join(map(shown, systems)) for systems in forms]
    assert rendered[0] == rendered[1]


def test_speakers_follow_each_other() -> None:
    path = '<PATH id="{}" sequence="0">\n{}\n</PATH>\n'
    regular, irregular = path.format("a", 'C,"x","x"'), path.format("b", 'C,"x","x"\nD,"y",')
    turn = '</SPEAKER>\n<SPEAKER id="{}">\n'
    turns = [turn.format(name) for name in ("empty", "u", "s", "last")]
    data = HEAD + regular + turns[0] + turns[1] + regular + regular + turns[2] + irregular
    system = read_one(f"{data}{regular}{turns[3]}</SPEAKER>\n</SYSTEM>\n".encode())
    assert system.speakers == ["s", "empty", "u", "last"]
    assert list(system.utterances.speakers) == [0, 2, 2, 0, 0]
    assert [list(places) for places in system.utterances_of] == [[0, 3, 4], [], [1, 2], []]


def test_more_than_the_core_reads_at_once() -> None:
    count = 30_000
    path = '<PATH id="{}" sequence="{}">\nS,"a","b":C,"c","c"\n</PATH>\n'
    data = HEAD + "".join(path.format(number, number) for number in range(count))
    assert len(data) > 3 << 19
    system = read_one(data.encode())
    assert list(system.utterances.sequences) == [*range(count)]
    assert list(system.offsets) == [*range(0, 2 * count + 1, 2)]
    assert system.counts.total() == (count, count, 0, 0)
    assert list(system.reference.ends) == [*range(2, 2 * count + 1, 2)]


def test_edits_sclite_reads_and_does_not_count() -> None:
    said: list[str] = []
    data = HEAD + '<PATH id="1" sequence="0">\nC,"a","a":M,"b","x":T,"c","d"\n</PATH>\n'
    (system,) = read_systems(data.encode(), said.append, fail)
    assert list(system.edits) == [Edit.CORRECT, Edit.MERGED, Edit.SPLIT]
    assert list(system.counts) == [(1, 0, 0, 0)]
    assert said == [f"Warning: Unknown Alignment Evaluation {code}\n" for code in (16, 32)]
    assert b"(#C #S #D #I #UNK) 1 0 0 0 2\n" in shown(system)
    assert b"Eval:   S S \n" in shown(system)


@pytest.mark.parametrize("capacity", ["", ' word_cnt="1"'])
def test_a_path_may_have_more_words_than_its_tag_promises(capacity: str) -> None:
    places = ":".join(['C,"a","a"'] * 9)
    system = read_one(f'{HEAD}<PATH id="1"{capacity} sequence="0">\n{places}\n</PATH>\n'.encode())
    assert list(system.counts) == [(9, 0, 0, 0)]


def test_times_of_the_hypothesis_are_kept() -> None:
    data = HEAD + '<PATH id="1" sequence="0" R_T2="2.5" H_T1="1.5">\nC,"a","a"\n</PATH>\n'
    system = read_one(data.encode())
    spans = (system.utterances.hypothesis_span_begins, system.utterances.hypothesis_span_ends)
    assert [list(column or ()) for column in spans] == [[1.5], [0.0]]
    assert b'R_T1="0.000" R_T2="2.500" H_T1="1.500" H_T2="0.000"' in b"".join(sgml.render(system))


def test_a_list_of_numbers_holds_until_the_next_one() -> None:
    path = '<PATH id="{}"{} sequence="1">\nC,"a","a",0.25\n</PATH>\n'
    data = HEAD + path.format(1, ' word_aux="h_conf"') + path.format(2, "")
    system = read_one(data.encode())
    assert list(system.hypothesis.confidences or ()) == [0.25, 0.25]
    assert b"".join(sgml.render(system)).count(b"0.250000") == 1


@each_case(
    ("text", "problem"),
    [
        ("<SYSTEM>\n", "Unable to parse SGML tag '<SYSTEM>\n'"),
        ('<SYSTEM title="t>\n', "Unable to parse SGML tag '<SYSTEM title=\"t>\n'"),
        ('<SYSTEM title="t">\n</SPEAKER>\n', "Unable to delete SGML end tag '</SPEAKER>\n'"),
        ('<SPEAKER id="a">\n', "SPEAKER tag '<SPEAKER id=\"a\">\n' found outside of SYSTEM tag"),
        (
            '<SYSTEM title="t">\n<PATH id="1">\n',
            "PATH tag '<PATH id=\"1\">\n' found outside of SPEAKER tag",
        ),
        (HEAD + '<PATH id="1">\nX,"a","b"\n', "Unknown Alignment type 'X'"),
        (HEAD + '<PATH id="1">\nC"a""b"\n', 'Word parse error, at "a""b" of C"a""b"'),
        (HEAD + '<PATH id="1">\nD,"a",b\n', 'Word parse error, at D,"a",b'),
        ('<SYSTEM title="t">\n</SYSTEM>\n' * 41, "SCORE array too small, increase size\n"),
    ],
)
def test_refusals_of_the_original(text: str, problem: str) -> None:
    with pytest.raises(ExchangeError) as caught:
        read_systems(text.encode(), fail, fail)
    assert str(caught.value) == f"Error: load_SCORES_sgml {problem}\nload_SCORES_sgml Failed\n"


def test_too_many_open_tags() -> None:
    with pytest.raises(ExchangeError) as caught:
        read_systems(b'<A b="1">\n' * 11, fail, fail)
    assert str(caught.value) == "Error: Too many SGML tags < 10\n"


@each_case(
    ("text", "message"),
    [
        (HEAD + '<PATH id="1">\nC,"a","b\n', "standard input:4: expected a closing quote"),
        (HEAD + '<PATH id="1">\nC,"a\0","b"\n', "standard input:4: expected text, found a NUL"),
        (
            HEAD + '<PATH id="1" word_aux="h_t1+t2">\nC,"a","b",1.5\n',
            "standard input:4: expected two times joined by \\+, found '1.5'",
        ),
        (HEAD + '<PATH id="1">\nC\n"a"\n', "standard input:4: expected the 3 lines of a word"),
        (HEAD + '<PATH id="1">\n<PATH id="2">\n</PATH>\n</PATH>\n', "standard input:6: expected a"),
    ],
)
def test_what_the_original_crashes_on_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_systems(text.encode(), fail, fail)


def test_what_is_passed_over_is_said() -> None:
    said: list[str] = []
    warned: list[str] = []
    assert read_systems(b'stray\n<LABEL id="a">\n</LABEL>\n', said.append, warned.append) == []
    assert said == ["load_SCORES_sgml: Ignored data outside of PATH tag\nstray\n"]
    assert warned == ["Warning: LABEL tag '<LABEL id=\"a\">\n' found outside of SYSTEM flag\n"]


@needs_judge
def test_random_documents_give_the_same_bytes() -> None:
    judged = 0
    for number in range(CASES):
        data = generate(SEED, number).encode("latin-1")
        truth = original(data)
        result = ours(data)
        if truth.status is not None and truth.status >= 0 and result.status is not None:
            judged += 1
            text = difference(truth, result)
            assert not text, f"tests/judges/sgml/run.py --seed {SEED} --cases {number + 1}\n{text}"
    assert judged > CASES // 2


def columns_of(system: System) -> object:
    """All that a system holds, for comparison; -0.0 is not 0.0."""
    sides = [
        [None if column is None else list(map(repr, column)) for column in vars(words).values()]
        for words in (system.reference, system.hypothesis)
    ]
    utterances = [None if column is None else list(column) for column in system.utterances]
    texts = [word.text for word in system.vocabulary.types]
    counts = list(system.counts)
    return sides, utterances, texts, system.edits, list(system.offsets), counts, system.speakers


@pytest.mark.skipif(load_core() is None, reason="there is no compiled core")
@pytest.mark.parametrize(
    "cases", [100, pytest.param(4000, marks=pytest.mark.release)], ids=["few", "many"]
)
def test_the_compiled_reader_reads_what_the_plain_one_reads(
    cases: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(data: bytes) -> object:
        heard: list[str] = []
        try:
            systems = read_systems(data, heard.append, heard.append)
        except (ExchangeError, InputError) as problem:
            return type(problem), str(problem), heard
        return list(map(columns_of, systems)), heard

    rng = random.Random(SEED)
    for number in range(cases):
        text = document(rng)
        data = (damaged(rng, text) if number % 2 else text).encode("latin-1")
        compiled = read(data)
        with monkeypatch.context() as patch:
            patch.setenv("SCORING_ALIGN", "plain")
            assert read(data) == compiled, data


@pytest.mark.skipif(load_core() is None, reason="there is no compiled core")
def test_the_compiled_reader_takes_what_we_write(monkeypatch: pytest.MonkeyPatch) -> None:
    plain: list[object] = []
    monkeypatch.setattr(SystemBuilder, "add", lambda self, path: plain.append(path))
    for names, most in (
        (("reference.trn", "baseline.trn"), 0),
        (("reference.stm", "improved.ctm"), 1),
    ):
        system = scored(*names)
        plain.clear()
        again = read_one(b"".join(sgml.render(system)))
        # a list of numbers is known from the first utterance that has it
        assert len(plain) <= most
        assert len(again) == len(system) - len(plain)
