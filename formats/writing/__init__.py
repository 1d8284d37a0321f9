"""Code that writers share (losses, limits, XML, conversion), and the function `write`."""
