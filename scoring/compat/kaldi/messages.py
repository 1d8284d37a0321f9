"""What Kaldi's programs say on the error stream, in the form scripts look for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from formats.version import VERSION
from scoring.errors import ScoringError

# Receives the text of a warning.
Warn: TypeAlias = Callable[[str], None]


class KaldiError(ScoringError):
    """Something that ends a Kaldi program; the text is Kaldi's where Kaldi has one."""

    status = 255


class ScriptUsageError(ScoringError):
    """A wrong number of arguments: the usage is shown."""


def message(severity: str, program: str, text: str) -> str:
    r"""A line in Kaldi's form, with our version and without a line of source.

    Examples
    --------
    >>> message("LOG", "align-text", "Done 2 sentences, failed for 0").partition("]")[2]
    ':main():align-text.cc:0) Done 2 sentences, failed for 0\n'
    """
    return f"{severity} ({program}[sclite-kit-{VERSION}]:main():{program}.cc:0) {text}\n"
