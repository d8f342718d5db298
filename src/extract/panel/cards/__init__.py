"""The two cards: labels beside values, names from the title, the rest by place. Imports `words` and `layout`."""
