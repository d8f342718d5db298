"""What people are shown, on a terminal or in a log: text of pages can name itself whatever it likes, and do nothing.

Imports no other room.
"""
