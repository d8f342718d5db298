"""The command line: commands, options, output, exit codes.

A command parses its arguments, calls the pipeline or the warehouse, and prints. It imports these when it runs; at the
top a module imports only click and modules that load in milliseconds.
"""
