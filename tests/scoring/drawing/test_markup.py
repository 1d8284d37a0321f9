"""Tables of HTML: what phones show below the other columns of a row."""

import re

from scoring.drawing.blocks import Heading, Table
from scoring.drawing.markup import html_elements


def asides(table: Table) -> list[str]:
    """The names that phones show in the first row, before values below the other columns."""
    page = "".join(html_elements([table]))
    return re.findall(r'data-name="([^"]*)"', page.partition("</tr></thead>")[2].split("</tr>")[0])


def test_phones_keep_percentages_in_the_row() -> None:
    headings = (
        "recording",
        "scored s",
        "missed s",
        "false alarm s",
        "confusion s",
        "DER %",
        "JER %",
    )
    row = ("meeting", "96.650", "4.440", "3.760", "9.570", "18.39", "23.81")
    assert asides(Table(headings, [row])) == ["false alarm s", "confusion s"]


def test_phones_name_a_value_with_a_long_heading() -> None:
    headings = ("recording", "purity %", "coverage %", "detection accuracy %", "detection cost")
    row = ("meeting", "86.11", "85.50", "94.66", "0.0883")
    assert asides(Table(headings, [row])) == ["detection cost"]


def test_a_row_that_fits_is_one_line() -> None:
    assert asides(Table(("system", "rate %"), [("baseline", "12.50")])) == []


def test_phones_break_only_words_that_do_not_fit() -> None:
    table = Table(("system", "rate %"), [("conformer-transducer", "1.00"), ("a" * 30, "2.00")])
    page = "".join(html_elements([table]))
    assert page.count('<td class="text breaks"') == 1


def test_names_of_rows_lead_to_sections() -> None:
    table = Table(("set", "rate %"), [("a", "1.00"), ("b", "2.00")], links=("set-1", ""))
    page = "".join(html_elements([table, Heading("a", anchor="set-1")]))
    assert page.count('<a href="#set-1">a</a>') == page.count('<h2 id="set-1">a</h2>') == 1
    assert page.count("<a ") == 1
