"""Where asclite crashes, never ends or loses words in silence: what ours does."""

from collections.abc import Mapping, Sequence

import pytest

from scoring.cli.nist.asclite import USAGE
from tests.each_case import each_case
from tests.judge import MISSING, judge
from tests.judges.asclite.cases import draw
from tests.judges.asclite.programs import Outcome, in_a_folder
from tests.judges.asclite.run import compare
from tests.tables import table_of

STM = b"meet 1 ann 1.0 3.0 the cat sat\nmeet 1 bob 2.0 4.0 yes\n"
CTM = b"meet 1 1.1 0.2 the\nmeet 1 1.5 0.2 cat\nmeet 1 2.1 0.2 yes\n"
SIDES = ["-r", "r.stm", "stm", "-h", "h.ctm", "ctm"]
QUIET = ["-f", "1", "-o", "sgml", "stdout"]
CASES, SEED = 30, 20


def ours(files: Mapping[str, bytes], arguments: Sequence[str]) -> Outcome:
    return in_a_folder(files, arguments, None)


def timed(stm: bytes, ctm: bytes, *options: str) -> Outcome:
    return ours({"r.stm": stm, "h.ctm": ctm}, [*SIDES, *QUIET, *options])


@pytest.mark.skipif(judge("asclite") is None, reason=MISSING)
def test_random_cases_give_the_same_bytes() -> None:
    program = judge("asclite")
    assert program is not None
    finished = 0
    for number in range(CASES):
        done, found = compare(program, draw(SEED, number))
        finished += done
        assert not found, f"case {number}: {found}"
    assert finished > CASES * 3 // 4


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["-memory-compression", "-F"], b"block KB missing!"),
        (["-force-memory-compression", "-memory-compression", "-Q"], b"Parameter unknown: -Q"),
        (
            ["-force-memory-compression", "-memory-compression", "-r"],
            b"Reference filename missing!",
        ),
    ],
)
def test_a_forced_compression_needs_no_size(options: list[str], problem: bytes) -> None:
    # as of the original
    assert ours({}, options).stderr.startswith(b"[  ERROR  ] " + problem)


def test_no_arguments_are_help() -> None:
    found = ours({}, [])
    assert (found.status, found.stdout.decode()) == (0, USAGE)


@pytest.mark.parametrize(
    ("options", "scored"),
    [
        ([], b'D,"(rain",,0.500+0.700,:S,"coat)","day",0.700+0.900,0.500+0.900\n'),
        (["-D"], b'C,"(rain)","",0.500+0.700,:S,"(coat)","day",0.700+0.900,0.500+0.900\n'),
        (["-D", "ref"], b'D,"(rain",,0.500+0.700,:S,"coat)","day",0.700+0.900,0.500+0.900\n'),
    ],
)
def test_a_lexeme_of_several_words_is_optional_in_each(options: list[str], scored: bytes) -> None:
    """As the original gives it, which looks for the mark as of a hypothesis."""
    files = {
        "r.rttm": b"SPEAKER f 1 0 1 <NA> <NA> amy <NA>\n"
        b"LEXEME f 1 0.5 0.4 rain_coat frag amy <NA>\n",
        "h.rttm": b"LEXEME f 1 0.5 0.4 day lex x <NA>\n",
    }
    found = ours(files, ["-r", "r.rttm", "rttm", "-h", "h.rttm", "rttm", *QUIET, *options])
    assert scored in found.stdout


def test_a_word_behind_an_alternation_is_told_of_in_its_place() -> None:
    """As the original has it in its log, for the word of another channel, too."""
    marks = [b"f A * * <%b>\n" % name for name in (b"ALT_BEGIN", b"ALT", b"ALT_END")]
    ctm = b"f A 0.5 0.1 a\n".join([marks[0], marks[1] + b"f A 0.5 0.1 x\n" + marks[2]])
    stm = b"f A ann 0 2 a\nf B bob 0 2 b\n"
    found = timed(stm, ctm + b"f B 0.7 0.1 b\n", "-noisg", "-f", "7")
    (line,) = (line for line in found.stderr.splitlines() if b"SG," in line and b",0.700," in line)
    assert line.split(b",")[2:4] == [b"f", b"A"]
    assert line.split(b",")[17:19] == [b"0.500", b"0.600"]


