"""Match the utterances of both sides, and list utterances without a partner.

`in_common` chooses how: by identifier, by rows of manifests, by time, or by whole recordings.
`identifier.partners_of` then finds the partners and rejects utterances that must have one.
"""
