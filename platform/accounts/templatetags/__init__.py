"""What templates of this room ask."""
