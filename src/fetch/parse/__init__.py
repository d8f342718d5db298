"""What a response says to a crawler: robots.txt, sitemaps, links, and whether it is a page at all.

Pure; imports `model`, and of `http` the content encodings.
"""
