"""The row of each table, with the meaning of every column."""
