"""The takes: what opens a cell, whose it is, which reviewer gave it, which words are its own. Imports `words`."""
