"""The remote methods of BenchmarkSTT."""
