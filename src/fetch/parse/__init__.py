"""What hosts publish for crawlers, and what kind of answer a page is: robots.txt, sitemaps, links.

Pure; imports `model`, `http`.
"""
