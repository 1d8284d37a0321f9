"""Tables with one row per utterance: csv, tsv, Excel, Parquet, Arrow."""
