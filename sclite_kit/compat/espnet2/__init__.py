"""A replacement for ESPnet2's error calculators."""
