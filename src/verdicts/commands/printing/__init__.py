"""What people see: answers as tables or files, the story of an id, the changes of a night, the skips of a crawl."""
