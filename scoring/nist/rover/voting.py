"""The vote over each set of aligned words, and the lines of the output.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

from itertools import pairwise
from math import copysign

from formats.schema import NamedTuple
from scoring.alignment import load_core
from scoring.nist.rover.candidates import (
    BY_LARGEST,
    RESULT,
    VotingColumns,
    candidates_of,
    scorer,
    winner_of,
)
from scoring.nist.transcripts.characters import to_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Sequence

    from scoring.nist.rover.candidates import Candidate
    from scoring.nist.rover.plain import vote_on_sets
    from scoring.nist.rover.rover_words import RoverWords
else:
    _module = load_core()
    if _module is None:
        from scoring.nist.rover import plain as _module
    vote_on_sets = _module.vote_on_sets

# The numbers of the rules of `vote_on_sets`.
RULES = {"meth1": 0, "meth1a": 0, **dict.fromkeys(BY_LARGEST, 1), "avgconf": 2}


class SetPlace(NamedTuple):
    """The conversation and the channel of a set, as the output has them."""

    conversation: str
    channel: str


class Vote:
    """Chooses the winner of each set of words, and formats it as a line of byte text."""

    def __init__(self, words: RoverWords, method: str, alpha: float, careful: bool) -> None:
        self._words = words
        self._method = method
        self._alpha = alpha
        self._score = scorer(method, alpha)
        self._printed = _printed_odd if careful else str.__mod__
        self._rule = None if careful else RULES.get(method)

    def run(self, sets: Iterable[Sequence[int]], location: SetPlace, lines: list[str]) -> None:
        """Vote over the sets in order; append the line of each winner to `lines`."""
        method = self._method
        mark = f"{location.conversation} {location.channel} * * <ALT"
        columns = self._columns()
        for members in sets:
            candidates, total = candidates_of(members, columns)
            winner = winner_of(candidates, self._score, len(members), total)
            if method == "putat":
                lines += self._putative(location, members)
            elif method != "oracle":
                if winner.text != self._words.null_text:
                    lines.append(self._line(location, winner))
            else:
                written = [self._line(location, candidate) for candidate in candidates]
                if len(written) == 1:
                    lines += written
                else:
                    every = f"{mark}>\n".join(written)
                    lines.append(f"{mark}_BEGIN>\n{every}{mark}_END>\n")

    def run_columns(
        self,
        members: memoryview[int],
        offsets: memoryview[int],
        location: SetPlace,
        lines: list[str],
    ) -> None:
        """Do the same for sets in columns (see `plain.align_files`)."""
        done = 0
        if self._rule is not None:
            text, done = vote_on_sets(
                members,
                offsets,
                *self._columns(),
                self._rule,
                self._alpha,
                self._words.texts,
                self._words.null_text,
                to_bytes(f"{location.conversation} {location.channel} "),
            )
            lines.append(text)
        if done < len(offsets) - 1:
            bounds = pairwise(offsets[done:])
            self.run((members[begin:end] for begin, end in bounds), location, lines)

    def _columns(self) -> VotingColumns:
        words = self._words
        return VotingColumns(words.voted, words.starts, words.finishes, words.confidences)

    def _line(self, location: SetPlace, candidate: Candidate) -> str:
        figures = candidate.figures(self._words.texts)
        return self._printed(f"%s %s {RESULT}", (*location, *figures))

    def _putative(self, location: SetPlace, members: Iterable[int]) -> Iterator[str]:
        words = self._words
        yield f"<putative_tag file={location.conversation} chan={location.channel} >\n"
        for word in members:
            values = (
                words.texts[words.voted[word]],
                words.starts[word],
                words.finishes[word],
                words.confidences[word],
                words.file_name(word),
            )
            template = '   <attrib tag="%s" t1="%f" t2="%f" conf="%f" tag1="%s">\n'
            yield self._printed(template, values)
        yield "</putative_tag >\n"


def _printed_odd(template: str, values: tuple[str | float, ...]) -> str:
    """Return values as C's printf prints them; NaN keeps its sign."""
    import re  # few files have such numbers

    left = iter(values)

    def field(directive: re.Match[str]) -> str:
        value = next(left)
        if isinstance(value, float) and value != value:
            return "-nan" if copysign(1.0, value) < 0.0 else "nan"
        return directive[0] % value

    return re.sub(r"%[.0-9]*[sf]", field, template)
