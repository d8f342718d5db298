"""Commands for those who look at the corpus and ask it. None of them takes the store's lock.

Imports `commands.options` and `commands.printing`.
"""
