"""Tools that other sites name, beside those of the panel. Imports every room before it.

`matching` compares one of each, `candidates` makes the rows of addresses.
"""
