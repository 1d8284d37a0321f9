r"""How long each regular expression of the packages takes on long runs of characters.

    python -m tests.pattern_runs formats scoring

prints a line for each pattern whose time grows faster than its text, and for each place whose
pattern is only made when it runs. Time is processor time of this process alone, and what is judged
is growth: a text four times as long may take some four times as long, never sixteen times.

Patterns are found in the names of all modules and classes, and in the arguments of ``re.…()``
calls anywhere in the source. Each is tried in the ways the source uses it (`match`, `search`, …)
on two sorts of text: runs of each class of characters, and runs made for it, which is what it asks
for up to one of its repeats, then that repeat's own characters, then one that does not fit.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

from formats.schema import lazy_pattern
from tests.syntax import walk

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import sre_compile
    import sre_constants as codes
    import sre_parse

LAZY = type(lazy_pattern(""))
REPEATS = (16, 20, 22, 24, 26, 28, 32, 36)
"""Repeats at which only a pattern that doubles its time with every one of them takes long."""
BLINK = 1e-4
"""Seconds for sixteen repeats below which only the most of them are tried next: a pattern that
doubles its time has done at least 65,536 steps by then, which take several times as long."""
MOMENT = 1e-5
"""Seconds for the most repeats below which a pattern does not take the cube of them: 250 characters
need not be tried before a thousand."""
SIZES = ((128, 250), (250, 1_000), (4_000, 16_000))
"""Lengths in characters, each after the one it is compared with where it takes long."""
GLANCE = 1e-4
"""Seconds for a thousand characters below which the longest text is not tried: a pattern that tries
every stretch of them takes at least four times as long."""
EVEN = 5.0
"""Growth from 250 to a thousand characters up to which the longest text is not tried, either: a
pattern that tries every stretch of a thousand takes as long for them as for so many matches."""
QUICK = 0.03
"""Seconds of the processor that any text may take without a closer look: a pattern that tries every
stretch of the longest takes a tenth of a second and more."""
SHORT = 200
"""Characters that a pattern may look at from each place at most without a try of long texts: their
time grows with their length alone. Whether the repeats double it is tried in any case."""
LIMIT = 0.5
STEEP = 8.0
"""Growth that no linear pattern has: four times the text should take four times as long."""
ROUNDS = 5
"""Times that a growth is measured before it counts: other work on the machine disturbs a few of
them, and what is steep is so in each."""
CLOCKS = (time.perf_counter, time.process_time)
WAYS = ("match", "fullmatch", "search", "finditer")
WAY_OF = dict.fromkeys(("findall", "sub", "subn", "split", "finditer"), "finditer")
WAY_OF.update({name: name for name in ("match", "fullmatch", "search", "scanner")})
USES = re.compile(rf"\b(?:compile|{'|'.join(WAY_OF)})\b")
"""What a source has that uses a pattern."""
UNITS = (
    *"9aA \t\n\r\v.,:;-+'\"\\/()[]{}<>|%@#&=_*~^!?\x15é\u0301\u3042",
    *("9.", "9,", "9:", "9 ", "-9", "a.", "a ", "a'", "a-", "a=", '="', '""', "\\a", "<a", "<a>"),
    *("[a", "[a]", "{a", "{a}", "(a", "(a)", "&a", " \t", " \n", "a\n", "9a", "_9", "e9", "9_9 "),
)
ONE_CHARACTER = (codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN)
"""Parts of a pattern that take one character."""
LAST = ("", "x", "!", "9", "\n", "\x00")
UNBOUNDED = 1000
PROCESSOR_SECONDS = 300
"""Some ten times what all patterns take: only one that doubles its time gets there."""


class Found(NamedTuple):
    """A pattern, where it is from, and how it is used."""

    where: str
    pattern: re.Pattern[Any]
    ways: frozenset[str]


def modules(package: str) -> Iterator[ModuleType]:
    """The package and all that is in it, but modules that run on import and compiled ones."""
    root = importlib.import_module(package)
    yield root
    for found in pkgutil.walk_packages(root.__path__, f"{package}."):
        if found.name.rpartition(".")[2] not in ("__main__", "_native"):
            yield importlib.import_module(found.name)


def patterns(packages: list[str]) -> tuple[list[Found], list[str]]:
    """All patterns, each once, and the places whose pattern is only made when they run."""
    names: dict[re.Pattern[Any], str] = {}
    ways: dict[re.Pattern[Any], set[str]] = {}
    unknown: list[str] = []
    for module in (m for package in packages for m in modules(package)):
        held = list(_held(vars(module), module.__name__))
        for name, pattern in held:
            names.setdefault(pattern, name)
        try:
            source = inspect.getsource(module)
        except (OSError, TypeError):
            continue
        for node in walk(ast.parse(source)) if USES.search(source) else ():
            if isinstance(node, ast.Call) and _is_of_re(node.func):
                assert isinstance(node.func, ast.Attribute)
                pattern = _called_with(node, module)
                if pattern is None:
                    unknown.append(f"{module.__name__}: {ast.unparse(node.args[0])}")
                    continue
                names.setdefault(pattern, f"{module.__name__}:{node.lineno}")
                if node.func.attr in WAY_OF:
                    ways.setdefault(pattern, set()).add(WAY_OF[node.func.attr])
            elif isinstance(node, ast.Attribute) and node.attr in WAY_OF:
                way = WAY_OF[node.attr]
                pattern = _value(node.value, module)
                if isinstance(pattern, re.Pattern):
                    ways.setdefault(pattern, set()).add(way)
                    continue
                last = getattr(node.value, "attr", None) or getattr(node.value, "id", "")
                named = [one for one in held if one[0].endswith(f".{last}")]
                # Of some pattern of this module that only the run knows.
                for _, pattern in named or (held if way in WAYS[:3] else ()):
                    ways.setdefault(pattern, set()).add(way)
    everything = frozenset(WAYS)
    found = [Found(where, p, frozenset(ways.get(p, everything))) for p, where in names.items()]
    return found, sorted(set(unknown))


def _held(names: dict[str, Any], where: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    for name, value in ((name, _compiled(value)) for name, value in list(names.items())):
        if isinstance(value, re.Pattern):
            yield f"{where}.{name}", value
        elif isinstance(value, (tuple, list, set, frozenset)) and depth < 2:
            yield from _held({str(n): v for n, v in enumerate(value)}, f"{where}.{name}", depth + 1)
        elif isinstance(value, dict) and depth < 2 and not name.startswith("__"):
            yield from _held({str(k): v for k, v in value.items()}, f"{where}.{name}", depth + 1)
        elif isinstance(value, type) and value.__module__ == where:
            yield from _held(dict(vars(value)), f"{where}.{name}", depth + 1)


def _is_of_re(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "re"
        and (function.attr == "compile" or function.attr in WAY_OF)
    )


def _compiled(value: Any) -> Any:
    """The pattern of one that is compiled at its first use; any other value as it is."""
    return re.compile(value.pattern, value.flags) if isinstance(value, LAZY) else value


def _value(node: ast.expr, module: ModuleType) -> Any:
    try:
        made = eval(compile(ast.Expression(node), "", "eval"), dict(vars(module)), {"re": re})
    except Exception:
        return None
    return _compiled(made)


def _called_with(call: ast.Call, module: ModuleType) -> re.Pattern[Any] | None:
    text = _value(call.args[0], module)
    if not isinstance(text, (str, bytes)):
        return None
    at = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(getattr(call.func, "attr", ""), 2)
    given = [k.value for k in call.keywords if k.arg == "flags"] or call.args[at : at + 1]
    return re.compile(text, _value(given[0], module) if given else 0)


def parsed(pattern: re.Pattern[Any]) -> Any:
    """The parts of a pattern."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sre_parse.parse(pattern.pattern, pattern.flags & ~re.DEBUG & 0x1FF)


