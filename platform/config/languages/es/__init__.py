"""The formats of Spanish."""
