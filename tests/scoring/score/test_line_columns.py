"""Files of plain lines give as columns what they give line by line."""

from __future__ import annotations

import gzip
import pickle
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import scoring
from formats import FormatError
from formats.io.progress import heard_by
from scoring.alignment import plain_arrow, texts
from scoring.alignment.kernel import IMPLEMENTATION
from scoring.alignment.texts import ColumnNames, ColumnWords
from scoring.model.errors import ScoringError
from scoring.results.record import document_lines
from scoring.score import line_columns, opening
from scoring.score.opening import read_side
from scoring.score.pairs import LikelyKaldi
from scoring.score.rates import ErrorRates
from scoring.sides.corpus import Corpus
from scoring.sides.given import File, Reading, side_file
from scoring.sides.side_files import read_corpus
from tests.each_case import each_case

pytestmark = pytest.mark.skipif(
    IMPLEMENTATION == "plain", reason="the plain core leaves lines to the formats' readers"
)
WORDS = ["alpha", "Beta", "gamma", "<unk>", "épsilon", "ſtraße", "«ça»", "日本", "まで"]
BLANKS = [" ", "  ", "\t", " \t "]
FORMATS = ["trn", "kaldi", "kaldi-text"]


@contextmanager
def least(size: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "LEAST_BYTES", size)
        yield


def text(draw: random.Random, words: list[str]) -> str:
    said = "".join(word + draw.choice(BLANKS) for word in words)
    return said if draw.random() < 0.9 else said.rstrip()


def line(draw: random.Random, name: str, words: list[str], format_name: str) -> str:
    said = text(draw, words)
    if format_name == "trn":
        return f"{said}({name})"
    return f"{name}{draw.choice(BLANKS) if said else ''}{said}"


def drawn(draw: random.Random, folder: Path, format_name: str) -> tuple[Path, Path]:
    """Two files of mostly the same utterances, in mostly the same order."""
    count = draw.randrange(1, 9)
    names = [f"s{at % 3}{draw.choice('-_')}{at:03d}{draw.choice(['', 'é'])}" for at in range(count)]
    spoken = [[draw.choice(WORDS) for _ in range(draw.randrange(6))] for _ in names]
    heard = [[draw.choice([word, word, *WORDS]) for word in words] for words in spoken]
    sides = [list(zip(names, words, strict=True)) for words in (spoken, heard)]
    if draw.random() < 0.3:
        draw.shuffle(sides[1])
    if draw.random() < 0.3:
        sides[1].pop()
    if draw.random() < 0.3:
        sides[1].append(("s9-999", ["more"]))
    paths = folder / "ref.dat", folder / "hyp.dat"
    for path, side in zip(paths, sides, strict=True):
        lines = [line(draw, name, words, format_name) for name, words in side]
        end = draw.choice(["\n", "\n", "\r\n"])
        last = end if draw.random() < 0.8 else ""
        path.write_bytes((end.join(lines) + last).encode())
    return paths


def read(path: Path, format_name: str | None) -> Corpus:
    return read_side(side_file(File(path)), Reading(format_name, side="reference"))


def scored(paths: tuple[Path, Path], **choices: Any) -> ErrorRates | str:
    try:
        return scoring.wer(*paths, allow_unmatched=True, **choices)
    except (ScoringError, FormatError) as problem:
        return str(problem)


def record(rates: ErrorRates | str) -> bytes:
    if isinstance(rates, str):
        return rates.encode()
    return b"".join(document_lines([rates]))


def check_same(paths: tuple[Path, Path], **choices: Any) -> None:
    expected = scored(paths, **choices)
    with least(0):
        for jobs in (1, 2):
            rates = scored(paths, jobs=jobs, **choices)
            assert record(rates) == record(expected)
            if isinstance(rates, ErrorRates) and isinstance(expected, ErrorRates):
                assert rates.remarks == expected.remarks
                assert list(rates) == list(expected)
                assert list(rates.aligned) == list(expected.aligned)


def check_columns(path: Path, format_name: str) -> None:
    plain = read(path, format_name)
    with least(0):
        columns = read(path, format_name)
    if path.read_bytes().strip():
        assert isinstance(columns.words, ColumnWords)
    assert not columns.segments
    for name in set(Corpus._fields) - {"segments"}:
        expected, column = getattr(plain, name), getattr(columns, name)
        assert column == expected or list(column) == list(expected), name


