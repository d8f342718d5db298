"""Files, archives and shards taken into the raw store. Imports `archives`, `objects`, `store`."""
