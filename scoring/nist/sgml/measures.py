"""The numbers after the words of a slot in SGML: times, confidences and weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from formats.schema import NamedTuple
from scoring.alignment.system import (
    HYPOTHESIS_CONFIDENCES,
    HYPOTHESIS_TIMES,
    HYPOTHESIS_WEIGHTS,
    REFERENCE_CONFIDENCES,
    REFERENCE_TIMES,
    REFERENCE_WEIGHTS,
)
from scoring.nist.transcripts import lexicon

NO_WEIGHT = -1.0


class WordMeasure(NamedTuple):
    """One entry of the attribute `word_aux`."""

    name: str  # as in the list
    of_reference: bool  # the side whose words have it
    kind: str  # `times`, `confidences`, `weights`, or nothing if its values are read and dropped
    bit: int  # what it says of an utterance, a bit of `Utterances.attributes`


MEASURES = (
    WordMeasure("r_t1+t2", True, "times", REFERENCE_TIMES),
    WordMeasure("h_t1+t2", False, "times", HYPOTHESIS_TIMES),
    WordMeasure("r_conf", True, "confidences", REFERENCE_CONFIDENCES),
    WordMeasure("h_conf", False, "confidences", HYPOTHESIS_CONFIDENCES),
    WordMeasure("r_weight", True, "weights", REFERENCE_WEIGHTS),
    WordMeasure("h_weight", False, "weights", HYPOTHESIS_WEIGHTS),
    WordMeasure("h_spkr", False, "", 0),
    WordMeasure("h_isSpkrSub", False, "", 0),
)


def parse_measures(text: str, warn: Callable[[str], None]) -> tuple[WordMeasure, ...]:
    """Parse the list of the attribute `word_aux`.

    A name that begins with a known name counts as this name. Any other name causes a warning. As in
    sclite, an unknown name is removed from the list, so that each later name gets the value of the
    name before it.

    >>> [one.name for one in parse_measures("h_t1+t2,h_conf", print)]
    ['h_t1+t2', 'h_conf']
    """

    def named() -> Iterator[WordMeasure]:
        rest = text
        while rest:
            measure = next(
                (candidate for candidate in MEASURES if rest.startswith(candidate.name)), None
            )
            if measure is None:
                warn(f"Warning: Unknown word auxiliary info type '{rest}'\n")
            else:
                yield measure
            rest = rest.partition(",")[2]

    return tuple(named())


def number(text: str) -> float:
    """Return the number with which a text begins, as C's `atof` does; 0 without a number.

    >>> number("1.5x"), number("x"), number("0x10"), number(" -.5e1")
    (1.5, 0.0, 16.0, -5.0)
    """
    return lexicon.number(text.encode("latin-1"))
