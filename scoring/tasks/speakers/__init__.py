"""Diarisation errors (`der`), and the cost of wrong speaker labels."""
