"""`formats info`: what files hold, as text or as JSON."""

from __future__ import annotations

from formats.cli.inputs import for_each, open_input
from formats.cli.output import say, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from formats.summary import Summary

__all__ = ["run"]

JSON_VERSION = 1


def run(arguments: argparse.Namespace) -> int:
    """Describe each file; the exit status."""
    from formats.cli.arguments import selection
    from formats.summary import summarize

    described: list[dict[str, object]] = []

    def describe(path: str) -> int:
        with open_input(path, arguments) as segments:
            try:
                summary = summarize(selection(arguments).of(segments))
            finally:
                for diagnostic in segments.diagnostics:
                    if diagnostic.severity != "note":
                        say(f"{diagnostic}")
            if arguments.output == "json":
                facts = dict(segments.properties)
                head = {"path": path, "format": segments.format, "properties": facts}
                described.append({**head, **summary.as_dictionary()})
            else:
                show(_as_text(path, segments.format, segments.properties, summary))
        return 0

    status = for_each(arguments.files, describe, lambda _, error: say(f"{error}"))
    if arguments.output == "json":
        import json

        content = {"version": JSON_VERSION, "files": described}
        show(json.dumps(content, ensure_ascii=False, indent=1))
    return status


def _as_text(path: str, name: str, properties: object, summary: Summary) -> str:
    assert isinstance(properties, tuple)
    rows = [(name, text) for name, text in properties]
    rows.extend(summary.rows())
    width = max(len(name) for name, _ in rows)
    return "\n".join([f"{path}: {name}", *(f"  {n:<{width}}  {text}" for n, text in rows)])
