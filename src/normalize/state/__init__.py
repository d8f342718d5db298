"""What rounds keep between nights: records, found by their keys and replaced by them.

A round is a pure function over the records of some keys. Where these lie is no matter of its own: in memory for a build
of everything, in a file for a night.
"""
