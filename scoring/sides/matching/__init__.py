"""Matching of the utterances of both sides, and lists of utterances without a partner.

`in_common` chooses the way of matching: by identifier, by manifest rows, by time, or by whole
recordings. `identifier.partners_of` then finds the partners and rejects utterances that must have
one.
"""
