"""Gold: rewrites on their way out, releases, gold as texts of a study, and files of gold from elsewhere."""
