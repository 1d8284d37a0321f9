"""Classes by name."""

from inspect import isgenerator
from typing import Any

import pytest

from scoring.peers.benchmarkstt import diff, metrics, normalization, output, segmentation
from scoring.peers.benchmarkstt import input as inputs
from scoring.peers.benchmarkstt.factory import ClassConfig, CoreFactory
from tests.each_case import each_case

FACTORIES: list[tuple[CoreFactory[Any], list[str]]] = [
    (normalization.factory, ["config", "file", "lowercase", "regex", "replace", "replacewords", "unidecode"]),
    (metrics.factory, ["beer", "cer", "diffcounts", "wer", "worddiffs"]),
    (diff.factory, ["ratcliffobershelp"]),
    (segmentation.factory, ["simple"]),
    (inputs.factory, ["file", "plaintext"]),
    (output.factory, ["json", "markdown", "restructuredtext"]),
]  # fmt: skip


@each_case(("factory", "names"), FACTORIES)
def test_names(factory: CoreFactory[Any], names: list[str]) -> None:
    assert factory.keys() == names
    assert isgenerator(iter(factory))
    for config in factory:
        assert type(config) is ClassConfig
        assert config.docs
        assert factory.is_valid(config.cls)
        assert factory[config.name.upper()] is config.cls
        assert config.name in factory
        assert config.cls in factory


@each_case(("factory", "names"), FACTORIES)
def test_what_is_not_there(factory: CoreFactory[Any], names: list[str]) -> None:
    message = f"Could not find class 'nope', available: {', '.join(names)}"
    with pytest.raises(ImportError, match=message):
        factory["nope"]
    with pytest.raises(ImportError):
        factory.create("nope")
    assert "nope" not in factory
    assert 3 not in factory
    with pytest.raises(KeyError):
        del factory["nope"]


@pytest.mark.parametrize(("factory", "_names"), FACTORIES)
@pytest.mark.parametrize("wrong", [True, None, "replace", 3, ClassConfig, object])
def test_what_is_no_class_of_the_kind(
    factory: CoreFactory[Any], _names: list[str], wrong: Any
) -> None:
    assert factory.is_valid(wrong) is False
    with pytest.raises(ValueError, match="Invalid class, not recognized as a"):
        factory.register(wrong)


def test_arguments() -> None:
    found = {config.name: config for config in normalization.factory}
    assert (found["config"].required_args, found["config"].optional_args) == (
        ["file"],
        ["section", "encoding"],
    )
    assert (found["file"].required_args, found["file"].optional_args) == (
        ["normalizer", "file"],
        ["encoding", "path"],
    )
    assert found["regex"].required_args == ["search", "replace"]
    assert found["lowercase"][3:] == ([], [])
    assert [config.optional_args for config in metrics.factory] == [
        ["entities_file"], ["mode", "differ_class"], ["mode", "differ_class"],
        ["mode", "differ_class"], ["dialect", "differ_class"],
    ]  # fmt: skip


def test_registering() -> None:
    class Shout(normalization.Normalizer):
        """Loud."""

        def _normalize(self, text: str) -> str:
            return text.upper()

    factory = normalization.factory
    factory.register(Shout)
    try:
        factory.register(Shout)  # again: nothing happens
        assert factory.create("SHOUT").normalize("a") == "A"
        with pytest.raises(ValueError, match=r"Conflict: alias 'replace' is already registered by"):
            factory.register(Shout, "Replace")
        factory.register(Shout, "yell")
        assert factory["yell"] is Shout
    finally:
        del factory[Shout]
    assert "shout" not in factory
    assert "yell" not in factory


def test_classes_with_the_right_methods() -> None:
    class Duck:
        def normalize(self, text: str) -> str:
            return text

        def compare(self, ref: object, hyp: object) -> int:
            return 0

        def result(self, title: str, result: object) -> None:
            return None

        def get_opcodes(self) -> list[object]:
            return []

        def __iter__(self) -> None:
            return None

    for factory in (normalization.factory, metrics.factory, output.factory):
        assert factory.is_valid(Duck)
    for strict in (diff.factory, segmentation.factory, inputs.factory):
        assert not strict.is_valid(Duck)


def test_base_classes_cannot_be_made() -> None:
    bases: list[type[Any]] = [
        normalization.Normalizer, normalization.NormalizerWithFileSupport, metrics.Metric,
        output.Output, output.SimpleTextBase, segmentation.Segmenter, inputs.Input,
    ]  # fmt: skip
    for base in bases:
        with pytest.raises(TypeError, match="abstract"):
            base()
