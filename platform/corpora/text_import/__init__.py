"""Texts of a table: planned in numbers and questions, and written through the actions that add them."""
