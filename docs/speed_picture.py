"""Draw the picture of the first page from README's table: `python docs/speed_picture.py`."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WIDTH, LEFT, BAR, GAP = 680, 150, 18, 26
OURS, OTHERS = "#1f5fbf", "#5a6678"
# On a dark page.
STYLE = (
    "@media(prefers-color-scheme:dark){svg{fill:#e5e7eb}.page{fill:#131416}"
    f'[fill="{OURS}"]{{fill:#5b9bff}}[fill="{OTHERS}"]{{fill:#8a96a8}}}}'
)
SECONDS = re.compile(r"^(?:(.+): )?([\d.]+) s$")


def measured() -> list[tuple[str, float, str, float]]:
    """The work, our seconds, the name of the other program and its seconds, by row of README."""
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line[:1] == "|"]
    heads = next(row for row in cells if "sclite-kit" in row)
    found = []
    for row in cells:
        own = SECONDS.match(row[1]) if len(row) == len(heads) else None
        if own is None:
            continue
        place = next(at for at in range(2, len(row)) if row[at])
        other = SECONDS.match(row[place])
        assert other is not None
        found.append((own[1].replace("`", ""), float(own[2]), heads[place], float(other[2])))
    return found


def picture() -> str:
    """The chart as SVG: two bars for each work, as long as their seconds."""
    parts, y = [], 8
    for work, own, name, other in measured():
        scale = (WIDTH - LEFT - 90) / max(own, other)
        parts.append(f'<text x="0" y="{y + 14}" font-weight="600">{escape(work)}</text>')
        y += GAP
        for title, seconds, colour in (("sclite-kit", own, OURS), (name, other, OTHERS)):
            length = max(seconds * scale, 2)
            parts += [
                f'<text x="{LEFT - 8}" y="{y + 14}" text-anchor="end">{escape(title)}</text>',
                f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR}" fill="{colour}"/>',
                f'<text x="{LEFT + length + 6:.1f}" y="{y + 14}">{seconds:g} s</text>',
            ]
            y += BAR + 4
        y += 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" '
        'font-family="sans-serif" font-size="14" fill="#111827">'
        f'<style>{STYLE}</style><rect class="page" width="{WIDTH}" height="{y}" fill="#ffffff"/>'
        f"{''.join(parts)}</svg>\n"
    )


if __name__ == "__main__":
    (ROOT / "docs" / "speed.svg").write_text(picture(), "utf-8")
