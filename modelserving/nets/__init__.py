"""The networks: one file an architecture or a part of several; shapes stand in comments. No Django."""
