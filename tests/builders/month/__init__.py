"""A simulated month: a site that lives on from day to day, real nights over it, and what must be true afterwards.

`site` has the facts of the site, what can happen to them and when: it makes those of tomorrow. `serving` renders them,
serves them over sockets and keeps what was asked for. `key` has what the nights saw and the answer key made of it, from
the facts alone. `night` runs nights, also those that are killed or meet a full disk; `month` is all of it.
"""
