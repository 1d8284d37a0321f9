"""What the parsers of all commands have in common: no option is guessed, no input overwritten."""

from __future__ import annotations

import argparse
import os
import re
import sys

from formats.errors import message_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NoReturn

__all__ = ["CommandParser", "InputPath", "OutputPath"]

HELP = "-h"
PARTS = re.compile("[=:,]")


class InputPath(str):
    """The name of a file that is read, as the type of an argument."""

    __slots__ = ()


class OutputPath(str):
    """The name of a file that is written, as the type of an argument."""

    __slots__ = ()


class CommandParser(argparse.ArgumentParser):
    """A parser that takes options by their full names only.

    The standard one takes ``-i`` for ``-inc`` even where abbreviations are switched off. Here
    ``-h`` shows help if it is all there is; among other arguments it is refused, for it ends a
    command without its work, and may have been meant for a hypothesis.

    Parameters
    ----------
    short_help: whether ``-h`` is for help; False where it means something else among arguments.
    """

    def __init__(self, *, short_help: bool = True, add_help: bool = True, **options: Any) -> None:
        super().__init__(add_help=False, allow_abbrev=False, **options)
        self._has_help = add_help
        if add_help:
            self.add_argument(
                "--help", action="help", help="show this help and end (so does -h alone)"
            )
        if add_help and short_help:
            self.add_argument(HELP, action=_ShortHelp, nargs=0, help=argparse.SUPPRESS)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse; help for a lone ``-h``."""
        given = sys.argv[1:] if args is None else list(args)
        if self._has_help and given == [HELP]:
            given = ["--help"]
        return super().parse_known_args(given, namespace)

    def error(self, message: str) -> NoReturn:
        """Usage, and in one line what is wrong with the arguments."""
        super().error(message_line(message))

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, and refuse outputs that are inputs before anything is read."""
        return self._checked(super().parse_args(args, namespace), args)

    def parse_intermixed_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse with options among the files, and refuse outputs that are inputs."""
        return self._checked(super().parse_intermixed_args(args, namespace), args)

    def _checked(self, found: argparse.Namespace, args: Any) -> argparse.Namespace:
        """Besides what is declared as such, every argument that names a file is an input.

        That may be a part of one, as in ``--normalize glm:file=rules.glm``.

        Raises
        ------
        formats.UnwritableFileError
        """
        values = [one for value in vars(found).values() for one in _each(value)]
        outputs = [one for one in values if isinstance(one, OutputPath)]
        if outputs:
            from collections import Counter

            from formats.outputs import check_outputs

            given = sys.argv[1:] if args is None else args
            parts = Counter(part for one in given for part in {one, *PARTS.split(one)})
            named = [part for part in parts - Counter(map(str, outputs)) if os.path.isfile(part)]
            inputs = [one for one in values if isinstance(one, InputPath)]
            # standard output may be named by several options, one of which wins
            files = [one for one in outputs if one != "-"]
            check_outputs([*files, *{"-"}.intersection(outputs)], [*inputs, *named])
        return found

    def _get_option_tuples(self, option_string: str) -> list[Any]:
        """What an argument may mean: an option by its name, or a letter with its value."""
        names = option_string.partition("=")[0], option_string[:2]
        return [one for one in super()._get_option_tuples(option_string) if one[1] in names]

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print; unlike the standard one, this says when help could not be written."""
        if message and file is not None and file is sys.stdout:
            file.write(message)
        else:
            super()._print_message(message, file)


def _each(value: object) -> Iterator[object]:
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from _each(one)
    else:
        yield value


class _ShortHelp(argparse.Action):
    """``-h`` among other arguments."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Refuse."""
        parser.error(f"{HELP}: expected no other arguments, for it only shows help (--help does)")
