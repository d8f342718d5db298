"""The simulated site: it lives on from day to day, nights see it, and a key says what must be true afterwards.

`site` has the facts of the site, what can happen to them and when: it makes those of tomorrow. `key` has what the
nights saw and the answer key made of it, from the facts alone; `corpus` reads a corpus by the keys of that answer.
`nights` simulates nights: read without a network, or crawled over sockets and built as a night does it.
"""
