"""`sclite_kit.compat.jiwer` against the installed jiwer: names, numbers, chunks, texts, errors."""

import dataclasses
import inspect
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import sclite_kit.compat.jiwer as ours
from tests.each_case import each_case

theirs = pytest.importorskip("jiwer")
FUNCTIONS = ("wer", "mer", "wil", "wip", "cer", "process_words", "process_characters")
COMPOSITIONS = tuple(name for name in dir(theirs) if name.startswith(("wer_", "cer_")))
TEXTS = [
    "",
    "  ",
    "You're   PRETTY, isn't it?",
    "she'll say won't, can't, let's, they're, I'd, 'twas, we've, I'm",
    "\tnew\nline \x0b\x0c\r done ",
    "mr <unk> likes [laugh] mrs. «naïve» – 日本。",
    "a_b c-d foo foobar mr",
]
TRANSFORMS: list[Callable[[Any], Any]] = [
    lambda jiwer: jiwer.ExpandCommonEnglishContractions(),
    lambda jiwer: jiwer.ReduceToListOfListOfChars(),
    lambda jiwer: jiwer.ReduceToListOfListOfWords(),
    lambda jiwer: jiwer.ReduceToListOfListOfWords(word_delimiter="_"),
    lambda jiwer: jiwer.ReduceToSingleSentence(),
    lambda jiwer: jiwer.ReduceToSingleSentence("_"),
    lambda jiwer: jiwer.RemoveEmptyStrings(),
    lambda jiwer: jiwer.RemoveKaldiNonWords(),
    lambda jiwer: jiwer.RemoveMultipleSpaces(),
    lambda jiwer: jiwer.RemovePunctuation(),
    lambda jiwer: jiwer.RemoveSpecificWords(["mr", "foo"]),
    lambda jiwer: jiwer.RemoveWhiteSpace(),
    lambda jiwer: jiwer.RemoveWhiteSpace(replace_by_space=True),
    lambda jiwer: jiwer.Strip(),
    lambda jiwer: jiwer.SubstituteRegexes({r"\b(\w+)r\b": r"\1", "o": "0"}),
    lambda jiwer: jiwer.SubstituteWords({"mr": "mister", "foo": "bar"}),
    lambda jiwer: jiwer.ToLowerCase(),
    lambda jiwer: jiwer.ToUpperCase(),
    lambda jiwer: jiwer.transforms.BaseRemoveTransform(["oo", "0"], "0"),
    *(lambda jiwer, name=name: getattr(jiwer, name) for name in COMPOSITIONS),
]


def outcome(function: Callable[..., Any], *arguments: Any, **choices: Any) -> object:
    """The result, or the error."""
    try:
        result = function(*arguments, **choices)
    except Exception as error:
        return type(error), str(error)
    return dataclasses.asdict(result) if dataclasses.is_dataclass(result) else result  # type: ignore[arg-type]


def random_texts(seed: int) -> tuple[list[str], list[str]]:
    """Sides of few different words; some texts are empty."""
    draw = random.Random(seed)
    words = ["a", "bb", "ccc", "Dd", "é"][: draw.randint(2, 5)]
    texts = draw.randint(1, 4)
    return tuple(  # type: ignore[return-value]
        [" ".join(draw.choices(words, k=draw.randint(0, 9))) for _ in range(texts)]
        for _ in range(2)
    )


def test_every_name_of_jiwer_is_there_with_its_parameters() -> None:
    names = [name for name in dir(theirs) if not name.startswith("_") and name != "cli"]
    assert sorted(set(names) - set(dir(ours))) == []
    for name in names:
        original, copy = getattr(theirs, name), getattr(ours, name)
        if inspect.isfunction(original) or inspect.isclass(original):
            assert list(inspect.signature(copy).parameters) == [
                *inspect.signature(original).parameters
            ], name
    for module in ("alignment", "measures", "process", "transformations", "transforms"):
        listed = set(getattr(theirs, module).__all__)
        assert listed <= set(dir(getattr(ours, module))), module


@each_case("number", range(len(TRANSFORMS)))
def test_transforms_are_those_of_jiwer(number: int) -> None:
    original, copy = TRANSFORMS[number](theirs), TRANSFORMS[number](ours)
    for texts in [*TEXTS, TEXTS, [], [""], None, ("a",), 3]:
        assert outcome(copy, texts) == outcome(original, texts), texts


