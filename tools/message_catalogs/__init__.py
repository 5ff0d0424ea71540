"""`make messages`: the sentences that people read, in a catalog for each language."""
