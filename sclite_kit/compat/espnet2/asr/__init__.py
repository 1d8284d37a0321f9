"""Modules of ESPnet2 for speech recognition."""
