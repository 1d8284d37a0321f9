"""The helpers of BenchmarkSTT that programs use."""

from scoring.compat.benchmarkstt.dialects import make_printable as make_printable
