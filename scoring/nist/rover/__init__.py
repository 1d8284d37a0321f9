"""Combining the output of several recognisers by alignment and voting, as NIST's rover does it."""
