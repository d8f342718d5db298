"""What a person is shown: answers as tables or files, the story of an id, what a night changed or a crawl skipped."""
