"""One file is one change, in one transaction."""
