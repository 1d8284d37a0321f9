"""Test vectors that any scorer can check itself with, and programs that answer them."""
