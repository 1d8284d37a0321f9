"""Cases that sclite refuses, or accepts only with a complaint: damaged files and options."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from tests.judges.sclite.case import Case
from tests.judges.sclite.options import Option
from tests.judges.sclite.timed import ctm_case, stm_case
from tests.judges.sclite.trn import trn_case

Damage = Callable[[Random, Case], Case]


def with_file(case: Case, name: str, content: bytes) -> Case:
    return replace(case, files={**case.files, name: content})


def with_options(case: Case, options: list[Option]) -> Case:
    return replace(case, options=tuple(options))


def reference_name(case: Case) -> str:
    return case.option_values("-r")[0][0]


def hypothesis_name(case: Case) -> str:
    return case.option_values("-h")[0][0]


def a_line_lost(name: Callable[[Case], str]) -> Damage:
    """One line of a file missing."""

    def damage(rng: Random, case: Case) -> Case:
        lines = case.files[name(case)].splitlines(keepends=True)
        if len(lines) > 1:
            del lines[rng.randrange(len(lines))]
        return with_file(case, name(case), b"".join(lines))

    return damage


def a_line_twice(name: Callable[[Case], str]) -> Damage:
    """One line of a file twice, the second time with another word in front."""

    def damage(rng: Random, case: Case) -> Case:
        lines = case.files[name(case)].splitlines(keepends=True)
        if lines:
            chosen = rng.choice(lines)
            lines.insert(rng.randint(0, len(lines)), rng.choice((b"", b"other ")) + chosen)
        return with_file(case, name(case), b"".join(lines))

    return damage


def a_line_added(name: Callable[[Case], str], *additions: bytes) -> Damage:
    """A line that does not belong, anywhere in a file."""

    def damage(rng: Random, case: Case) -> Case:
        lines = case.files[name(case)].splitlines(keepends=True)
        lines = [line if line.endswith(b"\n") else line + b"\n" for line in lines]
        lines.insert(rng.randint(0, len(lines)), rng.choice(additions) + b"\n")
        return with_file(case, name(case), b"".join(lines))

    return damage


def unterminated(name: Callable[[Case], str]) -> Damage:
    """The last newline missing: in trn the utterance is lost."""

    def damage(_: Random, case: Case) -> Case:
        return with_file(case, name(case), case.files[name(case)].rstrip(b"\n"))

    return damage


def option_added(*choices: Option) -> Damage:
    """An option that cannot stand here, at a random place."""

    def damage(rng: Random, case: Case) -> Case:
        options = list(case.options)
        options.insert(rng.randint(0, len(options)), rng.choice(choices))
        return with_options(case, options)

    return damage


def option_last(*choices: Option) -> Damage:
    """An option without its value, which shows only at the end."""

    def damage(rng: Random, case: Case) -> Case:
        return with_options(case, [*case.options, rng.choice(choices)])

    return damage


def option_lost(*names: str) -> Damage:
    """Every occurrence of one option missing."""

    def damage(rng: Random, case: Case) -> Case:
        name = rng.choice(names)
        return with_options(case, [option for option in case.options if option[0] != name])

    return damage


def option_replaced(name: str, *choices: Option) -> Damage:
    """One option with other values."""

    def damage(rng: Random, case: Case) -> Case:
        chosen = rng.choice(choices)
        return with_options(
            case, [chosen if option[0] == name else option for option in case.options]
        )

    return damage


def a_file_lost(rng: Random, case: Case) -> Case:
    name = rng.choice(sorted(case.files))
    return replace(case, files={key: value for key, value in case.files.items() if key != name})


EVERYWHERE: dict[str, Damage] = {
    "file absent": a_file_lost,
    "option not known": option_added(("--help",), ("-x",), ("-",), ("-z", "1")),
    "option refused": option_added(("-w",), ("-m", "nowhere"), ("-T",), ("-i",)),
    "option without value": option_last(
        *[(name,) for name in ("-r", "-h", "-i", "-O", "-n", "-f", "-l", "-o", "-C", "-w")]
    ),
    "stray word": option_added(("stray",), ("",)),
    "option missing": option_lost("-r", "-h"),
    "unknown report": option_added(("-o", "sum", "bogus"), ("-C", "bogus"), ("-o", "wws")),
    "format not known": option_replaced("-h", ("-h", "hyp.trn", "txt"), ("-h", "ref.trn", "stm")),
    "exclusive options": option_added(("-T",), ("-m",), ("-m", "x")),
    "id type refused": option_added(("-i", "atis"), ("-i", "SPU_ID"), ("-i", "spuid")),
    "reference line lost": a_line_lost(reference_name),
    "hypothesis line lost": a_line_lost(hypothesis_name),
    "reference unterminated": unterminated(reference_name),
    "hypothesis unterminated": unterminated(hypothesis_name),
}
TRN: dict[str, Damage] = {
    "reference line twice": a_line_twice(reference_name),
    "hypothesis line twice": a_line_twice(hypothesis_name),
    "id unparsable": a_line_added(hypothesis_name, b"word (s1-1", b"word s1-1)"),
    "id unparsable in the reference": a_line_added(reference_name, b"word (s1-1", b"w)"),
    "id missing": a_line_added(hypothesis_name, b"no id at all", b"; one mark (s1-1)", b"* (s1-1)"),
    "id type missing": option_lost("-i"),
    "reference of other format": option_replaced(
        "-r", ("-r", "ref.trn", "ctm"), ("-r", "ref.trn", "tmk")
    ),
}
STM: dict[str, Damage] = {
    "label not defined": a_line_added(reference_name, b"zz 1 zed 2.0 3.0 <nowhere> word"),
    "label in two places": a_line_added(
        reference_name, b"zz 1 zed 2.0 3.0 <,O> word", b"zz 1 zed 2.0 3.0 <O,O> word"
    ),
    "recording unknown": a_line_added(hypothesis_name, b"elsewhere a 0.1 0.2 word"),
    "blank ctm line": a_line_added(hypothesis_name, b""),
    "single comment mark": a_line_added(reference_name, b"; f a s 0 1 word", b"* f a s 0 1 word"),
    "weights unreadable": option_added(("-w", "ref.stm")),
}
CTM: dict[str, Damage] = {
    "recording unknown": a_line_added(hypothesis_name, b"elsewhere a 0.1 0.2 word"),
    "more recordings": a_line_added(
        reference_name, b"more a 0.1 0.2 word\nmore a 0.5 0.2 word\nmore a 0.9 0.2 word"
    ),
    "blank ctm line": a_line_added(hypothesis_name, b""),
    "reference of other format": option_replaced("-r", ("-r", "ref.ctm", "trn")),
}


# Faults of the options of `characters` and `piped`, a kind of their own like these.
OTHER_OPTIONS: dict[str, Damage] = {
    "option refused": option_added(
        ("-d",),
        ("-L", "model"),
        ("-e", "utf8"),
        ("-e", "utf-8", "nowhere"),
        ("-c", "X"),
        ("-S", "algo3", "x"),
    ),
    "option without value": option_last(("-e",), ("-S",), ("-S", "algo1"), ("-L",)),
    "exclusive options": option_added(("-p", "-o", "stdout"), ("-c", "-w", "unity")),
}
BASES = ((trn_case, TRN), (stm_case, STM), (ctm_case, CTM))


def damaged(rng: Random, name: str, kind: str, own: dict[str, Damage] | None) -> Case:
    """A case of any kind with one of its own faults, or with one of those given."""
    base, faults = rng.choice(BASES)
    damages = {**EVERYWHERE, **faults} if own is None else own
    what = rng.choice([*EVERYWHERE, *faults, *faults] if own is None else [*own])
    return replace(damages[what](rng, base(rng, name)), kind=kind)


def error_case(rng: Random, name: str) -> Case:
    """Draw a case of any kind and damage it."""
    return damaged(rng, name, "errors", None)


def option_error_case(rng: Random, name: str) -> Case:
    """Draw a case of any kind and give it a faulty option of the less common sort."""
    return damaged(rng, name, "option-errors", OTHER_OPTIONS)


def piped_case(rng: Random, name: str) -> Case:
    """Draw a case of any kind whose alignments are dumped to standard output with `-p`."""
    base, _ = rng.choice(BASES)
    case = base(rng, name)
    # A pipe and reports on standard output exclude each other.
    options = [tuple(word for word in option if word != "stdout") for option in case.options]
    options = [option for option in options if option != ("-o",)]
    options.insert(rng.randint(0, len(options)), ("-p",))
    return replace(case, kind="piped", options=tuple(options))
