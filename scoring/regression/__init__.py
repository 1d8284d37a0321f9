"""Compare systems: intervals and significance tests of a new system against a baseline.

`significance` has `compare`, `compare_all` and `confidence_interval`. `opening.open_version` opens
results of other programs and recorded runs. `changes.find_changes` finds changes, and
`verdict.judge` applies thresholds.
"""
