"""`formats list`: all formats, as a table for people, as Markdown, or as JSON."""

from __future__ import annotations

from formats.cli.output import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from formats.spec import FormatSpec

__all__ = ["markdown_table", "run"]

JSON_VERSION = 1


def run(arguments: argparse.Namespace) -> int:
    """Print the table; the exit status."""
    from formats.registry import all_formats

    specs = all_formats()
    if arguments.output == "json":
        import json

        described = [_described(spec) for spec in specs]
        content = {"version": JSON_VERSION, "formats": described}
        show(json.dumps(content, ensure_ascii=False, indent=1))
    elif arguments.output == "markdown":
        show(markdown_table(specs))
    else:
        width = max(len(spec.name) for spec in specs)
        for spec in specs:
            show(f"{spec.name:<{width}}  {'rw' if spec.write else 'r '}  {spec.title}")
    return 0


def _described(spec: FormatSpec) -> dict[str, object]:
    return {
        "name": spec.name,
        "title": spec.title,
        "suffixes": list(spec.suffixes),
        "read": True,
        "written": spec.write is not None,
        "holds": sorted(spec.holds),
        "needs": sorted(spec.needs),
        "read_options": [option.name for option in spec.read_options],
        "write_options": [option.name for option in spec.write_options],
    }


def markdown_table(specs: tuple[FormatSpec, ...]) -> str:
    """The table of formats in Markdown, one row each.

    >>> from formats.registry import by_name
    >>> print(markdown_table((by_name("trn"),)).splitlines()[2])  # doctest: +ELLIPSIS
    | `trn` | NIST transcript: ... | `.trn` | read, written |
    """
    rows = ["| format | what it holds | files | |", "|---|---|---|---|"]
    for spec in specs:
        files = ", ".join(f"`{suffix.lstrip('/')}`" for suffix in spec.suffixes)
        can = "read, written" if spec.write else "read"
        rows.append(f"| `{spec.name}` | {spec.title} | {files} | {can} |")
    return "\n".join(rows)
