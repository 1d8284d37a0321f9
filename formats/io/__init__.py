"""Input and output of bytes: sources, archives, folders, decoding, sinks, temporary files."""
