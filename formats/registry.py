"""Which formats there are, and which one a name, a file name or a text means.

The list is written out by hand: reading it tells all that exists. A format's module is loaded when
the format is asked for, so that reading one does not cost the loading of all.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import NamedTuple

from msgspec.structs import replace

from formats.beginning import Head
from formats.errors import AmbiguousFormatError, UnknownFormatError, close_names, quoted
from formats.spec import Sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.signs import Near
    from formats.source import Source
    from formats.spec import FormatSpec

__all__ = ["all_formats", "by_name", "by_suffix", "detect", "names", "near_formats"]


class ListedFormat(NamedTuple):
    """Where a format is, and what is asked of it before it is loaded; said here alone."""

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


FORMATS = (
    ListedFormat("trn", "text", "formats.nist.trn", (".trn",)),
    ListedFormat("txt", "text", "formats.nist.txt", (".txt",), (".lab",)),
    ListedFormat("txt-lines", "text", "formats.nist.txt:LINES_SPEC"),
    ListedFormat("stm", "text", "formats.nist.stm", (".stm",)),
    ListedFormat("ctm", "text", "formats.nist.ctm", (".ctm",)),
    ListedFormat("rttm", "text", "formats.nist.rttm", (".rttm",)),
    ListedFormat("uem", "text", "formats.nist.uem", (".uem",)),
    ListedFormat("kaldi", "text", "formats.kaldi.text", ("/text", "/text.filt"), (".trans.txt",)),
    ListedFormat("kaldi-segments", "text", "formats.kaldi.segments", ("/segments",)),
    ListedFormat(
        "textgrid", "text", "formats.annotation.textgrid", (".textgrid",), keeps_bytes=True
    ),
    ListedFormat("eaf", "xml", "formats.annotation.eaf", (".eaf",)),
    ListedFormat("trs", "xml", "formats.annotation.trs", (".trs",)),
    ListedFormat("chat", "text", "formats.annotation.chat", (".cha",)),
    ListedFormat("callhome", "text", "formats.annotation.callhome", (), (".txt",)),
    ListedFormat("audacity", "text", "formats.annotation.audacity", (), (".txt",)),
    ListedFormat(
        "aeneas", "text", "formats.annotation.aeneas", (".smil",), (".json", ".csv", ".xml", ".txt")
    ),
    ListedFormat("exb", "xml", "formats.annotation.exmaralda", (".exb",), (".xml",)),
    ListedFormat("tei", "xml", "formats.annotation.tei", (".tei",), (".xml",)),
    ListedFormat("folker", "xml", "formats.annotation.tei:FOLKER_SPEC", (".flk", ".fln")),
    ListedFormat("flextext", "xml", "formats.annotation.flextext", (".flextext",), (".xml",)),
    ListedFormat("its", "xml", "formats.annotation.lena", (".its",), (".xml",)),
    ListedFormat("nxt", "xml", "formats.annotation.nxt", (".words.xml",), (".xml",)),
    ListedFormat("mrt", "xml", "formats.annotation.nxt:MRT_SPEC", (".mrt",)),
    ListedFormat("mgb", "xml", "formats.annotation.mgb", (), (".xml",)),
    ListedFormat("partitur", "text", "formats.annotation.partitur", (".par",)),
    ListedFormat("mfa", "text", "formats.annotation.mfa", (), (".csv", ".json")),
    ListedFormat("mrk", "text", "formats.annotation.switchboard:MRK_SPEC", (".mrk",)),
    ListedFormat("isip", "text", "formats.annotation.switchboard:ISIP_SPEC", (), (".text", ".txt")),
    ListedFormat("tdf", "text", "formats.annotation.tdf", (".tdf",), (".txt",)),
    ListedFormat("esps", "text", "formats.annotation.esps", (), (".word", ".words")),
    ListedFormat("salt", "text", "formats.annotation.salt", (".slt",)),
    ListedFormat("htk", "text", "formats.annotation.htk", (".lab", ".rec")),
    ListedFormat("mlf", "text", "formats.annotation.mlf", (".mlf",)),
    ListedFormat("timit", "text", "formats.annotation.timit", (".wrd", ".phn")),
    ListedFormat("srt", "text", "formats.subtitles.srt", (".srt",)),
    ListedFormat("vtt", "text", "formats.subtitles.vtt", (".vtt", ".webvtt"), keeps_bytes=True),
    ListedFormat("ass", "text", "formats.subtitles.ass", (".ass", ".ssa")),
    ListedFormat("microdvd", "text", "formats.subtitles.microdvd", (".sub",)),
    ListedFormat("sbv", "text", "formats.subtitles.sbv", (".sbv",)),
    ListedFormat("subviewer", "text", "formats.subtitles.subviewer", (), (".sub",)),
    ListedFormat("mpl2", "text", "formats.subtitles.mpl2", (".mpl",), (".txt", ".sub")),
    ListedFormat("lrc", "text", "formats.subtitles.lrc", (".lrc",)),
    ListedFormat("scc", "text", "formats.subtitles.scc", (".scc",)),
    ListedFormat("stl", "text", "formats.subtitles.stl", (".stl",), keeps_bytes=True),
    ListedFormat("sami", "xml", "formats.subtitles.sami", (".smi", ".sami")),
    ListedFormat("ttml", "xml", "formats.subtitles.ttml", (".ttml", ".dfxp"), (".xml", ".itt")),
    ListedFormat("json3", "json", "formats.subtitles.youtube:JSON3_SPEC", (".json3",), (".json",)),
    ListedFormat(
        "srv",
        "xml",
        "formats.subtitles.youtube:SRV_SPEC",
        (".srv1", ".srv2", ".srv3", ".ytt"),
        (".xml",),
    ),
    ListedFormat("docx", "text", "formats.meetings.docx", (".docx",), keeps_bytes=True),
    ListedFormat("speaker-text", "text", "formats.meetings.speaker_text", (), (".txt", ".md")),
    ListedFormat("bbc-kaldi", "json", "formats.json.bbc_kaldi", (), (".json",)),
    ListedFormat("vosk", "json", "formats.json.vosk", (), (".json", ".jsonl")),
    ListedFormat(
        "kaldi-gstreamer", "json", "formats.json.kaldi_gstreamer", (), (".json", ".jsonl")
    ),
    ListedFormat("offline-transcriber", "json", "formats.json.offline_transcriber", (), (".json",)),
    ListedFormat("whisper", "json", "formats.json.whisper", (), (".json",)),
    ListedFormat("whisperx", "json", "formats.json.whisperx", (), (".json",)),
    ListedFormat("whispercpp", "json", "formats.json.whispercpp", (), (".json",), keeps_bytes=True),
    ListedFormat("whisper-hf", "json", "formats.json.whisper_hf", (), (".json",)),
    ListedFormat("gentle", "json", "formats.json.gentle", (), (".json",)),
    ListedFormat("deepspeech", "json", "formats.json.deepspeech", (), (".json", ".jsonl")),
    ListedFormat("pocketsphinx", "json", "formats.json.pocketsphinx", (), (".json", ".jsonl")),
    ListedFormat("matchseg", "text", "formats.json.pocketsphinx:MATCHSEG_SPEC", (".matchseg",)),
    ListedFormat("autoedit", "json", "formats.json.editors:AUTOEDIT_SPEC", (), (".json",)),
    ListedFormat(
        "digital-paper-edit", "json", "formats.json.editors:PAPER_EDIT_SPEC", (), (".json",)
    ),
    ListedFormat("transcribee", "json", "formats.json.editors:TRANSCRIBEE_SPEC", (), (".json",)),
    ListedFormat("aws", "json", "formats.json.aws", (), (".json", ".jsonl")),
    ListedFormat("google", "json", "formats.json.google", (), (".json", ".jsonl")),
    ListedFormat("azure", "json", "formats.json.azure", (), (".json", ".jsonl")),
    ListedFormat("deepgram", "json", "formats.json.deepgram", (), (".json", ".jsonl")),
    ListedFormat("assemblyai", "json", "formats.json.assemblyai", (), (".json", ".jsonl")),
    ListedFormat("speechmatics", "json", "formats.json.speechmatics", (), (".json", ".jsonl")),
    ListedFormat("revai", "json", "formats.json.revai", (), (".json", ".jsonl")),
    ListedFormat("watson", "json", "formats.json.watson", (), (".json", ".jsonl")),
    ListedFormat("otranscribe", "json", "formats.json.otranscribe", (".otr",)),
    ListedFormat("label-studio", "json", "formats.json.label_studio", (), (".json",)),
    ListedFormat("via", "json", "formats.json.via", (), (".json",)),
    ListedFormat("emu", "json", "formats.annotation.emu", (), (".json",)),
    ListedFormat(
        "lhotse",
        "json",
        "formats.json.lhotse",
        (".supervisions.jsonl",),
        (".jsonl", ".json", ".yaml", ".yml"),
        may_be_yaml=True,
    ),
    ListedFormat(
        "nemo",
        "json",
        "formats.json.nemo",
        (".manifest", ".manifest.json", ".manifest.jsonl"),
        (".jsonl", ".json"),
    ),
    ListedFormat("commonvoice", "text", "formats.manifests.commonvoice", (), (".tsv",)),
    ListedFormat("librispeech", "text", "formats.manifests.librispeech"),
    ListedFormat("ljspeech", "text", "formats.manifests.ljspeech", (), (".csv", ".txt")),
    ListedFormat("must-c", "text", "formats.manifests.mustc", (), (".yaml",)),
    ListedFormat(
        "wenet", "json", "formats.json.wenet", ("/data.list",), (".list", ".jsonl", ".json")
    ),
    ListedFormat("speechbrain", "json", "formats.json.speechbrain", (), (".json",)),
    ListedFormat("chime", "json", "formats.json.seglst:CHIME_SPEC", (), (".json",)),
    ListedFormat("seglst", "json", "formats.json.seglst", (".seglst.json",), (".json", ".jsonl")),
    ListedFormat("jsonl", "json", "formats.json.jsonl", (".jsonl",), (".json",)),
    ListedFormat("nlp", "text", "formats.manifests.nlp", (".nlp",)),
    ListedFormat("csv", "text", "formats.manifests.table:CSV_SPEC", (".csv",)),
    ListedFormat("tsv", "text", "formats.manifests.table:TSV_SPEC", (".tsv",)),
    ListedFormat(
        "parquet",
        "text",
        "formats.manifests.arrow:PARQUET_SPEC",
        (".parquet", ".pq"),
        keeps_bytes=True,
    ),
    ListedFormat(
        "arrow",
        "text",
        "formats.manifests.arrow:ARROW_SPEC",
        (".arrow", ".feather"),
        keeps_bytes=True,
    ),
    ListedFormat("ecf", "xml", "formats.keywords.ecf", (".ecf.xml", ".ecf"), (".xml",)),
    ListedFormat("kwlist", "xml", "formats.keywords.kwlist", (".kwlist.xml", ".kwlist"), (".xml",)),
    ListedFormat(
        "kwslist", "xml", "formats.keywords.kwslist", (".kwslist.xml", ".kwslist"), (".xml",)
    ),
)


def names() -> tuple[str, ...]:
    """The names of all formats."""
    return tuple(listed.name for listed in FORMATS)


def all_formats() -> tuple[FormatSpec, ...]:
    """All formats, in the order of the list; loads every one of them."""
    return tuple(map(_load, FORMATS))


@cache
def _load(listed: ListedFormat) -> FormatSpec:
    module, _, name = listed.home.partition(":")
    spec: FormatSpec = getattr(import_module(module), name or "SPEC")
    return replace(spec, name=listed.name, shape=listed.shape, suffixes=listed.suffixes)


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
    for listed in FORMATS:
        if listed.name == name.lower():
            return _load(listed)
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
    listed = _named_by(path)
    return None if listed is None else _load(listed)


def _named_by(path: str) -> ListedFormat | None:
    """The format with the longest of the suffixes that the path ends in."""
    name = "/" + os.path.basename(path).lower().removesuffix(".gz")
    best: tuple[int, ListedFormat | None] = (0, None)
    for listed in FORMATS:
        for suffix in listed.suffixes:
            fits = name == suffix if suffix[0] == "/" else name.endswith(suffix)
            if fits and len(suffix) > best[0]:
                best = len(suffix), listed
    return best[1]


def sharing_suffix(path: str) -> tuple[str, ...]:
    """Names of the formats that share the ending of `path` with others, as ``.json``."""
    name = os.path.basename(path).lower().removesuffix(".gz")
    return tuple(e.name for e in FORMATS if name.endswith(e.shared))


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
    UnknownFormatError: none is sure, and the suffix says nothing; or the content only looks like
        the format (`formats.lookalikes`).
    EncodingFormatError: the beginning is not text.
    """
    spec = _detected(source, formats)
    if spec.shape == "text" and source.folder is None:
        from formats.lookalikes import reject_lookalike

        reject_lookalike(source, spec.name)
    return spec


