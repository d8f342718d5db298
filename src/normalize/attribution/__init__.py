"""Who said a take, of which tool, and how that is known. Imports `parse`, `identity`, `dedup`."""
