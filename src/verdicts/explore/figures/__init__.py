"""Pictures: rows of an answer in, SVG out. Pure.

`svg` has elements and the axis of scores, `labels` fits labels into their room. `scores`, `series` and `answers` draw.
"""
