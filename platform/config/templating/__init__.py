"""How pages are put together: components, no whitespace that shows nothing, static files by hashed names."""
