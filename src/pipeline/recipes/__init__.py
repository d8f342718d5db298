"""Recipes of hosts: their files, the pages that they are held to, and how they stand to them."""
