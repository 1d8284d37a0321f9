"""Subtitle formats: srt, WebVTT, SubStation Alpha, MicroDVD, TTML and others.

`cues` turns what the readers find into segments, with the opt-in steps `rolling` and `cleaning`;
`cue_text` and `segmentation` give the writers their lines.
"""
