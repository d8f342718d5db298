"""What is typed, and on which folder."""
