"""The LABEL and CATEGORY lines, which define the labels of segments."""

from __future__ import annotations

from scoring.alignment.system import LabelDefinition
from scoring.nist.transcripts.characters import byte_text
from scoring.nist.transcripts.input_files import single_mark_warning, whole_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.model.aliases import Say

LINE = rb'^;; (LABEL|CATEGORY) [^"\n\0]*"([^"\n\0]*)"[^"\n\0]*"([^"\n\0]*)"[^"\n\0]*"([^"\n\0]*)"'


class Definitions:
    """Labels and categories in order of definition, without duplicates.

    sclite's table of categories has 10 entries and doubles when it is full. `expansions` is the
    number of doublings so far; at each, sclite prints `Expanding` to standard output.
    """

    def __init__(self, warn: Say) -> None:
        self._warn = warn
        self.labels: list[LabelDefinition] = []
        self.categories: list[LabelDefinition] = []
        self.expansions = 0
        self._room = 10

    def read(
        self, data: bytes, *, terminated_only: bool = False, warn_of_single_marks: bool = False
    ) -> None:
        """Add the definitions of one file."""
        if b";" not in data:
            return
        import re  # few files have marks

        if terminated_only:
            data = data[: data.rfind(b"\n") + 1]
        if warn_of_single_marks:
            for line in re.finditer(rb"^;(?!;)", data, re.MULTILINE):
                self._warn(single_mark_warning(whole_line(data, line.start())))
        for kind, *fields in re.findall(LINE, data, re.MULTILINE):
            definition = LabelDefinition(*map(byte_text, fields))
            definitions = self.labels if kind == b"LABEL" else self.categories
            if kind == b"CATEGORY" and len(definitions) == self._room:
                self.expansions += 1
                self._room *= 2
            if definition not in definitions:
                definitions.append(definition)
