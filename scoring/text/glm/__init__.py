"""NIST's global mapping files (`.glm`), whose rules say what is to be written for what.

`matching.RuleIndex` finds where rules of any origin fit. Lines of a map are read in two ways that
truly differ: `nist_map` cuts them as NIST's rfilter1 does, byte by byte, with all its surprises;
`step` as they are meant, for people's own text, and keeps choices open.
"""
