"""NIST's programs: the readers, the pairing and the reports of sclite; sc_stats; rover."""