@cache
def texts_for(pattern: re.Pattern[Any]) -> list[tuple[str, str, str]]:
    """Texts as beginning, what is repeated, and end."""
    seen = set()
    try:
        made = list(_runs(parsed(pattern), ""))
    except (re.error, ValueError):
        made = []
    for before, unit in made:
        for last in LAST:
            seen.add((before, unit, last))
        seen.add(("", before + unit, ""))
        seen.add(("", before or unit, ""))
    for unit in UNITS:
        seen.add(("", unit, ""))
        seen.add(("", unit, "x" if unit != "x" else "!"))
        seen.add(("", unit, "\x00"))
    return different(pattern, sorted(seen))


def different(
    pattern: re.Pattern[Any], texts: list[tuple[str, str, str]]
) -> list[tuple[str, str, str]]:
    """Return the first of all texts that are alike for a pattern: it takes the same steps for each.

    Characters are alike if each part of the pattern that takes one character takes both or neither.
    """
    takers = _takers(parsed(pattern), pattern)
    if takers is None:
        return texts
    is_bytes = isinstance(pattern.pattern, bytes)

    @cache
    def kinds(character: str) -> tuple[tuple[bool, ...], ...]:
        pieces: list[Any] = [character]
        if is_bytes:
            code = character.encode("utf-8", "surrogatepass")
            pieces = [code[place : place + 1] for place in range(len(code))]
        return tuple(tuple(bool(taker.match(piece)) for taker in takers) for piece in pieces)

    firsts: dict[tuple[tuple[tuple[tuple[bool, ...], ...], ...], ...], tuple[str, str, str]] = {}
    for text in texts:
        firsts.setdefault(tuple(tuple(map(kinds, part)) for part in text), text)
    return list(firsts.values())


