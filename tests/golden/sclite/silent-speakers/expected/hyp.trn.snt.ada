===============================================================================

                     SENTENCE LEVEL REPORT FOR THE SYSTEM:
    Name: hyp.trn

===============================================================================


SPEAKER ada
id: (ada-1)
Scores: (#C #S #D #I) 2 1 0 0
REF:  one TWO three 
HYP:  one TOO three 
Eval:     S         

Correct               =   66.7%    2   (  2)
Substitutions         =   33.3%    1   (  1)
Deletions             =    0.0%    0   (  0)
Insertions            =    0.0%    0   (  0)

Errors                =   33.3%    1   (  1)

Ref. words            =            3   (  3)
Hyp. words            =            3   (  3)
Aligned words         =            3   (  3)

-------------------------------------------------------------------------------

id: (ada-2)
Scores: (#C #S #D #I) 1 0 0 0
REF:  four 
HYP:  four 
Eval:      

Correct               =  100.0%    1   (  3)
Substitutions         =    0.0%    0   (  1)
Deletions             =    0.0%    0   (  0)
Insertions            =    0.0%    0   (  0)

Errors                =    0.0%    0   (  1)

Ref. words            =            1   (  4)
Hyp. words            =            1   (  4)
Aligned words         =            1   (  4)

-------------------------------------------------------------------------------

