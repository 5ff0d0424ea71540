"""What templates of the site ask."""
