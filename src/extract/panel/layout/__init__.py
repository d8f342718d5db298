"""Where the parts of a page begin and end: title, cards, table, takes, copies. Decides on words and elements."""
