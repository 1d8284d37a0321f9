"""Options that several commands have: a name has one meaning, one metavar and one help text.

A row of a command's table that is a name alone (`* --json`) takes the rest from here.
`tests/scoring/cli/test_one_meaning.py` compares the options of all commands.
"""

from __future__ import annotations

import re

_TABLE = """
--against SYSTEM  the system that the marks of --latex refer to (default: the best of each column)
--allow WHAT ...  compare even if the sides differ in this: rules (each side keeps its own; a note
  names both), references (words), or missing (utterances that one side lacks are skipped; by
  default their words are deleted, or an error where a recorded side lacks them; repeatable);
  `history compare` has only rules
--by NAME ...  report rates by speaker, recording, channel, label or property; speaker,channel: by
  both
--by-tag TAG  lines for each value of a tag, and with export a comparison for each
--confidence-interval  print a bootstrap interval of the error rate
--context WORDS  number of equal words to show around each difference (default: formats diff 3,
  scoring diff all)
--csv >FILE  write the numbers as CSV, a row per utterance, recording or run (-: stdout)
--csv-safe  in CSV, put an apostrophe before texts that a spreadsheet would read as formulas
--dry-run  only print what would be done
--ecf <FILE  audio to score (ECF)
--encoding NAME  encoding of the input, or auto (default: utf-8)
--examples N  number of errors to show for each step (default: 5), or of differences for each part
  of a conformance check (default: 3)
--fail-measure [NAME.]NUMBER=LIMIT ...  exit with status 3 if a number is worse than LIMIT: of a
  measure, as in loops.loop_rate=1, or of the result of der, kws, events or segments, as in
  purity=80%% or atwv=0.4; LIMIT is written as reports print the number, and %% may be omitted;
  in compare LIMIT may be an amount over the baseline, as in loops.loop_rate=+0.5pt (repeatable)
--from FORMAT  format of the input, or @FILE.toml, for one of your own (default: detected)
--groups  a line for each group, or each speaker, too
--html >FILE  write a page for browsers (-: stdout)
--interpolate  how to estimate missing word times from those of the segment: in equal parts
  (uniform), in proportion to the characters of each word (chars), or not at all (none, default);
  convert also estimates missing ends of segments, from the speaking rate before them
--into /DIR  folder to write to; created if necessary
--jobs N  number of threads, or of processes that read or convert several files (default: 1)
--json >FILE  write the full result as JSON (-: stdout)
--junit >FILE  write JUnit's XML, with a case for each condition and group (-: stdout)
--kwlist <FILE  keywords (KWList)
--kwslist <FILE  detections of the system (KWSList)
--latex >FILE  write a table for a paper: systems against the groups of --by, or against sets, with
  intervals and marks of significant differences (LaTeX with booktabs; -: stdout)
--like NAME[@DATE]  score as a published tool or leaderboard does, which fixes every option that
  changes the number: a recipe of `scoring recipes`; of der: md-eval, dscore, pyannote, meeteval or
  spyder (default: as dscore, without regions marked NOSCORE)
--limit AMOUNT  show how much higher than the run accepted last (tag pinned=yes, otherwise the
  first) a rate may be, for example 5%% or 0.5pt, and mark the runs above it
--markdown >FILE  write the printed tables as Markdown (-: stdout)
--methods >FILE  write a paragraph for the methods section of a paper, and a BibTeX entry (-:
  stdout)
--output >FILE  write the output to FILE (default: stdout)
--reference <REF  reference file, in any format
--segments <FILE  file with the times of the utterances: stm, Kaldi's segments, or a manifest
--show N  list at most N utterances of each set that got worse, and N that got better (default: 10)
--tag NAME=VALUE ...  tag of a run, to record it or to find it (repeatable)
--test NAME  significance test: randomisation (default) or bootstrap; in wer and compare also
  matched-pairs or mcnemar, in wer also sign or wilcoxon; in `history compare` repeatable
--text-view  which words to use if a format has both: as spoken (lexical, default), or as displayed,
  with case, digits and punctuation (display)
--to FORMAT  format of the output (default: by the suffix of OUT, in `normalize` that of the
  files); txt-lines writes only the words
--undo  remove what was installed, and restore what was there
--utt2spk <FILE  file that names the speaker of each utterance, as in Kaldi
"""


def _by_name() -> dict[str, str]:
    rows = re.sub(r"\n +", " ", _TABLE).strip().split("\n")
    return {row.partition(" ")[0]: row for row in rows}


SHARED = _by_name()
HELP_OF = {name: row.partition("  ")[2] for name, row in SHARED.items()}
