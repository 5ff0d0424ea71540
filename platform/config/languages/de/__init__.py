"""The formats of German."""
