"""`scoring normalize`: print normalised texts, and count the errors that each step removes."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from formats.console import screen_width, shown
from formats.console.command_line import CommandTable
from formats.console.telling import each_kind
from formats.console.terminal import table
from formats.io.source import open_source
from formats.schema import words_of_text
from formats.schema.messages import message_of
from formats.schema.model import Segment
from formats.schema.transcript import Transcript
from formats.schema.words import Item, Token
from scoring.alignment.sequences import align
from scoring.cli import flags, messages
from scoring.cli.flags import tell_idle
from scoring.cli.messages import Message
from scoring.cli.scoring import OK, tell
from scoring.drawing import kaldi_percentage
from scoring.drawing.blocks import Block, Fact, Heading, Items, Table
from scoring.drawing.text import Appearance, text_lines
from scoring.model.errors import InputError
from scoring.model.outputs import put, put_text, show_lines
from scoring.pages.normalization import applied, explained_lines, listing_lines, title_of
from scoring.sides.given import File, readings_of
from scoring.text.pipeline import Pipeline
from scoring.text.pipeline_files import SUFFIXES, as_pipeline
from scoring.text.readings import written
from scoring.text.registry import plugin_problems
from scoring.text.removed import (
    CharacterKind,
    letters_and_marks,
    removed,
    removed_kinds,
    script_instead,
)
from scoring.text.step import Step
from scoring.text.utterances import Normalized

if TYPE_CHECKING:
    from formats.io.source import Readable
    from scoring.regression.effects import Effect, Example

BLOCK = 5000
EXAMPLES = 5
NO_WORD = "(nothing)"
HEADINGS = ("step", "words", "errors", "change", "sub", "del", "ins", "rate %")
TABLE = f"""
files <FILE  file to normalise (default: stdin)
@normalize
* --text TEXT ...  normalise TEXT instead of files (repeatable)
--from
* --to
--encoding
--side {{reference,hypothesis}}  also apply the steps that a pipeline has for this side only
  (default: only the steps for both sides)
* --output
* --list  list steps and pipelines, and exit
[explaining]
* --show-steps  show each text after every step that changes it; with --reference and --hypothesis,
  show the errors that each step removes
