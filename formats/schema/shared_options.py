"""Options shared by several commands, with the same meaning, metavar and help text.

A row of a command's table that has only a name (`* --json`) gets the rest from this module.
`tests/scoring/cli/test_one_meaning.py` compares the options of all commands.
"""

from __future__ import annotations

import re

_TABLE = """
--allow WHAT ...  compare although the sides differ (repeatable); rules: each side keeps its own
  rules; references: the reference words may differ; missing: skip utterances that one side lacks
  (default: count their words as deleted, or stop with an error if the side is a record); `history
  compare` accepts only rules
--by NAME ...  report rates by speaker, recording, channel, label or property (for both:
  speaker,channel)
--by-tag TAG  show a line for each value of the tag; export also writes a comparison for each value
--confidence-interval  print a bootstrap interval of the error rate
--context WORDS  number of equal words to show around each difference, or all (default: 3)
--csv >FILE  write the numbers as CSV, a row per utterance, recording or run (-: stdout)
--csv-safe  in CSV, put an apostrophe before texts that a spreadsheet would read as formulas
--dry-run  only print what would be done
--ecf <FILE  audio to score (ECF)
--encoding NAME  encoding of the input, or auto (default: utf-8)
--examples N  number of errors to show for each step (default: 5); in a conformance check, number of
  differences for each part (default: 3)
--fail-measure [NAME.]NUMBER=LIMIT ...  exit with status 3 if a number is worse than LIMIT
  (repeatable); the number is from a measure, for example loops.loop_rate=1, or from the result of
  der, kws, events or segments, for example purity=80%% or atwv=0.4; write LIMIT as reports print
  the number, with or without %%; in compare LIMIT may be a change from the baseline, for example
  loops.loop_rate=+0.5pt
--from FORMAT  format of the input, or @FILE.toml for a format that you define (default: detected)
--groups  also show a line for each group or each speaker
--html >FILE  write a page for browsers (-: stdout)
--interpolate  how to estimate missing word times from the times of the segment: in equal parts
  (uniform), in proportion to the characters of each word (chars), or not at all (none, default);
  convert also estimates a missing end of a segment from the speaking rate of earlier segments
--into /DIR  folder to write to; created if necessary
--jobs N  number of threads or processes to use (default: 1)
--json >FILE  write the full result as JSON (-: stdout)
--junit >FILE  write JUnit's XML, with a case for each condition and group (-: stdout)
--kwlist <FILE  keywords (KWList)
--kwslist <FILE  detections of the system (KWSList)
--latex >FILE  write a table for a paper: systems against the groups of --by, or against sets, with
  intervals and marks of significant differences (LaTeX with booktabs; -: stdout)
--like NAME[@DATE]  score as a published tool or leaderboard does; NAME is a recipe of `scoring
  recipes`, which sets every option that changes the number; in der NAME is md-eval, dscore,
  pyannote, meeteval or spyder (default of der: as dscore, without regions marked NOSCORE)
--limit AMOUNT  mark the runs whose rate exceeds that of the run accepted last by more than AMOUNT,
  for example 5%% or 0.5pt; if no run has the tag pinned=yes, compare with the first run
--markdown >FILE  write the printed tables as Markdown (-: stdout)
--marks-against SYSTEM  the system that the marks of --latex refer to (default: the best of each
  column)
--methods >FILE  write a paragraph for the methods section of a paper, and a BibTeX entry (-:
  stdout)
--output >FILE  write the output to FILE (default: stdout)
--reference <REF  reference file, in any format
--segments <FILE  file with the times of the utterances: stm, Kaldi's segments, or a manifest
--show N  list at most N utterances that got worse and N that got better, for each set (default: 10)
--tag NAME=VALUE ...  tag of a run, to record it or to find it (repeatable)
--test NAME  significance test: randomisation (default) or bootstrap; wer and compare also have
  matched-pairs and mcnemar; wer also has sign and wilcoxon; repeatable in `history compare`
--text-view  which words to use if a format has both: as spoken (lexical, default), or as displayed,
  with case, digits and punctuation (display)
--to FORMAT  format of the output (default: by the suffix of OUT, in `normalize` that of the
  files); txt-lines writes only the words
--undo  remove the installed package, and restore the files that it replaced
--utt2spk <FILE  file that names the speaker of each utterance, as in Kaldi
"""


def _by_name() -> dict[str, str]:
    rows = re.sub(r"\n +", " ", _TABLE).strip().split("\n")
    return {row.partition(" ")[0]: row for row in rows}


SHARED = _by_name()
HELP_OF = {name: row.partition("  ")[2] for name, row in SHARED.items()}
