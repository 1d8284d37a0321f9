"""Plain text with marks of games and of what is shown; pages, minutes and glossaries are reported."""

from formats.nist.messages import TXT_LEFT, TXT_RESIDUE
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.formats.conftest import ReadText
from tests.remarks import fields_of

TERMS = [
    "Arch",
    "Beam",
    "Canal",
    "Dam",
    "Embankment",
    "Ford",
    "Gate",
    "Harbour",
    "Island",
    "Jetty",
    "Kerb",
    "Lock",
]
MEANINGS = [
    *("curved over an opening", "carries a load", "made for boats", "holds water back"),
    *("earth along a river", "shallow enough to cross", "opens and closes", "where ships rest"),
    *("land in the sea", "where people board", "the edge of a road", "lifts boats"),
]
PAGE = (
    "## Part {n}\n\n![Map](map{n}.png)\n\n- Press `x{n}` to save it\n- Look at [the list](l.md)\n\n"
)


def test_names_with_values_in_angle_brackets_are_no_words(read_text: ReadText) -> None:
    text = "<wait:0.5>\nSo here we are.\n<face:1>\n<n>\nYou came back!\n<n>\nI said <wait:2> so.\n"
    transcript = read_text(text, "txt")
    assert " ".join(transcript[0].words) == "So here we are. You came back! I said so."
    assert message_text(TXT_LEFT["tags"], lines=5) in [d.message for d in transcript.diagnostics]


@each_case("text", ["so <n>\n<n>\nit was\n", "<b:1>\nso it was\n"])
def test_one_of_them_may_be_a_word(text: str, read_text: ReadText) -> None:
    assert "<" in " ".join(read_text(text, "txt")[0].words)


@each_case("sign", ["©", "►", "※"])
def test_signs_before_brackets_are_cues(sign: str, read_text: ReadText) -> None:
    text = " ".join(f"{sign} [{n}a] the river rises" for n in range(6))
    assert " ".join(read_text(text, "txt")[0].words) == " ".join(6 * ["the river rises"])
    few = "So " + " ".join(f"{sign} [{n}a] the river rises" for n in range(3))
    assert few.split()[2] in read_text(few, "txt")[0].words


@each_case(
    ("text", "kind"),
    [
        ("# The tool\n\n" + "".join(PAGE.format(n=n) for n in range(4)), "page"),
        ("# Meeting\n\n## 📌 Summary\nSo it was.\n\n## Action Items\n- None\n", "minutes"),
        (
            "# Meeting\n\n## Summary:\nSo it was.\n\n## Decisions\nWe go on, as we said.\n",
            "minutes",
        ),
        ("".join(f"{t} - {m}\n\n" for t, m in zip(TERMS, MEANINGS, strict=True)), "glossary"),
        (
            "".join(
                f"{t}\n\n" if n % 3 == 1 else f"{t} - {MEANINGS[n]}\n\n"
                for n, t in enumerate(TERMS)
            ),
            "glossary",
        ),
        (
            "".join(
                f"{t}, {t[0]}. and Roe, B. ({2000 + n}). {MEANINGS[n].capitalize()}.\n"
                for n, t in enumerate(TERMS)
            ),
            "sources",
        ),
        ("# `dig`\n\nIt digs a hole.\n\n# `fill`\n\nIt fills the hole again.\n", "page"),
        (
            "\n".join(["!", "#", *TERMS, *(f"{TERMS[-1]}\u200c{sign}" for sign in "abcdefghi")]),
            "list",
        ),
        (
            "".join(
                f"STEP - Digging hole {n} with care: {'NO' if n % 3 else 'YES'}\n" for n in range(8)
            ),
            "form",
        ),
    ],
)
def test_pages_minutes_and_glossaries_are_reported(
    text: str, kind: str, read_text: ReadText
) -> None:
    assert len(fields_of(read_text(text, "txt").diagnostics, TXT_RESIDUE[kind])) == 1


@each_case(
    "text",
    [
        "# A talk\n\nSo it was.\n\n## The road\n\nAnd then we went on.\n\n## Home\n\nIt was late.\n",
        "# A talk\n\n## Summary\n\nSo it was.\n\n## The road\n\nWe went.\n\n## The end\n\nHome.\n",
        "# Notes\n\n## Summary\nIt was.\n\n## Action items\nNone.\n\n## Transcript\n\nSo it was.\n",
        "".join(
            f"{t} - a part of the bridge\n\n" for t in [*TERMS[6:], *TERMS[3:6], *TERMS[:3]][::-1]
        ),
        "# `dig`\n\nSo it was.\n\n# The road\n\nAnd then we went on.\n",
        "".join(f"Ann Ex: {'No' if n % 3 else 'Yes'}\n" for n in range(8)),
        "See [the map](a.png) and [the list](b.md).\n\nThen `x` is there.\n" * 4,
    ],
)
def test_other_texts_are_no_pages(text: str, read_text: ReadText) -> None:
    log = read_text(text, "txt").diagnostics
    assert not any(
        fields_of(log, TXT_RESIDUE[kind]) for kind in ("page", "minutes", "glossary", "form")
    )
