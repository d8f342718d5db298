"""A copy for readers made of the last one and of what changed since.

The copy is cloned, and every table, view and index of it brought to the state of the warehouse; where that is in doubt,
NotByChanges says why, and the copy has to be made whole. Imports `storage`, `schema`, `loading`.
"""
