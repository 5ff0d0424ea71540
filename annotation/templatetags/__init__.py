"""The tags and filters of the templates of campaigns and of work pages."""
