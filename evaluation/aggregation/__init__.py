"""Numbers of systems summed over the sources of a snapshot, with intervals and marks of significance."""
