"""Test vectors (inputs with expected outputs) for any scorer, and programs that answer them."""
