"""Blocks of a page, drawn as text, Markdown, HTML, JSON or CSV; independent of results."""
