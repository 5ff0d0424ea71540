"""What a study has, and what comes next in it."""
