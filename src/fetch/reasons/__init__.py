"""What a crawl came to, host by host: what became of each known address, and in words why there is not more.

Imports `model` and `store`.
"""
