"""The long work that Celery tasks run: documents and tables imported, sources selected, concepts linked."""
