"""What writers share: losses, limits, XML, conversion; `write`."""
