"""Statements that PostgreSQL prepares once a connection."""
