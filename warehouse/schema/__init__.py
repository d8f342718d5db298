"""What a database file consists of: tables, views, macros, migrations, and what it says of itself.

Imports `storage`.
"""
