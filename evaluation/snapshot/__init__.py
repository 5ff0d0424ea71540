"""A study as plain arrays: its units, systems, scores and judgements, from which tables and reports are made."""
