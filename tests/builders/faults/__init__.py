"""Cases of faults by kind, each with the answer that a rule asks for, and what tries them.

A case says what is done to the program and what must be seen afterwards; the answer is written from the protocol (RFC
9110, 9112, 9309, 3986, WHATWG URL, Encoding and HTML, sitemaps.org, WARC 1.1) or from docs/, never from what the
program does. `crawls` holds what hosts send, `builds` what pages say and files hold, `calls` what is typed.
`python -m benchmarks.faults` tries all of them.
"""
