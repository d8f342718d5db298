"""What tests are made of: pages, worlds, servers that misbehave, processes to kill. No test stands here."""
