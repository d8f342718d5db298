"""Tools that other sites name, beside those of the panel. Imports every room before it.

`matching` compares one of each, `candidate_round` makes the rows of the addresses that a night touched.
"""
