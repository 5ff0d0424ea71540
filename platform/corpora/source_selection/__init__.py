"""Which sentences of documents become the sources of a direction."""
