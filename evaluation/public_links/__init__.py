"""Read-only links to a page of a study, for people without an account."""
