"""Documents: prepared for import, matched with their other versions, and as pages show them."""