def _detected(source: Source, formats: Sequence[FormatSpec] | None) -> FormatSpec:
    """As `detect`, look-alikes included."""
    if source.folder is not None and formats is None:
        return by_name(source.tree or "kaldi")
    head = Head(source.head_lines(), source.stem, source.signature)
    listed = _named_by(source.name)
    if formats is None and listed is not None and _is_sure(listed, head):
        if not listed.keeps_bytes:
            source.check_head()
        return _load(listed)
    if not any(e.keeps_bytes and e.shape == head.shape and _is_sure(e, head) for e in FORMATS):
        source.check_head()
    answers = _answers(head, formats)
    if head.breaks_off and not any(answer is Sniff.SURE for _, answer in answers):
        from formats.source import FARTHEST_HEAD

        head = Head(source.head_lines(FARTHEST_HEAD), source.stem)
        of_json = [_load(listed) for listed in FORMATS if listed.shape == "json"]
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

    raise unknown(source, head, answers, sharing, names())


def near_formats(source: Source) -> list[Near]:
    """The formats that have to do with an opened input, the nearest first, and what it lacks.

    Those are asked whose content begins as the input's does, and those of text.
    """
    from formats.signs import nearest

    head = Head(source.head_lines(), source.stem, source.signature)
    specs = dict.fromkeys(spec.name for group in _by_shape(head) for spec in group)
    answers = [(by_name(name), by_name(name).sniff(head)) for name in specs]
    return nearest(head, answers, sharing_suffix(source.name))


