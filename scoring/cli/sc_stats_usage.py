"""The usage text of sc_stats, in our own words."""

USAGE = """\
sc_stats: <OPTIONS>
sc_stats Version: 1.3, SCTK Version: 1.3
Input:
    -p                         alignments of all systems on standard input, as sclite -o sgml
                               writes them, one system after the other
Tests:
    -t TEST ...                mapsswe mcn sign wilc anovar; each name turns its test on or off;
                               std4 stands for the first four and nothing else
    -v                         detailed analysis of every pair of systems
    -u                         one matrix of all tests instead of one for each, and a summary
                               (.sts) for every system
    -w                         short for -t std4 -g range -u
Reports:
    -r REPORT ...              sum rsum es res prn lur none; each name turns its report on or off
    -g GRAPH ...               range grange grange2 det; likewise
    -l WIDTH                   line width of prn; default 100
Output:
    -O DIRECTORY               where files are written
    -n NAME                    first part of the names of files, - for standard output;
                               default Ensemble
    -e TEXT                    description of the systems, for titles
    -f LEVEL                   how much is said on standard output; default 1, nothing 0
    -a FILE ...                without effect
"""
