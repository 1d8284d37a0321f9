"""What the fuzzer finds and nobody has mended yet: told, but no reason to fail.

A line goes when its fault goes. Nothing here is a crash, a refusal of what was written, or a number
that is wrong; each is a conversion that ends in another order, or with a place or a name less, and
whose losses do not say so.
"""

from __future__ import annotations

__all__ = ["KNOWN"]

_LABELS = "labels without a text are read as events or not at all"
_RUN = "what has no places of its own is read as one run of words"

KNOWN = {
    "write ctm differs recordings": _RUN,
    "write ctm differs channels": _RUN,
    "write ctm differs kinds": _RUN,
    "write nemo differs": "an end without a begin is left out",
    "write nemo differs segment times": "an end without a begin is left out",
    "write ctm differs": "a null word has no time of its own",
    "write audacity differs kinds": _LABELS,
    "write audacity differs segment times": _LABELS,
    "write audacity differs words": _LABELS,
    "write microdvd differs": "how a text stood in lines is not kept where it is cut anew",
    "write srt differs": "how a text stood in lines is not kept where it is cut anew",
    "write vtt differs": "how a text stood in lines is not kept where it is cut anew",
    "write ass differs": "how a text stood in lines is not kept where words have times",
}
