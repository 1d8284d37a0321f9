"""Options, measures and reports that cannot be combined: one table, with reasons.

Each request has features: the chosen options, the kind of measure, the reports, and the engine. The
table lists the pairs of features that cannot be combined; all other pairs can. Every interface
calls `check`, and the page on several references shows the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from formats.schema import NamedTuple
from formats.schema.errors import OptionError
from formats.schema.messages import ERROR, Advice, Entry, Message
from scoring.model.errors import OptionValueError

# Measures that pair words by their times.
TIMED = ("tcp", "tcorc", "tcmimo", "ditcp")
# Features that are no option: a name in place of a value.
SCORE_COLUMNS, SEVERAL = "score_columns", "several references"
CODE = "APART"


class CombinationError(OptionError, OptionValueError):
    """Raised if two choices cannot be combined. `value` is the table's message with both names."""

    def __init__(self, message: str | Message, option: str = "") -> None:
        value = message if isinstance(message, Message) else None
        OptionError.__init__(self, str(message), value=value)
        self.option, self.problem = option, str(message)
        self.expected = self.found = None


class Apart(NamedTuple):
    """Two features that cannot be combined, and the message that gives the reason."""

    first: str
    second: str
    entry: Entry


def _apart(first: str, second: str, reason: str, *advice: Advice) -> Apart:
    text = f"{{option}} cannot go with {{other}}: {reason}"
    text += " ({advice} can)" if advice else ""
    return Apart(first, second, Entry(CODE, ERROR, text, f"{first} {second}", advice))


_WORDS = "the words of a whole session are chosen together"
_ROW = "a row of a table has one reference, without choices"
_PUBLISHED = "the published rule compares positions of words"
_CUT = "both decide where texts are cut"
_LENGTH = "it divides by the words of the chosen path"
_CHOSEN = (
    "without an engine, tables of any size are read in parts, and conditions choose their rows"
)
_SUMS = "it needs every utterance, and an engine keeps only sums"
_PARTS = "it needs all shards: give it to scoring merge"

TABLE: tuple[Apart, ...] = (
    _apart(
        "merge_compounds",
        "timed",
        "merged words have no times of their own",
        Advice("meeting", "cp"),
    ),
    _apart(
        "regions",
        "meeting",
        "a region may reach over several segments",
        Advice("merge_compounds", "any"),
    ),
    _apart("cut", "meeting", "a session is scored as a whole"),
    _apart("shift", "meeting", "words of a session are not dealt by time"),
    _apart("one_reference", "meeting", _WORDS, Advice("references", "network")),
    _apart("variants_length", "meeting", _WORDS, Advice("variants_length", "chosen")),
    _apart("mr_wer", "variants", _PUBLISHED, Advice("references", "network")),
    _apart("mr_wer", "variants_file", _PUBLISHED, Advice("references", "network")),
    _apart("mr_wer", "merge_compounds", _PUBLISHED, Advice("references", "network")),
    *(
        _apart("other_cut", choice, _CUT, Advice("cut", "alignment"))
        for choice in ("references", "variants", "variants_file", "variants_length")
    ),
    *(
        _apart("variants_length", report, _LENGTH, Advice("variants_length", "chosen"))
        for report in ("html", "report", "confidence_interval", "record", "compare_groups")
    ),
    *(
        _apart(choice, "rows", _ROW)
        for choice in ("references", "variants", "variants_file", "variants_length", "verdicts")
    ),
    _apart("shift", "rows", "rows are not matched by time"),
    _apart("where", "engine", _CHOSEN),
    _apart("where", "rows", "every row gets its scores: choose the rows of the table before"),
    _apart("meeting", "table", "a row names no session"),
    *(
        _apart(report, "engine", _SUMS, Advice("scored_table", ""))
        for report in (
            *("csv", "pairs", "per_utterance", "sort", "best", "verdicts", "report"),
            *("compare_groups", "fail_gap_above", "fail_group_above", "worst", "metadata", "bins"),
        )
    ),
    *(
        _apart(report, "sums", "it needs every utterance, and sums have none")
        for report in (
            *("csv", "pairs", "per_utterance", "sort", "best", "verdicts", "report"),
            *("compare_groups", "fail_gap_above", "fail_group_above", "worst", "metadata", "bins"),
        )
    ),
    _apart(
        "sums", "bench", "it exchanges utterances, and sums have none; scoring compare takes them"
    ),
    _apart("sums", "wer", "it scores utterances, and sums have none; scoring merge reports sums"),
    *(
        _apart(report, "shard", _PARTS)
        for report in (
            *("json", "csv", "pairs", "html", "markdown", "junit", "summary_json", "report"),
            *(
                "fail_above",
                "fail_gap_above",
                "fail_group_above",
                "fail_measure",
                "record",
                "sort",
                "best",
            ),
        )
    ),
)


def refusals(features: Mapping[str, Advice | str]) -> Iterator[Message]:
    """Yield a message for each pair of chosen features that cannot be combined.

    A feature is an option with its value, or a name.
    """
    for first, second, entry in TABLE:
        if first in features and second in features:
            yield Message(entry, {"option": features[first], "other": features[second]})


def check(features: Mapping[str, Advice | str]) -> None:
    """Raise CombinationError for the first two features that cannot be combined."""
    for message in refusals(features):
        option = message.fields["option"]
        raise CombinationError(message, option.option if isinstance(option, Advice) else "")
