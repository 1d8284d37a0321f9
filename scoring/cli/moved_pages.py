"""Pages that became sections of other pages; `scoring docs` and the site redirect to these."""

from __future__ import annotations

TABLE = """
native-core alignment#the-compiled-core
data-tools tables#delta-iceberg-lance-duckdb-five-lines-each
how-a-change-is-proved conformance#how-a-change-is-proved
verdicts differences#verdicts-right-though-spelt-otherwise
formats/commonvoice formats/corpora#commonvoice
formats/librispeech formats/corpora#librispeech
formats/ljspeech formats/corpora#ljspeech
formats/mgb formats/corpora#mgb
formats/must-c formats/corpora#must-c
formats/mlf formats/htk#mlf
formats/kaldi-segments formats/kaldi#kaldi-segments
formats/ecf formats/kwslist#ecf
formats/kwlist formats/kwslist#kwlist
formats/conllu formats/nlp#conllu
formats/toolbox formats/flextext#toolbox
formats/qrc formats/lrc#qrc
formats/ultrastar formats/lrc#ultrastar
formats/bliss formats/manifests#bliss
formats/lhotse formats/manifests#lhotse
formats/nemo formats/manifests#nemo
formats/speechbrain formats/manifests#speechbrain
formats/wenet formats/manifests#wenet
formats/mpl2 formats/microdvd#mpl2
formats/tmp formats/microdvd#tmp
formats/sbv formats/subviewer#sbv
calculators from-espnet#count-batches-and-add-them-up
from-evalmate in-place-of#from-evalmate
from-evaluate in-place-of#from-hugging-face-evaluate
from-fstalign in-place-of#from-fstalign
from-pyannote in-place-of#from-pyannotemetrics
from-speechline in-place-of#from-speechline
from-torchmetrics in-place-of#from-torchmetrics
reference/commands/scoring-bench reference/commands/comparisons#scoring-bench
reference/commands/scoring-compare reference/commands/comparisons#scoring-compare
reference/commands/scoring-diff reference/commands/comparisons#scoring-diff
reference/commands/scoring-gate reference/commands/comparisons#scoring-gate
reference/commands/scoring-history reference/commands/comparisons#scoring-history
reference/commands/scoring-verdicts reference/commands/comparisons#scoring-verdicts
reference/commands/formats-convert reference/commands/formats#formats-convert
reference/commands/formats-detect reference/commands/formats#formats-detect
reference/commands/formats-diff reference/commands/formats#formats-diff
reference/commands/formats-info reference/commands/formats#formats-info
reference/commands/formats-lint reference/commands/formats#formats-lint
reference/commands/formats-list reference/commands/formats#formats-list
reference/commands/formats-show reference/commands/formats#formats-show
reference/commands/formats-validate reference/commands/formats#formats-validate
reference/commands/scoring-cer reference/commands/scoring-wer#scoring-cer
reference/commands/services reference/commands/texts#scoring-serve
reference/commands/scoring-compat reference/commands/texts#scoring-compat
reference/commands/scoring-conformance reference/commands/texts#scoring-conformance
reference/commands/scoring-docs reference/commands/texts#scoring-docs
reference/commands/scoring-serve reference/commands/texts#scoring-serve
reference/commands/scoring-ui reference/commands/texts#scoring-ui
reference/commands/scoring-beer reference/commands/tasks#scoring-beer
reference/commands/scoring-der reference/commands/tasks#scoring-der
reference/commands/scoring-events reference/commands/tasks#scoring-events
reference/commands/scoring-kws reference/commands/tasks#scoring-kws
reference/commands/scoring-oracle reference/commands/tasks#scoring-oracle
reference/commands/scoring-per reference/commands/tasks#scoring-per
reference/commands/scoring-segments reference/commands/tasks#scoring-segments
reference/commands/scoring-measures reference/commands/texts#scoring-measures
reference/commands/scoring-merge reference/commands/texts#scoring-merge
reference/commands/scoring-normalize reference/commands/texts#scoring-normalize
reference/commands/scoring-recipes reference/commands/texts#scoring-recipes
subtitle-measures score-subtitles#subtitles-and-long-recordings-in-numbers
scale tables#any-number-of-rows
"""
# The name of each such page, and the page and the heading where it is now.
MOVED = dict(line.split() for line in TABLE.strip().splitlines())
