"""HTTP as seen by one host: the client, its limits, decoding, throttle and back-off.

Imports `model`.
"""
