"""What a study and its styles may be called."""
