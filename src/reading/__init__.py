"""The published corpus for whoever asks it: what `import verdicts` hands out, and what the commands print.

`corpus` asks questions, `story` tells one record with its sources. Both only read, and never take the store's lock.
"""
