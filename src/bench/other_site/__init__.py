"""A second site that prints comparison pages: facts, pages of many forms, and the key of what a reader sees on them.

It knows what the site's pages are known to say and how pages of the web are built. It shares no code with the demo
site, the redesigns or the mutations, and its pages are made without the extractor: nothing here reads them.
"""
