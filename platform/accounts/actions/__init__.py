"""Every write to people, roles, access links and tokens."""
