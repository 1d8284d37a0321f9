"""Matching: the pairs of utterances of both sides, and the utterances without a partner.

`in_common` chooses the way: by identifier, by rows of manifests, by time, or by whole recordings.
`identifier.partners_of` then finds the partners and refuses what may not be without one.
"""
