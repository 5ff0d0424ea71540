"""Checks of what a work page posts: one line of text, the state of an editor."""
