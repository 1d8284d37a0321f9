"""Helper functions of evalmate."""
