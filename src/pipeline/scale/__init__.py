"""A build past one machine: the same stages over objects, wherever an engine has room for them.

Nothing that is between two stages stays in memory: what a partition sends to others is an object, created once. So a
batch may be worked on twice or begun again elsewhere. A table exists when the manifest that names its parts does.
"""
