"""One request and its answer, bounded in size and time, to a peer that may be visited. Imports `model`."""
