"""Messages that all commands share."""

from formats.schema.messages import ERROR, NOTE, Entry

IDLE_WITHOUT = Entry("IDLE-OPTION", NOTE, "{option} has no effect without {needed: or }", "without")
IDLE_WITH = Entry("IDLE-OPTION", NOTE, "{option} has no effect with {other}", "with")
MISSING_PACKAGE = Entry(
    "MISSING-PACKAGE",
    ERROR,
    "expected the package {package} to be installed, found none (pip install {package})",
)
