"""ESPnet's error calculators in its place; `sclite_kit.compat.espnet2` has the one of ESPnet2."""
