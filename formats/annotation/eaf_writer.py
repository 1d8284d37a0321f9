"""Writer of ELAN documents (EAF 3.0)."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent

from formats.annotation.tier_layout import OutputTier, lay_out
from formats.detection.spec import SegmentSource
from formats.io.sink import Sink
from formats.writing.xml_writing import checked, writable, write_document

MILLISECOND = 10**6
DATE = re.compile(r"-?[0-9]{4,9}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,20}(?:Z|[+-][0-9:]{5})?")
NO_DATE = "1970-01-01T00:00:00+00:00"
SCHEMA = "http://www.mpi.nl/tools/elan/EAFv3.0.xsd"
SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
CONSTRAINTS = (
    ("Time_Subdivision", "Children fill the time of their parent without gaps"),
    ("Symbolic_Subdivision", "Children are parts of their parent, in order, without times"),
    ("Symbolic_Association", "One child for one parent, without times of its own"),
    ("Included_In", "Children lie within the time of their parent, gaps allowed"),
)


def write(segments: SegmentSource, sink: Sink) -> None:
    """Write one ELAN document for one recording.

    If the transcript has no date, the document is dated 1970, so that equal input gives equal
    bytes.
    """
    layout = lay_out(checked(segments), sink, precision=3, has_points=False, has_participants=True)
    properties = dict(segments.properties)
    date = properties.get("date", NO_DATE)
    root = Element(
        "ANNOTATION_DOCUMENT",
        {
            "AUTHOR": writable(properties.get("author", "")),
            "DATE": date if DATE.fullmatch(date) else NO_DATE,
            "FORMAT": "3.0",
            "VERSION": "3.0",
            f"{{{SCHEMA_INSTANCE}}}noNamespaceSchemaLocation": SCHEMA,
        },
    )
    header = SubElement(root, "HEADER", MEDIA_FILE="", TIME_UNITS="milliseconds")
    if layout.recording is not None:
        SubElement(header, "PROPERTY", NAME="recording").text = layout.recording
    _add_tiers(root, layout.tiers)
    for name, constraint in (("utterance", {}), ("words", {"CONSTRAINTS": "Included_In"})):
        attributes = {**constraint, "GRAPHIC_REFERENCES": "false", "LINGUISTIC_TYPE_ID": name}
        SubElement(root, "LINGUISTIC_TYPE", {**attributes, "TIME_ALIGNABLE": "true"})
    for stereotype, description in CONSTRAINTS:
        SubElement(root, "CONSTRAINT", DESCRIPTION=description, STEREOTYPE=stereotype)
    indent(root, "    ")
    write_document(root, sink)


def _add_tiers(root: Element, tiers: list[OutputTier]) -> None:
    spans = [
        (begin if n == 0 else end, n, tier_number, number)
        for tier_number, tier in enumerate(tiers)
        for number, (begin, end, _) in enumerate(tier.labels)
        for n in (0, 1)
    ]
    # At one time ends stand before begins, as neighbours touch there.
    spans.sort(key=lambda span: (span[0], -span[1], span[2], span[3]))
    order = SubElement(root, "TIME_ORDER")
    slots: dict[tuple[int, int, int], str] = {}
    for count, (time, n, tier_number, number) in enumerate(spans, 1):
        slots[tier_number, number, n] = name = f"ts{count}"
        value = str(time // MILLISECOND)
        SubElement(order, "TIME_SLOT", TIME_SLOT_ID=name, TIME_VALUE=value)
    count = 0
    for tier_number, tier in enumerate(tiers):
        attributes = {"LINGUISTIC_TYPE_REF": "utterance" if tier.owner is None else "words"}
        if tier.owner is not None:
            attributes["PARENT_REF"] = tier.owner.name
        if tier.participant is not None:
            attributes["PARTICIPANT"] = tier.participant
        element = SubElement(root, "TIER", {**attributes, "TIER_ID": tier.name})
        for number, (_, _, text) in enumerate(tier.labels):
            count += 1
            begin, end = slots[tier_number, number, 0], slots[tier_number, number, 1]
            annotation = SubElement(
                SubElement(element, "ANNOTATION"), "ALIGNABLE_ANNOTATION",
                ANNOTATION_ID=f"a{count}", TIME_SLOT_REF1=begin, TIME_SLOT_REF2=end,
            )  # fmt: skip
            SubElement(annotation, "ANNOTATION_VALUE").text = text
