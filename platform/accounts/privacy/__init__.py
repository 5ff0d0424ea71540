"""Erasing a person: their name and address taken out of what people typed."""
