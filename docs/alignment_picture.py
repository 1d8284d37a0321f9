"""Draw the pictures of alignment.md beside it: `python -P docs/alignment_picture.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from scoring import SCLITE_COSTS, UNIT_COSTS, Costs, align

CELL, LEFT, TOP = 56, 76, 60
COLOURS = ("#1d4ed8", "#c2410c")
# The colours on a dark page, by those on a light page.
DARK = {
    "#ffffff": "#131416",
    "#111827": "#e5e7eb",
    "#4b5563": "#a9b1bd",
    "#1d4ed8": "#82aaff",
    "#c2410c": "#fb923c",
}
STYLE = "".join(
    f'[fill="{light}"]{{fill:{dark}}}[stroke="{light}"]{{stroke:{dark}}}'
    for light, dark in {**DARK, "#d1d5db": "#4b5563"}.items()
)
MOVES = {"C": (1, 1), "S": (1, 1), "D": (1, 0), "I": (0, 1)}


def drawing(
    reference: Sequence[str], hypothesis: Sequence[str], costs: Costs, ties: Mapping[str, str]
) -> str:
    """The table of least costs as SVG, with the ways taken through it.

    `ties` has a legend for each rule of ties whose way is to be drawn.
    """
    width = LEFT + CELL * (len(hypothesis) + 1) + 10
    height = TOP + CELL * (len(reference) + 1) + 10 + 22 * len(ties)
    parts = [f'<rect width="{width}" height="{height}" fill="#ffffff"/>']

    def text(x: float, y: float, words: str, colour: str = "#111827", *, size: int = 15) -> None:
        parts.append(
            f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size}">{escape(words)}</text>'
        )

    def middle(row: int, column: int) -> tuple[int, int]:
        return LEFT + CELL * column + CELL // 2, TOP + CELL * row + CELL // 2

    for column, word in enumerate(["", *hypothesis]):
        text(middle(0, column)[0], TOP - 12, word)
    text(LEFT / 2, TOP - 36, "reference ↓")
    text(middle(0, 0)[0] + CELL * 1.5, TOP - 36, "hypothesis →")
    for row, word in enumerate(["", *reference]):
        text(LEFT / 2, middle(row, 0)[1] + 5, word)
        for column in range(len(hypothesis) + 1):
            x, y = middle(row, column)
            parts.append(
                f'<rect x="{x - CELL // 2}" y="{y - CELL // 2}" width="{CELL}" height="{CELL}" '
                'fill="none" stroke="#d1d5db"/>'
            )
            cost = align(reference[:row], hypothesis[:column], costs=costs).cost
            text(x - 15, y + 22, f"{cost:g}", "#4b5563", size=13)
    for number, (rule, legend) in enumerate(ties.items()):
        colour, row, column = COLOURS[number], 0, 0
        shift = 6 * number
        points = []
        letters = align(reference, hypothesis, costs=costs, ties=rule).letters
        for letter in letters:
            x, y = middle(row, column)
            points.append(f"{x + shift},{y + shift}")
            row, column = row + MOVES[letter][0], column + MOVES[letter][1]
            to_x, to_y = middle(row, column)
            text(to_x + 14 + shift, to_y - 10 + 2 * shift, letter, colour)
        x, y = middle(row, column)
        points.append(f"{x + shift},{y + shift}")
        parts.append(
            f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" '
            'stroke-width="3" stroke-linejoin="round"/>'
        )
        text(width / 2, height - 12 - 22 * (len(ties) - 1 - number), f"{legend}: {letters}", colour)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" text-anchor="middle">\n'
        f"<style>@media(prefers-color-scheme:dark){{{STYLE}}}</style>\n"
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def pictures() -> dict[str, str]:
    """The pictures by the names of their files."""
    reference = ["the", "cat", "sat", "on", "the", "mat"]
    hypothesis = ["the", "hat", "sat", "the", "mat", "today"]
    return {
        "alignment.svg": drawing(reference, hypothesis, SCLITE_COSTS, {"sclite": "sclite's costs"}),
        "alignment-ties.svg": drawing(
            ["a", "b"], ["b", "c"], UNIT_COSTS, {"sclite": "sclite", "compute-wer": "compute-wer"}
        ),
    }


if __name__ == "__main__":
    for name, picture in pictures().items():
        Path(__file__).with_name(name).write_text(picture, encoding="utf-8")
