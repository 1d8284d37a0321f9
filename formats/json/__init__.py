"""JSON formats (and YAML with the same members): services, recognisers, manifests.

Each service has one file with a `SPEC`. `value` holds JSON values with positions, `shapes` reads
words, `words_to_segments` and `answer` create segments, and `rows` reads records of manifests.
"""
