"""`scoring explain`: what each field of a signature means, in sentences."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from formats.console import screen_width
from scoring.cli.flags import command_parser
from scoring.cli.scoring import OK
from scoring.model.errors import ScoringError
from scoring.model.outputs import put_text
from scoring.text.bundled import BUNDLED
from scoring.text.registry import all_steps

TABLE = """
signature SIGNATURE  signature to explain, in quotes: 'wer|unit:word|norm:none|…'
| --fields  list all fields of signatures as Markdown tables
"""
WIDTH = 88
TASKS = {
    "wer": "Words and characters: scoring wer, cer, oracle, diff",
    "der": "Who speaks when: scoring der",
    "kws": "Keywords: scoring kws",
    "events": "Events: scoring events",
    "segments": "Segments: scoring segments",
    "per": "Phonemes: scoring per",
    "beer": "Bags of entities: scoring beer",
}
# Name; what it says; the options that set it; which way it moves the number. A line that begins
# with blanks goes on with the row above it.
FIELDS = {
    "wer": """
like; the recipe that fixed the choices; --like; as the recipe says
meeting; the measure for several speakers, with its collar and search; --meeting, --collar,
  --exact, --greedy; a larger collar lowers it, and a greedy search never finds fewer errors than
  an exact one
unit; what is counted; --unit; characters mostly lower it, because most letters of a wrong word
  are right
