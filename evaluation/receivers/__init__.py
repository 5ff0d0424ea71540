"""What this room does when another one sends a signal."""