def test_every_hypothesis_is_scored() -> None:
    files = {"r.stm": STM, "a.ctm": CTM, "b.ctm": CTM[:19]}
    titles = ["-h", "a.ctm", "ctm", "A", "-h", "b.ctm", "ctm", "B"]
    found = ours(files, ["-r", "r.stm", "stm", *titles, "-f", "0", "-o", "sgml", "stdout"])
    alone = ours(files, ["-r", "r.stm", "stm", *titles[4:], "-f", "0", "-o", "sgml", "stdout"])
    assert found.status == 0
    assert found.stdout.count(b"<SYSTEM ") == 2
    assert found.stdout.endswith(alone.stdout)


def test_an_utterance_nobody_recognised_is_deleted() -> None:
    files = {"r.trn": b"a b (x_1)\nc (x_2)\n", "h.trn": b"a b (x_1)\n"}
    found = ours(files, ["-r", "r.trn", "trn", "-h", "h.trn", "trn", *QUIET])
    assert found.status == 0
    assert b'D,"c",\n' in found.stdout
    assert b"h.trn: no utterance (x_2), all its words count as deleted" in found.stderr


def test_a_map_that_leaves_nothing_ends_with_an_empty_report() -> None:
    files = {"r.stm": STM, "h.ctm": CTM, "u.uem": b"other 1 0 9\n"}
    found = ours(files, [*SIDES, "-uem", "u.uem", *QUIET])
    assert found.status == 5
    assert found.stdout.endswith(b">\n</SYSTEM>\n")
    assert found.stderr.endswith(b"asclite: r.stm: no segment is left to be scored\n")


def test_a_limit_of_memory_too_small_for_blocks_names_one_that_works() -> None:
    long = b"meet 1 ann 0 99 " + b"a " * 30 + b"\nmeet 1 bob 0 99 " + b"b " * 30 + b"\n"
    heard = b"".join(b"meet 1 %d 0.5 %s\n" % (k, b"ab"[k % 2 :][:1]) for k in range(45))
    small = ["-noisg", "-memory-compression", "64", "-memory-limit"]
    found = timed(long, heard, *small, "0.00001")
    assert found.status == 6
    words = found.stderr.decode().split()
    least = words[words.index("-memory-limit") + 1]
    assert "even in blocks" in found.stderr.decode()
    again = timed(long, heard, *small, least)
    assert again.status == 0
    assert again.stdout == timed(long, heard, "-noisg").stdout


def test_a_segment_without_length_counts_as_a_millisecond() -> None:
    found = timed(b"meet 1 ann 1.0 1.0 a\n", b"meet 1 5.0 0.2 x\n", "-noisg")
    assert found.status == 0
    assert b'R_T2="1.001"' in found.stdout
    assert b"without a length counts as 1 ms long" in found.stderr


def test_fields_may_be_long() -> None:
    word = b"w" * 5000
    found = timed(b"meet 1 ann 1.0 3.0 %s\n" % word, b"meet 1 1.5 0.2 %s\n" % word)
    assert b'C,"%s","%s"' % (word, word) in found.stdout


