"""ESPnet2's modules for transducers."""
