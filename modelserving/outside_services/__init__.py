"""Services outside that get a study's texts: whether its terms allow it, and what they answered."""
