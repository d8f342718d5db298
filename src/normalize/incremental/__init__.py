"""What a night's observations depend on and decide, so that the rest is left as it is. Imports every room before it."""
