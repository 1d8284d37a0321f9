"""The registry of formats, and detection of a file's format."""
