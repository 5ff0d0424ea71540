"""What every room of the house stands on: registry, errors, papers, seeds, text. No Django."""
