"""Pages with answer keys, and the score of any reader on them.

`gallery` and `other_site` make pages. They share no code with each other, or with any reader.
`scoring` compares values, `results` has the form of keys and results, `made_pages` writes pages with their keys.
"""
