"""A second site that prints comparison pages: facts, pages of many forms, and the key of what they show.

It follows what the site's pages are known to say, and how pages of the web are built. It shares no code with the demo
site, the redesigns or the mutations, and nothing here uses the extractor.
"""
