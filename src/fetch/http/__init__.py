"""HTTP requests: the client and its bounds, decoding, which addresses may be asked, throttle and back-off.

Imports `model`.
"""
