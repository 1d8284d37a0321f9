"""Files of the Kaldi toolkit."""
