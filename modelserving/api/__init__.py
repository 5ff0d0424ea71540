"""The endpoints of this room."""
