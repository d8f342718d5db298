"""Comparison pages of other sites with answer keys: facts first, then layouts as the web has them.

Shares no code with the reader: what a page says is known before there is any HTML. Lowest
first: `words.toml`, `facts`, the layouts in `listicles`, `tables` and `stated`, `pages`.
"""
