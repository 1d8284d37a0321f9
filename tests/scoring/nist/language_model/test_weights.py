"""Weighing words, and finding the file of the model."""

from __future__ import annotations

import gzip
import os
from array import array
from collections.abc import Mapping
from math import inf
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.alignment.numbered import NumberedSide
from scoring.nist.language_model.model import ModelError
from scoring.nist.language_model.model_files import read_model
from scoring.nist.language_model.weights import LanguageModelWeights
from scoring.nist.transcripts.lexicon import Lexicon

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.alignment.numbered import Branch


MODELS = Path(__file__).resolve().parents[3] / "golden" / "lm" / "models"
TINY = b"\\data\\\nngram 1=2\n\\1-grams:\n-1 a\n-2 b\n\\end\\\n"


def nothing(text: str) -> None:
    del text


def weigher(name: str) -> LanguageModelWeights:
    path = str(MODELS / name)
    return LanguageModelWeights(path, path, nothing)


class Texts:
    """Utterances of one side, in a lexicon of their own."""

    def __init__(self, *texts: str, optional: bool = False) -> None:
        self.lexicon = Lexicon(optional_deletable=optional)
        words = [text.split() for text in texts]
        ends = [sum(map(len, words[: number + 1])) for number in range(len(words))]
        self.side = NumberedSide(
            array("i", [self.lexicon.intern(word) for text in words for word in text]),
            array("q", [0, *ends[:-1]]),
            array("q", ends),
        )

    def weigh(
        self, model: LanguageModelWeights, graphs: Mapping[int, Branch] | None = None
    ) -> list[float]:
        """The weights of all words, the other side being empty."""
        self.side.graphs.update(graphs or {})
        nowhere = array("q", [0]) * len(self.side.begins)
        empty = NumberedSide(array("i"), nowhere, nowhere[:])
        weighing = model.weigh(self.side, empty, self.lexicon.types())
        if weighing.failure is not None:
            raise weighing.failure
        assert self.side.weights is not None
        return [round(weight, 6) for weight in self.side.weights]


FARMER = [2.640840, 4.056005, 3.858825, 3.406492, 4.406492, 5.249813]


def test_a_word_is_weighed_after_the_two_before_it() -> None:
    text = Texts("the farmer carries a small lamp", "the farmer carry a lamp")
    weights = text.weigh(weigher("tri.blm"))
    assert weights[:6] == FARMER
    # an unknown word weighs 20; nothing is known of what follows it
    assert weights[6:] == [2.640840, 4.056005, 20.0, 3.545560, 6.475733]


def test_optional_words_weigh_nothing_and_are_history() -> None:
    model = weigher("tri.blm")
    assert Texts("the (farmer) carries", optional=True).weigh(model) == [FARMER[0], 0.0, FARMER[2]]
    assert Texts("the (farmer)").weigh(model) == [FARMER[0], 20.0]


def test_alternatives_lead_to_the_mean() -> None:
    model = weigher("tri.blm")
    ways = [Texts(text).weigh(model) for text in ("the farmer carries a", "a small lamp a")]
    text = Texts("the farmer a small carries lamp a")
    graph: Branch = (((0, 1), (2, 3)), ((4,), (5,)), 6)
    both = text.weigh(model, {0: graph})
    assert both[:2] == ways[0][:2]
    assert both[2:4] == ways[1][:2]
    histories = ("farmer carries", "farmer lamp", "small carries", "small lamp")
    last = [Texts(f"{history} a").weigh(model)[-1] for history in histories]
    assert both[6] == pytest.approx(sum(last) / 4, abs=1e-6)


def test_a_graph_that_is_a_chain_is_a_sequence() -> None:
    text = Texts("the farmer carries a small lamp")
    assert text.weigh(weigher("tri.blm"), {0: tuple(range(6))}) == FARMER


