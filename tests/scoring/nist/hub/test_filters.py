"""The filters of hub evaluations: runs of the originals and what is refused."""

import tracemalloc
from pathlib import Path

import pytest

from scoring.cli.nist.hubscr import Ran, call
from scoring.model.errors import InputError
from scoring.nist.hub import filtering
from scoring.nist.hub import lines as hub_lines
from scoring.nist.hub.csrfilt import FORMATS, CsrfiltOptions, csrfilt
from scoring.nist.hub.language_filters import (
    CompoundLexicon,
    CompoundOptions,
    acomp,
    def_art,
    hamza_norm,
    read_article_lexicon,
    read_compound_lexicon,
    tanween_filt,
)
from scoring.nist.hub.rfilter1 import LONGEST_LINE, rfilter1
from scoring.text.glm.nist_map import parse_nist_map
from tests.each_case import each_case
from tests.golden_case import Golden, golden_cases
from tests.judge import MISSING, judge
from tests.judges.hub.filters import DRAWS, compared, difference, draw_case

FILTERS = ("hamzaNorm", "tanweenFilt", "def_art", "acomp")
GOLDENS = golden_cases("hub/rfilter1", "hub/csrfilt")
GOLDENS += [
    case for case in golden_cases("hub/filters") if case.text("command").startswith(FILTERS)
]
SEED, CASES = 20, 6
MAP = b";; map\n* max_nrules '2'\n[uh] => [%HES] / [ ] __ [ ]\n"


def ran(folder: Path, patch: pytest.MonkeyPatch, *words: str, stdin: bytes = b"") -> Ran:
    patch.chdir(folder)
    return call(words, stdin, ("stdout", "stderr"))


def test_there_are_goldens() -> None:
    assert len({case.group for case in GOLDENS}) == 3


