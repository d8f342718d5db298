"""Which page and which tools a record is about, and the ids of both. Imports `parse`."""
