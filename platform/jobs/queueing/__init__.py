"""Handing jobs to Celery's queues."""
