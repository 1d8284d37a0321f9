"""Reports that compare several systems scored on the same reference."""
