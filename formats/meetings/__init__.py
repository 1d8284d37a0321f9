"""Transcripts of meetings and interviews, as written by recorders, services and people."""
