"""Human studies: what is judged, what it costs, the texts that check on raters, and what departed from the plan."""