@each_case("case", GOLDENS, ids=lambda case: f"{case.group}-{case.name}")
def test_golden(case: Golden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case.lay_out(tmp_path)
    given = {path.name for path in tmp_path.iterdir()}
    found = ran(tmp_path, monkeypatch, *case.arguments, stdin=case.parts.get("stdin", b""))
    expected = case.expected
    assert found.status == int(expected.pop("status"))
    output, said = expected.pop("stdout"), expected.pop("stderr", b"")
    # usage texts are in our words, and were cut out of the goldens
    assert found.output.endswith(output) if b"Usage: " in found.output else found.output == output
    mark = f"{case.arguments[0]}: warning: ".encode()
    assert b"".join(x for x in found.said.splitlines(True) if not x.startswith(mark)) == said
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert {name: written[name] for name in written.keys() - given} == expected


@pytest.mark.skipif(judge("sclite") is None, reason=MISSING)
@each_case("program", DRAWS)
def test_random_cases_as_the_original(program: str) -> None:
    for number in range(CASES):
        assert not difference(draw_case(program, SEED, number)), number


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_the_size_of_blocks_does_not_matter(lines: int, monkeypatch: pytest.MonkeyPatch) -> None:
    records = b"f 1 0.5 0.25 uh 0.9\nf 1 1 0.25 {uh/well} 0.5\n;; so\nf 1 2 0.2 last -1"
    texts = b"f 1 a 0 1 <o> uh so (uh)\nf 1 b 0 1 last\n;; uh\n\nf 1\nf 1 c 0 1 uh\n"
    cases = [*((kind, records) for kind in FORMATS), *((kind, texts) for kind in FORMATS)]
    whole = [csrfilt(data, MAP, CsrfiltOptions(kind)) for kind, data in cases]
    assert any(found.problem.startswith("line 4:") for found in whole)
    for module in (hub_lines, filtering):
        monkeypatch.setattr(module, "LINES", lines)
    assert [csrfilt(data, MAP, CsrfiltOptions(kind)) for kind, data in cases] == whole


def test_memory_is_a_few_times_that_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (hub_lines, filtering):
        monkeypatch.setattr(module, "LINES", 500)
    data = b"".join(b"f 1 %d.50 0.25 word%d 0.9\n" % (n, n) for n in range(10_000))
    tracemalloc.start()
    try:
        csrfilt(data, MAP, CsrfiltOptions("ctm"))
        assert tracemalloc.get_traced_memory()[1] < 7 * len(data)
    finally:
        tracemalloc.stop()


def test_a_map_without_rules_copies_its_input() -> None:
    # the original crashes
    assert rfilter1(b"a b", b";;\n* name 'x'\n", "x").output == b"a b"
    assert csrfilt(b"a\n", b";;\n", CsrfiltOptions("txt")).output == b"A\n"


def test_as_many_rules_as_said_are_accepted() -> None:
    # the original overruns its memory by one
    rules = b"".join(b"[%d] => [x]\n" % number for number in range(2))
    assert rfilter1(b"0 1 2\n", b";;\n* max_nrules '2'\n" + rules, "x").output == b"x x 2\n"


def test_zero_bytes_and_long_lines_are_ordinary() -> None:
    long = b"uh " * (LONGEST_LINE // 3)
    found = rfilter1(b" uh \0uh \n" + long + b"uh\n", MAP, "x")
    assert found.output.startswith(b" %HES \0uh \n")
    assert found.errors.count(b"rec w/o newline char") == 1
    assert rfilter1(long[:-1] + b"\n", MAP, "x").errors == b""


def test_empty_files_are_nothing() -> None:
    for kind in FORMATS:
        assert csrfilt(b"", MAP, CsrfiltOptions(kind)).output == b""
    assert hamza_norm(b"").output == tanween_filt(b"", "stm").output == b""
    assert def_art(b"", "ctm").output == b""
    assert acomp(b"", "stm", CompoundLexicon(), CompoundOptions()).output == b""


def test_what_the_original_passes_over_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m").write_bytes(MAP + b"[a] => [b]\n[c] -> [d]\n")
    refused = ran(tmp_path, monkeypatch, "csrfilt.sh", "m", stdin=b"a (u)\n")
    assert refused.status == 0
    assert b"csrfilt.sh: warning: m:5: expected a map, found: *ERR" in refused.said
    (tmp_path / "m").write_bytes(MAP)
    stopped = ran(tmp_path, monkeypatch, "csrfilt.sh", "m", stdin=b"a (u)\nb\nc (v)\n")
    assert stopped.output == b"A (u)\n"
    assert b"warning: line 2: expected a record of trn; reading ends there\n" in stopped.said
    lost = ran(tmp_path, monkeypatch, "def_art.pl", "-i", "txt", "-", "-", stdin=b"abc")
    assert (lost.status, lost.output) == (0, b"ab\n")
    assert b"its last byte is lost" in lost.said
    missing = ran(tmp_path, monkeypatch, "def_art.pl", "-i", "txt", "-s", "no", "-", "-", stdin=b"")
    assert (missing.status, missing.output) == (2, b"")


def test_an_alternative_without_words_ends_a_ctm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m").write_bytes(b";;\n[UH] => [{UH / }] / [ ] __ [ ]\n")
    data = b"f A 0 1 a 0.5\nf A 1 1 uh 0.5\n"
    found = ran(tmp_path, monkeypatch, "csrfilt.sh", "-i", "ctm", "m", stdin=data)
    assert (found.status, found.output) == (1, b"")
    assert found.said == (
        b"csrfilt.sh: line 2: expected words in every alternative of the word's replacement\n"
    )


def test_a_part_for_no_regular_expression_is_refused() -> None:
    parts = b';;\n;; INPUT_DEPENDENT_APPLICATION = "("\n[a] => [b]\n'
    with pytest.raises(InputError, match=r"^x:2: expected a regular expression, found '\('"):
        csrfilt(b"", parts, CsrfiltOptions(), "x")


def test_a_map_is_read_where_a_variable_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m").write_bytes(MAP)
    monkeypatch.setenv("MAPS", str(tmp_path))
    assert ran(tmp_path, monkeypatch, "rfilter1", "$MAPS/m", stdin=b" uh \n").output == b" %HES \n"
    folder = ran(tmp_path, monkeypatch, "rfilter1", ".")
    assert (folder.status, folder.said) == (3, b"get_rules2: file . is empty.\n")


def test_numbers_of_lines_are_those_of_the_file() -> None:
    parts = b';;\n;; INPUT_DEPENDENT_APPLICATION = "rttm"\n[a] => [b]\n'
    parts += b';; INPUT_DEPENDENT_APPLICATION = "."\nwrong\n'
    assert csrfilt(b"", parts, CsrfiltOptions(), "x").problem.startswith("x:5: ")


def test_an_endless_word_is_split() -> None:
    lexicon = read_compound_lexicon(b"a-b\nab-a\n")
    made = acomp(b"ab" * 5000 + b"\n", "txt", lexicon, CompoundOptions(shortest=1)).output
    assert made.replace(b" ", b"") == b"AB" * 5000 + b"\n"
    assert made.startswith(b"AB AB ")


def test_an_article_in_no_known_place_is_told() -> None:
    lexicon = read_article_lexicon(b"xil+a s p 1 noun+article:x\n")
    assert def_art(b"s\n", "txt", lexicon).output.startswith(b"HELP  noun+article  xil+a s")


def test_of_errors_only_what_perl_adds_is_left_out() -> None:
    found = Ran(2, b"", b"Use of uninitialized value\nError: x at /bin/y line 3, <IN> line 2.\n")
    from tests.judges.hub.filters import Outcome

    assert compared(Outcome(*found), "acomp.pl").stderr == b"Error: x\n"


def test_settings_of_a_map() -> None:
    glm = parse_nist_map(b'# c\n* desc "a case_sensitive map"\n* NAME \'n\n[a]=> b # c\n', "f")
    assert (glm.name, glm.desc, glm.case_sensitive) == ("n", "a case_sensitive map", False)
    assert glm.rules[0].target == "b"
