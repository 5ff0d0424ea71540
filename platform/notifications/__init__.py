"""Mail to people for whom work waits: at most one digest a day, of the kinds that each of them chose."""
