"""The functions of the package kaldialign (0.12); `scoring.kaldialign` lists them."""
