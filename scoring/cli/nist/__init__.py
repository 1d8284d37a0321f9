"""The drop-in programs, with the names, arguments, usage texts and output of NIST's programs."""
