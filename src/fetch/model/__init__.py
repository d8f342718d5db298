"""What the fetcher talks about: addresses, sites, snapshots, outcomes, revisit intervals.

Pure; imports no other room.
"""
