"""ESPnet2's error calculators in its place."""
