"""Turns in prints, on pages and in texts for models: names beside verses, marks of roles, titles."""

import formats
from tests.each_case import each_case
from tests.formats.checks import codes
from tests.formats.meetings.said import SAID, named, turns

LINES = [line for line in SAID for _ in range(3)]
PEOPLE = ["ANNA", "BRUNO", "CLARA"]
ALL = [(PEOPLE[n % 3], None, line) for n, line in enumerate(LINES)]


@each_case(
    ("act", "scene"),
    [
        ("FÖRSTA AKTEN", "ANDRA SCENEN"),
        ("EERSTE BEDRIJF", "TWEEDE TOONEEL"),
        ("Ensimmäinen näytös", "Toinen kohtaus"),
        ("ELSŐ FELVONÁS", "2. jelenet"),
        ("AKT PIERWSZY", "ODSŁONA II"),
        ("První jednání", "Druhý výstup"),
        ("ACT THE FIRST", "Scene the second. A road."),
    ],
)
@each_case("form", ["{n}. {x}\n\n", "{n}\n{x}\n\n"])
def test_titles_of_acts_in_more_languages(form: str, act: str, scene: str) -> None:
    """The title of an act or a scene between turns is not spoken."""
    text = f"{act}\n\n"
    for n, line in enumerate(LINES):
        text += form.format(n=PEOPLE[n % 3], x=line)
        text += f"{scene}\n\n" if n % 8 == 3 else ""
    assert turns(text) == ALL


@each_case(
    "form",
    [
        "{n}.--{x}\n\n",
        "{n}.-- {x}\n\n",
        "={n}.= {x}\n\n",
        "<b>{n}</b> {x}\n\n",
        "<strong>{n}.</strong> {x}\n\n",
        '{n} says, "{x}"\n',
        "{n}, aside. {x}\n\n",
        "{n}, _à part_.--{x}\n\n",
        "**{n}** (softly). {x}\n\n",
        "{n}@ {x}\n",
        "### {n}: {x}\n\n",
        "§ {n}: {x}\n\n",
    ],
)
def test_signs_behind_names(form: str) -> None:
    """Dashes, equals signs and tags around names are no words."""
    text = "".join(form.format(n=PEOPLE[n % 3], x=line) for n, line in enumerate(LINES))
    assert turns(text) == ALL


@each_case(
    "form",
    [
        "<|im_start|>{n}\n{x}<|im_end|>\n",
        "<|{n}|>\n{x}<|end|>\n",
        "<|{n}|>{x}</s>\n",
        "<|start_header_id|>{n}<|end_header_id|>\n\n{x}<|eot_id|>\n",
        "<start_of_turn>{n}\n{x}<end_of_turn>\n",
    ],
)
def test_marks_of_roles(form: str) -> None:
    """The marks around turns for a language model name the speakers, and a note counts them."""
    roles = ["user", "assistant"]
    text = "".join(form.format(n=roles[n % 2], x=line) for n, line in enumerate(LINES))
    assert turns(text) == [(roles[n % 2], None, line) for n, line in enumerate(LINES)]
    assert "SPEAKER-TEXT-TAGS" in codes(formats.read(named(text)))


def test_names_beside_verses_and_alone() -> None:
    """Names are alone or beside the first verse; what is above the first act is not spoken."""
    text = "The Bridge\n\nCLARA\nA GUARD\n\nACT 1\n=====\n\nScene 1\n=======\n[Enter Anna.]\n\n\n"
    for n, line in enumerate(LINES):
        first, sign, rest = line.partition(", ")
        verses = f"{first}{sign.rstrip()}\n{rest}".rstrip()
        name = PEOPLE[n % 3] + (", [aside]" if n == 9 else "")
        text += f"{name}  {verses}\n\n" if n % 2 else f"{name}\n{verses}\n\n"
    assert turns(text) == ALL


def test_names_before_indented_lines() -> None:
    """Only the first lines of turns are indented; a word at the margin is no name."""
    text = ""
    for n, line in enumerate(LINES):
        first, sign, rest = line.partition(", ")
        text += f"  {PEOPLE[n % 3].title()}. {first}{sign.rstrip()}\n" + (
            f"{rest}\n" if rest else ""
        )
    text = text.replace("as we said before.", "as we said in\nMay. It rains.", 1)
    said = list(LINES)
    said[9] = said[9].replace("as we said before.", "as we said in May. It rains.")
    assert turns(text) == [(PEOPLE[n % 3].title(), None, line) for n, line in enumerate(said)]


