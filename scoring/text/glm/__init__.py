"""NIST's global mapping files (`.glm`), which contain rewriting rules.

`matching.RuleIndex` finds the positions at which rules apply. There are two parsers, which differ:
`nist_map` parses a map exactly like NIST's rfilter1, byte by byte. `step` parses a map as
documented, for users' texts, and keeps alternatives open.
"""
