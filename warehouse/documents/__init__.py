"""What is written about the data: dictionary, diagram, questions, dataset card, Croissant, citation, manifest.

Imports the rooms before it.
"""
