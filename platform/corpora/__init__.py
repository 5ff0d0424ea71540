"""Studies and their texts."""
