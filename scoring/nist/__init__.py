"""NIST's programs: sclite, sc_stats, rover, asclite, and the tools for hub evaluations."""
