"""Commands for those who look at the corpus and ask it. None of them takes the store's lock.

Imports `verdicts.commands.options` and `verdicts.commands.printing`.
"""
