"""The function `write`: write segments to a file or stream in any format.

`to_pysubs2` and `to_textgrid` create objects of other libraries instead of a file.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO

from formats.detection import by_name, by_suffix, names, sharing_suffix
from formats.detection.errors import UnknownFormatError
from formats.detection.spec import DerivedSegments, FormatSpec, SegmentSource
from formats.io.messages import FILE_PROPERTIES, NO_SUFFIX, OTHER_SUFFIX, SHARED_SUFFIX
from formats.io.sink import Sink, Writable, open_sink
from formats.reading import DESCRIBED, checked_options
from formats.schema.loss import Loss
from formats.schema.messages import Message
from formats.schema.model import Segment
from formats.schema.refusals import LossError
from formats.writing.convert import ConvertOptions, convert

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pysubs2 import SSAFile


HELD = {"speaker": "speakers", "start": "segment times", "id": "utterance ids"}
"""What a format holds by a placeholder of a pattern."""


def write(
    segments: SegmentSource,
    target: Writable,
    format: str | None = None,  # noqa: A002
    *,
    encoding: str = "utf-8",
    tolerance: str = "default",
    interpolate: str = "none",
    group: str = "pause",
    pause: float = 0.5,
    inner_space: str = "split",
    text_view: str = "lexical",
    **options: object,
) -> tuple[Loss, ...]:
    r"""Write a transcript or stream of segments; the file appears only when it is complete.

    Examples
    --------
    >>> from io import StringIO
    >>> from formats import Segment, Transcript
    >>> output = StringIO()
    >>> segment = Segment.of("rec1", ["hello"], channel="1", speaker="anne", start=0.5, end=1.25)
    >>> for loss in write(Transcript([segment]), output, "trn"):
    ...     print(loss)
    recordings: 1
    channels: 1
    segment times: 1
    utterance ids invented: 1 (written as numbers)
    >>> output.getvalue()
    'hello (anne-000)\n'
    """
    if format is None and options.get("write_pattern"):
        format = DESCRIBED  # noqa: A001
    spec = target_spec(target, format)
    conversion = ConvertOptions(
        interpolate=interpolate,
        group=group,
        pause=pause,
        inner_space=inner_space,
        text_view=text_view,
    )
    checked = checked_options(spec, options, "write")
    with open_sink(target, encoding=encoding, tolerance=tolerance) as sink:
        write_to(segments, sink, spec, conversion, checked)
        return sink.losses.entries()


def write_to(
    segments: SegmentSource,
    sink: Sink,
    spec: FormatSpec,
    conversion: ConvertOptions,
    options: Mapping[str, object],
) -> None:
    """Convert segments and write them to a sink. With ``strict`` tolerance, losses are an error."""
    if spec.write is None:
        raise UnknownFormatError(f"{spec.name} is only read, not written", path=sink.name)
    converted = convert(segments, _as_described(spec, options), sink.losses, conversion)
    sink.source = segments.source
    spec.write(DerivedSegments(converted, _counted(converted, sink)), sink, **options)
    if not converted.are_properties_read and segments.properties:
        names = [name for name, _ in segments.properties]
        sink.log.say(FILE_PROPERTIES, names=names)
    lost = sink.losses.entries()
    if lost and sink.log.tolerance == "strict":
        raise LossError(
            f"{spec.name} cannot hold {'; '.join(map(str, lost))}",
            path=lost[0].path,
            line=lost[0].line,
        )


def _as_described(spec: FormatSpec, options: Mapping[str, object]) -> FormatSpec:
    """Return the format with the features that the placeholders of its pattern represent."""
    usual = {option.name: option.default for option in spec.write_options}
    pattern = str(options.get("write_pattern") or usual.get("write_pattern") or "")
    if not pattern:
        return spec
    held = {name for placeholder, name in HELD.items() if f"{{{placeholder}" in pattern}
    return spec._replace(holds=frozenset(spec.holds).difference(HELD.values()) | held, needs=())


def _counted(segments: Iterable[Segment], sink: Sink) -> Iterator[Segment]:
    """Yield the segments, and count them in the sink."""
    for segment in segments:
        sink.segments += 1
        yield segment


def target_spec(target: Writable, format_name: str | None) -> FormatSpec:
    """Return the format to write: the named format, or that of the path's suffix."""
    if format_name is not None:
        return by_name(format_name)
    path = os.fspath(target) if isinstance(target, (str, os.PathLike)) else "-"
    spec = by_suffix(path) if path != "-" else None
    if spec is None:
        sharing, suffix = sharing_suffix(path), os.path.splitext(path)[1]
        value = Message(OTHER_SUFFIX, {"suffix": suffix}) if suffix else Message(NO_SUFFIX)
        if sharing:
            value = Message(SHARED_SUFFIX, {"suffix": suffix, "names": [*sharing]})
        raise UnknownFormatError(
            value=value,
            path=None if path == "-" else path,
            candidates=sharing or names(),
        )
    return spec


