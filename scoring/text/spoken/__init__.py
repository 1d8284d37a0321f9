"""Written forms and all the ways to say them: names of numbers, readers, tables of languages."""
