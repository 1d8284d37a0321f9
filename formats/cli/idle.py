"""Notes on options that have no effect in a run of `formats`."""

from __future__ import annotations

from collections.abc import Iterable

from formats.cli.arguments import selecting_options, unused_options
from formats.cli.messages import IDLE_OPTION, IDLE_SELECTION
from formats.cli.output import tell
from formats.console.messages import IDLE_WITH, IDLE_WITHOUT
from formats.detection import by_name
from formats.detection.spec import FormatSpec
from formats.schema.messages import Advice, Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

OF_TEXT = ("explain", "show_pattern", "notes", "context")
"""Switches and numbers that change only the text on standard output."""
USUAL = {"context": 3, "pause": 0.5, "video_fps": 24.0}


def tell_idle(
    arguments: Namespace,
    formats_read: Iterable[str],
    excluded: int,
    written: Iterable[FormatSpec] = (),
) -> None:
    """Print a note on each option that had no effect on any file of the run.

    `excluded` is the number of segments and words that the selection excluded.
    """
    read = sorted({*formats_read} - {""})
    specs = [by_name(name) for name in read]
    targets = list(written)
    used = [spec.read_options for spec in specs] + [spec.write_options for spec in targets]
    formats = list(dict.fromkeys([*read, *(spec.name for spec in targets)]))
    if read and hasattr(arguments, "format_options"):
        for option in unused_options(arguments, *used):
            tell(Message(IDLE_OPTION, {"option": option, "formats": formats}))
    options = selecting_options(arguments)
    if read and options and not excluded:
        tell(Message(IDLE_SELECTION, {"options": options}))
    if getattr(arguments, "json", None) == "-":
        for name in filter(lambda each: _is_changed(arguments, each), OF_TEXT):
            _tell_with(name, Advice("json", "-"))
    if _is_changed(arguments, "pause") and arguments.group != "pause":
        fields = {"option": Advice("pause", ""), "needed": [Advice("group", "pause")]}
        tell(Message(IDLE_WITHOUT, fields))


def tell_frames_idle(arguments: Namespace) -> None:
    """Print a note that `--video-fps` has no effect, because no rule of the guide uses frames."""
    if _is_changed(arguments, "video_fps"):
        _tell_with("video_fps", Advice("rules", arguments.rules))


def _tell_with(name: str, other: Advice) -> None:
    tell(Message(IDLE_WITH, {"option": Advice(name, ""), "other": other}))


def _is_changed(arguments: Namespace, name: str) -> bool:
    """Return True if an option is on the command line with a value other than its default."""
    return getattr(arguments, name, None) not in (None, False, USUAL.get(name))
