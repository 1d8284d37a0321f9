"""The one scored thing, in columns, and the road to it: what every report and test is drawn from.

`score.wer` is the whole road on one screen, `rates.ErrorRates` what stands at its end; `record`
writes that as JSON and `record_reader` reads it back; `columns` shows it as the
`alignment.system.System` that sclite's reports are drawn from, and
`sclite_rates` such a one as rates.
"""
