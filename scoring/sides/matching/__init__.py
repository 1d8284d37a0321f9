"""Which utterance of one side belongs to which of the other, and what has no partner.

`in_common` chooses the way: by identifier, by rows of manifests, by time, or by whole recordings.
`identifier.partners_of` then finds the partners and refuses what may not be without one.
"""