def choices_of(draw: random.Random) -> dict[str, Any]:
    return {
        "unit": draw.choice(["word", "char", "grapheme"]),
        "ignore_case": draw.choice([True, False]),
        "missing": draw.choice([None, "skip", "error"]),
        "normalize": draw.choice([None, None, "plain"]),
        "profile": draw.choice(["sclite", "kaldi"]),
        "by": draw.choice([(), ("speaker",)]),
    }


@pytest.mark.share(7)
@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("seed", range(40))
def test_the_same_as_line_by_line(tmp_path: Path, seed: int, format_name: str) -> None:
    draw = random.Random(seed)
    paths = drawn(draw, tmp_path, format_name)
    for path in paths:
        check_columns(path, format_name)
    named = {"reference_format": format_name, "hypothesis_format": format_name}
    check_same(paths, **named, **choices_of(draw))


# Lines that the reader makes something of without a remark; `{}` stands for a name.
ODD_LINES = {
    "trn": [
        "",
        "  \t",
        ";; told",
        "** told",
        ';; LABEL "a" "b" "c"',
        "a { b / c } d ({})",
        "{ Beta / @ } ({})",
        "{ a / { b c / (d) } e } \u00a0 ({})",
        "{ a / { b c / d } e } gamma ({})",
        "a {b/c} gamma ({})",
        "{ alpha / b } @ { Beta gamma / @ } / ({})",
        "{ alpha / alpha } a@b { b / b c } c ({})",
        "(um) alpha ({})",
        "@ ({})",
        "x(2) gamma ({})",
        "(um)({})  ",
        "(um) ({}) ",
        "\ufeff(um) ({})",
        "a\vb ({})",
        "a\u2003b ({})",
    ],
    "kaldi": ["", " \t ", " {} alpha  Beta", "\t{}", "{} a\x1cb", "{}  a\u3000b"],
}
ODD_LINES["kaldi-text"] = ODD_LINES["kaldi"]


def with_odd_lines(draw: random.Random, path: Path, format_name: str) -> None:
    """Put some odd lines after the first of a file, no more than it has."""
    data = path.read_bytes()
    end = b"\r\n" if b"\r\n" in data else b"\n"
    lines = data.split(end)
    for number in range(draw.randrange(len(lines)) if data.strip() else 0):
        odd = draw.choice(ODD_LINES[format_name]).replace("{}", f"s1-odd{number}")
        lines.insert(draw.randrange(1, len(lines)), odd.encode())
    path.write_bytes(end.join(lines))


@pytest.mark.share(7)
@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("seed", range(100, 160))
def test_files_with_some_odd_lines(tmp_path: Path, seed: int, format_name: str) -> None:
    draw = random.Random(seed)
    paths = drawn(draw, tmp_path, format_name)
    for path in paths:
        with_odd_lines(draw, path, format_name)
        check_columns(path, format_name)
    named = {"reference_format": format_name, "hypothesis_format": format_name}
    choices = choices_of(draw) | {"forgive_optional": draw.choice([True, False])}
    check_same(paths, **named, **choices)


