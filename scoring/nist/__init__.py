"""What is sclite's own: its way of reading and pairing, its reports, sc_stats and rover."""
