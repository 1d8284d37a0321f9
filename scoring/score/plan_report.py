"""The plan of a score as a report: formats, matching, rules and divisor.

The report is created without aligning words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from formats.schema.remarks import remark_records
from scoring.drawing.blocks import Block, Heading, Items, Table
from scoring.drawing.data import head_of, json_file
from scoring.options import FIELDS, flag_name
from scoring.results.stored import shown_option
from scoring.score.plan import DEFAULT, ScorePlan, source_of
from scoring.sides.matching.in_common import in_common
from scoring.sides.remarks import line_of

if TYPE_CHECKING:
    from scoring.options import Rules
    from scoring.sides.corpus import Corpus

SCHEMA, SCHEMA_VERSION = "sclite-kit/score-plan", 1
CUTS = {
    "time": "by the middle of each word in time; the last segment of a channel takes the rest",
    "time(time)": "by the middle of each word in time; words in no segment are insertions",
    "recording": "at the reference's segments, along the alignment of whole recordings",
    "recording(plain-alignment)": "at the reference's segments, along an alignment of plain words",
    "recording(hypothesis)": "at the hypothesis's segments, along the alignment",
}
LENGTHS = {
    "chosen": "the reference words of the chosen path",
    "written": "the words of the first reference as written",
    "shortest": "the words of the shortest path",
    "places": "the reference words of the chosen path, places with readings of a step as written",
}
# Rules that every plan lists; of the others those that somebody chose.
ALWAYS = ("unit", "normalize", "ignore_case", "profile", "missing", "match", "cut")


class PlannedScore:
    """The plan of scoring several systems, with the contents of their files."""

    def __init__(
        self, plan: ScorePlan, rules: Rules, pairs: Sequence[tuple[Corpus, Corpus]]
    ) -> None:
        self.plan = plan
        self.pairs = pairs
        self.ways = [rules.matched_by or self._matched_by(*pair) for pair in pairs]
        self.rules = [rules._replace(matched_by=way) for way in self.ways]

    def _matched_by(self, left: Corpus, right: Corpus) -> str:
        options = self.plan.options
        return in_common(left, right, False, options.missing, options.cut, options.match).by

    def sides(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield the role, path, format and number of utterances of each side."""
        shown: set[int] = set()
        for pair in self.pairs:
            for role, side in zip(("reference", "hypothesis"), pair, strict=True):
                if id(side) not in shown:
                    shown.add(id(side))
                    number = len(side.spoken if side.is_unnamed else side.identifiers)
                    yield role, side.name, side.format or "words", str(number)

    def options(self) -> Iterator[tuple[str, str, str]]:
        """Yield the flag, the value and the source of each rule."""
        options = self.plan.options
        ways = ", ".join(dict.fromkeys(self.ways))
        for name, item in FIELDS.items():
            if name == "cut" and options.cut is None:
                continue
            if name == "match" and options.match is None:
                yield "--match", ways, "what the files hold"
                continue
            source = source_of(self.plan, name)
            is_rule = item.moves and source != DEFAULT
            if name in ALWAYS or is_rule:
                yield flag_name(name), shown_option(name, options.value(name)), source

    def divisor(self) -> str:
        """Return a text that says by how many words the errors are divided."""
        return LENGTHS[self.plan.options.value("variants_length")]

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks of the page."""
        yield Heading("Plan of the score (nothing was scored)")
        rows = list(self.sides())
        yield Table(("side", "file", "read as", "utterances"), rows, 3)
        lines = []
        for (_, right), way in zip(self.pairs, self.ways, strict=True):
            cut = f"; cut {CUTS[way]}" if way in CUTS else ""
            lines.append(f"{right.name}: matched by {way}{cut}")
        lines.append(f"errors are divided by {self.divisor()}")
        yield Items(lines)
        yield Table(("option", "value", "because"), list(self.options()), 3)
        yield Items([f"signature: {text}" for text in dict.fromkeys(self.signatures())])
        if self.plan.notes:
            yield Items(list(map(line_of, self.plan.notes)))

    def signatures(self) -> list[str]:
        """Return the signature of each system."""
        return [rules.signature() for rules in self.rules]

    def record(self) -> dict[str, Any]:
        """Return the plan for JSON."""
        keys = ("side", "path", "format", "utterance_count")
        systems = zip(self.pairs, self.ways, self.signatures(), strict=True)
        return {
            "sides": [
                {**dict(zip(keys, row, strict=True)), "utterance_count": int(row[3])}
                for row in self.sides()
            ],
            "systems": [
                {
                    "hypothesis": pair[1].name,
                    "matched_by": way,
                    "cut": CUTS.get(way),
                    "signature": signature,
                }
                for pair, way, signature in systems
            ],
            "divided_by": self.divisor(),
            "options": [
                {"option": flag, "value": value, "source": source}
                for flag, value, source in self.options()
            ],
            "remarks": remark_records(self.plan.notes),
        }


def plan_lines(plans: Sequence[PlannedScore]) -> Iterator[bytes]:
    """Yield the lines of a JSON file with a plan, or with a list of several plans."""
    records = [plan.record() for plan in plans]
    content = records[0] if len(records) == 1 else {"remarks": [], "plans": records}
    return json_file({**head_of(SCHEMA, SCHEMA_VERSION), **content})
