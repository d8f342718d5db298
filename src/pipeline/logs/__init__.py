"""What the program says, for machines: JSON lines with the ids of night, crawl and load, in files that are rotated.

Imports `terminal` and `data_folder`.
"""
