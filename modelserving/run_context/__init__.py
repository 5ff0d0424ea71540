"""What is around a model while it works: whether texts may leave the site, answers that were kept, what was spent."""
