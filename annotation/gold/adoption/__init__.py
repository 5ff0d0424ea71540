"""Gold as texts of a study: the sources and references that rows of gold become."""
