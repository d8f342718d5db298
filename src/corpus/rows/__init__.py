"""The row of each table, with the meaning of every column. Imports the declarations' vocabulary alone."""
