"""NIST's programs: sclite's own reading, pairing and reports, sc_stats and rover."""
