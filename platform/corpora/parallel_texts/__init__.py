"""References and outputs joined to their sources on the source text. No Django."""
