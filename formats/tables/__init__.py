"""Tables with a row for each utterance: text, Parquet, Arrow."""
