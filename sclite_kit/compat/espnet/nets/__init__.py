"""Modules of ESPnet's networks."""
