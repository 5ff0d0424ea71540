"""The concepts of a study's sentences, linked."""
