"""The one table of names that earlier checkouts had, and of what took their place.

Suggestions look here before they compare spellings. A name is a command or an option after its
program (`scoring docs --site`), an option of any program, or a dotted Python name; its
successor is what to type in its place.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

COMMANDS: Mapping[str, str] = {
    "scoring kws validate": "formats validate",
    "scoring kws check-termlist": "formats validate",
    "scoring kws check-transcripts": "formats validate",
    "scoring kaldi install-wrappers": "install",
    "scoring convert": "formats convert",
    "scoring validate": "formats validate",
    "scoring detect": "formats detect",
    "scoring completion": "scoring --help",
    "formats completion": "formats --help",
}
# Of several successors, the first that the program has.
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "-o": ("--output",),
    "--hypothesis": ("-h",),
    "scoring docs --site": ("scoring docs PAGE",),
    "scoring wer --junit": ("scoring compare --junit",),
    "formats --nist": ("ctmValidator.pl", "stmValidator.pl"),
    "formats --check": ("formats validate",),
}
_SCHEMA = (
    *("blanks", "clock", "diagnostics", "errors", "grouping", "interpolation", "loss", "model"),
    *("selection", "summary", "times", "words"),
)
_MODULES = {
    "formats.source": "formats.io.source",
    "formats.sink": "formats.io.sink",
    "formats.archive": "formats.io.archive",
    "formats.temporary": "formats.io.temporary",
    "formats.registry": "formats.detection.registry",
    "formats.convert": "formats.writing.convert",
    "formats.subtitles.frames": "formats.reading.frames",
    "formats.version": "formats.schema",
    "scoring.bench": "scoring.regression.bench",
    "scoring.browser": "scoring.serve.browser",
    "scoring.compat": "scoring.peers",
    "scoring.errors": "scoring.model.errors",
    "scoring.kaldialign": "scoring.peers.kaldialign",
    "scoring.kws": "scoring.tasks.kws",
    "scoring.labels": "scoring.tasks.labels",
    "scoring.tasks.labels.aggregation": "scoring.tasks.labels.confusion",
    "scoring.matching": "scoring.sides.matching",
    "scoring.native": "scoring.alignment.native",
    "scoring.normalize": "scoring.text",
    "scoring.phonemes": "scoring.tasks.phonemes",
    "scoring.rates": "scoring.results",
    "scoring.recipes": "scoring.text.recipes",
    "scoring.regression.results": "scoring.regression.toolkit_results",
    "scoring.scored": "scoring.score",
    "scoring.server": "scoring.serve",
    "scoring.speakers": "scoring.tasks.speakers",
    "scoring.version": "scoring",
    **{f"formats.{name}": f"formats.schema.{name}" for name in _SCHEMA},
}
PYTHON: Mapping[str, str] = {
    **_MODULES,
    "scoring.batch_error_rate": "scoring.edit_distance_batch",
    "scoring.bootstrap_wer_ci": "scoring.peers.kaldialign.bootstrap_wer_ci",
    "scoring.TokenErrorRate": "scoring.wer",
    "scoring.ErrorRates.corpus": "corpus_rate",
    "scoring.ErrorRates.account": "matching_summary",
    "scoring.ErrorRates.told": "reader_messages",
    "scoring.ErrorRates.declined": "skipped_sessions",
    "scoring.ErrorRates.only": "select",
    "scoring.ErrorRates.part": "slice",
    "scoring.ErrorRates.in_one": "merge_shards",
}


def command_successor(program: str, name: str) -> str | None:
    """The successor of a removed command of a program; None for a name that was never one."""
    return COMMANDS.get(f"{program} {name}")


def option_successor(program: str, name: str, is_taken: Callable[[str], bool]) -> str | None:
    """The successor of an option, one that the program takes or another command; None: none."""
    for key in (f"{program} {name}", f"{program.partition(' ')[0]} {name}", name):
        for successor in OPTIONS.get(key, ()):
            if not successor.startswith("-") or is_taken(successor):
                return successor
    return None


def python_successor(name: str) -> str | None:
    """The successor of a Python name of this distribution; None for one that was never there."""
    return PYTHON.get(name)


def module_successor(name: str) -> str | None:
    """The successor of a removed module; None for others."""
    return _MODULES.get(name)
