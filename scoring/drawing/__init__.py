"""Blocks of a page, drawn as text, Markdown, HTML, JSON or CSV; knows nothing of results."""
