from scoring.nist.report.tables import ReportRow, TableDrawer


def draw(rows: list[ReportRow], padding: int = 0, drawer: TableDrawer | None = None) -> str:
    return "".join((drawer or TableDrawer()).draw(rows, padding))


def test_alignment_separators_and_rules() -> None:
    rows = [
        ReportRow("l|c=r", ["left", "mid", "right"]),
        ReportRow("l|c=r", ["a", "b", "c"], before="-"),
        ReportRow("l|c=r", ["a", "bb", "c"], before="="),
        ReportRow("l|c=r", ["", "", ""], before=" "),
    ]
    assert draw(rows) == (
        ",---------------.\n"
        "|left|mid||right|\n"
        "|----+---++-----|\n"
        "|a   | b ||    c|\n"
        "|===============|\n"
        "|a   |bb ||    c|\n"
        "|    |   ||     |\n"
        "|    |   ||     |\n"
        "`---------------'\n"
    )


def test_a_wider_row_stretches_the_others() -> None:
    rows = [
        ReportRow("c", ["a title of twenty one"]),
        ReportRow("l|cc", ["ab", "c", "d"], before="-"),
    ]
    lines = draw(rows).splitlines()
    assert {len(line) for line in lines} == {23}
    assert lines[1] == "|a title of twenty one|"
    # no column line above, so the rule runs through
    assert lines[2] == "|---------------------|"
    assert lines[3] == "|  ab   |  c      d   |"


def test_two_slashes_break_a_text() -> None:
    rows = [ReportRow("c|c", ["one//three", "x"])]
    assert draw(rows) == ",-------.\n| one |x|\n|three| |\n`-------'\n"


def test_narrow_tables_are_centred_once_that_is_switched_on() -> None:
    drawer = TableDrawer()
    rows = [ReportRow("c", ["abcd"])]
    assert draw(rows, drawer=drawer).splitlines()[0] == ",----."
    drawer.centring = True
    assert draw(rows, drawer=drawer).splitlines()[0] == " " * 37 + ",----."
    wide = [ReportRow("c", ["x" * 78])]
    assert draw(wide, drawer=drawer).splitlines()[1] == "|" + "x" * 78 + "|"


def test_a_joined_column_is_measured_by_what_an_earlier_table_left_in_it() -> None:
    joined = [ReportRow("ca", ["abcd"])]
    fresh = draw(joined)
    drawer = TableDrawer()
    draw([ReportRow("cc", ["x", "leftover"])], drawer=drawer)
    assert fresh.splitlines()[1] == "|abcd|"
    assert draw(joined, drawer=drawer).splitlines()[1] == "|  abcd   |"


def test_a_rule_sees_separators_an_earlier_table_left_in_the_slot() -> None:
    rows = [ReportRow("c", ["a"]), ReportRow("c|c|c", ["b", "c", "d"], before="-")]
    assert draw(rows).splitlines()[2] == "|-----|"
    drawer = TableDrawer()
    draw([ReportRow("c|c|c", ["b", "c", "d"])], drawer=drawer)
    # slot 0 keeps the separator of its second column; that of the first is overwritten
    assert draw(rows, drawer=drawer).splitlines()[2] == "|---+-|"
