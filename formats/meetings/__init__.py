"""Transcripts of meetings and interviews, as recorders, services and people write them."""
