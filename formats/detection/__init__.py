"""Which formats there are, and which one a file has."""
