===============================================================================

                     SENTENCE LEVEL REPORT FOR THE SYSTEM:
    Name: hyp.trn

===============================================================================


SPEAKER s
id: (s-1)
Scores: (#C #S #D #I) 14 2 2 1
REF:  a considerable number of REMARKABLY long WORDS followed by A few of the **** short kind in ONE utterance 
HYP:  a considerable number of REMARKABLE long WORD  followed by * few of the VERY short kind in *** utterance 
Eval:                          S               S                 D            I                  D             

Correct               =   77.8%   14   ( 14)
Substitutions         =   11.1%    2   (  2)
Deletions             =   11.1%    2   (  2)
Insertions            =    5.6%    1   (  1)

Errors                =   27.8%    5   (  5)

Ref. words            =           18   ( 18)
Hyp. words            =           17   ( 17)
Aligned words         =           19   ( 19)

-------------------------------------------------------------------------------

