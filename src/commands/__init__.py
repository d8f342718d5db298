"""The command line: commands, options, output, exit codes.

A command parses what it is given, calls the pipeline or the warehouse, prints.
"""
