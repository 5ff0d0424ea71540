"""Starting a backup."""
