"""The sub-commands of BenchmarkSTT."""