def _takers(tree: Any, pattern: re.Pattern[Any]) -> list[re.Pattern[Any]] | None:
    """Return the parts of a pattern that take one character; `None` if other things count, too.

    These are earlier groups, which are compared with the text, and other flags inside.
    """
    found: dict[str, Any] = {}
    rest = [tree]
    while rest:
        for op, argument in rest.pop():
            if op in ONE_CHARACTER:
                part = sre_parse.SubPattern(tree.state, [(op, argument)])
                found.setdefault(repr(part), part)
            elif op is codes.SUBPATTERN and not (argument[1] or argument[2]):
                rest.append(argument[3])
            elif op is codes.BRANCH:
                rest += argument[1]
            elif op in (codes.ASSERT, codes.ASSERT_NOT):
                rest.append(argument[1])
            elif op in (codes.MAX_REPEAT, codes.MIN_REPEAT) or str(op) == "POSSESSIVE_REPEAT":
                rest.append(argument[2])
            elif str(op) == "ATOMIC_GROUP":
                rest.append(argument)
            elif op is not codes.AT:
                return None
    flags = pattern.flags & ~re.DEBUG & 0x1FF
    borders = rb"\w", rb"\n"
    if isinstance(pattern.pattern, str):
        borders = r"\w", r"\n"  # type: ignore[assignment]
    return [
        *(re.compile(border, flags) for border in borders),
        *(sre_compile.compile(part, flags) for part in found.values()),
    ]


def _runs(tree: Any, before: str) -> Iterator[tuple[str, str]]:
    """What comes before each repeat without end, and what it may repeat."""
    for op, argument in tree:
        if op in (codes.MAX_REPEAT, codes.MIN_REPEAT) or str(op) == "POSSESSIVE_REPEAT":
            _, most, body = argument
            if most >= UNBOUNDED:
                yield from ((before, unit) for unit in _samples(body) if unit)
            yield from _runs(body, before)
        elif op is codes.SUBPATTERN:
            yield from _runs(argument[3], before)
        elif op is codes.BRANCH:
            for branch in argument[1]:
                yield from _runs(branch, before)
        elif str(op) == "ATOMIC_GROUP":
            yield from _runs(argument, before)
        before += next(_samples([(op, argument)]), "")


def most_characters(tree: Any) -> int:
    """The most characters that a pattern looks at from one place; `sys.maxsize` without a limit."""
    most = 0
    for op, argument in tree:
        parts: list[Any] = []
        times = 1
        if op in (codes.MAX_REPEAT, codes.MIN_REPEAT) or str(op) == "POSSESSIVE_REPEAT":
            times, parts = int(argument[1]), [argument[2]]
        elif op is codes.SUBPATTERN:
            parts = [argument[3]]
        elif op is codes.BRANCH:
            parts = argument[1]
        elif op in (codes.ASSERT, codes.ASSERT_NOT):
            parts = [argument[1]]
        elif str(op) == "ATOMIC_GROUP":
            parts = [argument]
        elif op in (codes.GROUPREF, codes.GROUPREF_EXISTS):
            return sys.maxsize
        if times >= UNBOUNDED:
            return sys.maxsize
        most += times * max([1, *map(most_characters, parts)])
    return most


def _samples(tree: Any) -> Iterator[str]:
    """A few of the shortest texts that a part of a pattern asks for, looking around left aside."""
    made = [""]
    for op, argument in tree:
        if op is codes.LITERAL:
            choices = [chr(argument)]
        elif op is codes.NOT_LITERAL:
            choices = [c for c in "a9 " if ord(c) != argument]
        elif op is codes.ANY:
            choices = ["a", "9", " ", "-"]
        elif op is codes.IN:
            choices = list(_members(argument))
        elif op is codes.BRANCH:
            choices = [text for branch in argument[1] for text in _samples(branch)]
        elif op is codes.SUBPATTERN:
            choices = list(_samples(argument[3]))
        elif op in (codes.MAX_REPEAT, codes.MIN_REPEAT) or str(op) == "POSSESSIVE_REPEAT":
            least, _, body = argument
            choices = [text * least for text in _samples(body)] if least else [""]
        elif str(op) == "ATOMIC_GROUP":
            choices = list(_samples(argument))
        else:
            choices = [""]
        made = [text + choice for choice in choices[:8] for text in made][:16]
    yield from dict.fromkeys(made)


