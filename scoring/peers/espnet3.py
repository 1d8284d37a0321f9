"""A metric for ESPnet3's evaluator: error rates, and scores of translation, in one result.

In the configuration of the evaluator:

    metrics:
      - metric:
          _target_: scoring.peers.espnet3.Scores
          normalize: whisper-english
          translation: true
        inputs: {ref: text_ref, hyp: text}

The result has ``wer``, ``cer`` and ``ser`` in percent, and with `translation` ``bleu``, ``chrf``
and ``ter`` of sacrebleu. The file `<output_dir>/<test_name>/sclite_kit.json` has the complete
result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from scoring.options import Options
from scoring.results.record import document_lines
from scoring.score import score
from scoring.score.rates import ErrorRates
from scoring.sides.given import File

__all__ = ["Scores"]

RATES = ("wer", "cer", "ser")
TRANSLATION = ("bleu", "chrf", "ter")
REPORT = "sclite_kit.json"
# Where ESPnet3 declares what its evaluator takes: release 202611, and sources before it.
FIELDS = ("espnet3.contract", "espnet3.api.inference")
BASES = {
    "espnet3.components.metrics.base_metric": "BaseMetric",
    "espnet3.components.metrics.abs_metric": "AbsMetrics",
}


class DeclaredField(NamedTuple):
    """Stands in for ESPnet3's class of declared inputs and outputs if ESPnet3 is not installed."""

    name: str
    kind: str


def _field(name: str, kind: str) -> Any:
    """Return a field of the installed ESPnet3, or `DeclaredField` if ESPnet3 is not installed."""
    for module in FIELDS:
        with suppress(ModuleNotFoundError):
            return import_module(module).Field(name, kind)
    return DeclaredField(name, kind)


def _be_metric(metric: type) -> None:
    """Register a class as a metric of ESPnet3, if ESPnet3 is installed."""
    for module, name in BASES.items():
        with suppress(ModuleNotFoundError):
            getattr(import_module(module), name).register(metric)


class Scores:
    """A metric that ESPnet3's evaluator calls with the references and hypotheses of a test set.

    Parameters
    ----------
    ref_key, hyp_key
        The names of the inputs that hold the references and the hypotheses.
    translation
        Also return BLEU, chrF2 and TER (needs the package sacrebleu).
    options
        Options of `scoring.wer` by name, such as `normalize`, `like`, `profile` or `measure`.

    Raises
    ------
    TypeError, ValueError
        If an option is unknown, or its value is out of range.

    Examples
    --------
    >>> Scores()({"ref": ["the cat sat"], "hyp": ["the bat sat"]}, "test", None)
    {'wer': 33.33333333333333, 'cer': 9.090909090909092, 'ser': 100.0}
    """

    def __init__(
        self, ref_key: str = "ref", hyp_key: str = "hyp", translation: bool = False, **options: Any
    ) -> None:
        _be_metric(type(self))
        self.ref_key, self.hyp_key = ref_key, hyp_key
        measures = [*options.pop("measures", ()), "characters"]
        measures += ["translation"] if translation else []
        self.options = Options(measures=list(dict.fromkeys(measures)), **options)
        names = RATES + (TRANSLATION if translation else ())
        self.reset()
        self.inputs = _field("ref", "text"), _field("hyp", "text")
        self.outputs = tuple(_field(name, "number") for name in names)

    def reset(self) -> None:
        """Remove the texts of all batches."""
        self._texts: dict[str, list[str]] = {"ref": [], "hyp": []}

    def update(self, *, ref: Sequence[str], hyp: Sequence[str]) -> None:
        """Add a batch of references and hypotheses, in the same order."""
        self._texts["ref"] += ref
        self._texts["hyp"] += hyp

    def compute(self) -> dict[str, float]:
        """Return the numbers for all batches. Errors are counted as by `scoring.wer`."""
        return self._numbers(score(self._texts["ref"], self._texts["hyp"], self.options))

    def state(self) -> dict[str, list[str]]:
        """Return the texts of all batches, to be merged with the texts of other processes."""
        return {role: list(texts) for role, texts in self._texts.items()}

    def merge_states(self, states: Sequence[Mapping[str, Sequence[str]]]) -> dict[str, list[str]]:
        """Add the texts of several processes to those of this one; return all texts."""
        return {role: [text for state in states for text in state[role]] for role in self._texts}

    def load_state(self, state: Mapping[str, Sequence[str]]) -> None:
        """Replace the texts by the texts of a state; raises KeyError if a side is missing."""
        self._texts = {role: list(state[role]) for role in self._texts}

    def input_sources(self) -> dict[str, str]:
        """Return, for each argument of `update`, the name of the input that supplies it."""
        return {"ref": self.ref_key, "hyp": self.hyp_key}

    def __call__(
        self,
        data: Mapping[str, str | Path | Sequence[str]],
        test_name: str,
        output_dir: str | Path | None,
    ) -> dict[str, float]:
        """Return the numbers of a test set.

        Parameters
        ----------
        data
            The inputs by name: files with a line `ID TEXT` per utterance, or lists of texts.
        test_name, output_dir
            The full result is written to a file below them; None: nowhere.

        Raises
        ------
        KeyError
            If an input is missing.
        formats.FormatError, scoring.ScoringError
            If a file cannot be read, or its utterances do not match.
        """
        sides = [
            _side(data[role if role in data else key])
            for role, key in (("ref", self.ref_key), ("hyp", self.hyp_key))
        ]
        rates = score(sides[0], sides[1], self.options)
        if output_dir is not None:
            folder = Path(output_dir, test_name)
            folder.mkdir(parents=True, exist_ok=True)
            folder.joinpath(REPORT).write_bytes(b"".join(document_lines([rates])))
        return self._numbers(rates)

    def _numbers(self, rates: ErrorRates) -> dict[str, float]:
        characters = rates.measured["characters"]["cer"]
        shares = rates.corpus_rate, characters, rates.sentence_error_rate
        numbers = {
            name: 0.0 if share is None else 100 * share
            for name, share in zip(RATES, shares, strict=True)
        }
        for name in TRANSLATION if "translation" in rates.measured else ():
            numbers[name] = rates.measured["translation"][name] or 0.0
        return numbers


def _side(side: str | Path | Sequence[str]) -> Any:
    """Return a side in a form that `scoring.wer` accepts: a file with ids, or a list of texts."""
    return File(Path(side), format="kaldi") if isinstance(side, (str, Path)) else list(side)
