"""Pages with answer keys, and the score of any reader on them.

`gallery` makes pages, and shares no code with any reader.
`scoring` compares values, `results` has the form of keys and results, `made_pages` writes pages with their keys.
"""
