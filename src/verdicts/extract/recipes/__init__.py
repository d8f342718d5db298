"""Recipes: a person's description of a site that the generic reader refuses, and the records read with it. Pure."""
