"""What is compared, before it is aligned: one side read from files or given as lists, in columns.

`given.as_corpus` takes whatever `scoring.wer` takes, `files.read_corpus` a file of any format;
`corpus.Corpus` is what either gives: words, identifiers, speakers, segments where there are any.
"""