* -r --reference <REF  reference file, in any format
* --hypothesis <HYP  hypothesis file
@formats encodings
{flags.ALLOW_EMPTY}
--examples
"""
FROM: dict[str, Any] = {"from": {"dest": "from_"}}  # a keyword of Python
# Options without effect beside plain texts and files of one side.
OF_SIDES = dict.fromkeys(("examples", *flags.FORMATS, *flags.ENCODINGS), ("reference",))
# Formats that are a text a line, or one text.
PLAIN = ("txt-lines", "txt")


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    parser = flags.command_parser(
        "normalize",
        "Apply normalisation to the words of files in any format, or to lines of plain text, and "
        "explain it.",
        TABLE,
        epilog=f"The name of a file with a pipeline ends in {', '.join(SUFFIXES)}. If a step "
        "leaves several readings, they are written { a / b }.",
        text={"default": None},
        encoding={"default": "auto"},
        output={"default": "-"},
        examples={"type": flags.whole_number(0), "default": EXAMPLES},
        files={"nargs": "*"},
        **FROM,
    )
    arguments = parser.parse_args(argv)
    _check(parser, arguments)
    tell_idle(parser, arguments, needs=OF_SIDES)
    if arguments.list:
        show_lines(listing_lines())
        for problem in plugin_problems():
            tell(problem.value)
        return OK
    pipeline = as_pipeline(arguments.normalize)
    if arguments.reference is not None:
        put_text(_effects(pipeline, arguments, screen_width(sys.stdout)))
        return OK
    steps = pipeline.steps(arguments.side)
    inputs: list[Readable] = [*arguments.files]
    if "-" in (arguments.files or ["-"]) and not arguments.text:
        # standard input can be read but once, also where its format is detected
        source = open_source("-", encoding=arguments.encoding)
        inputs = [source if path == "-" else path for path in arguments.files or ["-"]]
    transcripts = None if arguments.text else _transcripts(inputs, arguments)
    if transcripts is not None and not arguments.show_steps:
        _normalize_transcripts(transcripts, steps, arguments)
        return OK
    counting = _Normalizing(() if arguments.show_steps else steps)
    if not arguments.show_steps:
        output = counting.lines(_lines(inputs, arguments))
    elif transcripts is None:
        lines = _lines(inputs, arguments)
        output = explained_lines(
            ((line, Segment("-", words_of_text(line))) for line in lines), steps
        )
    else:
        turns = chain.from_iterable(transcripts)
        spoken = ((title_of(turn), turn) for turn in turns if turn.kind == "segment")
        output = explained_lines(spoken, steps)
    put(arguments.output, (line.encode("utf-8", "surrogateescape") + b"\n" for line in output))
    counting.tell("lines")
    return OK


def _check(parser: CommandTable, arguments: argparse.Namespace) -> None:
    has_sides = arguments.reference is not None
    has_texts = arguments.files or arguments.text or arguments.output != "-"
    problems = {
        "--reference and --hypothesis go together": has_sides != bool(arguments.hypothesis),
        "--reference and --hypothesis are for --show-steps": has_sides and not arguments.show_steps,
        "--reference and --hypothesis cannot be combined with other texts or --output": has_sides
        and has_texts,
        "--text and files exclude each other": arguments.text and arguments.files,
        "--to is for files, without --show-steps": arguments.to
        and (arguments.text or arguments.show_steps),
        "expected --normalize NAME|FILE (--list shows the steps)": not arguments.normalize
        and not arguments.list,
    }
    for problem, is_wrong in problems.items():
        if is_wrong:
            parser.error(problem)
    inputs = [arguments.reference, arguments.hypothesis, *arguments.files]
    flags.check_standard_input(parser, inputs)


def _lines(inputs: Sequence[Readable], arguments: argparse.Namespace) -> Iterator[str]:
    """Yield the texts, one per line."""
    if arguments.text:
        for text in arguments.text:
            yield from text.splitlines() or [""]
        return
    for readable in inputs:
        with open_source(readable, encoding=arguments.encoding) as source:
            yield from (line for _, line in source.lines())


def _transcripts(
    inputs: Sequence[Readable], arguments: argparse.Namespace
) -> list[Transcript] | None:
    """Return the files as transcripts if all formats are known; None if all are plain text."""
    import formats
    from formats.detection.errors import UnknownFormatError
    from formats.schema.errors import OptionError

    names = [arguments.from_] * len(inputs)
    if arguments.from_ is None:
        for number, readable in enumerate(inputs):
            try:
                names[number] = formats.detect(readable, encoding=arguments.encoding)
            except UnknownFormatError as problem:
                fields = {"path": problem.path, "problem": message_of(problem)}
                tell(Message(messages.AS_PLAIN_TEXT, fields))
                names[number] = PLAIN[0]
    kinds = {name if name not in PLAIN else PLAIN[0] for name in names}
    if len(kinds) > 1:
        raise OptionError(
            f"expected files of one format, found {', '.join(sorted(kinds))} (--from names one)"
        )
    if kinds == {PLAIN[0]} and arguments.to is None:
        return None
    return [
        formats.read(readable, name, encoding=arguments.encoding)
        for readable, name in zip(inputs, names, strict=True)
    ]


def _normalize_transcripts(
    transcripts: Sequence[Transcript], steps: Sequence[Step], arguments: argparse.Namespace
) -> None:
    """Write normalised words in the files' format or that of `--to`; change nothing else."""
    import formats
    from formats.detection import by_name
    from formats.schema.transcript import Transcript

    name = arguments.to or transcripts[0].format or ""
    if by_name(name).write is None:
        raise InputError(
            transcripts[0].source or "",
            None,
            None,
            f"expected a format that can be written, found {name}, which is only read: choose "
            "another with --to, as in --to stm, or --to txt-lines for the words alone",
        )
    segments = [segment for transcript in transcripts for segment in transcript]
    counting = _Normalizing(steps)
    spoken = iter(counting.segments([segment for segment in segments if segment.kind == "segment"]))
    segments = [next(spoken) if segment.kind == "segment" else segment for segment in segments]
    counting.tell("segments")
    for transcript in transcripts:
        for remark in each_kind(transcript.diagnostics):
            if remark.is_shown:
                tell(remark)
    first = transcripts[0]
    whole = Transcript(
        segments, first.definitions, source=first.source, properties=first.properties
    )
    for loss in formats.write(whole, arguments.output, name, interpolate="uniform"):
        fields = {"path": arguments.output, "format": name, "loss": str(loss)}
        tell(Message(messages.NOT_PRESERVED, fields))


