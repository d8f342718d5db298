"""Pages out of WARC and WET files of any origin. Imports `model`, `http`, `parse`."""
