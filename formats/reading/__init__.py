"""Shared code of readers: lines, columns, XML; the functions `read`, `stream` and `detect`."""
