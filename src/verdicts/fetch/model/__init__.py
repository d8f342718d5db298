"""The fetcher's vocabulary: URLs, sites, responses, snapshots, outcomes, errors, revisit intervals.

Pure; imports no other room.
"""
