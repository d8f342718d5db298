"""The published corpus for readers: what `import verdicts` provides, and what the commands print.

`corpus` asks questions, `story` shows one record with its sources. Both only read, and never take the store's lock.
"""
