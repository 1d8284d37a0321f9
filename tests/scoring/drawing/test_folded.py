"""Sections with many alignments in Markdown."""

import pytest

import scoring
from scoring.drawing.blocks import Block, Heading, Rows, Sentence
from scoring.drawing.markup import FEWEST_FOLDED, markdown_lines


@pytest.mark.parametrize("number", [FEWEST_FOLDED - 1, FEWEST_FOLDED])
def test_a_section_with_many_alignments_is_folded(number: int) -> None:
    alignment = scoring.align(["a"], ["b"])
    blocks: list[Block] = [Heading("A < B", remark="rest"), *[Rows(alignment)] * number]
    lines = list(markdown_lines([Sentence("x"), *blocks, Heading("Next"), Sentence("y")], "Page"))
    is_folded = number == FEWEST_FOLDED
    assert (lines.count("<details>"), lines.count("</details>")) == (is_folded, is_folded)
    assert ("<summary><b>A &lt; B</b>: rest</summary>" in lines) == is_folded
    assert lines.index("```text") < lines.index("## Next")
    if is_folded:
        # Markdown within HTML elements needs empty lines around it
        assert lines[lines.index("</details>") - 1] == ""
        assert lines[lines.index("<details>") + 2] == ""
