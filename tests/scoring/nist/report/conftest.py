"""Systems made of SGML in sclite's form with a line for every field, to render reports anew."""

import re
from collections.abc import Callable, Mapping, Sequence

import pytest

from scoring.alignment.numbered import WordType
from scoring.alignment.system import System
from scoring.nist.sgml.reader import read_systems


def ascii_upper(text: str) -> str:
    return text.encode("latin-1").upper().decode("latin-1")


def load(text: str) -> System:
    said: list[str] = []
    [system] = read_systems(text.encode("latin-1"), said.append, said.append, ascii_upper)
    assert said == []
    types = list(map(with_tags, system.vocabulary.types))
    system.vocabulary = system.vocabulary._replace(types=types)
    return system


def with_tags(word: WordType) -> WordType:
    """The word that sclite wrote as `text;first;second`; reading leaves these in its text."""
    text, *tags = (part.replace("\\;", ";") for part in re.split(r"(?<!\\);", word.text))
    first, second = [tag or None for tag in tags] or [None, None]
    return word._replace(text=text, tags=(first, second), value=text)


def written_pair(pair: str) -> str:
    reference, _, hypothesis = pair.partition("/")
    if not reference:
        return f'I\n\n"{hypothesis}"'
    if not hypothesis:
        return f'D\n"{reference}"\n'
    return f'{"C" if reference == hypothesis else "S"}\n"{reference}"\n"{hypothesis}"'


def written(
    speakers: Mapping[str, Sequence[str]], title: str = "title", attributes: str = ""
) -> str:
    lines = [
        f'<SYSTEM title="{title}" ref_fname="r" hyp_fname="h" creation_date="now" format="2.4" '
        'frag_corr="FALSE" opt_del="FALSE" weight_ali="FALSE" weight_filename="">'
    ]
    sequence = 0
    for name, utterances in speakers.items():
        lines.append(f'<SPEAKER id="{name}">')
        for number, utterance in enumerate(utterances, 1):
            pairs = utterance.split()
            lines.append(
                f'<PATH id="({name}-{number:03d})" word_cnt="{len(pairs)}" '
                f'sequence="{sequence}"{attributes}>'
            )
            lines.append("\n".join(map(written_pair, pairs)))
            lines.append("</PATH>")
            sequence += 1
        lines.append("</SPEAKER>")
    return "\n".join([*lines, "</SYSTEM>", ""])


@pytest.fixture(scope="session")
def load_system() -> Callable[[str], System]:
    """Reads the text of a `.nl.sgml` file (byte text)."""
    return load


@pytest.fixture(scope="session")
def make_system() -> Callable[..., System]:
    """Makes a system of `reference/hypothesis` pairs, by speaker and utterance.

    `a/a a/b a/ /b` is a correct word, a substitution, a deletion and an insertion.
    """

    def make(
        speakers: Mapping[str, Sequence[str]], title: str = "title", attributes: str = ""
    ) -> System:
        return load(written(speakers, title, attributes))

    return make
