"""Objects: bytes under a name, created once and never changed, in a folder or a bucket.

Whoever creates one first wins, and everybody reads the same. Names have slashes and are those of files in a data
folder: a folder of objects is a data folder. Imports `model` alone.
"""
