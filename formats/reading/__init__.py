"""Code that readers share (lines, columns, XML); the functions `read`, `stream` and `detect`."""
