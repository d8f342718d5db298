"""Pages out of files of any origin: WARC, WET, WACZ, HAR, MHTML. Imports `model`, `http`, `parse`."""
