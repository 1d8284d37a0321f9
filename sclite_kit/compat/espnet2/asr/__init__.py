"""ESPnet2's modules for speech recognition."""
