"""Combination of the outputs of several recognisers by alignment and voting, as in NIST's rover."""
