"""JSON as open recognisers write it: Vosk, Kaldi's servers, the Whisper family and others."""
