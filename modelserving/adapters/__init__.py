"""Low-rank adapters of instruct models (Hu et al. 2022): a chat as ids, the adapter's files, and what it writes."""
