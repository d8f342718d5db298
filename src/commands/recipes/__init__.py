"""`verdicts recipe`: what a reader sees of a page, a first recipe, and whether recipes still read their pages."""
