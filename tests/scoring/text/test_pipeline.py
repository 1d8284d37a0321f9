"""Pipelines: from files, names and objects; their signatures."""

import json
import pickle
import random
import sys
from array import array
from functools import reduce
from importlib.metadata import PackageNotFoundError
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoring
from formats.schema import words_of_text
from formats.schema.model import Segment
from formats.schema.words import Alternation, Token
from scoring.alignment.texts import ColumnWords, column_of
from scoring.model.errors import InputError
from scoring.text import spoken_forms
from scoring.text.bundled import BUNDLED
from scoring.text.casing import Casefold, Lowercase
from scoring.text.pipeline import NONE, Pipeline, Placed
from scoring.text.pipeline_files import as_pipeline, read_pipeline
from scoring.text.punctuation import Punctuation
from scoring.text.replacing import Regex, Replace
from scoring.text.utterances import normalize_utterances
from tests.each_case import each_case
from tests.tables import table_of

TOML = """\
name = "broadcast"
version = 2
steps = [
    "casefold:lang=tr",
    { step = "punctuation", keep = ["apostrophe", "number"], symbols = true },
    { step = "file", normalizer = "regex", file = "rules.csv" },
    { step = "replace", search = "#", replace = "", side = "hypothesis" },
    { pipeline = "inner.json" },
]
"""


def write(folder: Path) -> Path:
    (folder / "rules.csv").write_text('"b+","b"\n', "utf-8")
    (folder / "inner.json").write_text('{"steps": ["whitespace"]}', "utf-8")
    (folder / "main.toml").write_text(TOML, "utf-8")
    return folder / "main.toml"


def test_a_declared_pipeline(tmp_path: Path) -> None:
    path = write(tmp_path)
    pipeline = read_pipeline(path)
    assert (pipeline.name, pipeline.version) == ("broadcast", "2")
    assert pipeline("ABBB, Işık 3.5 $") == "ab ışık 3.5"
    assert len(pipeline.steps()) == len(pipeline.steps("reference")) == 4
    assert len(pipeline.steps("hypothesis")) == 5
    assert pipeline.signature.startswith("broadcast(2)#")
    assert as_pipeline(str(path)) == as_pipeline(path) == pipeline
    assert pickle.loads(pickle.dumps(pipeline)) == pipeline
    record = {
        "name": "broadcast",
        "version": "2",
        "steps": [
            {"step": "casefold", "lang": "tr"},
            {"step": "punctuation", "keep": "apostrophe+number", "symbols": True},
            {"step": "regex", "search": "b+", "replace": "b"},
            {"step": "replace", "search": "#", "replace": "", "side": "hypothesis"},
            "whitespace",
        ],
    }
    (tmp_path / "same.json").write_text("\ufeff" + json.dumps(record), "utf-8")
    # the rules make the signature, not where they stand
    assert read_pipeline(tmp_path / "same.json").signature == pipeline.signature


def test_what_changes_the_signature() -> None:
    plain = Pipeline([Lowercase(), Punctuation()])
    others = (
        Pipeline([Punctuation(), Lowercase()]),
        Pipeline([Lowercase()]),
        Pipeline([Lowercase("tr"), Punctuation()]),
        Pipeline([Placed(Lowercase(), "reference"), Punctuation()]),
    )
    assert len({step.digest for step in (plain, *others)}) == 5
    assert Pipeline([Lowercase(), Punctuation()]).signature == plain.signature
    assert Pipeline([Lowercase()], "my|name: x", "1").signature.startswith("my_name__x(1)#")
    assert NONE.signature == "none"


def test_tables_are_a_part_of_the_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    modules = {"numbers": "spoken_forms", "contractions": "contractions", "fillers": "fillers"}
    before = {name: as_pipeline(name).digest for name in modules}
    spoken_forms._digest.cache_clear()
    for name, module in modules.items():
        monkeypatch.setattr(f"scoring.text.{module}.table_digest", lambda kind, lang: "other")
        assert as_pipeline(name).digest != before[name]
    spoken_forms._digest.cache_clear()


def test_config_and_glm_files(tmp_path: Path) -> None:
    (tmp_path / "rules.csv").write_text("[.!], \n", "utf-8")
    (tmp_path / "a.conf").write_text("[normalization]\nregex rules.csv\nlowercase\n", "utf-8")
    (tmp_path / "b.ini").write_text("lowercase\n", "utf-8")
    (tmp_path / "c.glm").write_text("a => { a / b }\n", "utf-8")
    assert read_pipeline(tmp_path / "a.conf")("Hi!") == "hi"
    assert read_pipeline(tmp_path / "b.ini")("Hi!") == "hi!"
    assert read_pipeline(tmp_path / "c.glm")("a") == "{ a / b }"
    assert read_pipeline(tmp_path / "c.glm").has_readings


