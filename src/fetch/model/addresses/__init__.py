"""Addresses as browsers read them, and those that a host makes without end."""
