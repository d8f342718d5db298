"""Cases of faults by kind, each with the answer that a rule asks for, and what tries them.

A case says what a host sends, a page says or a file holds, and what must be seen afterwards; the answer is written from
the protocol (RFC 9110, 9112, 9309, 3986, WHATWG URL, Encoding and HTML, sitemaps.org, WARC 1.1) or from docs/, never
from what the program does. `python -m benchmarks.faults` tries all of them.
"""
