"""Tables as Parquet objects, and the numbered manifests that say which of them are the corpus.

A part is written once, by whoever comes first. A build exists when its manifest does. Imports the rooms before it.
"""
