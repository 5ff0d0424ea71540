"""What the site looks at before it starts."""
