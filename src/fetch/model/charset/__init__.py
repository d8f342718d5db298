"""Which encoding a page is in, and its text, as browsers read it. Nothing else decodes what a host sends.

`declared` decides, `decoding` decodes. Names and labels are those of the WHATWG Encoding Standard: a label that it does
not know (`utf-7`, `idna`, `rot13`) names no encoding, whatever Python's codecs make of it.
"""
