"""The JSON of speech recognition services."""
