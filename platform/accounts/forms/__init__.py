"""The forms of people, links, tokens and the audit log."""
