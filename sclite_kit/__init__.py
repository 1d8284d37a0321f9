"""All packages of sclite-kit under one import name.

>>> import sclite_kit as sk
>>> f"{sk.wer('the cat sat', 'the bat sat'):.1%}"
'33.3%'
>>> sk.formats.read("resources/demo/interview.TextGrid", "textgrid")[0].words[:2]
('good', 'morning')

The package has the names of `scoring`, the function `normalize`, and these packages and modules,
which are loaded at their first use:

    formats        read, write and convert transcripts
    stats          confidence intervals and significance tests of any numbers
    metrics        metrics that are updated batch by batch
    calculators    error rates of batches of token ids
    espnet3        metric for ESPnet3's evaluator
    kws            keyword search
    phonemes       phoneme error rates and lexicons
    labels         events, segments and keywords
    oracle         n-best lists
    alignment      graphs of alternatives, and time limits
    regression     gates
    serve          the JSON-RPC service
    nist           SCTK's filters and tools
    plugin         what formats, measures and steps of other packages need
    pytest_plugin  fixture `assert_wer`
    compat         replacements for jiwer, meeteval and others

`sclite_kit.scoring` is the package `scoring`, with all its modules.
"""

from __future__ import annotations

import sys

import scoring

try:
    from scoring import __getattr__ as _ours  # noqa: F401
    from scoring import __version__ as __version__
except ImportError as _problem:
    raise ImportError(
        f"sclite_kit: expected the package scoring of sclite-kit, found {scoring.__file__}: "
        "another program or distribution has taken the name. Rename or move that file, uninstall "
        "the distribution it belongs to, or install sclite-kit into an environment of its own"
    ) from _problem
import formats as formats
from sclite_kit.aliases import PACKAGES, AliasFinder

sys.meta_path.insert(0, AliasFinder())

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sclite_kit import alignment as alignment
    from sclite_kit import calculators as calculators
    from sclite_kit import kws as kws
    from sclite_kit import labels as labels
    from sclite_kit import metrics as metrics
    from sclite_kit import nist as nist
    from sclite_kit import oracle as oracle
    from sclite_kit import phonemes as phonemes
    from sclite_kit import plugin as plugin
    from sclite_kit import regression as regression
    from sclite_kit import serve as serve
    from sclite_kit import stats as stats
    from scoring import *  # noqa: F403
    from scoring.text.pipeline_files import normalize as normalize


if __doc__ and scoring.__doc__:  # absent under `python -OO`
    __doc__ += scoring.__doc__[scoring.__doc__.index("\nScore:") :]


# what jiwer has under other names, or had in an earlier version
_SUCCESSORS = {
    "collect_error_counts": "wer(…).aligned",
    "compute_measures": "wer",
    "process_characters": "cer",
    "process_words": "wer",
    "visualize_alignment": "wer(…).show",
    "visualize_error_counts": "wer(…).show",
}


def _successor(name: str) -> str:
    """Return the name in this package that replaces a name which jiwer deprecates."""
    try:
        from scoring.peers.jiwer import __all__ as names
    except ImportError:  # peers come off
        names = []
    ways = [f"sclite_kit.{_SUCCESSORS[name]}"] if name in _SUCCESSORS else []
    if name in names:
        ways.append(f"sclite_kit.compat.jiwer.{name} (import sclite_kit.compat.jiwer as jiwer)")
    return f"; use {' or '.join(ways)}" if ways else ""


def __getattr__(name: str) -> object:
    owner: object = scoring
    if name in PACKAGES or name == "plugin":
        from importlib import import_module

        return import_module(f"sclite_kit.{name}")
    if name == "normalize":  # in `scoring` a package
        from scoring.text import pipeline_files as owner
    try:
        found: object = getattr(owner, name)
    except AttributeError as problem:
        text = str(problem).replace("'scoring'", "'sclite_kit'")
        if successor := _successor(name):
            text = f"module 'sclite_kit' has no attribute {name!r}{successor}"
        # without an object, or Python guesses at a name similar to one that it has
        raise AttributeError(text, name=name, obj=None) from None
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*dir(scoring), "formats", "normalize"})
