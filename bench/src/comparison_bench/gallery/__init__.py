"""Comparison pages of other sites with answer keys: facts first, then layouts of the web.

It shares no code with the reader: the key is known before there is any HTML. Lowest first: `words.toml`, `facts`, the
layouts in `listicles`, `tables` and `stated`, `pages`.
"""
