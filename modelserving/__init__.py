"""Models: trained, run over studies, asked for single sentences."""