@each_case("seed", range(10))
def test_sides_of_two_formats(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    for format_name in ("trn", "kaldi"):
        (tmp_path / format_name).mkdir()
    # the same names: both draw the same to begin with
    reference, _ = drawn(random.Random(seed), tmp_path / "trn", "trn")
    _, hypothesis = drawn(random.Random(seed), tmp_path / "kaldi", "kaldi")
    if draw.random() < 0.5:
        with_odd_lines(draw, reference, "trn")
    check_same((reference, hypothesis), reference_format="trn", hypothesis_format="kaldi")
    check_same((hypothesis, reference), reference_format="kaldi", hypothesis_format="trn")


TRN = "a b (s1-1)\nc (s1-2)\n"
ODD: dict[str, str | bytes] = {
    "most lines": "a (b) (s1-1)\nc (d) (s1-2)\n",
    "a single mark": "; a (s1-1)\n",
    "compressed": gzip.compress(TRN.encode()),
    "after the name": "a b (s1-1) x\nc (s1-2)\n",
    "no speaker": "a b (s1)\nc (s1-2)\n",
    "an alternation without end": "a { b / c (s1-1)\nc (s1-2)\n",
    "a closing brace alone": "a } (s1-1)\nc (s1-2)\n",
    "an empty alternative": "a { b / } (s1-1)\nc (s1-2)\n",
    "repeated in a line with alternatives": TRN + "{ c / d } (s1-2)\n",
    "repeated with other words": TRN + "d (s1-2)\n",
    "no name": "a b\nc (s1-2)\n",
    "ends of old Macintoshes": TRN.replace("\n", "\r"),
    "a return within a line": "a\rb (s1-1)\nc (s1-2)\n",
    "NUL": "a\0b (s1-1)\nc (s1-2)\n",
    "a byte-order mark": "\ufeff" + TRN,
    "no UTF-8": TRN.encode().replace(b"a", b"\xff"),
    "UTF-16": TRN.encode("utf-16"),
    "nothing": "",
}


@each_case("what", ODD)
def test_odd_files_are_left_to_the_reader(tmp_path: Path, what: str) -> None:
    paths = tmp_path / "ref.trn", tmp_path / "hyp.trn"
    given = ODD[what]
    paths[0].write_bytes(given if isinstance(given, bytes) else given.encode())
    paths[1].write_text(TRN)
    with least(0):
        assert line_columns.columns_of(side_file(File(paths[0])), Reading("trn")) is None
        assert line_columns.columns_of(side_file(File(paths[1])), Reading("trn")) is not None
    check_same(paths, reference_format="trn")
    check_same(paths[::-1], hypothesis_format="trn")


@each_case("format_name", ["trn", "kaldi"])
@each_case("seed", range(15))
def test_repeated_lines_are_left_to_the_reader(tmp_path: Path, seed: int, format_name: str) -> None:
    draw = random.Random(seed)
    paths = drawn(draw, tmp_path, format_name)
    for path in paths:
        lines = path.read_bytes().splitlines()
        # forty: more than the remarks that are kept
        lines += draw.choices(lines, k=draw.choice([1, 40])) if lines else []
        path.write_bytes(b"\n".join([*lines, b""]))
        with least(0):
            assert not isinstance(read(path, format_name).words, ColumnWords)
    named = {"reference_format": format_name, "hypothesis_format": format_name}
    check_same(paths, **named, **choices_of(draw))


def test_texts_of_kaldi_that_may_be_numbers_of_words(tmp_path: Path) -> None:
    paths = tmp_path / "ref.txt", tmp_path / "hyp.txt"
    for path in paths:
        path.write_text("u1 12 7\nu2 5\nu3\nu4\n")
    with least(0):
        assert line_columns.columns_of(side_file(File(paths[0])), Reading("kaldi")) is None
    check_same(paths, reference_format="kaldi", hypothesis_format="kaldi")


@each_case(
    "reading",
    [
        Reading("trn", encoding="latin-1"),
        Reading("trn", options=(("id_type", "wsj"),)),
        Reading("trn", keep=True),
        Reading("trn", channel_aliases=(("1", "A"),)),
        Reading("ctm"),
        Reading("no such format"),
    ],
)
def test_what_is_asked_for_beyond_words_is_left_to_the_reader(
    tmp_path: Path, reading: Reading
) -> None:
    path = tmp_path / "ref.trn"
    path.write_text(TRN)
    with least(0):
        assert line_columns.columns_of(side_file(File(path)), reading) is None
        assert line_columns.columns_of(side_file(File(tmp_path)), Reading("trn")) is None
        for other in ("other.trn", "a\0b.trn"):
            assert (
                line_columns.columns_of(side_file(File(tmp_path / other)), Reading("trn")) is None
            )


def test_small_files_are_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "ref.trn"
    path.write_text(TRN)
    assert not isinstance(read(path, None).words, ColumnWords)


def test_files_that_are_too_large_are_not_even_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ref.trn"
    path.write_text(TRN)
    with least(0):
        assert line_columns.columns_of(side_file(File(path)), Reading("trn")) is not None
        monkeypatch.setattr("formats.io.decoding.LARGEST_INPUT", len(TRN) - 1)
        assert line_columns.columns_of(side_file(File(path)), Reading("trn")) is None


def test_results_can_be_handed_on(tmp_path: Path) -> None:
    paths = tmp_path / "ref.trn", tmp_path / "hyp.trn"
    for path in paths:
        path.write_text(TRN)
    with least(0):
        rates = scored(paths)
    assert isinstance(rates, ErrorRates)
    assert isinstance(rates.identifiers, ColumnNames)
    again = pickle.loads(pickle.dumps(rates))
    assert record(again) == record(rates)
    assert again.identifiers == ["s1-1", "s1-2"]
    assert again.speakers == ["s1", "s1"]
    assert record(rates.slice(1, 2)) == record(again.slice(1, 2))
    assert rates.alignment("s1-2").letters == "C"


def test_a_reference_of_several_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from scoring.cli.scoring import main

    texts = {"ref": TRN, "one": TRN.replace("c", "d"), "two": "(s1-2)\na B (s1-1)\n"}
    for name, text_of_file in texts.items():
        (tmp_path / f"{name}.trn").write_text(text_of_file)
    monkeypatch.chdir(tmp_path)
    given = ["wer", "ref.trn", "one.trn", "two.trn", "--json", "-", "--ignore-case"]
    assert main(given) == 0
    expected = capsys.readouterr()
    seen: list[str] = []
    make = line_columns._side_of_lines

    def noted(path: str, name: str, data: bytes) -> Corpus | LikelyKaldi | None:
        seen.append(path)
        return make(path, name, data)

    monkeypatch.setattr(line_columns, "_side_of_lines", noted)
    for jobs in ("1", "2"):
        with least(0):
            assert main([*given, "--jobs", jobs]) == 0
        assert capsys.readouterr() == expected
        assert seen == ["ref.trn", "one.trn", "two.trn"]
        seen.clear()


def utterances(form: str, word: str = "c") -> str:
    return "".join(form.format(number, word) for number in range(120))


# Texts of Kaldi whose names say nothing, or plain text: whether they are is for both sides to say.
UNDECIDED = {
    "the same identifiers": ("u1 a b\nu2 c\nu3\n", "u3 d\nu1 a\nu2 c\n"),
    "nine tenths of them": (
        "".join(f"u{number} a\n" for number in range(10)),
        "".join(f"u{number} a\n" for number in range(1, 12)),
    ),
    "too few of them": ("u1 a b\nu2 c\nu3\n", "v3 d\nu1 a\nv2 c\n"),
    "none of them": ("u1 a b\nu2 c\n", "v1 a b\nv2 c\n"),
    "no identifiers": ("the cat\nsat\n", "the cat\nsat down\n"),
    "one line each": ("u1 a b\n", "u1 a c\n"),
    "a table": ("u1 1.5 a 2.5\nu2 2.5 b 3.5\n", "u1 1.5 a 2.5\nu2 2.5 c 3.5\n"),
    "tabs": ("u1\ta b\nu2\tc\n", "u1\ta b\nu2\td\n"),
    "an odd line": ("u1 a b\n\n u2 c\nu3 x\n", "u1 a b\nu2 d\nu3 x\n"),
    "against trn": ("u-1 a b\nu-2 c\n", "a b (u-1)\nd (u-2)\n"),
    "many utterances": (utterances("s1-{:03} a b {}\n"), utterances("s1-{:03} a b {}\n", "d")),
    "many utterances of others": (utterances("s1-{:03} a b {}\n"), utterances("s2-{:03} a {}\n")),
    "many numbers": (utterances("s1-{:03} a b 2{}\n"), utterances("s1-{:03} a b 2{}\n", "d")),
    "many turns": (utterances("s-1 a b {1} {0}\n"), utterances("s-1 a b {1} d\n")),
    "speakers and their utterances": ("s1 s1-1 s1-2\ns2 s2-1 s2-2\n", "s1 a b\ns2 c d\n"),
}


@pytest.mark.share(5)
@pytest.mark.parametrize("suffix", ["", ".txt", ".dat"])
@pytest.mark.parametrize("case", UNDECIDED)
def test_files_that_may_be_of_kaldi(tmp_path: Path, case: str, suffix: str) -> None:
    paths = tmp_path / f"ref{suffix}", tmp_path / f"hyp{suffix}"
    for path, content in zip(paths, UNDECIDED[case], strict=True):
        path.write_text(content)
    check_same(paths)
    check_same(paths[::-1])


def test_kaldi_texts_of_any_name_are_columns(tmp_path: Path) -> None:
    paths = tmp_path / "ref.txt", tmp_path / "hyp.txt"
    for path, content in zip(paths, UNDECIDED["the same identifiers"], strict=True):
        path.write_text(content)
    with least(0):
        rates = scored(paths)
    assert isinstance(rates, ErrorRates)
    assert isinstance(rates.identifiers, ColumnNames)


@pytest.mark.parametrize("identifier_first", [True, False])
def test_lines_are_cut_as_by_the_plain_twin(identifier_first: bool) -> None:
    draw = random.Random(5)
    signs = [
        *"ab(){}@;*-_.09 \t\v\f\x1c\x1f",
        "é",
        "\u00a0",
        "\u2003",
        "\u3000",
        "か",
        "\r\n",
        "\n",
        "\n",
    ]
    for _ in range(3000):
        data = "".join(draw.choices(signs, k=draw.randrange(40))).encode()
        if draw.random() < 0.5:
            data = data.replace(b"\n", b" (x-y)\n")
        if draw.random() < 0.5:
            words = draw.choices(
                [*"{}/@ab", "{", "}", "/", "a@b", "a/b", "{a", "\t"], k=draw.randrange(12)
            )
            data = " ".join([*words, "(x-y)\n"]).encode() + data
        twin = plain_arrow.cut_lines(data, identifier_first)
        assert texts.cut_lines(data, identifier_first) == twin, data
    for data in (b"a\rb\n", b"a\0\n", b"a\r"):
        assert texts.cut_lines(data, identifier_first) is None
        assert plain_arrow.cut_lines(data, identifier_first) is None


def test_identifiers_are_found_as_by_the_plain_twin(tmp_path: Path) -> None:
    draw = random.Random(6)
    path = tmp_path / "any.txt"
    columns: list[ColumnNames] = []
    for count in (1, 40, 500, 500):
        names = draw.sample([f"u{number}" for number in range(700)], count)
        path.write_text("".join(f"{name} a\n" for name in names))
        with least(0):
            column = read(path, "kaldi").identifiers
        assert isinstance(column, ColumnNames)
        assert list(column) == names
        columns.append(column)
    for left in columns:
        for right in columns:
            twins = plain_arrow.Texts(list(left)), plain_arrow.Texts(list(right))
            assert left.texts.find(right.texts) == twins[0].find(twins[1])
            assert left.texts.equals(right.texts) == twins[0].equals(twins[1])


@pytest.mark.share(6)
@pytest.mark.parametrize(
    ("name", "content"),
    [("a.trn", "a b (s1-{})\n"), ("a.kaldi", "s1-{} a b\n"), ("a.txt", "s1-{} a b\n")],
)
def test_large_files_are_opened_for_their_format_and_then_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str
) -> None:
    paths = tmp_path / f"ref-{name}", tmp_path / f"hyp-{name}"
    for path in paths:
        path.write_text("".join(content.format(number) for number in range(6000)))
    whole: list[str] = []

    def noted(stage: str, done: int, of: int) -> None:
        if stage.startswith("reading ") and done == of:
            whole.append(stage)

    with heard_by(noted), least(0):
        rates = scored(paths)
    assert whole == []  # readers read their beginning only
    with heard_by(noted), least(1 << 40):
        expected = scored(paths)
    assert whole
    assert record(rates) == record(expected)


def test_plain_text_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    path.write_text("the cat sat on the mat\n" * 10_000)
    passes: list[int] = []

    def noted(stage: str, done: int, of: int) -> None:
        if stage.startswith("reading "):
            passes.append(done)

    with heard_by(noted):
        read_corpus(side_file(File(path)))
    size = path.stat().st_size
    assert passes.count(size) == 1
