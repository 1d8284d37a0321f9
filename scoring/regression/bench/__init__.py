"""Benchmarks: several systems on several test sets, with one ranking per recipe."""
