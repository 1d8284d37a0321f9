===============================================================================

                     SENTENCE LEVEL REPORT FOR THE SYSTEM:
    Name: hyp.trn

===============================================================================


SPEAKER s
id: (s-1)
Scores: (#C #S #D #I) 5 1 1 0
Attributes: Character_align 
REF:  abc 中 X 文 (OPT) ab a 
HYP:  abc 中 * 文 OP    ab a 
Eval:         D     S          

Correct               =   71.4%    5   (  5)
Substitutions         =   14.3%    1   (  1)
Deletions             =   14.3%    1   (  1)
Insertions            =    0.0%    0   (  0)

Errors                =   28.6%    2   (  2)

Ref. words            =            7   (  7)
Hyp. words            =            6   (  6)
Aligned words         =            7   (  7)

-------------------------------------------------------------------------------

id: (s-2)
Scores: (#C #S #D #I) 3 0 1 1
Attributes: Character_align 
REF:  中 文 E x * 
HYP:  中 文 * x E 
Eval:         D   I 

Correct               =   75.0%    3   (  8)
Substitutions         =    0.0%    0   (  1)
Deletions             =   25.0%    1   (  2)
Insertions            =   25.0%    1   (  1)

Errors                =   50.0%    2   (  4)

Ref. words            =            4   ( 11)
Hyp. words            =            4   ( 10)
Aligned words         =            5   ( 12)

-------------------------------------------------------------------------------

