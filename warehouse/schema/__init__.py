"""What a database file consists of: tables, views, macros, its version, and what it says of itself.

Imports `storage`.
"""
