"""What a response says to a crawler: robots.txt, sitemaps, links, and whether it is a page.

Pure; imports `model`, and the content encodings of `http`.
"""
