"""The drop-in programs: names, arguments, usage and output of NIST's own."""
