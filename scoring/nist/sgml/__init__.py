"""Reading alignments that sclite wrote as SGML."""
