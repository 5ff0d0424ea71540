"""Many rows at once, through PostgreSQL's COPY."""
