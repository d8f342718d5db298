"""The command line: commands, options, output, exit codes.

A command parses its arguments, calls the pipeline or the warehouse, and prints. What it calls is imported when it runs:
a module of this package imports at its top only click and what takes milliseconds.
"""
