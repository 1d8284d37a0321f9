"""The hub evaluation tools of SCTK: filters, validators, RTTM tools and the scoring chain.

Each program of SCTK is a module with functions on bytes in memory. The chain calls these functions
in one process. The commands only parse the command line and write files.
"""
