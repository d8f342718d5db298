"""What hosts send, by kind."""
