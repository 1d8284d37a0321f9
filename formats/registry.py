"""Which formats there are, and which one a name, a file name or a text means.

The list is written out by hand: reading it tells all that exists. A format's module is loaded when
the format is asked for, so that reading one does not cost the loading of all.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from formats.errors import AmbiguousFormatError, UnknownFormatError, close_names, quoted
from formats.head import Head
from formats.spec import Sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.source import Source
    from formats.spec import FormatSpec

__all__ = ["all_formats", "by_name", "by_suffix", "detect", "names"]


class Entry(NamedTuple):
    """Where a format is, and what can be known without loading it."""

    name: str
    shape: str
    """How its content begins: ``text``, ``xml`` or ``json``."""
    home: str
    """Its module, and with a colon the name of its spec there if that is not ``SPEC``."""
    suffixes: tuple[str, ...] = ()
    """Endings that mean this format; with a slash before, whole file names."""
    shared: tuple[str, ...] = ()
    """Endings that this format has in common with others: they decide nothing."""
    keeps_bytes: bool = False
    """Whether it reads text with stray bytes in it, so that these do not end the detection."""
    may_be_yaml: bool = False
    """Whether its JSON may be written as YAML, too."""


ENTRIES = (
    Entry("trn", "text", "formats.nist.trn", (".trn",)),
    Entry("txt", "text", "formats.nist.txt", (".txt",), (".lab",)),
    Entry("txt-lines", "text", "formats.nist.txt:LINES_SPEC"),
    Entry("stm", "text", "formats.nist.stm", (".stm",)),
    Entry("ctm", "text", "formats.nist.ctm", (".ctm",)),
    Entry("rttm", "text", "formats.nist.rttm", (".rttm",)),
    Entry("uem", "text", "formats.nist.uem", (".uem",)),
    Entry("kaldi", "text", "formats.kaldi.text", ("/text", "/text.filt"), (".trans.txt",)),
    Entry("kaldi-segments", "text", "formats.kaldi.segments", ("/segments",)),
    Entry("textgrid", "text", "formats.annotation.textgrid", (".textgrid",), keeps_bytes=True),
    Entry("eaf", "xml", "formats.annotation.eaf", (".eaf",)),
    Entry("trs", "xml", "formats.annotation.trs", (".trs",)),
    Entry("chat", "text", "formats.annotation.chat", (".cha",)),
    Entry("audacity", "text", "formats.annotation.audacity", (), (".txt",)),
    Entry("htk", "text", "formats.annotation.htk", (".lab", ".rec")),
    Entry("mlf", "text", "formats.annotation.mlf", (".mlf",)),
    Entry("timit", "text", "formats.annotation.timit", (".wrd", ".phn")),
    Entry("srt", "text", "formats.subtitles.srt", (".srt",)),
    Entry("vtt", "text", "formats.subtitles.vtt", (".vtt", ".webvtt"), keeps_bytes=True),
    Entry("ass", "text", "formats.subtitles.ass", (".ass", ".ssa")),
    Entry("microdvd", "text", "formats.subtitles.microdvd", (".sub",)),
    Entry("ttml", "xml", "formats.subtitles.ttml", (".ttml", ".dfxp"), (".xml",)),
    Entry("bbc-kaldi", "json", "formats.json.bbc_kaldi", (), (".json",)),
    Entry("vosk", "json", "formats.json.vosk", (), (".json", ".jsonl")),
    Entry("kaldi-gstreamer", "json", "formats.json.kaldi_gstreamer", (), (".json", ".jsonl")),
    Entry("offline-transcriber", "json", "formats.json.offline_transcriber", (), (".json",)),
    Entry("whisper", "json", "formats.json.whisper", (), (".json",)),
    Entry("whisperx", "json", "formats.json.whisperx", (), (".json",)),
    Entry("whispercpp", "json", "formats.json.whispercpp", (), (".json",), keeps_bytes=True),
    Entry("whisper-hf", "json", "formats.json.whisper_hf", (), (".json",)),
    Entry("aws", "json", "formats.json.aws", (), (".json", ".jsonl")),
    Entry("google", "json", "formats.json.google", (), (".json", ".jsonl")),
    Entry("azure", "json", "formats.json.azure", (), (".json", ".jsonl")),
    Entry("deepgram", "json", "formats.json.deepgram", (), (".json", ".jsonl")),
    Entry("assemblyai", "json", "formats.json.assemblyai", (), (".json", ".jsonl")),
    Entry("speechmatics", "json", "formats.json.speechmatics", (), (".json", ".jsonl")),
    Entry("revai", "json", "formats.json.revai", (), (".json", ".jsonl")),
    Entry("watson", "json", "formats.json.watson", (), (".json", ".jsonl")),
    Entry(
        "lhotse",
        "json",
        "formats.json.lhotse",
        (".supervisions.jsonl",),
        (".jsonl", ".json", ".yaml", ".yml"),
        may_be_yaml=True,
    ),
    Entry(
        "nemo",
        "json",
        "formats.json.nemo",
        (".manifest", ".manifest.json", ".manifest.jsonl"),
        (".jsonl", ".json"),
    ),
    Entry("commonvoice", "text", "formats.manifests.commonvoice", (), (".tsv",)),
    Entry("seglst", "json", "formats.json.seglst", (".seglst.json",), (".json", ".jsonl")),
    Entry("jsonl", "json", "formats.json.jsonl", (".jsonl",), (".json",)),
    Entry("csv", "text", "formats.manifests.table:CSV_SPEC", (".csv",)),
    Entry("tsv", "text", "formats.manifests.table:TSV_SPEC", (".tsv",)),
    Entry("ecf", "xml", "formats.keywords.ecf", (".ecf.xml", ".ecf"), (".xml",)),
    Entry("kwlist", "xml", "formats.keywords.kwlist", (".kwlist.xml", ".kwlist"), (".xml",)),
    Entry("kwslist", "xml", "formats.keywords.kwslist", (".kwslist.xml", ".kwslist"), (".xml",)),
)


def names() -> tuple[str, ...]:
    """The names of all formats."""
    return tuple(entry.name for entry in ENTRIES)


def all_formats() -> tuple[FormatSpec, ...]:
    """All formats, in the order of the list; loads every one of them."""
    return tuple(map(_load, ENTRIES))


def _load(entry: Entry) -> FormatSpec:
    import importlib

    module, _, name = entry.home.partition(":")
    spec: FormatSpec = getattr(importlib.import_module(module), name or "SPEC")
    return spec


def by_name(name: str) -> FormatSpec:
    """The format called `name`, in any case.

    Raises
    ------
    UnknownFormatError: no such format; its `candidates` are the close names.

    Examples
    --------
    >>> by_name("STM")
    <FormatSpec stm: NIST segment time marks: timed segments with speaker, labels and text>
    """
    for entry in ENTRIES:
        if entry.name == name.lower():
            return _load(entry)
    near = close_names(name, names())
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    raise UnknownFormatError(
        f"expected a format out of {', '.join(names())}, found {quoted(name)}{meant}",
        candidates=near or names(),
    )


def by_suffix(path: str) -> FormatSpec | None:
    """The format whose suffix `path` has, ``.gz`` left aside, or `None`.

    A suffix that several formats share, as ``.json``, means none of them.

    >>> by_suffix("talks/monday.CTM.gz")
    <FormatSpec ctm: NIST conversation time marks: one timed word per line>
    """
    entry = _named_by(path)
    return None if entry is None else _load(entry)


def _named_by(path: str) -> Entry | None:
    """The entry with the longest of the suffixes that the path ends in."""
    name = "/" + os.path.basename(path).lower().removesuffix(".gz")
    best: tuple[int, Entry | None] = (0, None)
    for entry in ENTRIES:
        for suffix in entry.suffixes:
            fits = name == suffix if suffix[0] == "/" else name.endswith(suffix)
            if fits and len(suffix) > best[0]:
                best = len(suffix), entry
    return best[1]


def sharing_suffix(path: str) -> tuple[str, ...]:
    """Names of the formats that share the ending of `path` with others, as ``.json``."""
    name = os.path.basename(path).lower().removesuffix(".gz")
    return tuple(e.name for e in ENTRIES if name.endswith(e.shared))


def detect(source: Source, formats: Sequence[FormatSpec] | None = None) -> FormatSpec:
    """The format of an opened input: by its content, then by its suffix.

    The format that the suffix says is asked first, and is it where it is sure of the content.
    Else a format that is sure wins, with a warning where the suffix says otherwise.
    JSON is looked at beyond its beginning, as far as 8 Mi characters, where its first object goes
    on and no format is sure yet: its members may stand in any order.
    If none is sure, the suffix decides, or one format alone that thinks the content possible and
    shares the suffix. Nothing is guessed: possible content is not enough without the suffix.

    Parameters
    ----------
    formats: those to choose from; by default all.

    Raises
    ------
    AmbiguousFormatError: two formats are sure, and neither is the one that the suffix says.
    UnknownFormatError: none is sure, and the suffix says nothing.
    EncodingFormatError: the beginning is not text.
    """
    if source.folder is not None and formats is None:
        return by_name("kaldi")
    head = Head(source.head_lines(), source.stem)
    entry = _named_by(source.name)
    if formats is None and entry is not None and _is_sure(entry, head):
        if not entry.keeps_bytes:
            source.check_head()
        return _load(entry)
    if not any(e.keeps_bytes and e.shape == head.shape and _is_sure(e, head) for e in ENTRIES):
        source.check_head()
    answers = _answers(head, formats)
    if head.breaks_off and not any(answer is Sniff.SURE for _, answer in answers):
        from formats.source import FARTHEST_HEAD

        head = Head(source.head_lines(FARTHEST_HEAD), source.stem)
        of_json = [_load(entry) for entry in ENTRIES if entry.shape == "json"]
        answers = _answers(head, formats or of_json)
    sure = [spec for spec, answer in answers if answer is Sniff.SURE]
    if sure:
        return _sure_one(source, sure)
    named = by_suffix(source.name)
    sharing = sharing_suffix(source.name)
    if named is not None and (named, Sniff.NEVER) not in answers:
        return named
    if named is not None and len(sharing) == 1:
        message = f"read as {sharing[0]}: its name says {named.name}, its content is none"
        source.log.warn("FORMAT-SUFFIX", message)
        return by_name(sharing[0])
    possible = [spec for spec, answer in answers if answer is Sniff.MAYBE]
    likely = [spec for spec in possible if spec.name in sharing]
    if len(likely) == 1:
        return likely[0]
    from formats.signs import unknown

    raise unknown(source, head, answers, sharing)


def _answers(head: Head, formats: Sequence[FormatSpec] | None) -> list[tuple[FormatSpec, Sniff]]:
    """How sure the formats are, one after another, until one is."""
    answers: list[tuple[FormatSpec, Sniff]] = []
    for group in [formats] if formats is not None else _by_shape(head):
        answers.extend((spec, spec.sniff(head)) for spec in group)
        if any(answer is Sniff.SURE for _, answer in answers):
            break
    return answers


def _is_sure(entry: Entry, head: Head) -> bool:
    return _load(entry).sniff(head) is Sniff.SURE


def _by_shape(head: Head) -> Iterator[list[FormatSpec]]:
    """First the formats whose content begins as the text does, then the others of text."""
    if head.is_yaml:
        yield [_load(entry) for entry in ENTRIES if entry.may_be_yaml]
    yield [_load(entry) for entry in ENTRIES if entry.shape == head.shape]
    if head.shape != "text":
        yield [_load(entry) for entry in ENTRIES if entry.shape == "text"]


def _sure_one(source: Source, sure: Sequence[FormatSpec]) -> FormatSpec:
    if len(sure) > 1:
        found = [spec.name for spec in sure]
        raise AmbiguousFormatError(
            f"the content may be {' or '.join(found)}: name the format (--from)",
            path=source.name,
            candidates=found,
        )
    named = _named_by(source.name)
    if named is not None and named.name != sure[0].name:
        entry = next((e for e in ENTRIES if e.name == sure[0].name), None)
        if entry is None or not source.name.lower().removesuffix(".gz").endswith(entry.shared):
            source.log.warn(
                "FORMAT-SUFFIX",
                f"read as {sure[0].name} because of its content, though its name says {named.name}",
            )
    return sure[0]
