"""The library of writers: losses, limits, XML, conversion; `write`."""
