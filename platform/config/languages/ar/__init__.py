"""The formats of Arabic."""
