"""Why a copy is not made of the last one."""


class NotByChanges(Exception):
    """The copy has to be made whole; the message says why."""
