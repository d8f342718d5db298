"""The kinds of pages: what each changes in the facts of a page, or in what stands on it."""
