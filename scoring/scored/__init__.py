"""The one scored thing, in columns: what every report, test and interval is drawn from.

`rates.ErrorRates` is what `scoring.wer` gives; `record` writes it as JSON and `record_reader` reads
it back; `as_system` shows it as `alignment.system.System`, what sclite's reports are drawn from.
"""
