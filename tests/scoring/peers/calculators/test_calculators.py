"""The error calculators of attention, CTC and transducers: examples, formulas, defects answered."""

from __future__ import annotations

import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from scoring.model.counts import Counts
from scoring.peers.calculators import ErrorCalculator, ErrorCalculatorTransducer, ErrorTotals
from tests.each_case import each_case
from tests.programs import python

TOKENS = ["<blank>", "a", "b", "c", "d", "<space>"]
ATTENTION = ([[1, 2, 5, 3, 3, 0], [1, 0, 5, 4, 1, 1]], [[1, 2, 5, 3, 4, -1], [1, 5, 4, -1, -1, -1]])
TRANSDUCER = ([[1, 2, 5, 3], [4]], [[1, 2, 5, 4, 0], [4, 5, 1, 0, 0]])
CTC = (
    [[1, 1, 0, 1, 2, 2, 5, 3, 3], [0, 0, 4, 4, 0, 0, 0, 0, 0]],
    [[1, 1, 2, 5, 3, -1], [4, 4, -1, -1, -1, -1]],
)


class Tensor:
    """Stands for a tensor of a library of networks that lies on another device."""

    def __init__(self, values: Any, on_device: bool = True) -> None:
        self.values = values
        self.on_device = on_device

    def cpu(self) -> Tensor:
        return Tensor(self.values, on_device=False)

    def tolist(self) -> Any:
        assert not self.on_device
        return self.values


