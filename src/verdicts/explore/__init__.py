"""Pages to look at the published corpus, on 127.0.0.1: every number on a page is the answer of a named question.

A request reads the pointer and is answered from the copy it names (`copies`). A page (`pages`) asks named questions
(`visit`), turns numbers into geometry for pictures (`figures`), and names a template (`rendering`). Pages have no
script and load nothing from other hosts. A user's mistake is answered with a sentence; a bug prints its traceback on
standard error.
"""
