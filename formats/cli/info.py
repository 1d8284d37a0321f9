"""`formats info`: what files hold, as text or as JSON."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from formats.cli.inputs import InputAccount, for_each, open_input, show_reports, worst
from formats.source import Readable

JSON_VERSION = 1


def run(arguments: argparse.Namespace) -> int:
    """Describe each file; the exit status."""
    from formats.cli.arguments import selection
    from formats.inputs import expand
    from formats.summary import summarize

    as_json = arguments.report_format == "json"

    def describe(open_it: Callable[[], Readable], account: InputAccount) -> None:
        path = account.input.path
        with open_input(open_it(), arguments) as segments:
            account.format = segments.format
            try:
                summary = summarize(selection(arguments).of(segments))
            finally:
                account.take_remarks(segments)
            account.segments, account.words = summary.kinds.total(), summary.words
            if as_json:
                facts = dict(segments.properties)
                head = {"path": path, "format": segments.format, "properties": facts}
                account.report = {**head, **summary.as_dictionary()}
            else:
                rows = [*segments.properties, *summary.rows()]
                width = max(len(name) for name, _ in rows)
                account.results.append(f"{path}: {segments.format}")
                account.results.extend(f"  {name:<{width}}  {text}" for name, text in rows)

    accounts = for_each(expand(arguments.files), describe, arguments.jobs)
    if as_json:
        show_reports(accounts, JSON_VERSION)
    return worst(accounts)
