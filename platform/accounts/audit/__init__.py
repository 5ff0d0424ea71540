"""The audit log: who changed, read or took out what, and when."""
