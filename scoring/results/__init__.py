"""Numbers of what was scored, their selections, groups and sources; nothing here shows them."""