class Eager:
    """Stands for a tensor that becomes an array only."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def numpy(self) -> np.ndarray[Any, Any]:
        return np.asarray(self.values)


def identity(values: Any) -> Any:
    return values


FORMS = [
    identity, lambda rows: tuple(map(tuple, rows)), np.array,
    lambda rows: np.array(rows, dtype=np.int32), lambda rows: np.array(rows, dtype=np.float32),
    lambda rows: [np.array(row) for row in rows],
    lambda rows: [[np.int64(one) for one in row] for row in rows], Tensor,
    lambda rows: [Tensor(row) for row in rows], Eager,
]  # fmt: skip


def attention(**options: Any) -> ErrorCalculator:
    return ErrorCalculator(TOKENS, "<space>", "<blank>", True, True, **options)


def transducer(decoder: Any = identity, **options: Any) -> ErrorCalculatorTransducer:
    return ErrorCalculatorTransducer(
        decoder, None, TOKENS, "<space>", "<blank>", report_cer=True, report_wer=True, **options
    )


@each_case("form", FORMS)
def test_attention(form: Any) -> None:
    predictions, targets = map(form, ATTENTION)
    calculator = attention()
    assert calculator(predictions, targets) == (2 / 6, 2 / 4)
    assert calculator.convert_to_char(predictions, targets) == (["ab cc", "a "], ["ab cd", "a d"])
    totals = calculator.count_errors(predictions, targets)
    assert totals.characters == Counts(4, 1, 1, 0)
    assert totals.words == Counts(2, 1, 1, 0)
    assert totals.utterances == 2


@each_case("form", FORMS)
def test_ctc(form: Any) -> None:
    predictions, targets = map(form, CTC)
    calculator = ErrorCalculator(TOKENS, "<space>", "<blank>")
    assert calculator(predictions, targets, is_ctc=True) == 1 / 6
    assert calculator.calculate_cer_ctc(predictions, targets) == 1 / 6
    totals = calculator.count_errors(predictions, targets, is_ctc=True)
    assert totals.characters == Counts(5, 0, 1, 0)


def test_transducer() -> None:
    predictions, targets = TRANSDUCER
    calculator = transducer()
    assert calculator(predictions, targets) == (2 / 5, 2 / 4)
    assert calculator.convert_to_char(predictions, targets) == (["ab c", "d"], ["ab d", "d a"])
    assert calculator.count_errors(predictions, targets).characters == Counts(3, 1, 1, 0)


def test_what_is_reported() -> None:
    predictions, targets = ATTENTION
    for cer, wer in ((False, False), (True, False), (False, True), (True, True)):
        expected = (2 / 6 if cer else None, 2 / 4 if wer else None)
        own = ErrorCalculator(TOKENS, "<space>", "<blank>", report_cer=cer, report_wer=wer)
        assert own(predictions, targets) == expected
        # CTC gives its rate whatever is to be reported
        assert own(*CTC, True) == 1 / 6
        asked: list[object] = []
        other = ErrorCalculatorTransducer(
            lambda row, asked=asked: asked.append(row) or row,
            None,
            TOKENS,
            "<space>",
            "<blank>",
            cer,
            wer,
        )
        expected = (2 / 5 if cer else None, 2 / 4 if wer else None)
        assert other(*TRANSDUCER) == expected
        assert bool(asked) == (cer or wer)


def test_texts_against_texts() -> None:
    for calculator in (attention(), transducer()):
        assert calculator.calculate_cer(["hello", "world"], ["hallo", "word"]) == 2 / 9
        wer = calculator.calculate_wer(
            ["this is a test", "hello world"], ["this is test", "hello there world"]
        )
        assert wer == 2 / 6
        assert calculator.calculate_cer(["a b"], ["ab"]) == 0
        assert calculator.calculate_cer([], []) is None
        assert calculator.calculate_wer(["a"], [" "]) is None
        with pytest.raises(ValueError):
            calculator.calculate_cer(["a"], [])
    assert transducer().calculate_wer(["\u2581a\u2581b"], ["a b"]) == 0


def of_tokens(*tokens: str, space: str, blank: str) -> ErrorCalculatorTransducer:
    return ErrorCalculatorTransducer(identity, None, tokens, space, blank, True, True)


@each_case(
    ("calculator", "prediction", "target", "texts"),
    [
        (of_tokens("a", "b", " ", "_", space=" ", blank="_"), [0, 1, 2], [0, 1], ("ab ", "ab")),
        (of_tokens("a", "b", " ", "_", space=" ", blank="_"), [1, 0, 3], [1, 2], ("ba", "b ")),
        # the cut is where the padding of the target begins, otherwise at its end
        (attention(), [1, 2, 3, 4], [1, -1, 2, -1], ("a", "ab")),
        (attention(cut_to_reference=False), [1, 2, 3, 4], [1, -1, 2, -1], ("abcd", "ab")),
        (attention(), [1, 2, 3, 4], [1, 2], ("ab", "ab")),
        (attention(padding=0), [1, 2, 3], [1, 2, 0], ("ab", "ab")),
        # negative ids are padding, not the last tokens
        (attention(), [1, 2, 3], [1, -100, -100], ("a", "a")),
        (attention(), [1, -1], [1, 2], ("a", "ab")),
        (transducer(), [1, -1], [1, -1], ("a", "a")),
        # joined, these would be the space and the blank
        (of_tokens("_", "<", "s", ">", "__", "a", space="<s>", blank="__"), [5, 1, 2, 3, 5], [0, 0], ("a<s>a", "__")),
        (of_tokens("<b>", "the", "_cat", "sat_", space="_", blank="<b>"), [1, 2, 3], [1], ("the catsat ", "the")),
        # the blank of CTC is no text anywhere; in targets of attention it is what it is called
        (attention(), [1, 0], [1, 0], ("a", "a<blank>")),
        (transducer(), [1, 0], [1, 0], ("a", "a")),
        (attention(drop=[4, "c"]), [1, 3, 4, 2], [1, 4, 2, 3], ("ab", "ab")),
    ],
)  # fmt: skip
def test_texts(
    calculator: Any, prediction: list[int], target: list[int], texts: tuple[str, str]
) -> None:
    assert calculator.convert_to_char([prediction], [target]) == ([texts[0]], [texts[1]])


@each_case(
    ("predictions", "targets", "rate"),
    [
        # predictions are collapsed, before anything is dropped
        ([[1, 0, 1]], [[1, 1]], 0.0), ([[1, 1]], [[1, 1]], 0.5),
        ([[1, -1, 1, 5, 5, 2]], [[1, 1, 2]], 0.0), ([[1]], [[1, 0]], 0.0),
        # without reference there is no rate
        ([[1]], [[-1]], None), ([[0]], [[-1]], None), ([], [], None),
    ],
)  # fmt: skip
def test_rates_of_ctc(predictions: Any, targets: Any, rate: float | None) -> None:
    calculator = attention(cut_to_reference=False)
    assert calculator(predictions, targets, is_ctc=True) == rate
    if rate is None:
        assert calculator(predictions, targets) == (None, None)
        assert transducer()(predictions, targets) == (None, None)


def test_insertions_against_empty_references_are_not_lost() -> None:
    predictions, targets = [[1, 0, 2], [1]], [[-1], [1]]
    skipping = attention()
    assert skipping(predictions, targets, is_ctc=True) == 0.0
    totals = skipping.count_errors(predictions, targets, is_ctc=True)
    assert (totals.empty_references, totals.left_out) == (1, 2)
    counting = attention(empty_references="count")
    assert counting(predictions, targets, is_ctc=True) == 2.0
    assert counting([[1]], [[-1]], is_ctc=True) is None
    assert counting([[0]], [[-1]], is_ctc=True) is None


def test_sentence_pieces_are_words() -> None:
    tokens = ["<blank>", "\u2581the", "\u2581c", "at", "\u2581dog"]
    predictions, targets = [[1, 4]], [[1, 2, 3]]
    for calculator in (
        ErrorCalculator(tokens, "<space>", "<blank>", True, True, cut_to_reference=False),
        ErrorCalculatorTransducer(identity, None, tokens, "<space>", "<blank>", True, True),
    ):
        assert calculator(predictions, targets) == (3 / 6, 1 / 2)
    # the mark as a character, as in the original: one word, two characters more
    plain = ErrorCalculator(tokens, "<space>", "<blank>", True, True, word_boundary=None)
    assert plain(predictions, targets) == (3 / 8, 1 / 1)


def test_units() -> None:
    tokens = ["<blank>", "AH", "B", "SH", "<space>"]
    predictions, targets = [[1, 2, 4, 3]], [[3, 2, 4, 3]]
    by_character = ErrorCalculator(tokens, "<space>", "<blank>", True, cut_to_reference=False)
    by_token = ErrorCalculator(
        tokens, "<space>", "<blank>", True, cut_to_reference=False, unit="token"
    )
    assert by_character(predictions, targets) == (1 / 5, None)
    assert by_token(predictions, targets) == (1 / 3, None)
    assert by_token(predictions, targets, is_ctc=True) == 1 / 3


def test_tokens_instead_of_ids() -> None:
    rates = attention()([["a", "b"], ["<blank>", "c"]], [["a", "c"], ["c", "<space>", "d"]])
    assert rates == (2 / 4, 2 / 3)


def test_vocabularies_without_blank_or_space() -> None:
    calculator = ErrorCalculator(["a", "b"], "<space>", "<blank>", True, True)
    assert (calculator.idx_blank, calculator.idx_space) == (None, None)
    assert calculator([[0, 1]], [[0, 0]]) == (1 / 2, 1.0)
    assert (attention().idx_blank, attention().idx_space) == (0, 5)
    assert ErrorCalculator(["a", "b"], None, None, True, True)([[0, 1]], [[0, 0]]) == (1 / 2, 1.0)


class Hypothesis:
    def __init__(self, yseq: Any) -> None:
        self.yseq = yseq


@each_case(
    "answer",
    [
        identity, np.array, Tensor, lambda ids: [Hypothesis([0, *ids]), Hypothesis([0])],
        lambda ids: Hypothesis(Tensor([0, *ids])),
    ],
)  # fmt: skip
def test_what_decoders_give(answer: Any) -> None:
    calculator = transducer(lambda row: answer(list(row)))
    assert calculator.decode([[1, 2], [3]]) == [[1, 2], [3]]
    assert calculator.decode(np.array([[1, 2], [3, 4]])) == [[1, 2], [3, 4]]


def test_the_search_of_the_original() -> None:
    made: list[dict[str, object]] = []

    class Search:
        def __init__(self, decoder: object, joint_network: object, beam_size: int) -> None:
            made.append({"decoder": decoder, "joint": joint_network, "beam": beam_size})

        def __call__(self, encoder_out: Any) -> list[SimpleNamespace]:
            return [SimpleNamespace(yseq=[0, *encoder_out])]

    calculator = ErrorCalculatorTransducer(
        "decoder", "joint", TOKENS, "<space>", "<blank>", True, True, search=Search
    )
    assert made == [{"decoder": "decoder", "joint": "joint", "beam": 1}]
    assert calculator(*TRANSDUCER) == (2 / 5, 2 / 4)
    ErrorCalculatorTransducer(
        "decoder", "joint", TOKENS, "<space>", "<blank>", search=Search, beam_size=2
    )
    assert made[-1]["beam"] == 2


def test_what_cannot_decode() -> None:
    with pytest.raises(TypeError, match="search: expected the class of the beam search"):
        ErrorCalculatorTransducer(identity, "joint", TOKENS, "<space>", "<blank>")
    with pytest.raises(TypeError, match=r"decoder: expected a function .* found NoneType"):
        ErrorCalculatorTransducer(None, None, TOKENS, "<space>", "<blank>")
    with pytest.raises(TypeError, match=r"decoder: expected token ids or tokens .* found list"):
        transducer(lambda row: [[1]])([[1]], [[1]])


@each_case(
    ("predictions", "targets", "problem", "message"),
    [
        ([[1]], [], ValueError, "as many predictions as targets, found 1 and 0"),
        ([[6]], [[1]], IndexError, "predictions: expected token ids below 6, found 6 in utterance 0"),
        ([[1], [1]], [[1], [9]], IndexError, "targets: expected token ids below 6, found 9 in utterance 1"),
        ([1, 2], [[1], [2]], TypeError, "predictions: expected a sequence of tokens as utterance 0, found int"),
        (["ab"], [[1]], TypeError, "predictions: expected a sequence of tokens as utterance 0, found str"),
        ([[[0.1, 0.9]]], [[1]], TypeError, "predictions: expected token ids or tokens in utterance 0, found list"),
        ([[1.5]], [[1]], TypeError, "expected token ids or tokens in utterance 0, found float"),
        ([[True]], [[1]], TypeError, "found bool"),
        ([[None]], [[1]], TypeError, "found NoneType"),
        (3, [[1]], TypeError, "predictions: expected a batch of sequences, found int"),
        ("ab", [[1]], TypeError, "predictions: expected a batch of sequences, found str"),
    ],
)  # fmt: skip
def test_refusals(predictions: Any, targets: Any, problem: type[Exception], message: str) -> None:
    with pytest.raises(problem, match=message):
        attention(cut_to_reference=False)(predictions, targets)


def test_options_that_mean_nothing() -> None:
    with pytest.raises(ValueError, match="unit: expected one of char, token, found 'word'"):
        attention(unit="word")
    with pytest.raises(ValueError, match="empty_references: expected one of count, skip"):
        attention(empty_references="drop")
    with pytest.raises(TypeError, match="drop: expected ids or tokens, found str"):
        attention(drop="abc")
    with pytest.raises(TypeError, match="tokens: expected texts, found int"):
        ErrorCalculator([1], "<space>", "<blank>")  # type: ignore[list-item]


def test_nothing_heavy_is_loaded() -> None:
    program = (
        "import sys\n"
        "from scoring.peers.calculators import ErrorCalculator\n"
        "ErrorCalculator(['a'], None, None, True)([[0]], [[0]])\n"
        "assert not {'torch', 'numpy', 'jax', 'tensorflow'} & set(sys.modules)\n"
    )
    python("-c", program, check=True)


def test_totals_are_of_the_whole() -> None:
    calculator = ErrorCalculator(["<blank>", "a", "b", "<space>"], "<space>", "<blank>")
    batches = [
        calculator.count_errors([[1]], [[2]]),
        calculator.count_errors([[1, 1, 1]], [[1, 1, 1]]),
    ]
    assert [batch.cer for batch in batches] == [1.0, 0.0]
    total = sum(batches, ErrorTotals())
    assert (total.cer, total.wer, total.utterances) == (0.25, 0.5, 2)
    assert sum(batches) == total == pickle.loads(pickle.dumps(total))
    assert ErrorTotals().cer is None
    with pytest.raises(TypeError, match="unsupported operand"):
        total + 1


def test_padding_of_texts() -> None:
    calculator = ErrorCalculator(["a"], "<space>", "<blank>", padding="<pad>")
    totals = calculator.count_errors([["a", "b", "c"]], [["a", "<pad>", "<pad>"]])
    assert totals.characters == Counts(1)


def test_empty_references() -> None:
    rows = [[1, 2], [1]], [[-1, -1], [1, -1]]
    assert transducer().count_errors(*rows).cer == 2.0
    totals = transducer(empty_references="skip").count_errors(*rows)
    assert (totals.cer, totals.empty_references, totals.left_out) == (0.0, 1, 2)
