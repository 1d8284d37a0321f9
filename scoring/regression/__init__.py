"""Compare systems: intervals and significance tests of a new system against a baseline.

`significance` has `compare`, `compare_all` and `confidence_interval`; `opening.open_version` opens
what was scored or recorded elsewhere, `changes.find_changes` finds what changed, and
`verdict.judge` applies thresholds.
"""
