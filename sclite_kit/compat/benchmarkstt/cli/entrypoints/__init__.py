"""The subcommands of BenchmarkSTT."""
