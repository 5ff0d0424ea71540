"""The common parts of transfer models that are networks: options, the ready model, its training and validation."""
