"""Mail to people for whom work waits: at most one digest a day, of what each of them chose to hear of."""
