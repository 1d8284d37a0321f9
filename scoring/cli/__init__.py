"""The commands: arguments in, files, output and an exit status out.

Each is a module with a function `main` from arguments to exit status. Commands join rooms and
write; nothing is computed here.
"""
