"""The files that hold stored runs give back every byte they were given."""

from hypothesis import example, given
from hypothesis import strategies as st

from tests.golden_case import FOLDER, SUFFIX, packed, unpacked

LINES = st.sampled_from([b"", b"\n", b"#: a\n", b"#: ", b"x", b"\r\n", b"\xe4", b"\0", b"\xc3\xa4"])
CONTENTS = st.lists(LINES, max_size=5).map(b"".join)


@given(st.dictionaries(st.sampled_from(["what", "expected/a b", "z.trn"]), CONTENTS, min_size=1))
@example({"a": b"\n", "b": b"", "c": b"x"})
@example({"a": b"x\n#: b\n"})
def test_parts_come_back_as_they_were(parts: dict[str, bytes]) -> None:
    assert unpacked(packed(parts)) == parts


def test_every_case_is_a_file_of_its_own() -> None:
    named = [path for name in ("command", "arguments") for path in FOLDER.rglob(name)]
    assert not named, "a folder is no case: see tests/golden_case.py"
    assert len(list(FOLDER.rglob("*" + SUFFIX))) >= 250
