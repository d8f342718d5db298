"""A simulated month: a site that lives on from day to day, real nights over it, and what must be true afterwards.

`site` and `changes` are the site's facts and what can happen to them, `calendar` says what happens when, `evolve` makes
tomorrow's facts of today's. `pages` renders them and `serving` serves them over sockets and keeps what was asked for.
`seen` is what the nights saw, `key` the answer key made of that, from the facts alone. `night` runs nights,
`troubled_night` those that are killed or meet a full disk, `corpus` reads what came of them, `month` is all of it.
"""
