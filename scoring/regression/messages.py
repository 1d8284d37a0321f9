"""Messages of benchmarks, histories and comparisons."""

from formats.schema.messages import NOTE, WARNING, Entry

CHUNKS = Entry(
    "CHUNKS", WARNING, "{path}: chunks of {session}: expected 0 to {last}, found {chunks}"
)
ABSENT = Entry("DELETED", WARNING, "{path}: references without hypothesis: {number}", "number")
CELLS = Entry("CELLS", NOTE, "{path}: {new} scored, {old} from the history")
FOLDER_SKIPPED = Entry(
    "SKIPPED", NOTE, "{path}: skipped, because it does not hold both sides ({problem})"
)
