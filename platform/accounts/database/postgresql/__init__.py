"""Django's backend of PostgreSQL, whose pool looks at a connection without a question to the database."""
