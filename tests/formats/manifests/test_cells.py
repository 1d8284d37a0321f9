"""Cells of tables: units, names of columns by their values, and lists."""

from formats.manifests import role_columns, role_recordings
from formats.reading import member_names
from formats.tables import cells, table, without_header


def test_hours_minutes_and_seconds_in_columns_of_their_own() -> None:
    columns_of_units = cells._columns_of_units
    assert columns_of_units(["start_min", "start_sec", "text"], [["1", "5", "so"]]) == {
        "start": {0: 60, 1: 1}
    }
    assert columns_of_units(["minute", "second", "text"], [["1", "90", "so"]]) == {}


def test_sums_of_units_are_seconds() -> None:
    assert cells._seconds(["0,5"], {0: 1}) == "0.5"
    assert cells._seconds(["1.5", "3"], {0: 60, 1: 1}) == "93"
    assert cells._seconds(["Total"], {0: 60}) == "Total"
    assert cells._seconds(["1", ""], {0: 60, 1: 1}) == ""


def test_columns_beside_ids_and_addresses() -> None:
    rows = [["a_01", "A", "so it is"], ["a_02", "B", "well so"], ["a_03", "A", "no no"]]
    assert without_header._names_beside_ids(rows) == ["id", "speaker", "text"]
    rows = [["id", "text"], ["a_01", "so it is"], ["a_02", "well then"]]
    assert without_header._names_beside_ids(rows) == []
    rows = [["Talk", "so it is then and so on we go", "https://a.org/1"]] * 2
    assert without_header._names_beside_text(rows) == ["column 1", "text", "column 3"]


def test_tables_without_words() -> None:
    rows = [["0.5", "2.5", "S1"], ["2.7", "3.9", "S2"], ["4.0", "5.5", "S1"]]
    assert table._are_turns_without_words(["start", "end", "speaker"], rows)
    names = ["start", "end", "speaker", "x"]
    assert not table._are_turns_without_words(names, [[*rows[0], "so it is"]])


def test_lists_in_cells_are_joined() -> None:
    assert table._joined("['so it is', \"that's it\"]") == "so it is that's it"
    assert table._joined("[so]") == "[so]"


def test_files_of_equal_names_in_several_folders() -> None:
    paths = ["a/audio.wav", "b/audio.wav"]
    assert role_recordings._named_by_folder(paths, [paths]) == {"audio"}
    assert role_recordings._named_by_folder([*paths, "a/other.wav"], [paths]) == set()


def test_hardly_any_text_is_a_number() -> None:
    assert role_columns.are_wordings(["how many", *["so it is"] * 9, "7"])
    assert not role_columns.are_wordings(["7", "so it is"])


def test_units_and_clock_times_in_brackets_are_no_part_of_a_name() -> None:
    assert member_names._without_remark("Start time (in seconds)") == ("Start time", 1)
    assert member_names._without_remark("Start [hh:mm:ss.ms]") == ("Start", None)
    assert member_names._without_remark("Text (English)") == ("Text (English)", None)
