"""The files that a person gives to an ingest, and the addresses that they were saved from."""
