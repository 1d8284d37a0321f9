"""Classes and functions for plug-ins that add formats, measures or steps; see `docs/plugins.md`."""

from __future__ import annotations

from formats.schema import lazy_names

# what type checkers look for, without the cost of importing `typing`
TYPE_CHECKING = False

if TYPE_CHECKING:
    from formats.detection.head import Head as Head
    from formats.detection.spec import FormatSpec as FormatSpec
    from formats.detection.spec import ListedFormat as ListedFormat
    from formats.detection.spec import Option as Option
    from formats.detection.spec import SegmentSource as SegmentSource
    from formats.detection.spec import Sniff as Sniff
    from formats.io.sink import Sink as Sink
    from formats.io.source import Source as Source
    from formats.reading.described_formats import load_description as load_description
    from formats.schema.messages import WARNING as WARNING
    from formats.schema.messages import Advice as Advice
    from formats.schema.messages import Entry as Entry
    from formats.schema.model import Segment as Segment
    from formats.schema.times import format_time as format_time
    from formats.schema.times import parse_time as parse_time
    from scoring.measures.view import View as View
    from scoring.results.measured import INVENTION as INVENTION
    from scoring.results.measured import Figure as Figure
    from scoring.results.measured import MeasureSpec as MeasureSpec
    from scoring.text.step import Step as Step

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "formats.detection.head": "Head",
        "formats.detection.spec": "FormatSpec ListedFormat Option SegmentSource Sniff",
        "formats.io.sink": "Sink",
        "formats.io.source": "Source",
        "formats.reading.described_formats": "load_description",
        "formats.schema.messages": "WARNING Advice Entry",
        "formats.schema.model": "Segment",
        "formats.schema.times": "format_time parse_time",
        "scoring.measures.view": "View",
        "scoring.results.measured": "INVENTION Figure MeasureSpec",
        "scoring.text.step": "Step",
    },
)
