"""Changes of a study that touch more than one room."""
