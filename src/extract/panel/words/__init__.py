"""What is known of a site, and its words in the form in which pages are compared with them. Imports no other room."""
