"""The steps of the identity round: slugs, renames, claims, aliases, pages.

Each takes the sightings of the round, finds those of the state whose answer it may change, and gives these theirs.
"""
