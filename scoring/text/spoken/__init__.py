"""Written forms and their spoken readings: names of numbers, readers, tables of languages."""
