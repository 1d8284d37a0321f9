"""`scoring measures`: the measures beyond the error rate, each with its definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from formats.console.command_line import is_screen
from scoring.cli.flags import command_parser, kind_of
from scoring.cli.results import KINDS, WIDTH, line_width
from scoring.cli.scoring import OK, tell
from scoring.drawing.blocks import Block, Fact, Heading, Items, Table
from scoring.drawing.text import Appearance, text_lines
from scoring.measures import all_measures, measure_named, plugin_problems
from scoring.measures.messages import NEEDS
from scoring.model.outputs import put_text
from scoring.results.measured import Figure, MeasureSpec

TABLE = (
    "measures NAME  measure to define (default: list all measures by the question they "
    f"answer)\n{WIDTH}"
)
LONGEST_LINE = 100
MOST_TITLES = 4  # of numbers of a measure, in the list
BASES = {
    "sums": "sums over utterances",
    "bins": "sums of bins over utterances",
    "sample": "values of all words",
}


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    read = kind_of(lambda name: measure_named(name).name, "measures")
    parser = command_parser(
        "measures",
        "List the measures that `scoring wer --measures` counts, or print definitions.",
        TABLE,
        NAME={"nargs": "*", "type": read},
        **KINDS,
    )
    arguments = parser.parse_args(argv)
    names = dict.fromkeys(arguments.measures)
    blocks = [block for name in names for block in definition_of(measure_named(name))]
    if not blocks:
        blocks = list(listing())
        for problem in plugin_problems():
            tell(problem.value)
    put_text(text_lines(blocks, Appearance(line_width(arguments), is_screen=is_screen())))
    return OK


def listing() -> Iterator[Block]:
    """Yield a list of the measures, grouped by the question that they answer."""
    questions: dict[str, list[tuple[str, str]]] = {}
    for measure in all_measures():
        titles = [figure.title for figure in measure.figures]
        if len(titles) > MOST_TITLES:
            titles[MOST_TITLES - 1 :] = [f"{len(titles) - MOST_TITLES + 1} more"]
        questions.setdefault(measure.question, []).append((measure.name, ", ".join(titles)))
    for question, rows in questions.items():
        yield Heading(question, 3)
        yield Table(("measure", "numbers"), rows, 2)


def definition_of(measure: MeasureSpec) -> Iterator[Block]:
    """Yield the definition of a measure: title, text, figures, settings and columns."""
    yield Heading(f"{measure.name}: {measure.title}", 3)
    yield Items(wrap(measure.definition, LONGEST_LINE))
    rows = [(item.name, item.title, item.better, bounds_of(item)) for item in measure.figures]
    yield Table(("number", "title", "better", "bounds"), rows, 4)
    if measure.parameters:
        parameters = [(item.name, str(item.default), item.text) for item in measure.parameters]
        yield Table(("--measure-option", "default", "meaning"), parameters, 3)
    yield Items([f"columns: {', '.join(measure.columns)} ({BASES[measure.kind]})"])
    if measure.monotone:
        yield Fact("never better after a further error (unit costs)", ", ".join(measure.monotone))
    if measure.version:
        yield Fact("package", measure.version)
    if measure.needs:
        yield Fact("needs", ", ".join(NEEDS[need] for need in NEEDS if need in measure.needs))


def bounds_of(figure: Figure) -> str:
    """Return the range of a figure as text.

    >>> bounds_of(Figure("rate", "rate", high=None)), bounds_of(Figure("share", "share"))
    ('0 or more', '0 to 1')
    """
    if figure.low is None:
        return "any" if figure.high is None else f"at most {figure.high:g}"
    low = f"{figure.low:g}"
    return f"{low} or more" if figure.high is None else f"{low} to {figure.high:g}"
