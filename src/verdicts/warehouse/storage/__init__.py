"""DuckDB files and the disk: connections, transactions, durable writes, SQL files, and the errors of this package.

Imports no other room.
"""
