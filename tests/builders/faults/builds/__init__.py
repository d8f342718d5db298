"""What pages say and files hold, by kind."""
