"""`formats detect`: print the format of each file and, with ``--explain``, the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from formats.cli.inputs import InputAccount, report_each
from formats.cli.messages import NO_LAYOUT
from formats.detection.errors import AmbiguousFormatError, UnknownFormatError
from formats.io.messages import NO_SIGN
from formats.io.source import Readable, Source
from formats.schema.errors import OptionError
from formats.schema.messages import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

MOST_EXPLAINED = 5


def run(arguments: Namespace) -> int:
    """Print the format of each file; return the exit status."""
    from formats.io.source import open_source
    from formats.reading import detect_source

    def name_format(open_it: Callable[[], Readable], account: InputAccount) -> None:
        path = account.input.path
        account.report = {"path": path, "format": None}
        with open_source(open_it(), encoding=arguments.encoding) as source:
            try:
                account.format = detect_source(source).name
                account.report["format"] = account.format
                if arguments.json == "-":
                    pass  # text would be among the JSON
                elif arguments.show_pattern:
                    account.results.extend(_layout(source, account.format))
                else:
                    account.results.append(f"{path}: {account.format}")
            except (AmbiguousFormatError, UnknownFormatError):
                if arguments.explain and arguments.json != "-":
                    account.results.append(f"{path}: no format that is sure")
                raise
            finally:
                if arguments.explain and account.results:
                    account.results.extend(_explained(source, account.format))

    return report_each(arguments, name_format, "file-formats")


def _layout(source: Source, name: str) -> Iterator[str]:
    """Yield rules that describe the layout of a text, in the notation of ``--pattern @FILE``."""
    from formats.reading import DESCRIBED
    from formats.schema import is_installed

    if name in (DESCRIBED, "markdown", "txt") and is_installed("formats.meetings"):
        from formats.meetings.turns.description import description_of

        rules = description_of(list(source.lines()))
        if rules:
            yield from rules
            return
    raise OptionError(value=Message(NO_LAYOUT, {"format": name}), path=source.name)


def _explained(source: Source, name: str) -> Iterator[str]:
    """Yield a line for each of the most likely formats: why the content fits or does not fit."""
    from formats.detection import by_suffix, sharing_suffix
    from formats.detection.content import near_formats
    from formats.detection.spec import Sniff

    if source.folder is not None or source.parts:
        yield f"  {name}: a folder or a pattern, known by the names of the files there"
        return
    named = by_suffix(source.name)
    sharing = ", ".join(sharing_suffix(source.name))
    if named is not None or sharing:
        meant = f"means {named.name}" if named is not None else ""
        shared = f"may be {sharing}" if sharing else ""
        yield f"  its name {' and '.join(filter(None, (meant, shared)))}"
    nearest = near_formats(source)
    # The format that was chosen comes first, however near others are.
    nearest.sort(key=lambda near: near.spec.name != name)
    for near in nearest[:MOST_EXPLAINED]:
        sign = near.spec.sign
        if near.answer is Sniff.SURE:
            yield f"  {near.spec.name}: sure: {sign}"
        elif not near.reason:
            certainty = "likely" if near.answer is Sniff.MAYBE else "possible"
            yield f"  {near.spec.name}: {certainty}, not sure: wanted {sign}"
        else:
            line = f"line {near.line}: " if near.line is not None else ""
            is_other = near.reason.entry == NO_SIGN
            text = str(near.reason) if is_other else f"wanted {sign}; {line}{near.reason}"
            yield f"  {near.spec.name}: {text}"
