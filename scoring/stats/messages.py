"""Messages of statistics."""

from formats.schema.messages import ERROR, Entry

NO_TOKENS = Entry(
    "NO-SCORE", ERROR, "{sums} have no score, because there are no reference tokens", "tokens"
)
NO_TOKENS_OF_SOME = Entry(
    "NO-SCORE",
    ERROR,
    "{number} of {total} {sums} have no score, because there are no reference tokens",
    "some",
)
NO_TOKENS_OF_RUN = Entry(
    "NO-SCORE", ERROR, "a run has no error rate, because there are no reference words", "run"
)
TOO_FEW = Entry("TOO-FEW", ERROR, "expected at least two {unit}s, found {number}")
NO_ERRORS = Entry(
    "NO-LIMITS",
    ERROR,
    ("expected at least one error for an exact interval of a time-based rate, found none"),
)
