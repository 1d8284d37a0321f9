"""The reports of sclite, generated from a `scoring.alignment.system.System`.

A report is a pure function from a system to the bytes of a file, in chunks. Nothing here opens a
file or prints. `registry` lists the reports in the order in which a command writes them.
"""
