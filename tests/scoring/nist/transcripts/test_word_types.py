"""Marks in words, alternations in texts and in ctm files, definitions, weights."""

from pathlib import Path

import pytest

from scoring.alignment.numbered import fragments_match, word_type
from scoring.model.errors import InputError, OriginalError
from scoring.nist.transcripts.characters import Characters
from scoring.nist.transcripts.ctm import CtmFile, EmptyLineError
from scoring.nist.transcripts.input_files import Definitions, TranscriptFile
from scoring.nist.transcripts.lexicon import Lexicon
from scoring.nist.transcripts.stm import StmFile
from scoring.nist.transcripts.trn import TrnFile, speaker_of
from scoring.nist.transcripts.weights import WordWeights
from scoring.text.alternations import Alternations, MarkupError
from tests.each_case import each_case
from tests.tables import table_of


def meaning(token: str, *, optional: bool = False, fragments: bool = False) -> tuple[object, ...]:
    word = word_type(token, optional_deletable=optional, fragments_correct=fragments)
    return word.text, *word.tags, word.value


@each_case(("token", "text", "first", "second"), table_of(__file__, "marks"))
def test_marks(token: str, text: str, first: str | None, second: str | None) -> None:
    assert meaning(token) == (text, first, second, text)


def test_optional_words_need_the_option() -> None:
    assert meaning("(uh)") == ("(uh)", None, None, "(uh)")
    assert meaning("(uh)", optional=True) == ("(uh)", None, None, "uh")
    assert meaning("()", optional=True) == ("()", None, None, "")
    assert meaning("(", optional=True) == ("(", None, None, "(")


@each_case(("reference", "hypothesis", "expected"), table_of(__file__, "fragments"))
def test_fragments(reference: str, hypothesis: str, expected: bool) -> None:
    words = [
        word_type(token, optional_deletable=True, fragments_correct=True)
        for token in (reference, hypothesis)
    ]
    assert fragments_match(*words) is expected


def items_of(text: str) -> object:
    words: list[str] = []

    def add(word: str) -> int:
        words.append(word)
        return len(words) - 1

    def named(items: object) -> object:
        return words[items] if isinstance(items, int) else [named(item) for item in items]  # type: ignore[attr-defined]

    return named(Alternations(add).read(text))


@each_case(("text", "items"), table_of(__file__, "alternations"))
def test_alternations(text: str, items: object) -> None:
    assert items_of(text) == items


@pytest.mark.parametrize(
    ("text", "offset", "problem"),
    [
        ("a { }", 2, "expected alternatives, found '{ }'"),
        ("{ / }", 0, "expected alternatives, found '{ / }'"),
        ("a x{b/c}", 3, "found a brace inside the word 'x{b/c}'"),
        ("{ a / " * 300 + "}" * 300, 1200, "alternations nest more than 200 deep"),
    ],
)
def test_malformed_alternations(text: str, offset: int, problem: str) -> None:
    with pytest.raises(MarkupError) as caught:
        items_of(text)
    assert (caught.value.offset, caught.value.problem) == (offset, problem)


def ctm(folder: Path, content: str) -> tuple[CtmFile, Lexicon, list[str]]:
    path = folder / "hyp.ctm"
    path.write_bytes(content.encode("latin-1"))
    lexicon, said = Lexicon(), list[str]()
    source = TranscriptFile(str(path), "ctm", "")
    return CtmFile(source, "hypothesis", Characters(), lexicon, said.append), lexicon, said


@each_case(("words", "items"), table_of(__file__, "ctm_alternations"))
def test_ctm_alternations(tmp_path: Path, words: str, items: object) -> None:
    marks = {"B": "<ALT_BEGIN>", "A": "<alt>", "E": "<ALT_END>"}
    lines = [f"f 1 0.1 0.1 {marks.get(word, word)}\n" for word in words.split()]
    file, _, _ = ctm(tmp_path, "".join(lines))
    read, _ = file.items(range(file.size))

    def named(item: object) -> object:
        if isinstance(item, int):
            return file.word(item)
        return [named(part) for part in item]  # type: ignore[attr-defined]

    assert named(read) == items


def test_confidences_count_from_when_they_are_read(tmp_path: Path) -> None:
    lines = ["f 1 0 1 a\n"] * 3000 + ["g 1 0 1 a\n"] * 3000 + ["g 1 1 1 a 0.5\n"]
    file, _, _ = ctm(tmp_path, "".join(lines))
    assert [file.has_confidences(0), file.has_confidences(1)] == [False, True]
    short, _, _ = ctm(tmp_path, "".join(lines[2990:3010] + lines[-1:]))
    assert [short.has_confidences(0), short.has_confidences(1)] == [True, True]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("f 1 0 1 a\nf 1 0 1\n", ":2:8: expected at least five fields (file, channel, begin, duration, word), found 4"),
        ("f 1 0 1 a\n   \n", ":2:4: expected at least five fields (file, channel, begin, duration, word), found 0"),
        ("** note\n", ":1:8: expected at least five fields (file, channel, begin, duration, word), found 2"),
    ],
)  # fmt: skip
def test_malformed_ctm(tmp_path: Path, content: str, text: str) -> None:
    with pytest.raises(InputError) as caught:
        ctm(tmp_path, content)
    assert str(caught.value) == f"{tmp_path / 'hyp.ctm'}{text}"


