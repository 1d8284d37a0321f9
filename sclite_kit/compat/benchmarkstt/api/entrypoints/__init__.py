"""The functions that BenchmarkSTT's remote methods call."""
