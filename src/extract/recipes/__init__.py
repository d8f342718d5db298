"""Recipes: what a person says of a site that the generic reader refuses, and the records that are read by it. Pure."""
