"""Language models that weigh words by their context (option `-L`)."""
