===============================================================================

                     SENTENCE LEVEL REPORT FOR THE SYSTEM:
    Name: hyp.trn

===============================================================================


SPEAKER s
id: (s-1)
Scores: (#C #S #D #I) 11 0 1 0
Attributes: Character_align 
REF:  a b c 中 X 文 (o) (p) (t) a b a 
HYP:  a b c 中 * 文 o   p       a b a 
Eval:           D                       

Correct               =   91.7%   11   ( 11)
Substitutions         =    0.0%    0   (  0)
Deletions             =    8.3%    1   (  1)
Insertions            =    0.0%    0   (  0)

Errors                =    8.3%    1   (  1)

Ref. words            =           12   ( 12)
Hyp. words            =           11   ( 11)
Aligned words         =           12   ( 12)

-------------------------------------------------------------------------------

id: (s-2)
Scores: (#C #S #D #I) 3 0 1 1
Attributes: Character_align 
REF:  中 文 E x * 
HYP:  中 文 * x E 
Eval:         D   I 

Correct               =   75.0%    3   ( 14)
Substitutions         =    0.0%    0   (  0)
Deletions             =   25.0%    1   (  2)
Insertions            =   25.0%    1   (  1)

Errors                =   50.0%    2   (  3)

Ref. words            =            4   ( 16)
Hyp. words            =            4   ( 15)
Aligned words         =            5   ( 17)

-------------------------------------------------------------------------------

