"""The list of formats, and detection of the format of a file."""
