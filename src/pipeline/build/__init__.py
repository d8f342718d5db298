"""Raw store in, warehouse out: extract what is new, normalize what it touches, load what changed.

What was extracted is kept as record files, and what the warehouse was built from as a manifest, so that a night's cost
follows what is new in it. Building again from the raw store gives the same corpus.
"""
