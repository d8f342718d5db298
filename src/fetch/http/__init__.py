"""HTTP requests: the client and its bounds, decoding, which addresses may be asked, and how fast.

Imports `model`.
"""
