"""The usage text of sclite, in our own words."""

USAGE = """\
sclite: <OPTIONS>
sclite Version: 2.10, SCTK Version: 1.3
Input:
    -r FILE [FORMAT]           reference; FORMAT is trn (default), stm or ctm
    -h FILE [FORMAT [TITLE]]   hypothesis; FORMAT is trn (default), ctm or txt (words and nothing
                               else, for an stm reference); TITLE is shown in reports; up to 40
    -i KIND                    where a trn identifier names the speaker: wsj (three characters),
                               rm, swb, spu_id (before the first - or else _), sp (all of it)
                               FORMAT may also be auto or any name of `formats list`, on either
                               side: such pairs are matched as `scoring wer` matches them
    --interpolate uniform | chars
                               with these: work out times that words of the hypothesis lack (not
                               in the original)
    -P                         alignments other runs have written with -p or -o sgml, from
                               standard input
Alignment:
    -s                         upper and lower case are different
    -e ENCODING [LETTERS]      ascii (default), ext_ascii (Latin-1), gb or euc (two bytes a
                               character), utf-8; with utf-8 also the LETTERS that have a case
                               besides A to Z: generic (none, the default), babel_turkish,
                               babel_vietnamese, babel_lithuanian, babel_kurmanji, babel_cebuano,
                               babel_kazakh, babel_mongolian, babel_guarani, ukrainian
    -c [NOASCII] [DH]          align characters, not words (trn with trn, stm with ctm); NOASCII:
                               ASCII characters stay together; DH: hyphens are dropped
    -F                         fragments (word-, -word) match words they are part of
    -D                         words in parentheses may be left out
    -T                         costs from times (ctm with ctm)
    -d                         by the program diff: all of a trn file, or a channel of a ctm file,
                               at once; -F -D -S have no effect; txt is always aligned so
    -w FILE | unity            costs from a list of word weights, or weight 1 for every word
    -L MODEL                   costs from a language model: a binary file of the CMU-Cambridge
                               toolkit, or arpa:FILE, an ARPA text
    -S algo1 | algo2 LEXICON [ASCIITOO]
                               infer words from characters: those of the hypothesis (algo1) or of
                               the reference (algo2) as a sorted lexicon allows; ASCIITOO: ASCII
                               words are taken apart, too; trn with trn, stm with ctm
    -m [ref] [hyp]             stm with ctm: leave out reference segments (ref, the default) or
                               hypothesis words (hyp) outside the other side's time range
Output:
    -O DIRECTORY               where reports are written; default: beside the hypothesis
    -n NAME                    first part of the names of reports; default: the hypothesis' name
    -f LEVEL                   how much is said on standard output; default 1, nothing 0
    -l WIDTH                   line width of alignments; default 1000
    -o REPORT ...              sum rsum pralign prf all sgml nl.sgml stdout lur snt spk dtl wws
                               utt (a table, not in the original) none; each name turns its
                               report on or off; default: sum stdout
    -C REPORT ...              confidence scores: det bhist sbhist hist none; default: none
    --plots svg | png          pictures of the graphs of -C as well (not in the original)
    -p                         all alignments to standard output, for another run to read; -f 0
"""
