"""speechline's metrics in its place: see docs/phonemes.md."""
