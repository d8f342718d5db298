"""The corpus as data: each table's row, keys, references and meaning, declared once. Imports no other package."""
