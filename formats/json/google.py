"""google: what Google Cloud Speech-to-Text answers, versions 1 and 2, and its wrappers.

==============================================  =============================================
its word                                        ours
==============================================  =============================================
result                                          a segment, or one for each turn of a speaker
``alternatives[0]``                             its words; the others are `Segment.nbest`
``startTime``, ``startOffset``, …               word times
``speakerTag``, ``speakerLabel``                `Segment.speaker`; tag 0 is none
``channelTag``                                  `Segment.channel`
``languageCode``                                property ``language``
``漢字|カンジ``                                 the word ``漢字``, its reading in the property
                                                ``reading`` of the segment
confidence 0                                    none: the service leaves it at 0 when not asked
a file of ``results.{uri}``                     recording: the stem of the URI
==============================================  =============================================

Names are taken with capitals or with underscores, durations as ``"1.300s"``, as seconds and
nanoseconds, or as numbers. A time that is left out is 0 for the first word of all; elsewhere it is
placed between its neighbours.

Words are written as the service shows them, with case and, if asked for, punctuation: it has no
other form of them.
"""

from __future__ import annotations

from formats.json.answer import Answer, messages
from formats.json.document import JsonDocument
from formats.json.google_results import read_results
from formats.json.members import message_of, refuse_error
from formats.source import recording_of
from formats.spec import FormatSpec, Sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.head import Head
    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff"]

EVIDENCE = (
    "resultEndTime", "result_end_time", "resultEndOffset", "result_end_offset", "languageCode",
    "language_code", "channelTag", "channel_tag", "isFinal", "is_final", "stability",
)  # fmt: skip
WORD_EVIDENCE = ("startTime", "start_time", "startOffset", "start_offset", "endTime", "endOffset")
FILE_EVIDENCE = ("transcript", "inlineResult", "inline_result", "cloudStorageResult", "uri")


def read(source: Source) -> Iterator[Segment]:
    """The segments of one answer, of an operation's answer, or of several files' answers.

    Raises
    ------
    SyntaxFormatError: an operation that failed or is not done, with the service's message; no
        final result; no words; members missing or of a wrong type.
    """
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "Google Speech-to-Text", "GOOGLE")
    groups: dict[str | None, list[JsonValue]] = {}
    for value in messages(document):
        for recording, results in _results_of(value):
            groups.setdefault(recording, []).extend(results)
    own = _recordings([uri for uri in groups if uri is not None])
    for uri, results in groups.items():
        for segment in read_results(results, answer):
            yield segment if uri is None else segment.replace(recording=own[uri])
    answer.finish(document)


def _results_of(value: JsonValue) -> Iterator[tuple[str | None, list[JsonValue]]]:
    """URI and results of every file that an answer is about; `None` for the only one."""
    refuse_error(value, "error")
    done = value.get("done")
    response = value.get("response")
    if done is not None and not done.flag():
        raise done.error("an operation that is done", "false")
    if response is None and value.has("metadata", "done", "name") and not value.has("results"):
        raise value.error('an operation with a "response"', "none")
    holder = response or value
    results = holder.get("results")
    if results is None:
        return
    if isinstance(results.value, list):
        yield None, list(results.elements())
        return
    for uri, file in results.members():
        refuse_error(file, "error")
        inline = file.get("inlineResult", "inline_result")
        transcript = (inline or file).get("transcript")
        if transcript is None:
            message = message_of(file, "cloudStorageResult", "cloud_storage_result", "uri")
            found = f"none; the answer is kept in {message}" if message else "none"
            raise file.error('a "transcript"', found)
        yield uri, list(transcript.elements("results"))


def _recordings(uris: list[str]) -> dict[str, str]:
    """Names of the recordings: the stems of the URIs, or the URIs where stems are equal."""
    stems = {uri: recording_of(uri) for uri in uris}
    if len(set(stems.values())) == len(stems):
        return stems
    return {uri: uri or "stream" for uri in uris}


def sniff(head: Head) -> Sniff:
    """Sure of results with a time, language or channel of this service; else maybe."""
    top = head.json
    if isinstance(top, list):
        top = next(iter(top), None)
    if not isinstance(top, dict):
        return Sniff.NO
    response = top.get("response")
    if isinstance(response, dict):
        top = response
    elif "done" in top and ("metadata" in top or "error" in top):
        return Sniff.SURE
    results = top.get("results")
    if isinstance(results, dict):
        files = [file for file in results.values() if isinstance(file, dict)]
        is_file = bool(files) and any("://" in uri for uri in results)
        return Sniff.SURE if is_file and _has(files, FILE_EVIDENCE) else Sniff.NO
    if not isinstance(results, list):
        return Sniff.NO
    return _sniff_results([result for result in results if isinstance(result, dict)])


def _sniff_results(results: list[dict[str, object]]) -> Sniff:
    if not results or not _has(results, ("alternatives",)) or _has(results, ("final",)):
        return Sniff.NO
    if _has(results, ("type", "start_time")):
        return Sniff.NO
    if _has(results, EVIDENCE):
        return Sniff.SURE
    alternatives = [a for r in results for a in _objects(r.get("alternatives"))]
    words = [w for a in alternatives for w in _objects(a.get("words"))]
    if _has(words, WORD_EVIDENCE):
        return Sniff.SURE
    if _has(alternatives, ("timestamps", "content")) or not _has(alternatives, ("transcript",)):
        return Sniff.NO
    return Sniff.MAYBE


def _objects(value: object) -> list[dict[str, object]]:
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []


def _has(objects: list[dict[str, object]], names: tuple[str, ...]) -> bool:
    return any(name in one for one in objects for name in names)


SPEC = FormatSpec(
    title="Google Cloud Speech-to-Text JSON, versions 1 and 2",
    sign='"results" with "alternatives" and "languageCode"',
    read=read,
    write=None,
    sniff=sniff,
    holds=(),
    manual="Results with alternatives and timed words, of one file or several.",
)