def _answers(head: Head, formats: Sequence[FormatSpec] | None) -> list[tuple[FormatSpec, Sniff]]:
    """How sure the formats are, one after another, until one is."""
    answers: list[tuple[FormatSpec, Sniff]] = []
    for group in [formats] if formats is not None else _by_shape(head):
        answers.extend((spec, spec.sniff(head)) for spec in group)
        if any(answer is Sniff.SURE for _, answer in answers):
            break
    return answers


def _is_sure(listed: ListedFormat, head: Head) -> bool:
    return _load(listed).sniff(head) is Sniff.SURE


def _by_shape(head: Head) -> Iterator[list[FormatSpec]]:
    """First the formats whose content begins as the text does, then the others of text."""
    if head.is_yaml:
        yield [_load(listed) for listed in FORMATS if listed.may_be_yaml]
    yield [_load(listed) for listed in FORMATS if listed.shape == head.shape]
    if head.shape != "text":
        yield [_load(listed) for listed in FORMATS if listed.shape == "text"]


def _sure_one(source: Source, sure: Sequence[FormatSpec]) -> FormatSpec:
    if len(sure) > 1:
        found = [spec.name for spec in sure]
        raise AmbiguousFormatError(
            f"the content may be {' or '.join(found)}: name the format ({source.format_option})",
            path=source.name,
            candidates=found,
        )
    named = _named_by(source.name)
    if named is not None and named.name != sure[0].name:
        listed = next((e for e in FORMATS if e.name == sure[0].name), None)
        if listed is None or not source.name.lower().removesuffix(".gz").endswith(listed.shared):
            source.log.warn(
                "FORMAT-SUFFIX",
                f"read as {sure[0].name} because of its content, though its name says {named.name}",
            )
    return sure[0]
