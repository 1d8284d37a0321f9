"""Commands with the interfaces of other packages."""