norm; the steps of normalisation, and the start of their hash (#); --normalize, --ignore-case;
  mostly lowers it
align; the profile, and its costs of a substitution, a deletion and an insertion; --profile; costs
  1, 1, 1 find the fewest errors, and 4, 3, 3 may count more
ties; which of equally cheap alignments is taken; --profile; moves substitutions, deletions and
  insertions, and with costs 1, 1, 1 not their sum
missing; what happens to a reference without a hypothesis; --missing; delete raises it, and skip
  leaves the words out
match; how utterances were matched, and in parentheses how they were cut; --match, --cut; wrong
  borders raise it
where; the conditions of the utterances that are scored, all joined by &; --where; either way
shift; seconds that were added to the times of the hypothesis (auto: as measured); --shift; the
  right shift lowers it
rate; how the rate of an utterance is limited; --clip-rate; lowers the mean over utterances
optional; whether a missing optional word is an error; --forgive-optional; lowers it
verdicts; the start of the hash of the decisions of a person; --verdicts; lowers it
compounds; which compounds are merged; --merge-compounds; lowers it
references; how the best of several references is chosen, and their number; --references,
  --further-reference; lowers it
variants; where references have alternatives; --variants, --variants-file; lowers it
length; whose words errors are divided by, if not those of the chosen path; --variants-length;
  either way
""",
    "der": """
like; the tool whose rules apply; --like; as the tool does
by; the groups that are scored separately; --subtotals; either way
collar; the time around each boundary that is not scored; --boundary-collar, --collar-is; a larger
  one lowers it
overlap; whether overlapped speech is scored; --skip-overlap; skipped mostly lowers it
region; the time that is scored without a file of regions; --region; both counts false alarms
  outside the reference
turns; which turns of one speaker that touch or overlap are merged; --like; merging lowers it
  where turns overlap
self-overlap; how often a speaker with two turns at a time counts; --like; each makes the
  denominator larger
mapped; the time by which speakers are paired; --like; either way
mapping; how speakers are paired, if not in the best way; --mapping; never lowers it
jaccard; the pairs of speakers of the Jaccard error rate; --like; moves only that rate
notes; what happens to regions that are marked as not scored; --like; cut leaves out their errors
one-sided; what happens to recordings that only one side has; --unpaired, --like; scored mostly
  raises it
speaking; which time is scored, by the number of its speakers; --speaking; either way
tolerance; how far a speaker change may be off; --change-tolerance; moves only the rates of changes
""",
    "kws": """
unit; whether trials are occurrences or segments; --segment-trials; either way
beta; the weight of a false alarm; --cost, --value, --prior; a larger one lowers the value
gap; the longest pause within a keyword, in seconds; --find-threshold; a larger one gives more
  references
tolerance; how far from a reference a detection may be, in seconds; --similarity-threshold; a
  larger one raises the value
rate; trials per second; --trials-per-second; more trials raise the value
untargeted; whether keywords that nobody said count; --include-untargeted; evaluated changes the
  mean of false alarms
unsearched; what happens to keywords without a result; --searched-only; missed lowers the value
pooled; whether all keywords count as one; --pooled; either way
rules; whose rules apply where those of F4DE and sound ones differ; --f4de; see each rule
""",
    "events": """
unit; what is counted; the command; nothing else to choose
align; how labels are paired, and the limits; --align, --min-overlap, --start-tolerance,
  --end-tolerance; narrow limits raise it
labels; what a label is: a word, a segment or a turn; --labels; either way
threshold; the lowest score of a detection that counts; --threshold; a higher one trades false
  alarms for misses
""",
    "segments": """
unit; what is counted; the command; nothing else to choose
align; how times are compared, and the limits; --time-threshold; a larger threshold lowers it
labels; what a label is: a word, a segment or a turn; --labels; either way
""",
    "per": """
method; how pronunciations are chosen; --method; columns can lower or raise it
norm; whether words are looked up without case; --lexicon-ignore-case; finds more words
stress; whether stress counts; --stress; strip lowers it
drop; the phonemes that are dropped on both sides; --drop-phoneme; mostly lowers it
optional; whether a missing optional word is an error; --forgive-optional; lowers it
unknown; what happens to words without a pronunciation; --unknown; skip leaves their utterances out
missing; what happens to a reference without a hypothesis; --missing; delete raises it, and skip
  leaves the phonemes out
match; how utterances were matched; --match; wrong borders raise it
""",
    "beer": """
entities; the number of entities in the file; --entity-weights; the rate is comparable only for
  the same file
sha256; the start of the hash of the entities and weights; --entity-weights; the rate is
  comparable only for the same file
norm; the steps of normalisation, and the start of their hash (#); --normalize; mostly lowers it
missing; what happens to a reference without a hypothesis; --missing; delete raises it
match; how utterances were matched; --match; wrong borders raise it
""",
}
LAST = "v; the version of sclite-kit; none; the changelog lists every change of a score"
# Sentences for values of a closed list: task, field and value, or its beginning (*).
VALUES = """
wer unit word: Words are counted.
wer unit char: Characters are counted, without the blanks between words.
wer unit char+space: Characters are counted, and one blank between two words.
wer unit grapheme: Characters are counted as a reader sees them.
wer unit mixed*: Characters of Chinese and Japanese are counted, and words of other scripts.
wer norm none: Texts are compared as written: case and punctuation count.
wer norm casefold: Case does not count.
wer align sclite*: A substitution costs 4, a deletion and an insertion 3, as in sclite.
wer align levenshtein*: Each error costs 1.
wer align kaldi*: Each error costs 1, as in Kaldi.
wer ties sclite: Of equally cheap alignments, that of sclite is taken.
wer ties compute-wer: Of equally cheap alignments, that of Kaldi's compute-wer is taken.
wer ties align-text: Of equally cheap alignments, that of Kaldi's align-text is taken.
wer ties rapidfuzz: Of equally cheap alignments, that of rapidfuzz (jiwer) is taken.
wer missing delete: The words of a reference without a hypothesis count as deletions.
wer missing skip: A reference without a hypothesis is not scored.
wer missing error: Every reference has a hypothesis.
wer match identifier*: Utterances were matched by their identifiers.
wer match position*: Utterances were matched by their order.
wer match time*: Words were assigned to utterances by their times.
wer match recording*: Whole recordings were aligned, and cut at the segments of the reference.
wer match file*: The whole texts of two files were aligned.
wer match audio*: Rows were matched by the audio file that they name.
wer rate clipped: The rate of an utterance is at most 1.
wer optional forgiven: Leaving out an optional word is no error.
wer length places: A place with several readings counts as written.
wer length written: Errors are divided by the words of the first reference.
wer length shortest: Errors are divided by the words of the shortest reading.
der overlap skipped: Time with several turns in the reference is not scored.
der overlap scored: Time with several speakers is scored, once for each of them.
der region reference: Time is scored from the first to the last turn of the reference.
der region both: Time is scored from the first to the last turn of both sides.
kws unsearched missed: All references of a keyword without a result count as missed.
kws unsearched left-out: Keywords without a result do not count.
kws untargeted left-out: Keywords that nobody said do not count.
kws rules sound: The sound rules apply, not those of F4DE.
per method exact: Whole pronunciations are chosen so that errors are fewest.
per method columns: Pronunciations are aligned column by column, as in speechline.
per stress keep: Stress counts.
per stress strip: Stress does not count.
per missing delete: The phonemes of a reference without a prediction count as deletions.
"""


class Field(NamedTuple):
    """A field of a signature, with its meaning."""

    name: str
    meaning: str
    options: str
    effect: str


class SignatureError(ScoringError):
    """A text that is not a signature."""

    status = 2


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    parser = command_parser(
        "explain",
        "Explain the signature of a score: what each field means, which option sets it, and which "
        "way it moves the number.",
        TABLE,
        SIGNATURE={"nargs": "?", "metavar": "signature"},
    )
    arguments = parser.parse_args(argv)
    if arguments.fields:
        put_text(list(field_tables()))
    elif arguments.signature is None:
        raise SignatureError("explain: expected a signature, or --fields, found neither")
    else:
        columns = min(screen_width(sys.stdout) or WIDTH, WIDTH)
        put_text(list(explained(arguments.signature, columns)))
    return OK


def fields_of(task: str) -> dict[str, Field]:
    """Return the fields of a task's signature by name, in order."""
    rows = [*FIELDS[task].replace("\n  ", " ").strip().splitlines(), LAST]
    fields = [Field(*row.split("; ")) for row in rows]
    return {field.name: field for field in fields}


def field_tables() -> Iterator[str]:
    """Yield Markdown: a table of the fields of each task."""
    for task, title in TASKS.items():
        yield from (f"**{title}**", "", "| field | what it says | option | effect on the number |")
        yield "|---|---|---|---|"
        for field in fields_of(task).values():
            flags = ", ".join(
                f"`{flag}`" if flag.startswith("--") else flag for flag in field.options.split(", ")
            )
            yield f"| `{field.name}` | {field.meaning} | {flags} | {field.effect} |"
        yield ""


def explained(signature: str, columns: int = WIDTH) -> Iterator[str]:
    """Yield lines of at most `columns` that explain each field of a signature.

    Raises
    ------
    SignatureError
        If the text does not begin with the name of a task.
    """
    task, *parts = signature.strip().removeprefix("signature: ").split("|")
    if task not in TASKS:
        expected = ", ".join(TASKS)
        raise SignatureError(
            f"explain: expected a signature that begins with one of {expected}, found {task!r}"
        )
    yield TASKS[task]
    fields, values = fields_of(task), dict(_values())
    for part in parts:
        name, _, value = part.partition(":")
        yield ""
        yield part
        field = fields.get(name)
        if field is None:
            yield "  No field of this version has this name."
            continue
        sentence = next((text for key, text in values.items() if _fits(key, task, name, value)), "")
        set_by = f" ({field.options})" if field.options != "none" else ""
        sentence = sentence.removesuffix(".") or field.meaning[0].upper() + field.meaning[1:]
        yield from _indented(f"{sentence}{set_by}.", columns)
        if name == "norm":
            yield from _steps(value, columns)
        yield from _indented(f"Effect on the number: {field.effect}.", columns)


def _values() -> Iterator[tuple[str, str]]:
    for row in VALUES.strip().splitlines():
        key, _, text = row.partition(": ")
        yield key, text


def _fits(key: str, task: str, name: str, value: str) -> bool:
    full = f"{task} {name} {value}"
    return full.startswith(key[:-1]) if key.endswith("*") else full == key


def _steps(value: str, columns: int) -> Iterator[str]:
    """Yield lines with the titles of the steps of a normalisation; unknown steps are skipped."""
    titles = {step.name: step.title for step in all_steps()}
    titles |= {pipeline.name: pipeline.title for pipeline in BUNDLED}
    for step in value.partition("#")[0].split("+"):
        title = titles.get(step.partition("(")[0])
        if title:
            yield from _indented(f"{step}: {title}", columns)


def _indented(text: str, columns: int) -> list[str]:
    return wrap(
        text,
        columns,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
