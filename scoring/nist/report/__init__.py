"""The reports of sclite, drawn from a `scoring.alignment.system.System`.

A report is a pure function: a system in, chunks of a file out. Nothing here opens a file or
prints; `registry` lists the reports in the order in which a command writes them.
"""
