"""Readers and writers of the files of the Kaldi toolkit."""
