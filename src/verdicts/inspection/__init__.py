"""An address in, the answer out: why its page was fetched or not, read or not, and what holds it back.

Nothing is asked of the network, and nothing is written.
"""
