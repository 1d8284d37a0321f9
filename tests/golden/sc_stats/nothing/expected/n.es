       ,---------------------------------------------------------------.
       |                                                               |
       |           Executive Scoring Summary by Percentages            |
       |                                                               |
       | System | # Snt   # Ref | Corr   Sub   Del   Ins   Err   S.Err |
       `---------------------------------------------------------------'
