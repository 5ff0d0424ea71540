"""The pages of people, accounts, access links and the audit log."""
