"""Subtitle formats: srt, WebVTT, SubStation Alpha, MicroDVD, TTML and others.

`cues` has the cues that readers find, with the optional steps `rolling` and `cleaning`; `cue_text`
and `segmentation` prepare lines for the writers.
"""
