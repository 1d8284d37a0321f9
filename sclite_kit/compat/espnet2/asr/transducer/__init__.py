"""Modules of ESPnet2 for transducers."""
