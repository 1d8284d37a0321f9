"""What is compared, before it is aligned: one side read from files or given as lists, in columns.

`given.as_corpus` takes whatever `scoring.wer` takes, `files.read_corpus` a file of any format;
`normalized` makes words comparable; `numbered` is what aligners work on.
"""
