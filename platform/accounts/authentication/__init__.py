"""Signing in, API tokens, passwords, access links, and the site's key."""