def test_a_global_map_without_a_suffix_is_known_by_its_rules(tmp_path: Path) -> None:
    path = tmp_path / "glm"
    path.write_text(';; our map\n* name "ours"\n\n[cannot] => [can not] / [ ] __ [ ]\n')
    by_step = as_pipeline(f"glm:file={path}")
    assert by_step("we cannot go") == "we can not go"
    assert (as_pipeline(str(path)).digest, read_pipeline(path).digest) == (by_step.digest,) * 2
    path.write_text("cannot\n")
    with pytest.raises(InputError, match="global map, WORDS => WORDS, found no suffix"):
        as_pipeline(str(path))
    with pytest.raises(InputError, match=r"found no file$"):
        as_pipeline(str(tmp_path / "other"))


def test_what_a_pipeline_may_be_given_as() -> None:
    assert as_pipeline(None) is NONE
    assert as_pipeline([]).signature == "none"
    assert as_pipeline(["none", "lowercase"]).signature.startswith("lowercase#")
    assert as_pipeline(Lowercase()) == as_pipeline("lowercase") == as_pipeline(["LowerCase"])
    both = as_pipeline(["plain", Replace("a", "b")])
    assert both("Ana!") == "bnb"
    assert both.title == "plain+replace"
    assert as_pipeline(str.upper)("a") == "A"
    assert "function" in as_pipeline(str.upper).signature
    assert as_pipeline("regex:search=a+,replace=b")("caat") == "cbt"
    with pytest.raises(TypeError, match="found int"):
        as_pipeline(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a str, found int"):
        as_pipeline(len)("a")  # type: ignore[arg-type]


@each_case(("given_as", "problem"), table_of(__file__, "names_that_mean_nothing"))
def test_names_that_mean_nothing(given_as: str, problem: str) -> None:
    with pytest.raises(ValueError) as refused:
        as_pipeline(given_as)
    assert problem in str(refused.value)


@each_case(("name", "text", "problem"), table_of(__file__, "bad_files"))
def test_bad_files(tmp_path: Path, name: str, text: str, problem: str) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as refused:
        as_pipeline(path)
    assert str(refused.value).startswith(problem.format(path=path, folder=tmp_path))


def test_files_that_are_no_text(tmp_path: Path) -> None:
    for name in ("x.json", "x.conf", "x.glm"):
        (tmp_path / name).write_bytes(b"a\xff")
        with pytest.raises(InputError, match="expected text in utf-8, found byte 2 which is not"):
            as_pipeline(tmp_path / name)
    with pytest.raises(InputError, match="found no such file"):
        as_pipeline(tmp_path / "none.json")
    (tmp_path / "circle.json").write_text('{"steps": [{"pipeline": "circle.json"}]}', "utf-8")
    with pytest.raises(InputError, match="recursion"):
        as_pipeline(tmp_path / "circle.json")


def test_encodings_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("a,b", "utf-8")
    with pytest.raises(InputError, match="unknown encoding: nope"):
        as_pipeline(f"file:normalizer=replace,file={tmp_path / 'r.csv'},encoding=nope")
    (tmp_path / "x.conf").write_text("replace r.csv nope", "utf-8")
    with pytest.raises(InputError, match="unknown encoding: nope"):
        as_pipeline(tmp_path / "x.conf")


def test_packages_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    with pytest.raises(ValueError, match="found none: scoring recipes install whisper-paper"):
        as_pipeline("whisper-english")
    monkeypatch.setitem(sys.modules, "unidecode", None)
    with pytest.raises(ValueError, match="expected package Unidecode to be installed"):
        as_pipeline("unidecode:tables=unidecode")("é")
    assert as_pipeline("unidecode:tables=unidecode")("e") == "e"


@each_case(
    ("text", "expected"),
    [
        ("It rose 4.5 % in the U.S., he said.", "it rose 4.5 in the us he said"),
        ("1,000 1.000,50 3. 3, .5 5.", "1,000 1.000,50 3 3 5 5"),
        ("at 10:30 on 3.5.2024, 2024-05-03", "at 10 30 on 3.5.2024 2024 05 03"),
        ("U.S.A. U.S.’s U.S.-based e.g. p.m. a.b", "usa us's us based eg pm ab"),
        ("Ph.D. end.Start No.5 A. B.", "ph d end start no 5 a b"),
        ("Don’t ‘quote’", "don't quote"),
    ],
)
def test_plain_keeps_decimals_and_joins_initials(text: str, expected: str) -> None:
    pipeline = as_pipeline("plain")
    assert pipeline(text) == expected
    assert pipeline.signature.startswith("plain(2)#")


def test_plain_leaves_numbers_to_be_read() -> None:
    """What the step `numbers` reads as words is whole; a time is read as its two numbers."""
    words = "four point five one thousand ten thirty"
    rates = scoring.wer("4.5, 1,000 10:30", words, normalize=["plain", "numbers"])
    assert rates.counts.errors == 0
    rates = scoring.wer("up 4.5 in the U.S.", "up 4.5 in the us", normalize="plain")
    assert (rates.counts.errors, rates.counts.reference_tokens) == (0, 5)


def test_bundled_pipelines_are_named_and_versioned() -> None:
    for step in BUNDLED:
        pipeline = as_pipeline(step.name)
        assert pipeline.title == step.name
        assert step.name == "none" or pipeline.signature.startswith(f"{step.name}({step.version})#")


def test_alternatives_survive() -> None:
    items: list[Token | Alternation] = [
        Token("Hello,"),
        Alternation([[Token("Don't")], [Token("Do"), Token("not")]]),
        Token("UM", optional=True),
        Alternation([[Token("Yes")], [Token("YES!")]]),
        Alternation([[Token("...")], [Token("ok")]]),
        Token("re-run", optional=True),
    ]
    segment = Segment.from_items("rec", items, utterance="u1")
    steps = (Casefold(), Punctuation(), Regex("ru(n)", r"r u \1"))
    normalized = normalize_utterances([segment.words], {0: segment}, steps)
    assert list(normalized.special[0].items()) == [
        Token("hello"),
        Alternation([[Token("don't")], [Token("do"), Token("not")]]),
        Token("um", optional=True),
        Token("yes"),  # both branches have become the same
        Alternation([[], [Token("ok")]]),
        Token("re", optional=True),
        Token("r", optional=True),
        Token("u", optional=True),
        Token("n", optional=True),
    ]
    assert normalized.special[0].utterance == "u1"
    assert normalized.words[0] == ("hello", "um", "yes", "re", "r", "u", "n")


def test_what_became_empty() -> None:
    normalized = normalize_utterances([("...",), (), ("a", "!")], {}, [Punctuation()])
    assert normalized.words == [(), (), ("a",)]
    assert normalized.emptied == (0,)


WORDS = st.lists(st.sampled_from(["A", "b.", "...", "don’t", "X-y", "50", "uh"]), max_size=5).map(
    tuple
)


@given(st.lists(WORDS, max_size=5))
def test_together_is_as_one_by_one(utterances: list[tuple[str, ...]]) -> None:
    pipeline = as_pipeline(["plain", "regex:search=o,replace=0 0", "numbers", "fillers"])
    together = normalize_utterances(utterances, {}, pipeline.steps())
    for index, words in enumerate(utterances):
        alone = normalize_utterances([words], {}, pipeline.steps())
        assert together.words[index] == alone.words[0]
        assert together.special.get(index) == alone.special.get(0)


def texts_of_every_character(rng: random.Random, number: int) -> list[str]:
    """Return texts of so many characters, within words and alone."""
    every = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    characters = rng.sample(every, number or len(every))
    texts = ["", " ", "...", "a\tb\n\x0bC,", "'", "1,000 \u2019 don\u2019t U.S.A."]
    for begin in range(0, len(characters), 80):
        some = characters[begin : begin + 80]
        texts += ["".join(some), " ".join(some[:3]), f"A{some[0]}b 1{some[-1]}2"]
    return texts


def random_texts(rng: random.Random, number: int) -> list[str]:
    """Return texts of words of letters, digits, marks and blanks of every kind."""
    marks = ".,;:!?'\u2019\u2018\"-\u2013()[]{}<>/\\&%$\u20ac@#*_|~^`+=\u00a0\u2009\u200b\u0301\u0308\ufeff"
    letters = "abcABCzZ\u00e4\u00c4\u00df\u0130\u0131\u01c5\u03c2\u03a3\u0416\u05d0\u0905\u4e2d\ufb01\u1e9e0123456789\u0663\u00bd"
    words = [
        "".join(rng.choices(letters, k=rng.randrange(1, 6)) + rng.choices(marks, k=place % 3))
        for place in range(3_000)
    ]
    words += ["".join(rng.sample(word, len(word))) for word in words]
    blanks = [" ", "  ", "\t", " \n", "\x1f", "\u3000"]
    return [rng.choice(blanks).join(rng.choices(words, k=rng.randrange(6))) for _ in range(number)]


@pytest.mark.parametrize(
    ("characters", "number"), [(2_000, 500), pytest.param(0, 100_000, marks=pytest.mark.release)]
)
def test_a_column_becomes_what_its_texts_become(characters: int, number: int) -> None:
    """Of every character and 100,000 random texts before a release; of some always."""
    rng = random.Random(5)
    every = texts_of_every_character(rng, characters)
    texts = every + random_texts(rng, number)
    steps = as_pipeline("plain").steps()
    rewritten = normalize_utterances(ColumnWords(column_of(*columns_in_utf8(texts))), {}, steps)
    assert isinstance(rewritten.words, ColumnWords)
    # each text as a whole, by the steps themselves
    expected = [reduce(lambda text, step: step(text), steps, text) for text in texts]
    assert list(rewritten.words) == list(map(words_of_text, expected))
    words = zip(map(words_of_text, texts), rewritten.words, strict=True)
    emptied = tuple(row for row, (before, after) in enumerate(words) if before and not after)
    assert rewritten.emptied == emptied
    again = normalize_utterances(rewritten.words[: len(every)], {}, steps)
    assert list(again.words) == rewritten.words[: len(every)]


def columns_in_utf8(texts: list[str]) -> tuple[bytes, bytes]:
    """The texts one after the other, and where each of them ends."""
    encoded = [text.encode() for text in texts]
    return b"".join(encoded), array("i", accumulate(map(len, encoded), initial=0)).tobytes()