@each_case(
    ("stm", "ctm", "line"),
    [
        (b"meet 1 ann 1.0\n", CTM, "r.stm:1: expected file, channel, speaker, begin and end"),
        (b"\n" + STM, CTM, "r.stm:1: expected file, channel, speaker, begin and end"),
        (b"meet 1 ann 3 2 a\n", CTM, "r.stm:1: expected an end after its begin"),
        (b"meet 1 ann 1 1e9 a\n", CTM, "r.stm:1: expected a time below"),
        (STM, b"meet 1 1.0\n", "h.ctm:1: expected file, channel, begin, duration, word"),
        (STM, b"meet 1 1 1 <ALT>\nmeet 1 1 1 a\n", "h.ctm:1: found <ALT> out of place"),
        (STM, b"meet 1 1 1 <ALT_BEGIN>\nmeet 1 1 1 <ALT_END>\n", "expected a word in every"),
        (b"meet 1 ann 1 2 a } b { c\n", CTM, "r.stm:1: found braces that do not match"),
        (b"meet 1 ann 1 2 " + b"{ a / " * 999 + b" } " * 999 + b"\n", CTM, "nest more than 200"),
    ],
)
def test_what_is_broken_ends_in_one_line(stm: bytes, ctm: bytes, line: str) -> None:
    found = timed(stm, ctm)
    assert found.status == 6
    assert found.stdout == b""
    [last] = found.stderr.decode().splitlines()
    assert last.startswith("asclite: ")
    assert line in last


def test_a_line_that_repeats_the_one_before_is_named() -> None:
    short = CTM + b"meet 1 2.5\n"
    found = timed(STM, short)
    told = "h.ctm:4: expected 5 fields, found 3; the others are taken from the line before"
    assert (found.status, found.stderr.decode()) == (0, f"asclite: warning: {told}\n")
    assert timed(STM, short, "--strict").status == 7


def test_a_map_of_speakers_with_too_many_fields_is_refused() -> None:
    files = {"r.stm": STM, "h.ctm": CTM, "m.csv": b"meet,1,ann,x,mapped,1,2,3\n"}
    found = ours(files, [*SIDES, "-spkr-align", "m.csv", *QUIET])
    assert found.status == 3
    assert found.stderr == b"asclite: m.csv:1: expected six fields, found 8\n"


def test_segments_out_of_order_are_lost_and_said_or_sorted() -> None:
    stm = b"meet 1 ann 4 5 c\nmeet 1 ann 1 2 a\nmeet 1 ann 2.5 3 b\n"
    ctm = b"meet 1 1.1 0.3 a\nmeet 1 2.6 0.3 b\nmeet 1 4.1 0.3 c\n"
    lost = timed(stm, ctm, "-noisg")
    assert lost.status == 0
    assert (
        b"2 reference words, 2 hypothesis words in no group of segments: not scored" in lost.stderr
    )
    assert timed(stm, ctm, "-noisg", "--strict").status == 7
    mended = timed(stm, ctm, "-noisg", "--complete")
    assert mended.stdout.count(b"C,") == 3
    assert b"begin before the one in front ends" in mended.stderr


def test_gaps_by_parity_are_said_and_can_be_had_always() -> None:
    stm = b"meet 1 ann 1 2 a\n"
    even = b"meet 1 1.1 0.3 a\nmeet 1 9 1 x\n"
    lost = timed(stm, even)
    assert b"1 hypothesis word in no group of segments: not scored" in lost.stderr
    assert b'I,,"x"' not in lost.stdout
    assert b'I,,"x"' in timed(stm, even, "--complete").stdout


@each_case(
    ("options", "text", "reason"), table_of(__file__, "limits_leave_groups_out_and_say_how_much")
)
def test_limits_leave_groups_out_and_say_how_much(
    options: list[str], text: str, reason: str
) -> None:
    found = timed(STM, CTM, "-noisg", *options, "-f", "3")
    assert found.status == 0
    assert b"<PATH" not in found.stdout
    said = found.stderr.decode()
    assert "Skip this group of segments (" in said
    assert text in said
    assert f"1 group ({reason}" in said
    assert "with 4 reference words and 3 hypothesis words not scored" in said


def test_silence_is_kept_if_asked_for() -> None:
    assert timed(STM, CTM, "-noisg", "-overlap-limit", "1", "-f", "0").stderr == b""
