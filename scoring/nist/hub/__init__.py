"""The rest of SCTK: the chain of hub evaluations with its filters, validators and RTTM tools.

Every program of the original is a module here, whose functions work on bytes in memory, so that the
chain calls them one after the other in one process; the commands of the same names only read the
command line and write.
"""
