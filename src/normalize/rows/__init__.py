"""The rows of each table, and the rules that two statements must agree. Imports every room before it."""
