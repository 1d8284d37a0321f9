"""Who speaks when, and what a wrong speaker label costs; `scoring.speakers.der` has the first."""
