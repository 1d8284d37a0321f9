"""A replacement for speechline's metrics; see docs/phonemes.md."""
