"""The logs: the form of their lines, and the limit of their size."""
