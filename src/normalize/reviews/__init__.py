"""Mentions and folded texts in, reviews with their tool, seat and evidence out: for the reviews that a night touches.

What a review's own mentions say is found for each review alone. What they leave open is found page by page.
"""
