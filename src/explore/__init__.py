"""Pages to look at the published corpus, on 127.0.0.1: every number on a page is the answer of a named question.

A request reads the pointer and is answered from the copy that it names (`copies`). A page (`pages`) asks named
questions (`visit`), turns numbers into geometry where it draws them (`figures`), and names a template (`rendering`).
There is no script on a page, and a page loads nothing from other hosts. What a user can cause is answered with a
sentence; a bug keeps its traceback, on standard error.
"""