def to_pysubs2(
    segments: SegmentSource,
    *,
    losses: list[Loss] | None = None,
    tolerance: str = "default",
    **options: object,
) -> SSAFile:
    r"""Return the segments as a pysubs2 `SSAFile`, which pysubs2 can shift, restyle and save.

    Times are rounded to milliseconds. With ``word_times=True``, which keeps word times as karaoke,
    they are rounded to hundredths of a second.

    Parameters
    ----------
    segments: a transcript or a stream of segments, all of them with times.
    losses: a list to which the losses (the content that the object cannot hold) are appended, in
        the form that `write` returns. Without a list, losses cause a `UserWarning`.
    tolerance: ``strict`` raises `LossError` for any loss.
    options: those of `write`, and those for writing ``ass``, as in ``styles_from="house.ass"``.

    Raises
    ------
    FormatError: in the same cases as `write`.

    Examples
    --------
    >>> from formats import Segment, Transcript
    >>> losses: list[Loss] = []
    >>> segment = Segment.of("talk", ["hello"], speaker="Anne", start=0.5, end=1.25)
    >>> file = to_pysubs2(Transcript([segment]), losses=losses)
    >>> file[0].start, file[0].end, file[0].name, file[0].text
    (500, 1250, 'Anne', 'hello')
    >>> [str(loss) for loss in losses]
    ['recordings: 1']
    """
    file: SSAFile = _created(by_name("ass"), segments, losses, tolerance, options)
    return file


def to_textgrid(
    segments: SegmentSource,
    *,
    losses: list[Loss] | None = None,
    tolerance: str = "default",
    **options: object,
) -> Any:
    """Return the segments as a `TextGrid` of textgrid; parameters are those of `to_pysubs2`.

    The object has the tiers that `write` creates in a TextGrid file, and the name of the recording.

    Examples
    --------
    >>> from formats import Segment, Transcript
    >>> segment = Segment.of("talk", ["hello"], tier="Anne", start=0.5, end=1.25)
    >>> grid = to_textgrid(Transcript([segment]))
    >>> [(tier.name, [(i.minTime, i.maxTime, i.mark) for i in tier]) for tier in grid]
    [('Anne', [(0.0, 0.5, ''), (0.5, 1.25, 'hello')])]
    """
    spec = by_name("textgrid")
    spec = spec._replace(holds={*spec.holds, "recordings"})  # as the name of a `TextGrid`
    return _created(spec, segments, losses, tolerance, options)


def _created(
    spec: FormatSpec,
    segments: SegmentSource,
    losses: list[Loss] | None,
    tolerance: str,
    options: dict[str, object],
) -> Any:
    """Convert the segments as for a file; return the object that the format creates."""
    assert spec.create is not None, "only some formats are objects of a library"
    create = spec.create
    bridging: dict[str, Any] = {
        name: options.pop(name) for name in ConvertOptions._fields if name in options
    }
    checked = checked_options(spec, options, "write")
    objects: list[Any] = []

    def keep(converted: SegmentSource, sink: Sink, **chosen: object) -> None:
        objects.append(create(converted, sink, **chosen))

    with open_sink(StringIO(), tolerance=tolerance) as sink:
        write_to(segments, sink, spec._replace(write=keep), ConvertOptions(**bridging), checked)
        lost = sink.losses.entries()
    if losses is not None:
        losses += lost
    elif lost:
        text = f"not preserved in {spec.name}: {'; '.join(map(str, lost))}"
        warnings.warn(text, UserWarning, stacklevel=3)
    return objects[0]
