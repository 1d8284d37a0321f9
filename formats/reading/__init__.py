"""What readers share: lines, columns, XML; `read`, `stream` and `detect`."""