def test_numbers_of_pages_between_numbered_lines() -> None:
    """Lines are numbered on each page, and the pages have numbers between them."""
    lines = ["EXAMINATION", "BY MS. DOE:"]
    for n, line in enumerate(LINES):
        lines += [f"     {'QA'[n % 2]}.   {line}"]
    text = ""
    for n, line in enumerate(lines):
        text += f"\n       {n // 10 + 1}\n\n" if n and n % 10 == 0 else ""
        text += f"{n % 10 + 1:2}  {line}\n"
    assert turns(text) == [("QA"[n % 2], None, line) for n, line in enumerate(LINES)]


@each_case("said", ["He said: leave it open.", "So it is.\n\nThere are two ways: by road or boat."])
def test_sentences_with_a_colon_are_no_names(said: str) -> None:
    """The text behind such a name begins in small letters, unlike all other turns."""
    text = "".join(f"{PEOPLE[n % 3].title()} Doe: {x}\n\n" for n, x in enumerate(LINES))
    text = text.replace("Please go ahead.\n\n", f"Please go ahead.\n\n{said}\n\n", 1)
    expected = [f"{name.title()} Doe" for name in PEOPLE]
    assert {name for name, *_ in turns(text)} == {*expected}


@each_case("word", ["Episode", "Folge", "Épisode", "Capítulo", "Серия", "Odcinek"])
def test_counted_titles_above_other_lines(word: str) -> None:
    """A word for a part and its number begin a title, also above a line in brackets."""
    text = ""
    for n, line in enumerate(LINES):
        title = f"{word} {n // 8 + 1}: the bridge (1990)\n[Music]\n\n"
        text += (title if n % 8 == 0 else "") + f"{PEOPLE[n % 3]}: {line}\n\n"
    assert turns(text) == ALL


def test_the_chair_of_a_french_parliament() -> None:
    """A title in small letters begins a name, and no sentence."""
    people = ["M. le président", "Mme Anne Leroux", "M. Paul Dubois"]
    text = "".join(f"{people[n % 3]}. {x}\n\nIl pleut.\n\n" for n, x in enumerate(LINES))
    assert turns(text) == [(people[n % 3], None, f"{x} Il pleut.") for n, x in enumerate(LINES)]


def test_links_and_remarks_beside_turns() -> None:
    """A list of links, and a remark in italics below a rule, are not spoken."""
    text = "# A talk\n\n- Ann: [a page](https://example.org/a)\n- Bea: [a page](https://example.org/b)\n"
    text += "\n---\n\n" + "".join(
        f"**{['Ann', 'Bea'][n % 2]}**\n\n{x}\n\n" for n, x in enumerate(LINES)
    )
    text += "---\n\n*This talk is shorter than it was.*\n"
    assert turns(text) == [(["Ann", "Bea"][n % 2], None, x) for n, x in enumerate(LINES)]


def test_paragraphs_below_names_alone_are_told() -> None:
    """What nobody may say in a play is read as words, and told."""
    text = "".join(f"{PEOPLE[n % 3]}\n{line}\n\n" for n, line in enumerate(LINES))
    text = text.replace("Please go ahead.\n\n", "Please go ahead.\n\nA boy runs in.\n\n", 1)
    assert "SPEAKER-TEXT-LINES" in codes(formats.read(named(text)))


def test_lines_of_the_page_of_a_song() -> None:
    """Between parts of a song, the page has lines that nobody sings."""
    text = "[Verse 1]\nThe road is long\nSee more live\nYou might also like\nA Boat\nAnn\n\n"
    text += "[Chorus]\nThe lamp is low12Embed\n"
    assert turns(text) == [(None, None, "The road is long The lamp is low")]
    goes_on = text.replace("A Boat\nAnn", "and so are we\nall the way")
    words = "The road is long and so are we all the way The lamp is low"
    assert turns(goes_on) == [(None, None, words)]


def test_persons_leave_between_verses() -> None:
    """Titles of scenes and exits in one paragraph are not spoken; the verse below an exit is."""
    text = "The Bridge\n\nAct 1\nScene 1\nEnter Anna and Bruno.\n"
    for n, line in enumerate(LINES):
        text += f"{PEOPLE[n % 3]}\n{line}\n"
        text += "Exit Bruno.\nFarewell.\n" if n == 9 else ""
        text += "Scene 2\nEnter Clara.\n" if n == 12 else ""
    said = [f"{line} Farewell." if n == 9 else line for n, line in enumerate(LINES)]
    assert turns(text) == [(PEOPLE[n % 3], None, line) for n, line in enumerate(said)]
