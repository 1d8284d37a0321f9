"""Shared code of writers: losses, limits, XML, conversion; the function `write`."""
