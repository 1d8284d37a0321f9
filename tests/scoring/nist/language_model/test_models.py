"""Readers of models: the binary ones against the toolkit's own text form of each."""

import math
import random
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.model.errors import InputError, ScoringError
from scoring.nist.language_model.arpa import ArpaModel
from scoring.nist.language_model.binary import read_binary
from scoring.nist.language_model.discounting import absolute, good_turing, linear, witten_bell
from scoring.nist.language_model.model import MalformedModelError, ModelError
from scoring.nist.language_model.ngrams import BackOffCodes, CountModel, NgramLevel
from tests.each_case import each_case
from tests.tables import table_of

MODELS = Path(__file__).resolve().parents[3] / "golden" / "lm" / "models"
NAMES = sorted(path.stem for path in MODELS.glob("*.blm"))
DECIMALS = 0.5e-4 + 1e-9
ORDERS = {
    "abs": 3, "bi": 2, "ctx": 3, "four": 4, "lin": 3, "tb": 3, "tri": 3, "uni": 1, "wb": 3
}  # fmt: skip


def binary(name: str) -> CountModel:
    return read_binary(f"{name}.blm", (MODELS / f"{name}.blm").read_bytes())


def arpa(name: str) -> ArpaModel:
    return ArpaModel(f"{name}.arpa", (MODELS / f"{name}.arpa").read_bytes())


def nothing(text: str) -> None:
    del text


def weight_or_error(read: Callable[[], CountModel | ArpaModel], words: list[int]) -> bool:
    """Whether a model gives a weight for the last of some words, or is refused with a text."""
    try:
        model = read()
        known = [number for number in words if number < len(model.words)] or [0]
        return model.bits(tuple(known[-model.order :]), nothing) >= 0
    except ScoringError as error:
        return bool(str(error))


@each_case("name", NAMES)
def test_every_listed_n_gram_has_the_probability_of_the_text_form(name: str) -> None:
    counted, listed = binary(name), arpa(name)
    assert counted.order == listed.order == ORDERS[name]
    spelt = {number: word for word, number in listed.words.items()}
    for numbers, entry in listed.entries.items():
        words = tuple(counted.number(spelt[number]) for number in numbers)
        probability = counted.probability(words, nothing)
        if entry.probability == -math.inf:
            assert probability == 0.0
        else:
            assert abs(math.log10(probability) - entry.probability) <= DECIMALS, words


@each_case("name", NAMES)
def test_unseen_n_grams_back_off_as_in_the_text_form(name: str) -> None:
    counted, listed = binary(name), arpa(name)
    draw = random.Random(name).choice
    words = sorted(word for word in listed.words if word in counted.words)
    longest = min(counted.order, 3)
    for _ in range(300):
        chosen = [draw([b"<never>", *words]) for _ in range(longest - 1)] + [draw(words)]
        exact = counted.bits(tuple(map(counted.number, chosen)), nothing)
        rounded = listed.bits(tuple(map(listed.number, chosen)), nothing)
        # up to three rounded logarithms are added
        assert exact == rounded or abs(exact - rounded) <= 3 * DECIMALS * math.log2(10), chosen


@each_case(("words", "probability"), table_of(__file__, "probabilities_of_the_trigram_model"))
def test_probabilities_of_the_trigram_model(words: str, probability: float) -> None:
    model = binary("tri")
    numbers = tuple(model.number(word.encode()) for word in words.split())
    assert round(model.probability(numbers, nothing), 6) == probability
    assert model.bits(numbers, nothing) == pytest.approx(-math.log2(probability), abs=1e-4)


def test_probability_zero_is_remarked_each_time() -> None:
    model = binary("abs")
    said: list[str] = []
    numbers = (model.number(b"the"), model.number(b"yacht"))
    assert model.bits(numbers, said.append) == math.inf
    assert model.bits(numbers[1:], said.append) == math.inf
    assert said == ["Warning : P( 45 ) == 0\n"] * 2


def small_model(*, unigrams: list[float], back_off: float, ratio: float = 0.5) -> CountModel:
    """Two words; the first is followed by the second once."""
    first = NgramLevel([], [0, 2, 1], [1.0, back_off, 1.0], [0, 0, 1], [0])
    second = NgramLevel([2], [1], [], [], [])
    discounts = [linear(1.0), linear(ratio)]
    return CountModel(
        "m", {b"a": 1, b"b": 2}, [0, 2, 1], unigrams, [first, second], discounts, None
    )


