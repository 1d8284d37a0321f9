"""Texts with times that have titles, names over several turns, or labels of a page beside heads."""

from __future__ import annotations

from itertools import cycle, pairwise

from formats.meetings.turns.margins import labels_above_heads
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, turns

NAMES = ["Ann Ex", "Ben Hill"]
CAPTIONS = [
    "so this is the bridge that we", "built over the river in May and", "nobody had a plan for it at",
    "first but then the rain came and", "the water went up to the road",
]  # fmt: skip
TITLES = [
    "The bridge in May",
    "Who pays",
    "After the rain",
    "Close",
    "What we said",
    "A new road",
    "Ending",
]


def captions(form: str, title: str, count: int = 40) -> tuple[str, list[tuple[None, float, str]]]:
    """Return captions with a title above each tenth one, and what `turns` should return."""
    lines, read = [], []
    for k, said in zip(range(count), cycle(CAPTIONS), strict=False):
        lines += [title.format(TITLES[k // 10])] if k % 10 == 0 else []
        lines.append(form.format(t=f"{k // 15}:{4 * k % 60:02}", x=said))
        read.append((None, float(4 * k), said))
    return "".join(lines), read


@each_case("form", ["{t}\n{x}\n", "{t} {x}\n", "{t}\n{x}\n\n", "[{t}]\n{x}\n"])
@each_case("title", ["{}\n", "Part: {}\n"])
def test_titles_between_captions_are_no_speech(form: str, title: str) -> None:
    text, read = captions(form, title)
    assert turns(text) == read
    page = f"Transcript\n\n{text}English (auto-generated)\nAll\nRelated\n"
    assert turns(page) == read


@each_case("form", ["{t}\n{x}\n", "{t} {x}\n"])
def test_titles_between_captions_in_sentences_have_capitals(form: str) -> None:
    text, read = captions(form, "{}\n")
    said = dict(zip(CAPTIONS, [f"{x.capitalize()}." for x in CAPTIONS], strict=True))
    for small, sentence in said.items():
        text = text.replace(f"{small}\n", f"{sentence}\n")
    titled = text.replace("The bridge in May", "The Bridge").replace("After the rain", "The Rain")
    assert turns(titled) == [(None, start, said[x]) for _, start, x in read]


@each_case(
    "form",
    ["[{a}-{b}s]{t}\n{x}\n\n", "[0:{a:02}]{t}\n{x}\n\n", "[0:{a:02} - 0:{b:02}]{t}\n\n{x}\n\n"],
)
@each_case("some", [1, 2])
def test_titles_behind_times_over_texts(form: str, some: int) -> None:
    said = [f"{x} {y}" for x, y in pairwise(SAID)]
    text = "".join(
        form.format(a=7 * k, b=7 * k + 6, t="" if k % some else f" {TITLES[k]}", x=x)
        for k, x in enumerate(said)
    )
    assert turns(text) == [(None, 7.0 * k, x) for k, x in enumerate(said)]


@each_case("rule", ["=" * 40, "---", "* * *"])
def test_lines_between_rules_and_times_are_titles(rule: str) -> None:
    text = "".join(
        f"{rule}\n{k}a) WHY {x.upper()[:60]} -> MORE (A Q)\n[00:00:{7 * k:02} – 00:00:{7 * k + 6:02}]\n{x}\n\n"
        for k, x in enumerate(SAID)
    )
    assert turns(text) == [(None, 7.0 * k, x) for k, x in enumerate(SAID)]


@each_case(
    "name", ["**{}**\n", "**{}**\n\n", "## {}\n\n", "{}\n", "{}:\n", "**{} - Acme, Head**\n"]
)
@each_case(
    "form", ["[0:{s:02}] {x}\n", "(00:00:{s:02}) {x}\n\n", "- 0:{s:02} {x}\n", "0:{s:02}\n{x}\n"]
)
def test_names_over_several_turns(name: str, form: str) -> None:
    said = [*SAID, *SAID[:4]]
    text = "".join(
        ("" if k % 3 else "\n" + name.format(NAMES[k // 3 % 2])) + form.format(s=4 * k, x=x)
        for k, x in enumerate(said)
    )
    assert turns(text) == [(NAMES[k // 3 % 2], 4.0 * k, x) for k, x in enumerate(said)]


@each_case("label", ["user avatar", "Profile picture", "Copy link"])
@each_case("form", ["{n}\n0:{s:02}\n{x}\n", "{n} 0:{s:02}\n{x}\n\n", "0:{s:02} {n}\n{x}\n"])
def test_labels_above_names_with_times_are_of_the_page(label: str, form: str) -> None:
    heads = [form.format(n=NAMES[k % 2], s=4 * k, x=x) for k, x in enumerate(SAID)]
    assert turns(f"{label}\n".join(heads)) == [
        (NAMES[k % 2], 4.0 * k, x) for k, x in enumerate(SAID)
    ]


@each_case(
    "page",
    [
        ["Ann Ex", "0:05", "so"] * 6,  # a name
        ["Yes", "Ann Ex 0:05", "Yes", "Ben 0:07"] * 6,  # these are the texts
        ["well", "Yes", "Ann Ex: so", "Yes", "Ben: no"] * 6,  # no times
        ["well", "Ann Ex", "4 May", "10:05"] * 6,  # a name above dates
    ],
)
def test_other_lines_above_heads_are_no_labels(page: list[str]) -> None:
    assert labels_above_heads(page) == set()


def test_a_chat_with_long_lists_and_one_person_has_messages() -> None:
    lists = "Sand - 4\nGravel - 12\n\nTotal = 16\nAll is on the list\n\n\n"
    text = "".join(
        f"12/4/25, 9:{k:02} AM - Site Team: {x}\n{lists}" for k, x in enumerate(SAID * 2)
    )
    read = turns(f"NOTE:\nA few messages\nof the site.\n\n{text}")
    assert [(name, start) for name, start, _ in read] == [
        ("Site Team", 60.0 * k) for k in range(2 * len(SAID))
    ]


@each_case(
    "form",
    [
        "[9:{k:02} AM]{n}: {x}\n",
        "9:{k:02} AM {n} to Everyone\n{x}\n\n",
        "{n} — Today at 9:{k:02} AM\n{x}\n\n",
        "[12.05.2024 09:{k:02}] {n}: {x}\n",
    ],
)
@each_case("names", [NAMES, ["Ann Ex", "+44 7700 900123"]])
def test_messages_of_chats_as_they_are_copied(form: str, names: list[str]) -> None:
    said = [*SAID, *SAID]
    text = "".join(form.format(k=k, n=names[k % 2], x=x) for k, x in enumerate(said))
    assert turns(text) == [(names[k % 2], 60.0 * k, x) for k, x in enumerate(said)]


@each_case("form", ["{n}\n{w}\n{x}\n", "{n}\n{w}\n{x}\n\n", "{w}\n{x}\n"])
@each_case("units", [("minute", "minutes", "seconds"), ("Minute", "Minuten", "Sekunden")])
def test_times_only_in_words(form: str, units: tuple[str, str, str]) -> None:
    one, several, seconds = units
    worded = [
        (f"{t // 60} {one if t // 60 == 1 else several} " if t >= 60 else "")
        + f"{t % 60} {seconds}"
        for t in range(9, 9 + 17 * len(SAID), 17)
    ]
    text = "".join(form.format(n=NAMES[k % 2], w=worded[k], x=x) for k, x in enumerate(SAID))
    assert turns(text) == [
        (NAMES[k % 2] if "{n}" in form else None, 9.0 + 17 * k, x) for k, x in enumerate(SAID)
    ]


def test_many_times_in_one_line_divide_it() -> None:
    parts = [(9 * k, x) for k, x in enumerate([*SAID, *SAID])]
    text = " ".join(f"{t // 60}:{t % 60:02} {x}" for t, x in parts)
    assert turns(text) == [(None, float(t), x) for t, x in parts]


def test_a_colon_alone_on_a_line_is_no_word() -> None:
    text = "".join(f"{NAMES[k % 2]}:\n{x}\n:\n{SAID[k - 1]}\n" for k, x in enumerate(SAID))
    assert [said for _, _, said in turns(text)] == [
        f"{x} {SAID[k - 1]}" for k, x in enumerate(SAID)
    ]
