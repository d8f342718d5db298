"""What new observations depend on and which rows they decide, so that all other rows stay as they are.

Imports every room before it.
"""
