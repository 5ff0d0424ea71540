"""How templates are read: written an element a line, compiled without the whitespace that shows nothing."""
