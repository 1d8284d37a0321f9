"""Other people's faces on our road: kaldialign, Kaldi's tools, BenchmarkSTT, ESPnet."""
