"""Messages of the readers and writers of keyword search files."""

from formats.schema.messages import NOTE, WARNING, Entry, rule

KWLIST_ATTRIBUTE = Entry(
    "KWLIST-ATTRIBUTE",
    WARNING,
    "keyword {keyword!r} has an attribute twice, and the last value is read",
    several="{times} keywords have an attribute twice, and the last value is read",
)
KWSLIST_DECISION = Entry(
    "KWSLIST-DECISION", NOTE, "the decision {text!r} is read as if it were in capitals"
)
KWSLIST_DURATION = Entry(
    "KWSLIST-DURATION",
    WARNING,
    "the duration is 0",
    several="{times} durations are 0",
)

# Rules of losses.
RULE_NOT_ONE_WORD = rule("not-one-word", "the query has several words or none")
RULE_OF_QUERIES = rule("of-queries", "the format does not store them for queries")
RULE_PER_WORD = rule("per-word", "each word is written as a detection")
RULE_REPEATED = rule("repeated", "the keyword is in the list already")
RULE_ROUNDED_TO_6 = rule("rounded-to-6", "rounded to 6 decimals")
RULE_SORTED_BY_KEYWORD = rule("sorted-by-keyword", "sorted by keyword")
RULE_THOSE_WORDS_KEPT = rule("those-words-kept", "the word times are written")
