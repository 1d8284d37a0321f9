"""Reader of the alignments that sclite writes as SGML."""
