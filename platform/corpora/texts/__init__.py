"""The sentences, references and outputs of a study, as columns, units and pages."""
