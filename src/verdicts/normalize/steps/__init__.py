"""The steps of normalization in order, each from lists to lists. Rows go to an `Output` as they are made.

`identify` (whose page is it), `read_pages`, `trace_tools`, `fold_texts` (which texts are one review),
`attribute_reviews` (which tool is it about), `write_reviews`. `verdicts.normalize.corpus` calls them on everything at
once; `verdicts.pipeline.scale` calls the same functions on shares of the records. Imports every room before it.
"""
