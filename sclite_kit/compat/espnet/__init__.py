"""A replacement for ESPnet's error calculators; `sclite_kit.compat.espnet2` is for ESPnet2."""