def test_a_probability_above_one_ends_it() -> None:
    model = small_model(unigrams=[0.1, 0.5, 0.4], back_off=3.0)
    with pytest.raises(ModelError) as caught:
        model.bits((1, 1), nothing)
    assert str(caught.value) == "Error : P( 1 | 1 ) = 1.5\n"
    assert caught.value.status == 255


def test_odd_probabilities_are_remarked() -> None:
    said: list[str] = []
    certain = small_model(unigrams=[0.0, 1.0, 0.5], back_off=1.0, ratio=2.0)
    assert certain.bits((1, 2), said.append) == 0.0
    assert said == ["Warning : P(1) = 1 (2 / 2)\n", "ncount = 1\n"]
    assert certain.bits((1,), said.append) == 0.0
    assert said[2:] == ["Warning : P( 1 ) == 1\n"]


def test_a_negative_probability_is_an_error() -> None:
    model = small_model(unigrams=[0.0, -0.5, 0.5], back_off=1.0)
    with pytest.raises(ModelError, match=r"contradicts itself: a probability of -0\.5"):
        model.bits((1,), nothing)


def test_discounts() -> None:
    assert good_turing([0.0, 0.25])(1, 9, 9) == 0.25
    assert good_turing([0.0, 0.25])(2, 9, 9) == 2.0
    assert linear(0.5)(3, 9, 9) == 1.5
    assert absolute(0.5)(3, 9, 9) == 2.5
    assert witten_bell(3, 6, 3) == 2.0
    # products of 32 bits, continuations of 16
    assert witten_bell(1 << 16, 1 << 15, 0) == -(1 << 31) / (1 << 15)
    assert witten_bell(3, 6, 65536 + 3) == 2.0


def test_codes_of_back_off_weights() -> None:
    codes = BackOffCodes(-3.2, 2.5, 55535, [0.0, 1.0])
    assert codes.weight(0) == 10**-3.2
    assert codes.weight(55535) == 10**2.5
    assert codes.weight(55536) == 10.0
    with pytest.raises(LookupError):
        codes.weight(55537)


# Where in `bi.blm` something stands, and what is said if it is something else.
DAMAGES = [
    (0, b"\0\0\0\1", "at byte 0: expected a binary model of the CMU-Cambridge toolkit"),
    (4, b"\0\0", "at byte 8: expected an order of at least 1, found 0"),
    (14, b"\0\7", "at byte 16: expected a discounting of 1 (Good-Turing)"),
]


@pytest.mark.parametrize(("offset", "bytes_there", "said"), DAMAGES)
def test_damaged_models_are_refused_with_the_place(
    offset: int, bytes_there: bytes, said: str
) -> None:
    data = bytearray((MODELS / "bi.blm").read_bytes())
    data[offset : offset + len(bytes_there)] = bytes_there
    with pytest.raises(MalformedModelError) as caught:
        read_binary("bi.blm", bytes(data))
    assert said in str(caught.value)


def test_a_word_table_of_another_version_is_refused_in_the_words_of_the_original() -> None:
    data = (MODELS / "bi.blm").read_bytes()
    at = data.index(struct.pack(">i", 940728))
    with pytest.raises(MalformedModelError) as caught:
        read_binary("bi.blm", data[:at] + struct.pack(">i", 7) + data[at + 4 :])
    first, second = str(caught.value).splitlines()
    assert first == (
        "sih_val_rd_fm_file ERROR: version of 'bi.blm' is 7, current version is 940728"
    )
    assert second == f"sclite: bi.blm: at byte {at}: expected a word table"


def test_other_kinds_of_files_are_named() -> None:
    said = {}
    for kind, data in {
        "arpa": (MODELS / "bi.arpa").read_bytes(),
        "opposite": struct.pack("<i", 970314),
        "other": b"abcd",
    }.items():
        with pytest.raises(MalformedModelError) as caught:
            read_binary("m", data)
        original, said[kind] = str(caught.value).splitlines()
        assert original == "Error : Language model file m appears to be corrupted."
    assert said["arpa"].endswith("found an ARPA text, which is given as `-L arpa:FILE`")
    assert said["opposite"].endswith("found one with its bytes in the opposite order")
    assert said["other"].endswith("found a file of another kind")


def test_an_empty_file_is_refused_in_the_words_of_the_original() -> None:
    with pytest.raises(MalformedModelError) as caught:
        read_binary("m", b"")
    assert str(caught.value).startswith(
        "rr_fread: problems reading from lm file.  Only 0 of 1 elements were read\n"
    )


