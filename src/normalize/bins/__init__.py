"""The rounds over everything, a bin at a time: records in, rows and records for other bins out.

A bin is a share of the pages, of the tools, of the texts or of the open reviews, by a hash of their ids. What each
stage makes of a bin depends on what the bin is sent alone, so the bins of a stage are worked on anywhere, in any order;
all bins together give the rows that `normalize.corpus.normalize` gives. Stages, in order, with what crosses bins:

    pages   page versions, their rows; what they say of tools -> tools, their takes -> texts
    tools   tools and their rows; names and hosts -> everybody
    candidates  which tools of the panel the pages of other sites name
    texts   distinct texts; with every tool that they may be about -> homes
    homes   which texts have to do with each other under a tool -> planner, which puts these into one bin
    folds   reviews; whose they are where their own mentions tell, and rows; the reviews on their pages -> pages
    open    reviews that are decided by pages, with the pages beside theirs; rows -> pages
    seats   seats by the order of rows -> where the row of the review is
    rows    reviews with their seats
"""
