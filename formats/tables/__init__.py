"""Tables with one row per utterance: csv, tsv, Excel, Parquet, Arrow."""

COLUMNS = ("id", "recording", "channel", "speaker", "start", "end", "text")
"""The header that `formats.tables.delimited` writes."""
