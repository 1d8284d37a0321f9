"""Test vectors with which any scorer can be checked, and programs that answer the vectors."""
