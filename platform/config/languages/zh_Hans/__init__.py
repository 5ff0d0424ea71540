"""The formats of Simplified Chinese."""
