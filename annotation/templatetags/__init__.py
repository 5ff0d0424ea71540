"""What templates of campaigns and of work pages draw."""
