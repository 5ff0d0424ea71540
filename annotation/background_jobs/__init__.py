"""The long work that Celery tasks run: a file of gold read and brought in."""
