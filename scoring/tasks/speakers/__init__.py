"""Who speaks when (`der`), and what a wrong speaker label costs."""
