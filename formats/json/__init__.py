"""JSON formats (and YAML with the same members): services, recognisers, manifests.

A file a service, each with its `SPEC`; `value` holds the values and their places, `shapes` reads
words, `words_to_segments` and `answer` make segments of them, `rows` reads records of manifests.
"""
