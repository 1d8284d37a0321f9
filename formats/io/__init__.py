"""Bytes in and out: sources, archives, folders, decoding, sinks, files beside their final place."""