def _renewed(segment: Segment, words: Sequence[str], alone: Sequence[Sequence[str]]) -> Segment:
    """Return a segment with new words.

    `alone` has, for each old word, its normalised words. A new word keeps the times of its old
    word. If several words were changed together, such as `twenty one` to `21`, the new words share
    their time equally.
    """
    pairs = zip(segment.items(), alone, strict=True)
    pieces = [piece for token, texts in pairs for piece in _spread([token], texts)]
    tokens: list[Token] = []
    i = j = 0
    # What was only added shares the time of the word before it, or of the one after it.
    letters = align([piece.text for piece in pieces], words).letters
    for run in re.findall("^I+C|CI+(?=C|$)|[SDI]+|C+?", letters):
        old = pieces[i : i + len(run) - run.count("I")]
        new = words[j : j + len(run) - run.count("D")]
        i, j = i + len(old), j + len(new)
        tokens += old if run == "C" else _spread(old, new)
    return segment.with_items(tokens)


def _spread(tokens: Sequence[Item], words: Sequence[str]) -> list[Token]:
    """Return tokens for new words; they share the time of the old `tokens` equally."""
    if not tokens or not words:
        return [Token(word) for word in words]
    first, last = tokens[0], tokens[-1]
    assert isinstance(first, Token)
    assert isinstance(last, Token)
    start, end = first.start_ns, last.end_ns
    model = first.replace(display=None) if len(tokens) == 1 else Token("", kind=first.kind)
    if len(words) == len(tokens) == 1 or start is None or end is None:
        return [model.replace(text=word) for word in words]
    cuts = [start + (end - start) * number // len(words) for number in range(len(words) + 1)]
    return [
        model.replace(text=word, start_ns=begin, end_ns=finish, interpolated=True)
        for word, begin, finish in zip(words, cuts[:-1], cuts[1:], strict=True)
    ]


class _Normalizing:
    """Applies steps to many lines, and records what the steps remove."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        self._before: list[Counter[CharacterKind]] = [Counter() for _ in steps]
        self._after: list[Counter[CharacterKind]] = [Counter() for _ in steps]
        self._counts: Counter[str] = Counter()
        self._emptied = 0

    def lines(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield the lines after all steps.

        `tell` can print its notes when the last line has been yielded.
        """
        remaining = iter(lines)
        while block := list(islice(remaining, BLOCK)):
            before = [words_of_text(line) for line in block]
            after = self._through(Normalized(before, {}))
            for number, words in enumerate(after.words):
                special = after.special.get(number)
                text = " ".join(words) if special is None else written(special.items())
                self._emptied += bool(before[number]) and not text
                yield text

    def segments(self, segments: Sequence[Segment]) -> list[Segment]:
        """Return the segments after all steps."""
        words = [segment.words for segment in segments]
        is_open = [segment.alternations or segment.optional is not None for segment in segments]
        choices = {number: segments[number] for number, flag in enumerate(is_open) if flag}
        after = self._through(Normalized(words, choices))
        different = list(dict.fromkeys(word for texts in words for word in texts))
        each = Normalized([(word,) for word in different], {})
        for step in self._steps:
            each = applied(each, step)
        alone = dict(zip(different, each.words, strict=True))
        results = []
        for number, (segment, new) in enumerate(zip(segments, after.words, strict=True)):
            special = after.special.get(number)
            if special is not None:
                renewed = segment.with_items(special.items())
            elif is_open[number]:
                renewed = segment.with_items([Token(word) for word in new])
            else:
                renewed = _renewed(segment, new, [alone[word] for word in segment.words])
            self._emptied += bool(segment.words) and not renewed.words
            results.append(renewed)
        return results

    def tell(self, noun: str) -> None:
        """Print what the steps removed or counted, and the number of emptied lines or segments."""
        for step, before, after in zip(self._steps, self._before, self._after, strict=True):
            if step.script and (instead := script_instead(step.script, before)):
                fields = {"step": str(step), "expected": step.script, "found": instead}
                tell(Message(messages.OTHER_SCRIPT, fields))
            if lost := removed(before, after):
                tell(Message(messages.REMOVED, {"step": str(step), "kinds": removed_kinds(lost)}))
        for name, number in self._counts.items():
            tell(Message(messages.WORDS_MET, {"step": name, "words": number}))
        if self._emptied:
            tell(Message(messages.ALL_REMOVED, {"number": self._emptied, "rows": noun}))

    def _through(self, texts: Normalized) -> Normalized:
        letters = letters_and_marks(_text(texts))
        for number, step in enumerate(self._steps):
            texts = applied(texts, step)
            self._counts.update(dict(texts.counts))
            self._before[number].update(letters)
            letters = letters_and_marks(_text(texts))
            self._after[number].update(letters)
        return texts


def _text(texts: Normalized) -> str:
    """Return the words as text; each set of alternatives is replaced by its first one."""
    lines = {number: " ".join(words) for number, words in enumerate(texts.words)}
    lines |= {number: " ".join(_first(entry.items())) for number, entry in texts.special.items()}
    return "\n".join(lines.values())


def _first(items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Token):
            yield item.text
        else:
            yield from (token.text for token in item.first_branch())


def _effects(
    pipeline: Pipeline, arguments: argparse.Namespace, columns: int | None
) -> Iterator[str]:
    """Yield a table of the errors after each step, with examples.

    If the terminal's width `columns` is known, the examples come below the table.
    """
    from scoring.regression.effects import effects

    readings = readings_of(flags.options_of(arguments), predicted="no")
    paths = File(arguments.reference), File(arguments.hypothesis)
    step_effects = list(effects(*paths, pipeline, readings))
    flags.refuse_empty(step_effects[0].counts.reference_tokens, arguments.reference, arguments)
    rows = list(map(_row, step_effects))
    examples = [
        [
            *_examples("gone", effect.removed, arguments.examples),
            *_examples("new", effect.added, arguments.examples),
        ]
        for effect in step_effects
    ]
    if columns is not None:
        look = Appearance(columns, is_screen=True)
        blocks: list[Block] = [Table(HEADINGS, rows)]
        for (step, *_), lines in zip(rows, examples, strict=True):
            blocks += [Heading(step), Items(lines)] if lines else []
        yield from text_lines([*blocks, Fact("signature", pipeline.signature)], look)
        return
    heading, *lines_of_steps = table([HEADINGS, *rows])
    yield heading
    for line, lines in zip(lines_of_steps, examples, strict=True):
        yield from (line, *lines)
    yield f"signature: {pipeline.signature}"


def _row(effect: Effect) -> tuple[str, ...]:
    counts = effect.counts
    change = f"{effect.change:+d}" if effect.change else ""
    kinds = (counts.substitutions, counts.deletions, counts.insertions)
    rate = kaldi_percentage(counts.errors, counts.reference_tokens)
    sizes = (counts.reference_tokens, counts.errors)
    return (effect.step, *map(str, sizes), change, *map(str, kinds), rate)


def _examples(kind: str, examples: Sequence[Example], most: int) -> Iterator[str]:
    for example in examples[:most]:
        pair = (example.reference, example.hypothesis)
        words = " -> ".join(NO_WORD if word is None else shown(word) for word in pair)
        yield f"    {kind}: {example.number} x {words}"
    rest = sum(example.number for example in examples[most:])
    if rest and most:
        yield f"    {kind}: {rest} more"
