"""A page as HTML: one file without scripts that needs nothing else."""

from __future__ import annotations

from typing import Any

from scoring.labels.reports.page import Page
from scoring.model import Alignment, Edit
from scoring.pages.terminal import shown

_TEMPLATE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{ page.title }}: {{ page.names[1] }} against {{ page.names[0] }}</title>
<style>
body { font: 15px/1.4 sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
table { border-collapse: collapse; margin: .5em 0; }
th, td { padding: .15em .7em; text-align: right; border-bottom: 1px solid #ddd; }
th.text, td.text { text-align: left; }
.S { background: #fff3cd; } .D { background: #f8d7da; } .I { background: #d6e4ff; }
summary.wrong { font-weight: bold; }
.alignment td { text-align: left; border: 0; padding: .1em .3em; }
.alignment { display: inline-table; }
</style>
</head>
<body>
<h1>{{ page.title }}: {{ page.names[1] }} against {{ page.names[0] }}</h1>
{% for remark in page.remarks %}<p class="remark">{{ remark | shown }}</p>
{% endfor -%}
{% for section in page.sections %}<h2>{{ section.title }}</h2>
{% for block in section.blocks -%}
{% if block.heading %}<details{% if block.wrong %} open{% endif %}>
<summary{% if block.wrong %} class="wrong"{% endif %}>{{ block.heading | shown }}</summary>
{% endif -%}
{% if block.body is alignment %}<div>
{% for pair in block.body %}<table class="alignment">
<tr><td class="{{ pair.edit | letter }}">{{ (pair.reference or "***") | shown }}</td></tr>
<tr><td class="{{ pair.edit | letter }}">{{ (pair.hypothesis or "***") | shown }}</td></tr>
<tr><td>{{ pair.edit | letter or "&nbsp;" | safe }}</td></tr>
</table>
{% endfor %}</div>
{% else %}<table>
{% if block.body.headings %}<tr>{% for heading in block.body.headings -%}
<th{% if loop.index <= block.body.text_columns %} class="text"{% endif %}>{{ heading }}</th>
{%- endfor %}</tr>
{% endif -%}
{% for row in block.body.rows -%}
{% set marks = "eval" in block.body.headings and row[0] -%}
<tr{% if marks %} class="{{ row[0] }}"{% endif %}>{% for cell in row -%}
<td{% if loop.index <= block.body.text_columns %} class="text"{% endif %}>{{ cell | shown }}</td>
{%- endfor %}</tr>
{% endfor %}</table>
{% endif -%}
{% if block.heading %}</details>
{% endif -%}
{% endfor -%}
{% if section.note %}<p>{{ section.note }}</p>
{% endif -%}
{% endfor -%}
</body>
</html>
"""


def html(page: Page) -> str:
    """The page; every text in it is escaped, and control characters are shown as such."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    environment.filters["shown"] = shown
    environment.filters["letter"] = _letter
    environment.tests["alignment"] = _is_alignment
    return environment.from_string(_TEMPLATE).render(page=page)


def _letter(edit: Edit) -> str:
    return "" if edit == Edit.CORRECT else edit.letter


def _is_alignment(body: Any) -> bool:
    return isinstance(body, Alignment)
