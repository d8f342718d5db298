"""Cases of faults by kind, each with the answer that a rule asks for, and what tries them.

A case says what a host sends, and what must be seen afterwards. The answer is written from the protocol (RFC 9110,
9112, 9309, 3986, WHATWG URL, sitemaps.org) or from docs/, never from what the program does.
"""
