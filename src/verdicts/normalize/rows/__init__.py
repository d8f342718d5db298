"""The rows of each table, and the rules by which two statements of a page must agree. Imports every room before it."""
