"""JSON (and YAML of the same shape): answers of services, output of recognisers, manifests.

A file a service, each with its `SPEC`; `document` holds the values and says where each stands,
`words` makes segments of timed words. Nothing else is for callers outside this room.
"""
