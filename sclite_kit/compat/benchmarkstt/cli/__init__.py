"""The commands of BenchmarkSTT."""