def _members(items: Any) -> Iterator[str]:
    if items and items[0][0] is codes.NEGATE:
        probe = re.compile(f"[{''.join(map(_spelled, items[1:]))}]")
        yield from (c for c in "a9 .-\t\"'<([" if not probe.match(c))
        return
    for op, argument in items:
        if op is codes.LITERAL:
            yield chr(argument)
        elif op is codes.RANGE:
            yield chr(argument[0])
        elif op is codes.CATEGORY:
            name = str(argument)
            yield from "9a .-" if "NOT" in name else "9" if "DIGIT" in name else (
                "a9" if "WORD" in name else " \t")  # fmt: skip


def _spelled(item: Any) -> str:
    op, argument = item
    if op is codes.LITERAL:
        return re.escape(chr(argument))
    if op is codes.RANGE:
        return f"{re.escape(chr(argument[0]))}-{re.escape(chr(argument[1]))}"
    name = str(argument)
    letter = "d" if "DIGIT" in name else "w" if "WORD" in name else "s"
    return "\\" + (letter.upper() if "NOT" in name else letter)


def steep_run(pattern: re.Pattern[Any], way: str) -> str | None:
    """The first text whose time grows faster than it does, and how; `None` if there is none."""
    use: Callable[..., Any] = getattr(pattern, way)
    is_bytes = isinstance(pattern.pattern, bytes)

    def seconds(before: str, unit: str, last: str, size: int) -> float:
        """Of the processor; of the clock, which is read in a tenth of the time, where they are few."""
        text: Any = before + unit * max(1, size // len(unit)) + last
        if is_bytes:
            text = text.encode("utf-8", "surrogatepass")
        for clock in CLOCKS if size <= 1_000 else CLOCKS[1:]:
            begin = clock()
            found = use(text)
            if way == "finditer":
                for _ in found:
                    pass
            if (took := clock() - begin) < BLINK:
                break
        return took

    sizes = SIZES if most_characters(parsed(pattern)) > SHORT else ()
    for before, unit, last in texts_for(pattern):
        # The shortest first: what doubles with every character never gets to the long ones.
        took = BLINK
        for count in REPEATS:
            if took < BLINK and 16 < count < REPEATS[-1]:
                continue
            if (took := seconds(before, unit, last, count * len(unit))) > LIMIT:
                return f"{before!r} {unit!r}…{last!r}: {took:.1f} s for {count} repeats"
        for quarter, size in sizes[took < MOMENT :]:
            took = seconds(before, unit, last, size)
            if took < QUICK:
                if size == 1_000 and (
                    took < GLANCE
                    or took <= EVEN * min(seconds(before, unit, last, quarter) for _ in range(3))
                ):
                    break
                continue
            # what takes so long is so by no chance
            rounds, times = (1, 1) if took > LIMIT else (ROUNDS, 3)
            for _ in range(rounds):
                short = min(seconds(before, unit, last, quarter) for _ in range(3))
                long = min(seconds(before, unit, last, size) for _ in range(times))
                if long <= QUICK or long <= STEEP * short:
                    break
            else:
                return f"{before!r} {unit!r}…{last!r}: {short:.4f} s for {quarter} characters, {long:.3f} s for {size}"
    return None


def main(packages: list[str]) -> int:
    """Say what is steep, and what is being tried, in case that the time runs out."""
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS + 5))
    found, unknown = patterns(packages)
    for where in unknown:
        print(f"unknown {where}")
    for where, pattern, ways in found:
        # who finds all finds the first, and who searches tries the beginning
        covered = (
            {"match", "search"} if "finditer" in ways else {"match"} if "search" in ways else {""}
        )
        for way in sorted(ways - {"scanner"} - covered):
            print(f"trying {where} {way}", flush=True)
            trouble = steep_run(pattern, way)
            if trouble is not None:
                print(f"steep {where} {way} {pattern.pattern!r}: {trouble}", flush=True)
    print(f"done {len(found)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
