from scoring.tasks.kws.tables import HeadedTable


def test_headings_share_what_they_need_more() -> None:
    table = HeadedTable()
    table.add({("A long heading indeed", "x"): "1", ("A long heading indeed", "y"): "22"})
    assert list(table.text_lines()) == [
        "|  A long heading indeed  |",
        "|     x     |      y      |",
        "|-----------+-------------+",
        "|         1 |          22 |",
    ]


def test_headings_that_do_not_stand_together_come_twice() -> None:
    table = HeadedTable()
    table.add({("G", "a"): "1", ("H", "b"): "2"})
    table.add({("G", "a"): "1", ("H", "b"): "2", ("G", "c"): "3"})
    assert next(table.text_lines()).count("G") == 2
    assert list(table.csv_lines()) == ['"G|a","H|b","G|c"', '"1","2",', '"1","2","3"']


def test_labels_are_not_repeated_and_rows_are_merged() -> None:
    table = HeadedTable(labelled=True)
    table.add({("G", "a"): "1"}, ("Keyword", "K1"))
    table.add({("G", "a"): "2"}, ("Keyword", "K2"))
    table.merge({("G", "a"): "9", ("G", "b"): 'say "x"'}, ("Keyword", "K1"))
    lines = list(table.text_lines())
    assert [line[:13] for line in lines] == [
        "             ", "             ", "-------------", "Keyword  K1  ", "         K2  ",
    ]  # fmt: skip
    assert list(table.csv_lines())[1:] == ['"Keyword|K1","1","say ""x"""', '"Keyword|K2","2",']


def test_totals_stand_below_a_rule() -> None:
    table = HeadedTable()
    table.add({("G", "a"): "1"})
    table.add_totals({("G", "a"): "2"})
    lines = list(table.text_lines())
    assert lines[2] == lines[4] == "|-----+"
    assert lines[5] == "|   2 |"


def test_widths_count_characters_not_bytes() -> None:
    table = HeadedTable()
    table.add({("G", "a"): "对症"})
    assert {len(line) for line in table.text_lines()} == {8}


def test_control_characters_are_escaped_in_text_only() -> None:
    table = HeadedTable(labelled=True)
    table.add({("a\nb", "n"): "x\x1b[31m"}, ("Keyword", "K\n1"))
    *_, row = table.text_lines()
    assert row == r"Keyword  K\n1  |   x\x1b[31m |"
    assert list(table.csv_lines())[1] == '"Keyword|K\n1","x\x1b[31m"'


def test_texts_are_escaped_for_browsers() -> None:
    table = HeadedTable(labelled=True)
    table.add({("<G>", "a&b"): "<script>"}, ("Keyword", "<K>"))
    page = "\n".join(table.html_lines())
    assert "<script>" not in page
    for part in ("&lt;G&gt;", "a&amp;b", "&lt;script&gt;", "&lt;K&gt;"):
        assert part in page