def test_empty_line_in_a_ctm_has_the_words_of_the_original(tmp_path: Path) -> None:
    with pytest.raises(EmptyLineError) as caught:
        ctm(tmp_path, "f 1 0 1 a\n\nf 1 0 1 b\n")
    assert caught.value.output == (
        "; *ERR: Conversation is empty ''.\n"
        f"; *Err: Error detected in ctm file '{tmp_path / 'hyp.ctm'}'\n"
    )


def stm(folder: Path, content: str) -> tuple[StmFile, list[str]]:
    path = folder / "ref.stm"
    path.write_bytes(content.encode("latin-1"))
    said: list[str] = []
    return StmFile(TranscriptFile(str(path), "stm", ""), Characters(), said.append), said


def test_stm(tmp_path: Path) -> None:
    file, said = stm(
        tmp_path,
        ";; note\nF 1 S 0.1 2.3 <O,F0> a B\nf 1 s 2.3 5 <unk>\n\nf 2 t 0 1 ignore_time_segment_in_scoring",
    )
    assert (file.files, file.channels, file.speakers) == (
        ["f"] * 3,
        ["1", "1", "2"],
        ["s", "s", "t"],
    )
    assert file.labels == ["<o,f0>", "<unk>", None]
    assert file.ends[0] == 2.299999952316284  # single precision, as in the original
    assert file.ignored == [False, False, True]
    assert file.runs == [0, 2, 3]
    assert said == []


def test_malformed_stm(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        stm(tmp_path, "f 1 s 0 1 a\nf 1 s 0\n")
    assert str(caught.value) == (
        f"{tmp_path / 'ref.stm'}:2:8: expected at least five fields (file, channel, speaker, begin, "
        "end), found 4"
    )


def trn(folder: Path, content: bytes) -> tuple[TrnFile, list[str]]:
    path = folder / "ref.trn"
    path.write_bytes(content)
    said: list[str] = []
    return TrnFile(
        TranscriptFile(str(path), "trn", ""), "Reference", Characters(), said.append
    ), said


def test_trn(tmp_path: Path) -> None:
    file, said = trn(tmp_path, b"A b (S-1) rest\n;; note\n\n** note\n x\ny (s 2)\nlost (s-3)")
    assert list(file.identifiers) == file.identifiers[:] == ["(s-1)", "", "(s 2)"]
    assert [file.texts.text(number) for number in range(3)] == ["a b ", " x", "y "]
    assert file.raw_text(0) == "A b "
    assert said == [
        f"sclite: warning: {tmp_path / 'ref.trn'}:7:1: the last line does not end in a newline and is not "
        "read\n"
    ]


def test_trn_line_with_one_parenthesis(tmp_path: Path) -> None:
    with pytest.raises(OriginalError) as caught:
        trn(tmp_path, b"a (s-1)\nb (s-2\n")
    assert str(caught.value) == "Error: Unparsable utterance id b (s-2\n\n"


def test_odd_bytes_are_told(tmp_path: Path) -> None:
    _, said = trn(tmp_path, b"\xef\xbb\xbfa (s-1)\nb\0c (s-2)\n")
    path = tmp_path / "ref.trn"
    assert said == [
        f"sclite: warning: {path}:1:1: a byte order mark is read as part of the first field\n",
        f"sclite: warning: {path}:2:2: found a NUL byte, the rest of the line is not read (1 in the file)\n",
    ]


@each_case(("identifier", "kind", "speaker"), table_of(__file__, "speakers"))
def test_speakers(identifier: str, kind: str, speaker: str | None) -> None:
    assert speaker_of(identifier, kind) == speaker


def test_definitions() -> None:
    found = Definitions(print)
    found.read(
        b';; LABEL "O" "Overall" "All"\n;; LABEL id="F" t="x" d="y"\n;; LABEL "O" "Overall" "All"\n'
        b';; label "no" "" ""\n;; LABEL "two" "fields"\n;; CATEGORY "0" "" ""\n'
    )
    assert [tuple(label) for label in found.labels] == [("O", "Overall", "All"), ("F", "x", "y")]
    assert [tuple(category) for category in found.categories] == [("0", "", "")]


def test_full_table_of_categories() -> None:
    found = Definitions(print)
    data = b"".join(b';; CATEGORY "%d" "" ""\n' % number for number in range(10))
    found.read(data)
    assert found.expansions == 0
    found.read(data)
    assert (found.expansions, len(found.categories)) == (1, 10)


def test_weights(tmp_path: Path) -> None:
    path = tmp_path / "t.wwl"
    path.write_text(
        ";; 'Headings' 'Word Spelling' 'My Weight'\n;; Default missing weight '0.5'\n"
        "a 1\na 2\na 3\nb 4\nb 5\n"
    )
    weights = WordWeights.read(str(path), lambda text: None)
    assert weights.name == f'{path} Column "My Weight"'

    def weight(token: str) -> float:
        return weights.of(word_type(token, optional_deletable=True, fragments_correct=False))

    assert [weight(token) for token in ("a", "b", "c", "a=c=", "@", "(a)")] == [
        3,
        4,
        0.5,
        3.5,
        0,
        0,
    ]


def test_weight_list_with_a_word_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.wwl"
    path.write_text("a 1\n\nb\n")
    with pytest.raises(OriginalError) as caught:
        WordWeights.read(str(path), lambda text: None)
    assert str(caught.value) == (
        f"Error: Unable to parse line 3 of WWF file 'b\n'\nError: Unable to read WWL file '{path}'\n"
    )
