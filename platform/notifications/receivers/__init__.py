"""Signal receivers: a person is erased."""
