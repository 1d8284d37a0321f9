"""Messages about the sums of engines."""

from __future__ import annotations

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry

# Parts of a whole that do not belong together, by what differs.
APART = {
    "rules": Entry(
        "PARTS-DIFFER",
        ERROR,
        "expected the rules {expected}, as in {other}, found {found}",
        "rules",
    ),
    "hypothesis": Entry(
        "PARTS-DIFFER",
        ERROR,
        "expected the hypothesis {expected}, as in {other}, found {found}",
        "hypothesis",
    ),
    "columns": Entry(
        "PARTS-DIFFER",
        ERROR,
        "expected groups by {expected}, as in {other}, found {found}",
        "columns",
    ),
    "measures": Entry(
        "PARTS-DIFFER",
        ERROR,
        "expected the measures {expected}, as in {other}, found {found}",
        "measures",
    ),
    "replications": Entry(
        "PARTS-DIFFER",
        ERROR,
        "expected {expected} bootstrap replications, as in {other}, found {found}",
        "replications",
    ),
}
TWICE = Entry("TABLE-TWICE", ERROR, "expected each table once, found {table} here and in {other}")
NAMES_REPEAT = Entry(
    "NAMES-REPEAT",
    WARNING,
    (
        "{path}: the names in column {column} are not unique (about {rows:.2g} rows each), so "
        "the bootstrap draws all rows of a name together"
    ),
    "interval",
)
NUMBERS = Entry(
    "GROUPS-OF-NUMBERS",
    NOTE,
    "{path}: each different number of {column!r} is a group; only a score of all utterances, "
    "without {advice}, cuts numbers into ranges",
    advice=(Advice("engine", ""),),
)

# What a cluster lacks, found before any row is read.
_WAITING = ("cluster_timeout", "SECONDS")
NO_CLUSTER = Entry(
    "CLUSTER", ERROR, "{path}: expected a cluster of {engine}, found none ({reason})", "address"
)
NO_ANSWER = Entry(
    "CLUSTER",
    ERROR,
    "{path}: expected an answer of the {engine} cluster within {seconds:g} s, found "
    "none ({advice} waits longer)",
    "answer",
    (Advice(*_WAITING),),
)
NO_WORKER = Entry(
    "CLUSTER",
    ERROR,
    "{path}: expected a free worker of {engine} within {seconds:g} s, found none ({advice} waits "
    "longer)",
    "worker",
    (Advice(*_WAITING),),
)
NO_PACKAGE = Entry(
    "CLUSTER",
    ERROR,
    "{path}: expected sclite-kit {expected} on the workers of {engine}, found none",
    "package",
)
OTHER_VERSION = Entry(
    "CLUSTER",
    ERROR,
    "{path}: expected sclite-kit {expected} on the workers of {engine}, found {found}",
    "version",
)
NO_JAVA = Entry(
    "CLUSTER",
    ERROR,
    (
        "{path}: {engine} needs Java, but no Java was found (install Java 17 or later, "
        "or set JAVA_HOME)"
    ),
    "java",
)
SLOW_JAVA = Entry(
    "CLUSTER",
    ERROR,
    "{path}: {engine} needs Java, but Java did not start within {seconds:g} s",
    "java start",
)
OTHER_RUN = Entry(
    "SCORED-TABLE",
    ERROR,
    "{path}: the unfinished table in this folder belongs to another {part} (without "
    "{advice} the run begins again)",
    "other",
    (Advice("resume"),),
)
OUTPUT_EXISTS = Entry(
    "SCORED-TABLE",
    ERROR,
    "{path}: expected a new folder for the scored table, found an existing folder "
    "({advice} replaces the folder)",
    "",
    (Advice("overwrite"),),
)
