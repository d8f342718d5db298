"""One comparison page in each of the DOMs that the demo site serves. Imports the site's facts alone."""
