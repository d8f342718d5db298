"""Where the records of rounds lie between nights: an SQLite file, its tables, and how a new one takes its place.

Never the truth: absent, damaged or of another build it is made anew.
"""
