"""asclite's reports: SGML with the alignments of one system, XML with those of several systems.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from scoring.nist.asclite.alignment import CORRECT, MISTAKEN, SUBSTITUTED, AlignedSegment, PathStep
from scoring.nist.asclite.choices import BOTH, AscliteOptions
from scoring.nist.asclite.network_words import NetworkSegment, NetworkWord, Speeches
from scoring.nist.report.sgml import FORMAT_VERSION

XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000.0:.3f}"


def render(
    choices: AscliteOptions,
    title: str,
    reference: Speeches,
    hypothesis: Speeches,
    segments: Iterable[AlignedSegment],
) -> Iterator[str]:
    """Yield the SGML of one system as byte text, with speakers and segments in file order."""
    ordered = sorted(segments, key=lambda aligned: aligned.segment.sequence)
    speakers: dict[str, list[AlignedSegment]] = {}
    for aligned in ordered:
        speakers.setdefault(aligned.segment.speaker, []).append(aligned)
    heard = any(aligned.pairs and aligned.pairs[0].hypothesis for aligned in ordered)
    flags = {True: "TRUE", False: "FALSE"}
    created = time.strftime("%a %b %e %H:%M:%S %Y")
    yield (
        f'<SYSTEM title="{title}" ref_fname="{reference.name}" '
        f'hyp_fname="{hypothesis.name if heard else ""}" creation_date="{created}" '
        f'format="{FORMAT_VERSION}" frag_corr="{flags[choices.fragments]}" '
        f'opt_del="{flags[choices.optional == BOTH]}" weight_ali="FALSE" weight_filename="">'
    )
    for kind, identifier, name, description in reference.labels:
        yield f'<{kind} id="{identifier}" title="{name}" desc="{description}">'
        yield f"</{kind}>"
    writer = _Paths(choices, ordered)
    for speaker, chain in speakers.items():
        yield f'<SPEAKER id="{speaker}">'
        for aligned in chain:
            yield writer.head(aligned)
            yield ":".join(writer.pair(pair) for pair in aligned.pairs)
            yield "</PATH>"
        yield "</SPEAKER>"
    yield "</SYSTEM>"


class _Paths:
    """Writes segments as SGML.

    If any word of the report has an attribute, all words have it.
    """

    def __init__(self, choices: AscliteOptions, segments: Sequence[AlignedSegment]) -> None:
        self._case = choices.case_sensitive
        self._speakers = choices.speaker_map is not None
        pairs = [pair for aligned in segments for pair in aligned.pairs]
        sides: list[list[NetworkWord]] = [
            [word for pair in pairs if (word := pair.reference) is not None],
            [word for pair in pairs if (word := pair.hypothesis) is not None],
        ]
        self._times = [any(word.timed for word in side) for side in sides]
        self._scores = [any(word.confidence is not None for word in side) for side in sides]
        measures = [*self._times, *self._scores, self._speakers]
        names = ("r_t1+t2", "h_t1+t2", "r_conf", "h_conf", "h_spkr,h_isSpkrSub")
        listed = ",".join(name for name, measure in zip(names, measures, strict=True) if measure)
        self._auxiliary = f' word_aux="{listed}"' if listed else ""

    def head(self, aligned: AlignedSegment) -> str:
        segment = aligned.segment
        parts = [f'<PATH id="{segment.identifier}" word_cnt="{len(aligned.pairs)}"']
        if segment.label:
            parts.append(f'labels="{segment.label}"')
        if segment.file:
            parts.append(f'file="{segment.file}"')
        if segment.channel:
            parts.append(f'channel="{segment.channel}"')
        parts.append(f'sequence="{segment.sequence}"')
        if segment.begin >= 0 and segment.end >= 0:
            parts.append(f'R_T1="{_seconds(segment.begin)}" R_T2="{_seconds(segment.end)}"')
        return " ".join(parts) + self._auxiliary + (' case_sense="1">' if self._case else ">")

    def pair(self, pair: PathStep) -> str:
        letter = SUBSTITUTED if pair.letter == MISTAKEN else pair.letter
        words = (pair.reference, pair.hypothesis)
        empty = '""' if letter == CORRECT else ""
        fields = [letter]
        fields += [empty if word is None else f'"{word.shown(self._case)}"' for word in words]
        for word, wanted in zip(words, self._times, strict=True):
            if wanted:
                known = word is not None and word.timed
                fields.append(
                    f"{_seconds(word.begin)}+{_seconds(word.end)}" if word and known else ""
                )
        for word, wanted in zip(words, self._scores, strict=True):
            if wanted:
                score = None if word is None else word.confidence
                fields.append("" if score is None else f"{score:.6f}")
        if self._speakers:
            heard = pair.hypothesis
            fields.append("" if heard is None else heard.segment.speaker)
            fields.append("" if heard is None else str(pair.letter == MISTAKEN).lower())
        return ",".join(fields)


def render_multiple(
    files: Sequence[Speeches], groups: Iterable[Sequence[Sequence[NetworkWord | None]]]
) -> Iterator[str]:
    """Yield an alignment of several systems as unescaped XML (byte text).

    Each step has one word, or none, per axis.
    """
    title_of: dict[NetworkSegment, str] = {
        segment: file.title for file in files for segment in file.segments()
    }
    yield XML_HEAD
    yield "<rover>"
    for file in files:
        yield f'\t<input title="{file.title}" filename="{file.name}" />'
    for steps in groups:
        for step in steps:
            some = next(word for word in reversed(step) if word is not None).segment
            yield f'\t<putative file="{some.file}" channel="{some.channel}">'
            for word in step:
                yield f"\t\t{_word(word, title_of)}"
            for _ in range(len(step), len(files)):
                yield f"\t\t{_word(None, title_of)}"
            yield "\t</putative>"
    yield "</rover>"


def _word(word: NetworkWord | None, title_of: dict[NetworkSegment, str]) -> str:
    if word is None:
        return "<word></word>"
    fields = ["<word"]
    if word.begin >= 0:
        fields.append(f'bt="{_seconds(word.begin)}"')
    if word.end >= 0:
        fields.append(f'et="{_seconds(word.end)}"')
    if word.confidence is not None:
        fields.append(f'conf="{word.confidence:.6f}"')
    if word.segment.speaker:
        fields.append(f'speaker="{word.segment.speaker}"')
    return f'{" ".join(fields)} input="{title_of[word.segment]}">{word.text}</word>'
