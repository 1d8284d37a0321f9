"""A replacement for ESPnet's error calculators; for ESPnet2, see `sclite_kit.compat.espnet2`."""
