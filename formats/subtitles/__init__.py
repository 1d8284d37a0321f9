"""Subtitle formats: srt, WebVTT, SubStation Alpha, MicroDVD, TTML and others.

Shared modules: `cues` defines the cues that readers return; `rolling` and `cleaning` are optional
steps after reading; `cue_text` and `segmentation` prepare lines for the writers.
"""
