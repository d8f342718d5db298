"""A frontier that several fetchers share, in Postgres: who may ask which hosts, and what is known of their addresses.

The hosts of a site are leased together. Who has them has their addresses in its own state, works on them by the same
rules as alone, and gives back what it settled with every commit, on condition that the lease is still its own. Imports
`model` and `store`.
"""
