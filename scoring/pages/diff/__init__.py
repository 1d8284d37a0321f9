"""Show what differs between two texts, for people and for programs."""
