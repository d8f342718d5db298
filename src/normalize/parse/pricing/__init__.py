"""A pricing string as tiers: what stands between separators, its amounts, terms and kind. Its words are data."""
