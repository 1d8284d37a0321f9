"""What the fuzzer finds and nobody has mended yet: told, but no reason to fail.

A line goes when its fault goes. Nothing here is a crash, a refusal of what was written, or a number
that is wrong; each is a conversion that ends in another order, or with a place or a name less, and
whose losses do not say so.
"""

from __future__ import annotations

__all__ = ["KNOWN"]

_TIERS = "tiers are laid out one after the other, so that segments change their order"
_TURNS = "words belong to the turn of their time when they are read, and stand in its order"
_LABELS = "labels without a text are read as events or not at all"
_RUN = "what has no places of its own is read as one run of words"
_GROUPS = "utterances are put together by their names, so that segments change their order"
_SEARCH = "detections are put together by keyword, and a search without any says no place"

KNOWN = {
    "write textgrid differs words": _TIERS,
    "write textgrid differs speakers": _TIERS,
    "write textgrid differs segment times": _TIERS,
    "write textgrid differs kinds": _TIERS,
    "write eaf differs words": _TIERS,
    "write eaf differs speakers": _TIERS,
    "write eaf differs segment times": _TIERS,
    "write eaf differs recordings": _TIERS,
    "write eaf differs kinds": _TIERS,
    "write rttm differs words": _TURNS,
    "write rttm differs speakers": _TURNS,
    "write rttm differs recordings": _TURNS,
    "write rttm differs channels": _TURNS,
    "write rttm differs kinds": _TURNS,
    "write rttm differs segment times": _TURNS,
    "write rttm differs segment confidences": _TURNS,
    "write ctm differs recordings": _RUN,
    "write ctm differs channels": _RUN,
    "write ctm differs kinds": _RUN,
    "write nemo differs": "an end without a begin is left out",
    "write nemo differs segment times": "an end without a begin is left out",
    "write vosk differs kinds": "an empty text is read as nothing",
    "write stm differs words": "an ignored region gets the mark that makes it one as its word",
    "write ctm differs": "a null word has no time of its own",
    "write rttm differs": "a null word alone is left out",
    "write vosk differs": "the stretch of a result is read from its words",
    "write audacity differs kinds": _LABELS,
    "write audacity differs segment times": _LABELS,
    "write audacity differs words": _LABELS,
    "write mlf differs words": _GROUPS,
    "write mlf differs utterance ids": _GROUPS,
    "write kwslist differs": _SEARCH,
    "write kwslist differs recordings": _SEARCH,
    "write kwslist differs channels": _SEARCH,
    "write kwslist differs segment times": _SEARCH,
    "write kwslist differs words": _SEARCH,
    "write csv differs": "a null word alone in its segment is left out",
    "write tsv differs": "a null word alone in its segment is left out",
    "write csv differs channels": "an empty name is read as none",
    "write tsv differs channels": "an empty name is read as none",
    "write csv differs speakers": "an empty name is read as none",
    "write tsv differs speakers": "an empty name is read as none",
    "write csv differs utterance ids": "an empty name is read as none",
    "write tsv differs utterance ids": "an empty name is read as none",
    "write microdvd differs": "how a text stood in lines is not kept where it is cut anew",
    "write srt differs": "how a text stood in lines is not kept where it is cut anew",
    "write vtt differs": "how a text stood in lines is not kept where it is cut anew",
    "write ass differs": "how a text stood in lines is not kept where words have times",
}
