"""HTTP requests: the client and its limits, decoding, allowed addresses, and pace. Imports `model`."""
