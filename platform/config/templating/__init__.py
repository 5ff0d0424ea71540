"""How pages are put together: templates without the whitespace that shows nothing, static files by hashed names."""