@each_case("name", FUNCTIONS)
def test_numbers_and_chunks_are_those_of_jiwer(name: str) -> None:
    original, copy = getattr(theirs, name), getattr(ours, name)
    for seed in range(150):
        sides = random_texts(seed)
        assert outcome(copy, *sides) == outcome(original, *sides), sides
        one = sides[0][0], sides[1][0]
        assert outcome(copy, *one) == outcome(original, *one), one


@each_case("name", COMPOSITIONS)
def test_the_compositions_of_jiwer_can_be_exchanged(name: str) -> None:
    for seed in range(40):
        sides = random_texts(seed)
        results = [
            outcome(
                jiwer.process_words,
                *sides,
                reference_transform=getattr(jiwer, name),
                hypothesis_transform=getattr(other, name),
            )
            for jiwer, other in ((ours, theirs), (theirs, ours))
        ]
        assert results[0] == results[1], sides


def test_texts_are_those_of_jiwer() -> None:
    for seed in range(150):
        sides = random_texts(seed)
        draw = random.Random(seed)
        for process in ("process_words", "process_characters"):
            original, copy = getattr(theirs, process)(*sides), getattr(ours, process)(*sides)
            choices: dict[str, Any] = {
                "show_measures": draw.random() < 0.5,
                "skip_correct": draw.random() < 0.5,
                "line_width": draw.choice([None, 3, 12, 20]),
            }
            assert ours.visualize_alignment(copy, **choices) == theirs.visualize_alignment(
                original, **choices
            ), (sides, choices)
            assert ours.collect_error_counts(copy) == theirs.collect_error_counts(original)
            kinds: dict[str, Any] = {
                f"show_{kind}": draw.random() < 0.7
                for kind in ("substitutions", "insertions", "deletions")
            }
            kinds["top_k"] = draw.choice([None, 1, 2])
            assert ours.visualize_error_counts(copy, **kinds) == theirs.visualize_error_counts(
                original, **kinds
            ), (sides, kinds)


@each_case(
    "arguments",
    [
        (["a"], ["a", "b"]),
        (None, "a"),
        (("a",), ["a"]),
        ([1], ["a"]),
        ("a", "a", theirs.Strip(), theirs.Strip()),
        ("a", "a", theirs.wer_default, theirs.Strip()),
        ("a b", "a", theirs.cer_default, theirs.cer_default),
        (["a", "b"], "a b", theirs.wer_contiguous, theirs.wer_contiguous),
    ],
)
def test_errors_are_those_of_jiwer(arguments: tuple[Any, ...]) -> None:
    assert outcome(ours.process_words, *arguments) == outcome(theirs.process_words, *arguments)
    assert outcome(ours.wer, *arguments) == outcome(theirs.wer, *arguments)


def test_chunks_check_their_arguments() -> None:
    assert ours.AlignmentChunk("replace", 0, 1, 0, 1).type == "substitute"
    for arguments in [("swap", 0, 1, 0, 1), ("equal", 2, 1, 0, 1), ("equal", 0, 1, 2, 1)]:
        with pytest.raises(ValueError, match=r"expected equal|is larger than"):
            ours.AlignmentChunk(*arguments)


def test_subclasses_of_a_transform_need_their_own_step() -> None:
    with pytest.raises(NotImplementedError):
        ours.AbstractTransform()("a")
    chunk = ours.AlignmentChunk("equal", 0, 1, 0, 1)
    chunk.type = "swap"
    output = ours.process_words("a", "a")
    output.alignments = [[chunk]]
    with pytest.raises(ValueError, match="unparseable op name=swap"):
        ours.visualize_alignment(output, skip_correct=False)


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("process_words", "use sclite_kit.wer or sclite_kit.compat.jiwer.process_words (import "),
        (
            "Compose",
            "use sclite_kit.compat.jiwer.Compose (import sclite_kit.compat.jiwer as jiwer)",
        ),
        ("compute_measures", "'compute_measures'; use sclite_kit.wer"),
    ],
)
def test_a_missing_name_of_jiwer_is_answered_with_its_successor(name: str, advice: str) -> None:
    code = f"import sclite_kit as jiwer\njiwer.{name}"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert advice in result.stderr
    assert "Did you mean" not in result.stderr


def test_modules_are_importable_by_jiwers_names() -> None:
    code = (
        "from sclite_kit.compat.jiwer.transforms import Compose\n"
        "from sclite_kit.compat import jiwer, kaldialign\n"
        "import scoring.peers.jiwer.transforms\n"
        "assert jiwer.transforms.Compose is Compose is scoring.peers.jiwer.transforms.Compose\n"
        "print(kaldialign.__name__)"
    )
    output = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert output == "sclite_kit.compat.kaldialign\n"
