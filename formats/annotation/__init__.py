"""Files of the tools that people annotate recordings with."""