def test_remarks_are_repeated_and_infinite_weights_reported() -> None:
    said: list[str] = []
    path = str(MODELS / "abs.blm")
    model = LanguageModelWeights(path, path, said.append)
    text = Texts("yacht", "the", "the yacht")
    empty = NumberedSide(array("i"), array("q", [0, 0, 0]), array("q", [0, 0, 0]))
    weighing = model.weigh(text.side, empty, text.lexicon.types())
    assert weighing.infinite == {0, 2}
    assert weighing.failed is None
    assert said == ["Warning : P( 45 ) == 0\n"] * 2


def test_the_model_is_read_when_the_first_word_is_weighed() -> None:
    model = LanguageModelWeights("not-there", "not-there", nothing)
    assert Texts("", "").weigh(model) == []
    text = Texts("", "word", "word")
    weighing = model.weigh(text.side, text.side, text.lexicon.types())
    assert weighing.failed == 1
    assert str(weighing.failure) == (
        "rr_iopen: None of 'not-there' 'not-there.Z' or 'not-there.gz' exist.\n"
    )


def test_a_word_without_text_cannot_be_weighed() -> None:
    with pytest.raises(ModelError, match="sih_lookup ERROR: cannot hash the null string"):
        Texts("the ;tag").weigh(weigher("bi.blm"))


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(["uni", "bi", "tri", "wb", "lin", "tb", "ctx", "four", "abs"]),
    text=st.lists(
        st.sampled_from(["the", "a", "farmer", "@", "(the)", "(farmer)", "x-", "<s>", "yacht"]),
        max_size=9,
    ),
    optional=st.booleans(),
)
def test_every_text_can_be_weighed(name: str, text: list[str], optional: bool) -> None:
    weights = Texts(" ".join(text), optional=optional).weigh(weigher(f"{name}.blm"))
    assert len(weights) == len(text)
    assert all(0 <= weight <= inf for weight in weights)


@pytest.fixture
def folder(current_folder: Path) -> Path:
    return current_folder


@pytest.mark.parametrize("suffix", [".gz", ".Z"])
@pytest.mark.parametrize("named", [False, True])
def test_compressed_models(folder: Path, suffix: str, named: bool) -> None:
    (folder / f"m{suffix}").write_bytes(gzip.compress((MODELS / "uni.blm").read_bytes()))
    name = f"m{suffix}" if named else "m"
    assert read_model(name, name).number(b"the") > 0


def test_files_of_compress(folder: Path) -> None:
    # codes of nine bits, each of them a byte: what compress makes of a text without repetitions
    bits = sum(byte << (9 * place) for place, byte in enumerate(TINY))
    coded = bits.to_bytes((9 * len(TINY) + 7) // 8, "little")
    (folder / "m.Z").write_bytes(b"\x1f\x9d\x90" + coded)
    assert read_model("arpa:m", "arpa:m").number(b"b") == 2


def test_arpa_texts_are_read_when_they_are_called_so(folder: Path) -> None:
    (folder / "m").write_bytes(TINY)
    assert read_model("arpa:m", "arpa:m").number(b"a") == 1
    with pytest.raises(ModelError, match="appears to be corrupted"):
        read_model("m", "m")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no", "rr_iopen: None of 'no' 'no.Z' or 'no.gz' exist.\n"),
        ("no.gz", "rr_iopen: file 'no.gz' not found\n"),
        ("n" * 240, f"rr_iopen: pathname '{'n' * 240}' is too long\n"),
        ("folder", "sclite: folder: cannot be read: Is a directory\n"),
        ("bad.gz", "sclite: bad.gz: expected a file compressed by gzip or compress, found "),
        ("bad.Z", "sclite: bad.Z: gzip cannot decompress it: "),
        ("empty", "rr_fread: problems reading from lm file.  Only 0 of 1 elements were read\n"),
    ],
)
def test_files_that_are_no_models(folder: Path, name: str, said: str) -> None:
    os.mkdir("folder")
    (folder / "bad.gz").write_bytes(b"\x1f\x8bxyz")
    (folder / "bad.Z").write_bytes(b"\x1f\x9d")
    (folder / "empty").touch()
    with pytest.raises(ModelError) as caught:
        read_model(name, name)
    assert str(caught.value).startswith(said)
    assert caught.value.status == 255
