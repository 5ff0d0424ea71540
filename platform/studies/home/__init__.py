"""What a person's first page shows of their studies: what needs them, how far each is, and the search."""
