"""`formats info`: print statistics of files as text or JSON."""

from __future__ import annotations

from collections.abc import Callable

from formats.cli.inputs import InputAccount, open_input, report_each
from formats.io.source import Readable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace


def run(arguments: Namespace) -> int:
    """Print the statistics of each file; return the exit status."""
    from formats.cli.arguments import selection
    from formats.schema.summary import summarize

    def describe(open_it: Callable[[], Readable], account: InputAccount) -> None:
        path = account.input.path
        with open_input(open_it(), arguments) as segments:
            account.format = segments.format
            try:
                summary = summarize((chosen := selection(arguments)).of(segments))
            finally:
                account.take_remarks(segments)
            account.excluded = chosen.excluded
            account.segments, account.words = summary.kinds.total(), summary.words
            facts = dict(segments.properties)
            head = {"path": path, "format": segments.format, "properties": facts}
            account.report = {**head, **summary.as_dictionary()}
            if arguments.json != "-":
                rows = [*segments.properties, *summary.rows()]
                width = max(len(name) for name, _ in rows)
                account.results.append(f"{path}: {segments.format}")
                account.results.extend(f"  {name:<{width}}  {text}" for name, text in rows)

    return report_each(arguments, describe, "file-info")
