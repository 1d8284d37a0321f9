"""The `asclite` command: overlapping speech, option by option and byte by byte."""

# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import BinaryIO

from formats.process import run as run_command
from scoring.cli import drop_in
from scoring.cli.asclite_options import parse
from scoring.nist.asclite.choices import LEFT_OUT, AscliteError
from scoring.nist.asclite.run import run as score
from scoring.nist.report.report_files import write_to_stream
from scoring.nist.transcripts.characters import to_bytes

USAGE = """\
Asclite version: 1.11 ("Ma Douce")
Usage: asclite <Input Options> [<Alignment Options>] [<Output Options>] [Scoring Report Options>]
Input Options:
    -r <reffilename> [ rttm | stm | trn ]
                  Defines the reference file and its format.
                  The default format is 'trn'.
    -h <hypfilename> [ ctm | rttm | trn ] [ <title> ]
                  Defines the hypothesis file, its format, and the 'title' used
                  for reports. The default title is the filename.
                  This option may be used more than once.
                  The default format is 'trn'.
    -i <ids>      Set the utterance id type (for trn mode only)
Filter Options:
    -spkrautooverlap [ ref | hyp | both ]
                  Check if the speakers are self-overlaping or not.
    -uem <uemfilename> [ ref | hyp | both ]
                  Apply the UEM rules.
                  The default value is 'both'.
    -noisg        Do not creates the Inter Segment Gaps.
    -spkrmap      Check speaker map coincide with the Speaker ref and Hyp.
Alignment Options:
    -s            Do case-sensitive alignments.
    -F            Score fragments as correct.
    -D [ ref | hyp | both ]
                  Score optional tokens as correct based on the flag's value:
                  hyp: a hypothesis word is optional and the work is deleted,
                  ref: a reference word is optional and the word is inserted,
                  both: both 'ref' and 'hyp' are in effect.
                  The default value is 'both'.
    -time-base-cost
                  Used the time base cost model for the alignment.
    -time-prune <time_threshold>
                  Activates the time pruning optimization with allowed error of <time_threshold> millisecond(s).
    -word-time-align <time_threshold>
                  Activates the time optimization for word alignment with allowed error of <time_threshold> millisecond(s).
    -spkr-align <mdm_spkr_align_file_csv>
                  Activates the speaker alignment optimization regarding the <mdm_spkr_align_file_csv> csv file.
    -adaptive-cost
                  Activates the adaptive cost based on the time.
    -wordalign-cost
                  Activates the word align cost based on the edit distance.
    -overlap-limit <max_nb_of_overlaping speaker>
                  Change the maximum number of overlaping speaker (default: 4).
    -overlap-min <min_nb_of_overlaping speaker>
                  Change the minimum number of overlaping speaker (default: 0).
    -only-SG <segment_group_ID>
                  Only score the segment group specified (default: disable, scoring all Segment Groups).
    -memory-compression <block_KB>
                  Set the memory compression with compressed <block_KB> KB block (default: off / recommended: 256).
    -force-memory-compression
                  Force the memory compression.
    -memory-limit <max_GB>
                  Set the maximum memory allocation in GB for the LCM (default: 2.0).
                  If <max_GB> is smaller then 2 GB then every segmentation above <max_GB> will not be aligned.
                  If <max_GB> is bigger 2 GB and memory compression has been activated
                    then every segmentation above <max_GB> will not be aligned
                     and every segmentation between 2 GB and <max_GB> will be aligned.
                  If <max_GB> is bigger 2 GB and memory compression has not been activated
                    every segmentation above 2 GB will not be aligned.
    -difficulty-limit <max_GB>
                  Set the maximum difficulty limit in GB for the LCM (disabled).
                  Every segmentation above this limit will not be aligned.
    -min-difficulty-limit <max_GB>
                  Set the min difficulty limit in GB for the LCM (disabled).
                  Every segmentation below this limit will not be aligned.
    -generic-cost This options trigger the generic cost model computing the results disregarding the notion
                  of hyp and ref, the results will be a multiple-alignment.
                  The hypotheses files are the only input.
    -threads <nb_threads>
                  Set the number of threads to <nb_threads> for parallel computation (default: 1).
Output Options:
    -O <output_dir>
                  Writes all output files into output_dir.
                  The default directory is the hypfile's.
    -f <level>    Defines feedback mode.
                  The default value is 4.
                  Silent: 0.
                  Alignment: 6.
                  Alignment only: 7.
    -l <width>    Defines the line width used for reports.
Scoring Report Options:
    -o [ sum | rsum | sgml ] [ sdtout ]
                  Defines the output reports.
                  The default value is 'sum stdout'.

Note:
LCM:              Levenshtein Cost Matrix.

Options of sclite-kit alone:
    --complete    Loses nothing that asclite loses: gaps are always made, the segments of
                  a speaker are sorted, no limit applies that was not asked for.
    --strict      Ends with status 7 if words were left out of a score.
"""


class _LoggedError(AscliteError):
    """An end whose line is in the log already."""


def _complain(text: str) -> None:
    """Byte text to the error stream; what ends a run early is written when it happens."""
    if text != "asclite: \n":
        drop_in.complain(text)


@drop_in.program("asclite", _complain)
def main(arguments: Sequence[str], output: BinaryIO) -> None:
    """Score overlapping speech.

    The exit status is 0; 1 for a file that cannot be read; 3 for errors that filters find; 4 for
    options; 5 for something that is missing; 6 for data that cannot be scored; 7 with `--strict`
    for words left out; otherwise as of `drop_in.program`.
    """
    if not arguments:
        write_to_stream(output, [to_bytes(USAGE)])
        return
    choices, notes = parse(arguments)
    drop_in.complain("".join(f"{line}\n" for line in notes))
    try:
        status = score(choices, output, drop_in.complain)
    except AscliteError as error:
        raise _LoggedError(error.status, "") from None
    if status == LEFT_OUT:
        raise _LoggedError(status, "")


# Entry point of the installed command.
run = partial(run_command, main)

if __name__ == "__main__":
    run()
