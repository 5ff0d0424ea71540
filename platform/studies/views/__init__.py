"""The pages of a study as a whole."""
