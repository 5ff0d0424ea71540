"""The formats of Hebrew."""
