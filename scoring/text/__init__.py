"""Normalisation of texts: named, versioned, pure steps, and pipelines of steps."""
