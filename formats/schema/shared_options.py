"""Options shared by several commands, with the same meaning, metavar and help text.

If a row of a command's table has only a name (`* --json`), metavar and help come from this module.
`tests/scoring/cli/test_one_meaning.py` compares the options of all commands.
"""

from __future__ import annotations

_TABLE = """
--allow WHAT ...  compare although the sides differ in WHAT (repeatable); rules: score each side by
  its own rules; references: accept different reference words; missing: skip utterances that one
  side lacks (default: count their words as deleted; if the side is a record, stop with an error);
  `history compare` accepts only rules
--by NAME ...  report rates by speaker, recording, channel, label or property, or several
  (speaker,label)
--by-tag TAG  draw a separate line for the runs with each value of TAG; `history export` also
  compares the last run of each line with its accepted run
--confidence-interval  print a confidence interval of the error rate
--context WORDS  number of equal words to show around each difference, or all (default: 3)
--csv >FILE  write the numbers as CSV, a row per utterance, recording or run (-: stdout)
--csv-safe  in CSV, put an apostrophe before texts that a spreadsheet would read as formulas
--dry-run  only print what would be done
--ecf <FILE  XML file that lists the audio to score (ECF)
--encoding NAME  encoding of the input (default: auto)
--examples N  show at most N errors for each step (default: 5); in a conformance check, N
  differences for each area (default: 3)
--fail-measure [NAME.]NUMBER=LIMIT ...  exit with status 3 if a number is worse than LIMIT
  (repeatable); NAME.NUMBER is from the measure NAME, for example loops.loop_rate=1; NUMBER alone is
  from the result of der, kws, events or segments, for example purity=80%% or atwv=0.4; write LIMIT
  as reports print the number, with or without %%; in compare, LIMIT may be a change from the
  baseline: loops.loop_rate=+0.5pt
--from FORMAT  format of the input, or @FILE.toml for a format that you define (default: detected)
--groups  also draw a line for each group of --by, or for each speaker if the runs have no groups
--html >FILE  write a page for browsers (-: stdout)
--interpolate  estimate missing word times from the times of the segment; uniform: all words last
  equally long; chars: words last in proportion to their characters; none: no times (default);
  convert also estimates missing ends of segments, from the speaking rate of earlier segments
--into /DIR  folder to write to; created if necessary
--jobs N  number of threads or processes to use (default: 1)
--json >FILE  write the full result as JSON (-: stdout)
--junit >FILE  write JUnit's XML, with a case for each condition and group (-: stdout)
--kwlist <FILE  XML file with the keywords (KWList)
--kwslist <FILE  XML file with the detections of the system (KWSList)
--latex >FILE  write a table for a paper: systems in rows, and groups of --by or sets in columns,
  with intervals and marks of significant differences (LaTeX with booktabs, or Markdown if FILE
  ends in .md; -: stdout)
--like NAME[@DATE]  score as a published tool or leaderboard does; NAME is a recipe of `scoring
  recipes`, which sets every option that changes the number; in der NAME is md-eval, dscore,
  pyannote, meeteval or spyder (default of der: the rules of dscore, but NOSCORE regions are not
  scored)
--limit AMOUNT  mark each run whose error rate exceeds the rate of the last accepted run before it
  (tag pinned=yes) by more than AMOUNT: relative (5%%) or in percentage points (0.5pt); without such
  a run, the first run counts
--markdown >FILE  write the printed tables as Markdown (-: stdout)
--marks-against SYSTEM  in --latex, mark the systems that differ significantly from SYSTEM (default:
  from the best system of each column)
--methods >FILE  write a paragraph for the methods section of a paper, and a BibTeX entry (FILE.bib:
  only the entry; FILE.tex: in LaTeX; -: stdout)
--output >FILE  write the output to FILE (default: stdout)
--reference <REF  reference file, in any format
--segments <FILE  file with the times of the utterances: stm, Kaldi's segments, or a manifest
--show N  list at most N utterances that got worse and N that got better, for each set (default: 10)
--tag NAME=VALUE ...  tag to record with a run, or to find runs by (repeatable)
--test NAME  significance test of a difference: randomisation (default) or bootstrap; also
  matched-pairs or mcnemar (not in bench), sign or wilcoxon (only in wer, merge and history);
  repeatable in `history compare`
--text-view  which words to use if a file has two forms; lexical: as spoken (default); display: as
  shown to readers, with case, digits and punctuation
--to FORMAT  format of the output, for example srt, or txt-lines for only the words (default: by the
  suffix of OUT; in `normalize`, the format of the input)
--undo  remove the installed package, and restore the files that it replaced
--utt2spk <FILE  file with an utterance and its speaker on each line, as Kaldi's utt2spk
"""


def _by_name() -> dict[str, str]:
    rows = _TABLE.replace("\n  ", " ").strip().split("\n")
    return {row.partition(" ")[0]: row for row in rows}


SHARED = _by_name()
HELP_OF = {name: row.partition("  ")[2] for name, row in SHARED.items()}
