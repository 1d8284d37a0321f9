from io import BytesIO

import pytest

from formats import Label
from formats.io.source import open_source
from formats.schema.errors import SyntaxFormatError
from scoring.tasks.kws.text import Splitting
from scoring.tasks.kws.word_table import FIELDS, WordTable, read_ctm, read_rttm, words_of_labels


def rttm(text: str, splitting: Splitting | None = None) -> WordTable:
    return read_rttm(open_source(BytesIO(text.encode())), splitting)


def test_words_turns_and_the_rest() -> None:
    table = rttm(
        ";; a comment\n\n"
        "lexeme f 1 1.50 .5 Hello lex spk1 0.9 ;; another\n"
        "LEXEME f 1 2 0.5 uh fp spk1 <NA>\n"
        "SPEAKER f 1 1.5 1.0 <NA> <NA> spk1 <NA>\n"
        "NON-LEX f 1 <NA> <NA> cough other spk1 <NA>\n"
        "NOSCORE f 1 0 9 <NA> <NA> <NA> <NA>\n"
    )
    words = [(word.token, word.begin, word.begin_text, word.can_begin) for word in table.words]
    assert words == [("Hello", 1.5, "1.50", True), ("uh", 2.0, "2", False)]
    assert list(table.followers) == [1, -1]
    assert [turn.speaker for turn in table.turns] == ["spk1"]
    assert table.ignored == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("LEXEME f 1 1 1 a lex s", "<stream>:2: expected 9 or 10 fields of an RTTM record, found 8"),
        ("LEXEME f 1 1 1 a lex s 1 x y", "<stream>:2: expected 9 or 10 fields of an RTTM record, found 11"),
        ("LEXEME f 1 1e1 1 a lex s 1", '<stream>:2:12: expected a begin time in seconds, found "1e1"'),
        ("LEXEME f 1 1 nan a lex s 1", '<stream>:2:14: expected seconds, found "nan"'),
    ],
)  # fmt: skip
def test_bad_records(line: str, message: str) -> None:
    with pytest.raises(SyntaxFormatError) as caught:
        rttm(f";;\n{line}\n")
    assert str(caught.value) == message


def test_records_with_a_lookahead_are_read_except_by_the_rules_of_f4de() -> None:
    line = b"LEXEME f 1 1 1 a lex s 1 <NA>\n"
    assert read_rttm(open_source(BytesIO(line))).words == rttm("LEXEME f 1 1 1 a lex s 1\n").words
    with pytest.raises(SyntaxFormatError, match="expected 9 fields"):
        read_rttm(open_source(BytesIO(line)), fields=FIELDS[:1])


def test_words_of_a_ctm_follow_each_other_on_their_channel() -> None:
    source = open_source(BytesIO(b"f 1 1.0 0.5 olive\nf 1 1.5 0.5 oil\nf 2 1.6 0.5 jar\n"))
    table = read_ctm(source)
    assert [word.token for word in table.words] == ["olive", "oil", "jar"]
    assert list(table.followers) == [1, -1, -1]
    assert table.turns == ()
    assert [entry.code for entry in source.log.entries()] == ["KWS-CTM"]


def test_a_ctm_with_alternatives_is_no_reference_of_keyword_search() -> None:
    text = b"f 1 * * <ALT_BEGIN>\nf 1 1.0 0.5 a\nf 1 * * <ALT>\nf 1 1.0 0.5 b\nf 1 * * <ALT_END>\n"
    with pytest.raises(SyntaxFormatError, match="words without alternatives"):
        read_ctm(open_source(BytesIO(text)))


def test_words_out_of_order_are_linked_by_time() -> None:
    table = rttm(
        "LEXEME f 1 31.3 0.2 bad lex s 1\nLEXEME f 1 31.0 0.2 order lex s 1\n"
        "LEXEME f 1 31.1 0.2 other lex t 1\n"
    )
    assert list(table.followers) == [-1, 0, -1]
    assert (table.unsorted, table.first_unsorted) == (1, "<stream>:2")


def test_pieces_share_the_time_of_their_word() -> None:
    table = rttm(
        "LEXEME f 1 1.00 1.00 a对症 lex s 1\nLEXEME f 1 2.0 1 - lex s 1\n",
        Splitting(True, False, True),
    )
    pieces = [(word.token, word.begin_text, word.duration) for word in table.words]
    assert pieces == [("a", "1.000", 0.333), ("对", "1.333", 0.333), ("症", "1.666", 0.333)]
    assert table.vanished == 1


def test_words_from_labels() -> None:
    (word,) = words_of_labels([Label("hello", 0.5, 0.75, recording="rec", speaker="anne")])
    assert (word.file, word.channel, word.begin, word.duration) == ("rec", "1", 0.5, 0.25)
    with pytest.raises(ValueError, match="a start and an end"):
        list(words_of_labels([Label("hello", None, 1.0, recording="rec")]))
