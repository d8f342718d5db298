"""The Decision table, by its cells, its elements or the order of its texts. Imports `words` and `layout`."""
