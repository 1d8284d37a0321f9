"""Consistency checks of the files of a keyword search, with the messages of NIST's validators."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from formats.keywords.model import DetectedKeyword, Detection, Ecf, KeywordList, Kwslist
from scoring.tasks.kws.audio import EXACT, detection_file
from scoring.tasks.kws.parameters import F4DE


class Checked(NamedTuple):
    """The outcome of a check."""

    errors: int  # how many
    warnings: int
    messages: tuple[str, ...]  # a line each, in the order found
    purged: Kwslist  # the list without detections outside of the audio and without repeated ones


class _Inside:
    """The excerpts of each file and channel, to check that times are inside them."""

    def __init__(self, ecf: Ecf) -> None:
        self.spans: dict[tuple[str, str], list[tuple[float, float]]] = {}
        for excerpt in ecf.excerpts:
            begin = EXACT.time(excerpt.begin)
            span = (begin, begin + EXACT.time(excerpt.duration))
            self.spans.setdefault((_ecf_name(excerpt.file), excerpt.channel), []).append(span)

    def __call__(self, file: str, channel: str, begin: float, end: float) -> bool:
        spans = self.spans.get((file, channel), ())
        return any(begin >= first and end <= last for first, last in spans)


def _ecf_name(name: str) -> str:
    """Return an excerpt's file name without directories and without an ending `sph` or `wav`."""
    base = name.rpartition("/")[2]
    stem, _, ending = base.partition(".")
    return stem if ending in ("sph", "wav") else base


def check_kwslist(
    kwslist: Kwslist, keywords: KeywordList, ecf: Ecf, *, allow_missing: bool = False
) -> Checked:
    """Check that the list of a system is consistent with keywords and audio.

    There are three errors: a detection is not inside an excerpt; a searched keyword is not in the
    keyword list or occurs twice; a keyword was not searched (unless `allow_missing`). A repeated
    detection causes a warning.
    """
    inside = _Inside(ecf)
    errors: list[str] = []
    warnings = 0
    messages: list[str] = []
    kept = []
    for keyword in kwslist.keywords:
        detections: list[Detection] = []
        seen: set[tuple[object, ...]] = set()
        for detection in keyword.detections:
            file = detection_file(detection.file, F4DE)
            begin = EXACT.time(detection.begin)
            end = begin + EXACT.time(detection.duration)
            if not inside(file, detection.channel, begin, end):
                errors.append(f"{_place(detection, file)}) not defined in the ECF.")
                messages.append(f"ERROR - {errors[-1]}")
                continue
            key = (file, *detection[2:7])
            if key in seen:
                decision = "YES" if detection.decision else "NO"
                messages.append(
                    f"WARNING - {_place(detection, file)}, duration "
                    f"'{detection.score_text or detection.score}', duration '{decision}') "
                    "is a duplicate."
                )
                warnings += 1
                continue
            seen.add(key)
            detections.append(detection)
        kept.append(DetectedKeyword(keyword.searched, tuple(detections)))
    listed = dict.fromkeys(keyword.identifier for keyword in keywords.keywords)
    searched = [keyword.searched.keyword for keyword in kwslist.keywords]
    wrong = [
        f"ID '{k}' present in KWS file but not defined in the Term List."
        for k in dict.fromkeys(searched)
        if k not in listed
    ]
    wrong += [f"ID '{k}' is searched more than once in the KWS file." for k in _repeated(searched)]
    if not allow_missing:
        names = set(searched)
        wrong += [
            f"ID '{k}' defined in the Term List but absent in KWS file."
            for k in listed
            if k not in names
        ]
    messages += [f"ERROR - {text}" for text in wrong]
    return Checked(
        len(errors) + len(wrong), warnings, tuple(messages), Kwslist(kwslist.header, tuple(kept))
    )


def _place(detection: Detection, file: str) -> str:
    begin = detection.begin_text or f"{detection.begin:.15g}"
    duration = detection.duration_text or f"{detection.duration:.15g}"
    return (
        f"KWS detected term ID '{detection.keyword}' (File '{file}', Channel "
        f"'{detection.channel}', Begin time '{begin}', duration '{duration}'"
    )


def _repeated(names: Iterable[str]) -> list[str]:
    seen: set[str] = set()
    repeated: dict[str, None] = {}
    for name in names:
        if name in seen:
            repeated[name] = None
        seen.add(name)
    return list(repeated)
