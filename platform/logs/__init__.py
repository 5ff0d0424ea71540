"""What a line of the logs says, and how large they get."""
