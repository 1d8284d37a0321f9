"""The library of readers: lines, columns, XML; `read`, `stream` and `detect`."""
