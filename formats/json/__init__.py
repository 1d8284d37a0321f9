"""JSON formats (and YAML with the same members): services, recognisers, manifests.

Each service has a module with a `SPEC`. Other modules have shared code: `value` holds JSON values
with positions, `shapes` reads words, `words_to_segments` and `answer` create segments, and `rows`
reads the records of manifests.
"""
