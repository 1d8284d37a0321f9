"""Generated tables of docs/spoken-forms.md; run this module to write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from scoring import wer
from scoring.text.language_tables import languages, varieties_of
from tests.tables import table_of as cases

PAGE = Path(__file__).resolve().parents[3] / "docs" / "spoken-forms.md"
EXAMPLES = (
    ("cardinal", "1,250", "one thousand two hundred fifty, twelve hundred and fifty"),
    ("ordinal", "21st", "twenty first"),
    ("decimal", "3.5", "three point five"),
    ("fraction", "3 1/2", "three and a half"),
    ("negative", "-5", "minus five, negative five"),
    ("year", "1905", "nineteen oh five"),
    ("digits", "007", "zero zero seven, double oh seven"),
    ("date", "3/4/2020", "march fourth twenty twenty, the third of april twenty twenty"),
    ("time", "10:30", "ten thirty, half past ten"),
    ("range", "3-4", "three to four"),
    ("percent", "20%", "twenty percent"),
    ("money", "$2.50", "two dollars fifty cents, two fifty"),
    ("measure", "5 km/h", "five kilometers per hour"),
    ("decade", "1980s", "nineteen eighties"),
    ("roman", "Henry VIII", "Henry the eighth"),
    ("title", "Dr. Jones", "doctor Jones"),
    ("acronym", "TV", "t v"),
    ("electronic", "joe@mail.com", "joe at mail dot com"),
    ("telephone", "919-696-3901", "nine one nine six nine six three nine oh one"),
    ("serial", "A380", "a three eighty"),
    ("symbol", "&", "and"),
    ("spelling", "OK", "okay"),
    ("variety", "colour", "color"),
)
SENTENCES = (
    ("We met on March 3, 2020.", "we met on march third twenty twenty"),
    ("It costs $50.", "it costs fifty dollars"),
    ("Come at 10:30!", "come at half past ten"),
    ("Dr. Jones lives at 12 Elm St.", "doctor jones lives at twelve elm street"),
    ("They ran 5 km.", "they ran five kilometers"),
    ("It's 20% more.", "it is twenty percent more"),
    ("He won the 1st prize.", "he won the first prize"),
    ("The TV is on.", "the t v is on"),
    ("I said fifteen.", "i said fifty"),
    ("Uh, that was 36.", "that was thirty six"),
)
VARIETIES = {
    "de": ("stengel", "reform of 1996; for ß and ss, use the pipeline `plain`, which equates both"),
    "en": ("colour", "British and American spellings, from VarCon"),
    "fr": ("boite", "reform of 1990"),
    "nl": ("pannekoek", "reforms of 1995 and 2005"),
    "pt": ("acção", "agreement of 1990, and words that Portugal and Brazil write differently"),
    "ru": ("четвёртый", "ё, which most texts write as е"),
}
# Examples of each kind for each language; the other cases are in the file of cases alone.
MOST_EXAMPLES = {"=": 3, "≠": 1}
CHOICES = (
    ("none", ()),
    ("plain", ("plain",)),
    ("spoken forms", ("plain", "spoken-forms")),
    ("recipe", ("whisper-english",)),
)


def class_rows() -> Iterator[str]:
    """The table of classes."""
    yield "| class | written | also right |\n|---|---|---|"
    for name, written, spoken in EXAMPLES:
        yield f"| {name} | `{written}` | *{spoken}* |"


def choice_rows() -> Iterator[str]:
    """The errors of the sentences under each choice."""
    titles = " | ".join(title for title, _ in CHOICES)
    yield f"| reference | hypothesis | {titles} |\n|---|---|{'---|' * len(CHOICES)}"
    for reference, hypothesis in SENTENCES:
        errors = [
            str(wer(reference, hypothesis, normalize=steps).counts.errors) for _, steps in CHOICES
        ]
        yield f"| {reference} | {hypothesis} | {' | '.join(errors)} |"


def example_rows() -> Iterator[str]:
    """What is equal and what is not, by language: the first cases of `test_spoken_forms.py`."""
    tests = str(Path(__file__).with_name("test_spoken_forms.py"))
    kinds = [(title, cases(tests, name)) for title, name in (("=", "equal"), ("≠", "different"))]
    yield "| language | examples |\n|---|---|"
    for lang in languages("spoken"):
        pairs = [
            f"{_cell(row[1])} {title} {_cell(row[2])}"
            for title, rows in kinds
            for row in [row for row in rows if row[0] == lang][: MOST_EXAMPLES[title]]
        ]
        yield f"| `{lang}` | {'; '.join(pairs)} |"


def variety_rows() -> Iterator[str]:
    """The number of spellings that the class `variety` equates, with an example, by language."""
    yield "| language | spellings | example | what they are |\n|---|---|---|---|"
    for lang in languages("varieties"):
        rows = {row[0].casefold(): row for row in varieties_of(lang)}
        example, text = VARIETIES[lang]
        yield f"| `{lang}` | {len(rows):,} | `{example}` = `{rows[example][1]}` | {text} |"


def _cell(text: str) -> str:
    """A text in a cell of a table."""
    return f"`{text}`" if "|" not in text else text.replace("|", "\\|")


PARTS = {
    "classes": class_rows,
    "choices": choice_rows,
    "examples": example_rows,
    "varieties": variety_rows,
}


def generated(page: str, names: Iterable[str] = PARTS) -> str:
    """The page with its tables, those of some names made anew."""
    for name in names:
        rows = PARTS[name]
        table = "\n".join(rows())
        page = re.sub(
            rf"(<!-- {name} -->\n).*?(<!-- end -->)",
            lambda match, table=table: f"{match[1]}\n{table}\n\n{match[2]}",  # type: ignore[misc]
            page,
            flags=re.DOTALL,
        )
    return page


if __name__ == "__main__":
    PAGE.write_text(generated(PAGE.read_text("utf-8")), "utf-8")