def test_bytes_behind_the_end_are_ignored() -> None:
    model = read_binary("wb.blm", (MODELS / "wb.blm").read_bytes() + b"more")
    assert model.words == binary("wb").words


@settings(max_examples=30, deadline=None)
@given(name=st.sampled_from(["bi", "wb", "tb", "uni"]), cut=st.floats(0, 1, exclude_max=True))
def test_a_model_cut_short_is_refused(name: str, cut: float) -> None:
    data = (MODELS / f"{name}.blm").read_bytes()
    with pytest.raises(MalformedModelError, match="rr_fread: problems reading"):
        read_binary("m", data[: int(len(data) * cut)])


@settings(max_examples=30, deadline=None)
@given(
    name=st.sampled_from(["bi", "wb", "tb", "lin"]),
    damages=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=4))
    ),
    words=st.lists(st.integers(0, 30), min_size=1, max_size=3),
)
def test_a_damaged_model_gives_a_weight_or_an_error(
    name: str, damages: list[tuple[float, bytes]], words: list[int]
) -> None:
    data = bytearray((MODELS / f"{name}.blm").read_bytes())
    for place, content in damages:
        at = int(place * len(data))
        data[at : at + len(content)] = content
    assert weight_or_error(lambda: read_binary("m", bytes(data)), words)


SMALL = rb"""anything

\data\
ngram 1=3
ngram 2=1

\1-grams:
-1.0000 <unk> -0.5
-0.5000 a -0.3010
-0.2500 b

\2-grams:
-0.1000 a b

\end\
"""


def test_arpa_text() -> None:
    model = ArpaModel("m", SMALL)
    a, b = model.number(b"a"), model.number(b"b")
    assert model.number(b"c") == model.number(b"<unk>") == 0
    assert model.logarithm((a, b)) == -0.1
    assert model.logarithm((b, a)) == -0.5
    assert model.logarithm((a, a)) == pytest.approx(-0.8010)
    assert model.logarithm((0, b)) == -0.75
    assert model.bits((b,), nothing) == pytest.approx(0.25 * math.log2(10))


@each_case(
    ("old", "new", "said"),
    [
        (rb"\data\ ".strip(), b"", "m:16:1: expected a line of an ARPA model, found the end"),
        (b"ngram 1=3", b"ngram 2=3", "m:4:1: expected `ngram 1=…`, found 'ngram 2=3'"),
        (b"ngram 2=1", b"ngram 2=2", "m:15:1: expected a logarithm, 2 words"),
        (b"ngram 1=3", b"ngram 1=2", "m:10:1: expected `\\2-grams:`, found '-0.2500 b'"),
        (b"-0.5000 a", b"x a", "m:9:1: expected a decimal logarithm, found 'x'"),
        (b"-0.5000 a", b"0.5 a", "m:9:1: expected a logarithm of at most 0"),
        (b"-0.5000 a", b"nan a", "m:9:1: expected a decimal logarithm, found 'nan'"),
        (b"-0.1000 a b", b"-0.1 a c", "m:13:1: expected words that are among the 1-grams"),
        (b"-0.1000 a b", b"-0.1 a", "m:13:1: expected a logarithm, 2 words"),
        (b"\\end\\", b"\\stop\\", "m:15:1: expected `\\end\\`, found '\\\\stop\\\\'"),
    ],
)
def test_malformed_arpa_text_is_refused_with_its_line(old: bytes, new: bytes, said: str) -> None:
    assert old in SMALL
    with pytest.raises(InputError) as caught:
        ArpaModel("m", SMALL.replace(old, new, 1))
    assert str(caught.value).startswith(said)


def test_a_listed_model_above_one_is_refused() -> None:
    model = ArpaModel("m", SMALL.replace(b"-0.3010", b"1.5"))
    with pytest.raises(ModelError, match="gives a probability of 10"):
        model.bits((model.number(b"a"), model.number(b"a")), nothing)


@settings(max_examples=30, deadline=None)
@given(
    damages=st.lists(st.tuples(st.integers(0, len(SMALL) - 1), st.binary(max_size=3)), max_size=4)
)
def test_damaged_arpa_text_is_a_model_or_an_error(damages: list[tuple[int, bytes]]) -> None:
    data = bytearray(SMALL)
    for at, content in damages:
        data[at : at + 1] = content
    assert weight_or_error(lambda: ArpaModel("m", bytes(data)), [1])
