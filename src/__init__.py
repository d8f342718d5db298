"""`python -m verdicts` is the command line: where the script is not in the PATH, or another Python is meant.

Below it lie the packages, each with its contract in its docstring.
"""
