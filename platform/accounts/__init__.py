"""People, roles, credentials, access links, tokens, the audit log."""
