"""Combination of several recognisers' output by alignment and voting, as in NIST's rover."""
