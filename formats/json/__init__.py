"""JSON formats (and YAML with the same members): services, recognisers, manifests.

Each service has one file with a `SPEC`. Other modules have shared code: `value` has JSON values
with positions, `shapes` reads words, `words_to_segments` and `answer` create segments, `rows` reads
records of manifests.
"""
