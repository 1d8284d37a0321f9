"""Language models: what a word weighs where it stands (option `-L`)."""
