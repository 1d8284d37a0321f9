"""Results as JSON: read back they are the same, shards merge, nothing else is taken."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from scoring.model.errors import ScoringError
from scoring.results.record import Shard, document_lines
from scoring.score.rates import ErrorRates
from scoring.score.record_reader import Document, RecordError, merged, read_document
from tests.each_case import each_case

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
WORD = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=4
)
TEXTS = st.lists(st.tuples(st.lists(WORD, max_size=5), st.lists(WORD, max_size=5)), max_size=6)


def text_of(*systems: ErrorRates, shard: Shard | None = None) -> bytes:
    return b"".join(document_lines(systems, shard))


@settings(max_examples=50, deadline=None)
@given(TEXTS, st.booleans())
def test_what_is_written_reads_back(
    texts: list[tuple[list[str], list[str]]], ignore_case: bool
) -> None:
    rates = scoring.wer(
        reference=[one for one, _ in texts],
        hypothesis=[other for _, other in texts],
        ignore_case=ignore_case,
    )
    data = text_of(rates)
    [again] = read_document("x.json", data).systems
    assert text_of(again) == data
    assert list(again) == list(rates)
    assert again.counts == rates.counts


@settings(max_examples=50, deadline=None)
@given(TEXTS, st.integers(1, 9), st.randoms())
def test_shards_merge_to_the_same_bytes(
    texts: list[tuple[list[str], list[str]]], number: int, random: Any
) -> None:
    rates = scoring.wer(
        reference=[one for one, _ in texts], hypothesis=[other for _, other in texts]
    )
    shards = [Shard(one, number) for one in range(1, number + 1)]
    parts = [
        (
            f"{shard.number}.json",
            read_document("x", text_of(rates.slice(*shard.bounds(len(rates))), shard=shard)),
        )
        for shard in shards
    ]
    random.shuffle(parts)
    assert text_of(*merged(parts).systems) == text_of(rates)


def test_optional_words_left_out_survive() -> None:
    rates = scoring.wer(
        reference=DEMO / "reference.stm", hypothesis=DEMO / "improved.ctm", forgive_optional=True
    )
    data = text_of(rates)
    assert b"K" in data
    [again] = read_document("x.json", data).systems
    assert text_of(again) == data


def test_bytes_that_are_no_text_survive() -> None:
    data = text_of(scoring.wer(reference=[["\udcff", "b"]], hypothesis=[["\udcff", "c"]]))
    data.decode("utf-8")
    [again] = read_document("x.json", data).systems
    assert again.alignment("000001").reference == ("\udcff", "b")


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    content = json.loads(text_of(scoring.wer(reference=["a b"], hypothesis=["a c"])))
    change(content)
    return json.dumps(content).encode()


@each_case(
    ("data", "problem"),
    [
        (
            b"{",
            ":1:2: expected a result of `scoring wer --json`, found no JSON",
        ),
        (b"[]", ": the record: expected object, found array"),
        (b"{}", ': the record: expected the member "schema", found none'),
        (
            changed(lambda one: one.update(version=2)),
            ": expected sclite-kit/error-rates of version 1, found 2, which a newer release of "
            "sclite-kit wrote",
        ),
        (
            changed(lambda one: one["systems"][0].pop("rules")),
            ': systems[0]: expected the member "rules", found none',
        ),
        (
            changed(lambda one: one["systems"][0]["counts"].update(correct=7)),
            ": expected the sums of the utterances' counts, found other counts",
        ),
        (
            changed(lambda one: one["systems"][0]["utterances"][0].update(edits="CC")),
            ": expected counts of '000001' that follow from its edits and words, found other counts",
        ),
        (
            changed(lambda one: one["systems"][0]["utterances"][0]["reference"].append("x")),
            ": expected counts of '000001' that follow from its edits and words, found other counts",
        ),
        (
            changed(lambda one: one["systems"][0]["utterances"][0].update(edits="CX")),
            ": expected edits of '000001' out of CSDIKLMTJH, found 'CX'",
        ),
        (
            changed(lambda one: one["systems"][0]["utterances"][0].update(reference=["a", 1])),
            ": systems[0].utterances[0].reference[1]: expected str, found int",
        ),
        (
            changed(lambda one: one["systems"][0]["utterances"][0].update(correct=2**40)),
            ": expected counts of '000001' that follow from its edits and words, found other counts",
        ),
        (
            changed(
                lambda one: one["systems"][0]["utterances"].append(
                    one["systems"][0]["utterances"][0]
                )
            ),
            ": expected each utterance once, found '000001' twice",
        ),
        (
            changed(lambda one: one["systems"][0]["account"].update(matched=True)),
            ": systems[0].account.matched: expected int, found bool",
        ),
        (
            changed(lambda one: one.update(shard={"number": 3, "of": 2})),
            ": expected a shard of 2, found number 3",
        ),
        (
            changed(lambda one: one["systems"][0]["rules"].update(profile="x")),
            ": profile: expected one of sclite, levenshtein, jiwer, kaldi, align-text, bias-fbai@43cdb3c, keywords-nemo@2, keywords-nemo@3, mr-wer@d03c6c6, fstalign@1.13, found 'x'",
        ),
    ],
    ids=[
        "no JSON",
        "a list",
        "no schema",
        "version",
        "member",
        "sum",
        "edits",
        "words",
        "codes",
        "no text",
        "too many",
        "repeated",
        "bool",
        "shard",
        "rules",
    ],
)
def test_anything_else_is_refused(data: bytes, problem: str) -> None:
    with pytest.raises(RecordError) as refused:
        read_document("x.json", data)
    assert str(refused.value) == f"x.json{problem}"


def shard_of(number: int, of: int, *, reference: str = "a b") -> Document:
    rates = scoring.wer(reference=[reference] * 4, hypothesis=["a c"] * 4)
    shard = Shard(number, of)
    return Document([rates.slice(*shard.bounds(4))], shard)


@each_case(
    ("parts", "problem"),
    [
        ([shard_of(1, 3), shard_of(3, 3)], "expected all 3 shards, missing 2"),
        (
            [shard_of(1, 2), shard_of(1, 2)],
            "1.json: expected each shard once, found number 1 again, which 0.json holds",
        ),
        (
            [shard_of(1, 2), shard_of(2, 3)],
            "1.json: expected one of 2 shards as 0.json, found one of 3",
        ),
        (
            [Document([scoring.wer(reference="a", hypothesis="a")])],
            "0.json: expected a shard, found a whole result",
        ),
        (
            [shard_of(1, 2), Document([scoring.wer(reference="a", hypothesis="a")])],
            "1.json: expected one of 2 shards as 0.json, found a whole result",
        ),
        (
            [shard_of(1, 2), Document([scoring.wer(reference="a", hypothesis="a")], Shard(2, 2))],
            "1.json: expected a shard of the same run as 0.json, found another",
        ),
    ],
    ids=["missing", "twice", "of another number", "whole", "one whole", "another run"],
)
def test_shards_that_do_not_belong_together(parts: list[Document], problem: str) -> None:
    with pytest.raises(ScoringError) as refused:
        merged([(f"{number}.json", part) for number, part in enumerate(parts)])
    assert str(refused.value) == problem
    assert refused.value.status == 2


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_no_record_brings_the_reader_down(data: st.DataObject) -> None:
    """A whole record with one value replaced is read or refused, never anything else."""
    content = json.loads(text_of(scoring.wer(reference=["a b"], hypothesis=["a c"])))
    holder: Any = content
    while True:
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        if not isinstance(holder[key], (dict, list)) or data.draw(st.booleans()):
            break
        holder = holder[key]
    holder[key] = data.draw(
        st.sampled_from([None, True, -1, 2**70, 0.5, "x", "CS", [], ["a"], {}, {"number": 1}])
    )
    assert refusal(json.dumps(content).encode()).startswith(("x.json: ", "none"))


def refusal(data: bytes) -> str:
    try:
        read_document("x.json", data)
    except RecordError as problem:
        return str(problem)
    return "none"
