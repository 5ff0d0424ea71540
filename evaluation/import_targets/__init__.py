"""What tables can bring into an evaluation; one file is one target of `corpora.import_targets`."""
